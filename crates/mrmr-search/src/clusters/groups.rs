//! Rows by the cluster that they belong to.

/// The members of each of some clusters, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Groups {
    /// For each cluster where it begins among the members; their number at the end.
    pub(crate) starts: Vec<u32>,
    pub(crate) members: Vec<u32>,
}

impl Groups {
    /// Groups the numbers 0.. by their cluster, of which there are `clusters`.
    pub(crate) fn new(clusters: usize, cluster_of: &[u32]) -> Self {
        let mut starts = vec![0u32; clusters + 1];
        for cluster in cluster_of {
            starts[*cluster as usize + 1] += 1;
        }
        for cluster in 0..clusters {
            starts[cluster + 1] += starts[cluster];
        }
        let mut places = starts.clone();
        let mut members = vec![0; cluster_of.len()];
        for (member, cluster) in cluster_of.iter().enumerate() {
            let place = &mut places[*cluster as usize];
            members[*place as usize] = member as u32;
            *place += 1;
        }
        Groups { starts, members }
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn of(&self, cluster: usize) -> &[u32] {
        &self.members[self.starts[cluster] as usize..self.starts[cluster + 1] as usize]
    }

    /// For each empty cluster a cluster that gives it a member: the largest, the members that it gave away
    /// taken as half of it; the first of equal ones.
    pub(crate) fn donors(&self) -> Vec<(usize, usize)> {
        let mut sizes: Vec<usize> = (0..self.len()).map(|n| self.of(n).len()).collect();
        let mut donors = Vec::new();
        for empty in (0..self.len()).filter(|cluster| self.of(*cluster).is_empty()) {
            let largest = (0..self.len()).rev().max_by_key(|cluster| sizes[*cluster]);
            if let Some(largest) = largest.filter(|cluster| sizes[*cluster] > 1) {
                sizes[empty] = sizes[largest] / 2;
                sizes[largest] -= sizes[empty];
                if !self.of(largest).is_empty() {
                    donors.push((empty, largest));
                }
            }
        }
        donors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_grouped_in_their_order_and_the_largest_gives_to_the_empty() {
        let groups = Groups::new(4, &[2, 0, 2, 2, 2, 0]);
        assert_eq!(
            (groups.of(0), groups.of(1), groups.of(2)),
            (&[1, 5][..], &[][..], &[0, 2, 3, 4][..])
        );
        assert_eq!(groups.donors(), [(1, 2), (3, 0)]);
        assert_eq!(Groups::new(2, &[0]).donors(), []);
    }
}
