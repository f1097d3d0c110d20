//! Scores whose differences, sums and squares are finite.

use crate::fusion::candidates::Scored;

/// Scores beyond this are scaled down: all that follows divides by a range, a sum or a deviation of them.
const LARGE: f64 = 3.273390607896142e150; // 2^500

/// What they are scaled by, exactly.
const SCALE: f64 = 2.409919865102884e-181; // 2^-600

/// Puts infinite scores one range of the finite ones beyond them, and scales huge ones down; how many were infinite.
pub(super) fn tame(list: &mut [Scored]) -> usize {
    let finite = |list: &[Scored]| -> Vec<f64> {
        let scores = list.iter().map(|scored| scored.score);
        scores.filter(|score| score.is_finite()).collect()
    };
    let largest = list.iter().fold(0f64, |most, s| most.max(s.score.abs()));
    if largest <= LARGE {
        return 0;
    }
    let scores = finite(list);
    if scores.iter().any(|score| score.abs() > LARGE) {
        for scored in list.iter_mut() {
            scored.score *= SCALE;
        }
    }
    let scores = match scores.len() == list.len() {
        true => return 0,
        false => finite(list),
    };
    let low = scores.iter().copied().fold(f64::INFINITY, f64::min);
    let high = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (low, high) = match scores.is_empty() {
        true => (0.0, 0.0),
        false => (low, high),
    };
    let range = match high > low {
        true => high - low,
        false => 1.0,
    };
    for scored in list.iter_mut() {
        if scored.score == f64::INFINITY {
            scored.score = high + range;
        } else if scored.score == f64::NEG_INFINITY {
            scored.score = low - range;
        }
    }
    list.len() - scores.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tamed(scores: &[f64]) -> (usize, Vec<f64>) {
        let list = scores.iter().map(|&score| Scored { slot: 0, score });
        let mut list: Vec<Scored> = list.collect();
        let infinite = tame(&mut list);
        (infinite, list.iter().map(|scored| scored.score).collect())
    }

    #[test]
    fn infinite_scores_stand_one_range_beyond_the_others() {
        let (up, down) = (f64::INFINITY, f64::NEG_INFINITY);
        assert_eq!(tamed(&[3.0, 1.0]), (0, vec![3.0, 1.0]));
        assert_eq!(tamed(&[up, 3.0, 1.0]), (1, vec![5.0, 3.0, 1.0]));
        assert_eq!(tamed(&[2.0, down]), (1, vec![2.0, 1.0]));
        assert_eq!(tamed(&[up, down]), (2, vec![1.0, -1.0]));
    }

    #[test]
    fn huge_scores_are_scaled_by_a_power_of_two() {
        assert_eq!((LARGE, SCALE), (2f64.powi(500), 2f64.powi(-600)));
        let (infinite, scores) = tamed(&[f64::INFINITY, f64::MAX, f64::MIN, 0.0]);
        assert_eq!(infinite, 1);
        assert_eq!(scores[1] / SCALE, f64::MAX);
        assert!(scores[0].is_finite() && scores[0] > scores[1]);
    }
}
