//! Whether the rank column of a run says the same as its scores.

use std::collections::HashSet;

use super::RankDisagreement;

/// Compares rank and score within each block of lines that belong to one query.
#[derive(Debug, Default)]
pub(crate) struct RankWatch {
    query: String,
    /// Rank, score and number of each line of the block.
    block: Vec<(i64, f64, u64)>,
    disagreeing: HashSet<String>,
    first: Option<RankDisagreement>,
}

impl RankWatch {
    /// Takes in a line; what disagrees in the block that ended before it.
    #[inline]
    pub(crate) fn see(
        &mut self,
        query: &str,
        rank: i64,
        score: f64,
        number: u64,
    ) -> Option<RankDisagreement> {
        let mut ended = None;
        if self.query != query {
            ended = self.close();
            self.query.clear();
            self.query.push_str(query);
        }
        self.block.push((rank, score, number));
        ended
    }

    /// How many queries disagree, and where the first one does.
    pub(super) fn finish(mut self) -> (u64, Option<RankDisagreement>) {
        self.close();
        (self.disagreeing.len() as u64, self.first)
    }

    /// Ends the block; what disagrees in it, unless its query was known to disagree.
    pub(crate) fn close(&mut self) -> Option<RankDisagreement> {
        self.block.sort_by_key(|(rank, _, _)| *rank);
        let number = disagreement(&self.block);
        self.block.clear();
        let number = number?;
        if !self.disagreeing.insert(self.query.clone()) {
            return None;
        }
        let found = RankDisagreement {
            query: self.query.clone(),
            number,
        };
        self.first.get_or_insert_with(|| found.clone());
        Some(found)
    }
}

/// The entry whose score is above the lowest one of any better rank; equal ranks say nothing.
fn disagreement(block: &[(i64, f64, u64)]) -> Option<u64> {
    let mut lowest = f64::INFINITY;
    for group in block.chunk_by(|a, b| a.0 == b.0) {
        if let Some((_, _, number)) = group.iter().find(|(_, score, _)| *score > lowest) {
            return Some(*number);
        }
        lowest = group
            .iter()
            .fold(lowest, |lowest, (_, score, _)| lowest.min(*score));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(lines: &[(&str, i64, f64)]) -> (u64, Option<RankDisagreement>) {
        let mut watch = RankWatch::default();
        for (number, (query, rank, score)) in lines.iter().enumerate() {
            watch.see(query, *rank, *score, number as u64 + 1);
        }
        watch.finish()
    }

    #[test]
    fn a_score_above_that_of_a_better_rank_is_a_disagreement() {
        let (count, first) = watch(&[
            ("q1", 1, 3.0),
            ("q1", 2, 2.0),
            ("q2", 2, 5.0),
            ("q2", 1, 4.0),
            ("q3", 1, 1.0),
            ("q3", 5, 0.1),
            ("q3", 3, 9.0),
        ]);
        assert_eq!(count, 2);
        let expected = RankDisagreement {
            query: "q2".into(),
            number: 3,
        };
        assert_eq!(first, Some(expected));
    }

    #[test]
    fn equal_ranks_and_equal_scores_are_none() {
        let lines = [("q", 0, 1.0), ("q", 0, 9.0), ("q", 1, 1.0), ("q", 2, 1.0)];
        assert_eq!(watch(&lines).0, 0);
    }

    #[test]
    fn a_query_in_two_blocks_counts_once() {
        let lines = [
            ("q", 1, 1.0),
            ("q", 2, 2.0),
            ("p", 1, 1.0),
            ("q", 1, 1.0),
            ("q", 2, 2.0),
        ];
        assert_eq!(watch(&lines).0, 1);
    }
}
