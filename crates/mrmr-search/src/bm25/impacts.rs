//! How much postings weigh under some settings, and what a search may skip.
//!
//! A posting adds `w - w / (1 + x)` to a score, `x` the frequency times the inverse norm. That never falls
//! when `x` grows, roundings included, so that the largest `x` of a term gives the most that the term can
//! add, and its k-th largest what k documents have at least, both to the last bit.

use mrmr_core::Interned;
use rayon::prelude::*;

use super::postings::{Postings, TermId};
use super::section::Section;

/// Postings whose largest `x` is kept; counted over all terms, so that a block may hold two.
pub(super) const BLOCK: usize = 128;
/// The ranks at which `x` is kept.
pub(super) const RANKS: [usize; 4] = [1, 10, 100, 1000];

/// See the module.
pub(super) struct Impacts {
    /// For each posting its `x`.
    pub(super) x: Section,
    /// For each block the largest `x`.
    pub(super) maxima: Section,
    /// For each term its largest `x` at each of [`RANKS`]; -1 where it has fewer postings.
    pub(super) tops: Section,
}

impl Impacts {
    pub(super) fn new(postings: &Postings, norm_inverse: &[f32]) -> Self {
        let (rows, frequencies) = (postings.rows.numbers(), postings.frequencies.numbers());
        let x = |place: usize| -> f32 {
            let row = u32::from_le_bytes(rows[place]);
            u32::from_le_bytes(frequencies[place]) as f32 * norm_inverse[row as usize]
        };
        let all: Vec<f32> = (0..rows.len()).into_par_iter().map(x).collect();
        let maxima = all
            .chunks(BLOCK)
            .map(|block| block.iter().copied().fold(0.0, f32::max));
        let maxima = Section::of_u32(maxima.map(f32::to_bits));
        let terms = (0..postings.terms.names.len()).into_par_iter();
        let tops = terms.map_init(Vec::new, |own: &mut Vec<f32>, term| {
            own.clear();
            own.extend_from_slice(&all[postings.range(TermId::from_index(term))]);
            largest(own).map(f32::to_le_bytes)
        });
        let tops: Vec<[[u8; 4]; RANKS.len()]> = tops.collect();
        Impacts {
            x: Section::of_u32(all.into_iter().map(f32::to_bits)),
            maxima,
            tops: Section::Owned(tops.into_flattened().into_flattened()),
        }
    }

    /// The `x` of a term at one of the ranks.
    pub(super) fn top(&self, term: TermId, rank: usize) -> f32 {
        f32::from_bits(self.tops.u32(term.index() * RANKS.len() + rank))
    }
}

fn largest(all: &mut [f32]) -> [f32; RANKS.len()] {
    let mut top = [-1.0; RANKS.len()];
    let mut left = all;
    for (rank, kept) in RANKS.iter().zip(&mut top).rev() {
        if left.len() >= *rank {
            left.select_nth_unstable_by(rank - 1, |a, b| b.total_cmp(a));
            left = &mut left[..*rank];
            *kept = left[rank - 1];
        }
    }
    top
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_are_kept_at_each_rank_that_there_is() {
        let mut all: Vec<f32> = (0..150).map(|number| ((number * 7) % 150) as f32).collect();
        assert_eq!(largest(&mut all), [149.0, 140.0, 50.0, -1.0]);
        assert_eq!(largest(&mut []), [-1.0; 4]);
    }
}
