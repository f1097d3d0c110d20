//! The nearest known name to a mistyped one.

/// The candidate nearest to `name` (ignoring ASCII case), if it is near enough to be meant.
///
/// ```
/// assert_eq!(mrmr_core::closest("rell", ["cutoff", "rel"]), Some("rel"));
/// assert_eq!(mrmr_core::closest("colour", ["cutoff", "rel"]), None);
/// ```
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = name.to_lowercase().chars().collect();
    let limit = (wanted.len() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(&wanted, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Optimal string alignment distance: insertions, deletions, substitutions, swaps of neighbours.
fn distance(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut current = vec![i];
        for j in 1..=b.len() {
            let substitution = previous[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = substitution.min(previous[j] + 1).min(current[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            current.push(best);
        }
        before = std::mem::replace(&mut previous, current);
    }
    previous[b.len()]
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn a_swap_of_neighbours_counts_once() {
        assert_eq!(closest("ndgc", ["nDCG", "AP"]), Some("nDCG"));
    }

    #[test]
    fn nothing_near_is_no_suggestion() {
        assert_eq!(closest("x", ["nDCG", "AP"]), None);
    }
}
