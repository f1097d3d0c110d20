//! Whether the rank column of a run says the same as its scores.

use mrmr_core::{Ids, Interned, QueryId};

use super::RankDisagreement;

/// Stands for no earlier line in [`RankWatch::earlier`].
const NONE: u32 = u32::MAX;

/// Compares ranks and scores by query, wherever its lines stand.
///
/// A block of lines that belong to one query is compared when it ends, which is all that a grouped file needs.
/// 20 bytes a line are kept beside that, for queries that come again behind others: those are compared whole at
/// the end. Lines beyond the first 2^32 - 1 are compared within their block alone.
#[derive(Debug, Default)]
pub(crate) struct RankWatch {
    query: String,
    /// The lines of the block.
    block: Vec<Line>,
    names: Ids<QueryId>,
    /// By query.
    queries: Vec<State>,
    /// Of each line that is kept.
    ranks: Vec<i64>,
    scores: Vec<f64>,
    /// The line of the same query before it.
    earlier: Vec<u32>,
    /// Where the numbers of lines do not go on by 1: a place among the kept lines, and its number.
    jumps: Vec<(u32, u64)>,
    /// The number that goes on by 1.
    next: u64,
}

#[derive(Clone, Copy, Debug)]
struct Line {
    rank: i64,
    score: f64,
    number: u64,
}

#[derive(Clone, Copy, Debug)]
struct State {
    /// Its last line that is kept.
    last: u32,
    scattered: bool,
    disagrees: bool,
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
        self.block.push(Line {
            rank,
            score,
            number,
        });
        ended
    }

    /// Ends the last block; each query that disagrees and was not returned by [`see`](Self::see), and where.
    pub(crate) fn finish(mut self) -> Vec<RankDisagreement> {
        let mut found: Vec<RankDisagreement> = self.close().into_iter().collect();
        let mut lines = Vec::new();
        for (at, state) in self.queries.iter().enumerate() {
            if !state.scattered || state.disagrees {
                continue;
            }
            lines.clear();
            let mut kept = state.last;
            while kept != NONE {
                let line = kept as usize;
                lines.push(Line {
                    rank: self.ranks[line],
                    score: self.scores[line],
                    number: self.number(kept),
                });
                kept = self.earlier[line];
            }
            lines.reverse();
            if let Some(number) = disagreement(&mut lines) {
                let query = self.names.name(QueryId::from_index(at)).to_owned();
                found.push(RankDisagreement { query, number });
            }
        }
        found
    }

    /// Ends the block; what disagrees in it, unless its query was known to disagree.
    fn close(&mut self) -> Option<RankDisagreement> {
        if self.block.is_empty() {
            return None;
        }
        let (query, new) = self.names.insert(&self.query);
        if new {
            self.queries.push(State {
                last: NONE,
                scattered: false,
                disagrees: false,
            });
        }
        self.keep(query);
        let number = disagreement(&mut self.block);
        self.block.clear();
        let state = &mut self.queries[query.index()];
        state.scattered |= !new;
        let number = number?;
        if std::mem::replace(&mut state.disagrees, true) {
            return None;
        }
        Some(RankDisagreement {
            query: self.query.clone(),
            number,
        })
    }

    /// Keeps the lines of the block.
    fn keep(&mut self, query: QueryId) {
        let state = &mut self.queries[query.index()];
        for line in &self.block {
            let at = self.ranks.len();
            if at >= NONE as usize {
                return;
            }
            let at = at as u32;
            if line.number != self.next {
                self.jumps.push((at, line.number));
            }
            self.next = line.number + 1;
            self.ranks.push(line.rank);
            self.scores.push(line.score);
            self.earlier.push(state.last);
            state.last = at;
        }
    }

    fn number(&self, kept: u32) -> u64 {
        let behind = self.jumps.partition_point(|(at, _)| *at <= kept);
        let (at, number) = match behind {
            0 => (0, 0),
            some => self.jumps[some - 1],
        };
        number + u64::from(kept - at)
    }
}

/// The line whose score is above the lowest one of any better rank; equal ranks say nothing.
fn disagreement(lines: &mut [Line]) -> Option<u64> {
    lines.sort_by_key(|line| line.rank);
    let mut lowest = f64::INFINITY;
    for group in lines.chunk_by(|a, b| a.rank == b.rank) {
        if let Some(line) = group.iter().find(|line| line.score > lowest) {
            return Some(line.number);
        }
        lowest = group
            .iter()
            .fold(lowest, |lowest, line| lowest.min(line.score));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(lines: &[(&str, i64, f64)]) -> Vec<(String, u64)> {
        let mut watch = RankWatch::default();
        let mut found = Vec::new();
        for (number, (query, rank, score)) in lines.iter().enumerate() {
            // As if behind a header, with a blank line before the third.
            let number = number as u64 + 2 + u64::from(number > 1);
            found.extend(watch.see(query, *rank, *score, number));
        }
        found.extend(watch.finish());
        let found = found.into_iter();
        found.map(|found| (found.query, found.number)).collect()
    }

    #[test]
    fn a_score_above_that_of_a_better_rank_is_a_disagreement() {
        let found = watch(&[
            ("q1", 1, 3.0),
            ("q1", 2, 2.0),
            ("q2", 2, 5.0),
            ("q2", 1, 4.0),
            ("q3", 1, 1.0),
            ("q3", 5, 0.1),
            ("q3", 3, 9.0),
        ]);
        assert_eq!(found, [("q2".to_owned(), 5), ("q3".to_owned(), 9)]);
    }

    #[test]
    fn equal_ranks_and_equal_scores_are_none() {
        let mut lines = vec![("q", 0, 1.0), ("q", 0, 9.0), ("q", 1, 1.0), ("q", 2, 1.0)];
        assert_eq!(watch(&lines), []);
        lines.insert(1, ("p", 0, 1.0));
        lines.insert(3, ("p", 0, 9.0));
        assert_eq!(watch(&lines), []);
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
        assert_eq!(watch(&lines), [("q".to_owned(), 3)]);
    }

    #[test]
    fn blocks_of_one_query_are_compared_with_each_other() {
        let lines = [("q", 1, 1.0), ("r", 1, 1.0), ("q", 2, 5.0), ("r", 2, 0.5)];
        assert_eq!(watch(&lines), [("q".to_owned(), 5)]);
    }
}
