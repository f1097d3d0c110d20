//! Rows of one length, run together.
//!
//! No row is ever padded: a row's vector has the same bits whatever it is run with, and no time goes into padding.

/// How many tokens a batch has at most. More do not make the matrix products faster, but take memory.
pub(super) const TOKENS: usize = 1024;

/// Rows by their place, all of one length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Batch {
    pub(super) length: usize,
    pub(super) rows: Vec<usize>,
}

/// Batches of rows with these lengths: the longest first, so that no worker begins a long one last.
///
/// Where the network makes one vector of a row before its last product, rows stay `alone`: one vector by a matrix is
/// another kernel than several, which adds up in another order. The same goes for rows of one token.
pub(super) fn batches(lengths: &[usize], alone: bool) -> Vec<Batch> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|row| (std::cmp::Reverse(lengths[*row]), *row));
    let mut batches: Vec<Batch> = Vec::new();
    for row in order {
        let length = lengths[row];
        match batches.last_mut() {
            Some(batch)
                if !alone
                    && length > 1
                    && batch.length == length
                    && (batch.rows.len() + 1) * length <= TOKENS =>
            {
                batch.rows.push(row);
            }
            _ => batches.push(Batch {
                length,
                rows: vec![row],
            }),
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_has_rows_of_one_length_and_no_more_tokens_than_the_limit() {
        let lengths: Vec<usize> = (0..5000).map(|row| 2 + row * row % 300).collect();
        let made = batches(&lengths, false);
        let mut seen: Vec<usize> = made.iter().flat_map(|batch| batch.rows.clone()).collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..5000).collect::<Vec<_>>());
        for batch in &made {
            assert!(batch.rows.iter().all(|row| lengths[*row] == batch.length));
            assert!(batch.length * batch.rows.len() <= TOKENS);
        }
        assert!(made.is_sorted_by(|a, b| a.length >= b.length));
    }

    #[test]
    fn a_row_longer_than_the_limit_is_a_batch_of_its_own() {
        let made = batches(&[TOKENS * 2, TOKENS * 2], false);
        assert_eq!(made.len(), 2);
    }

    #[test]
    fn rows_of_a_token_and_rows_that_stay_alone_are_batches_of_their_own() {
        assert_eq!(batches(&[1, 1, 1], false).len(), 3);
        assert_eq!(batches(&[9, 9, 9], true).len(), 3);
        assert_eq!(batches(&[9, 9, 9], false).len(), 1);
    }
}
