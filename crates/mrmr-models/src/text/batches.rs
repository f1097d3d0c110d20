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
pub(super) fn batches(lengths: &[usize]) -> Vec<Batch> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|row| (std::cmp::Reverse(lengths[*row]), *row));
    let mut batches: Vec<Batch> = Vec::new();
    for row in order {
        let length = lengths[row];
        match batches.last_mut() {
            Some(batch) if batch.length == length && (batch.rows.len() + 1) * length <= TOKENS => {
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
        let made = batches(&lengths);
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
        let made = batches(&[TOKENS * 2, TOKENS * 2]);
        assert_eq!(made.len(), 2);
    }
}
