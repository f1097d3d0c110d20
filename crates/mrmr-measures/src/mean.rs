//! Sums that do not depend on the order of what is added.

/// The sum of values, the same bits for every order of them.
///
/// The values are added from the lowest to the highest with Neumaier's compensation.
///
/// ```
/// use mrmr_measures::sum;
/// assert_eq!(sum([0.1, 0.7, 0.2]), sum([0.7, 0.2, 0.1]));
/// assert_eq!(sum([]), 0.0);
/// ```
pub fn sum(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_unstable_by(f64::total_cmp);
    let (mut sum, mut lost) = (0.0f64, 0.0f64);
    for value in values {
        let next = sum + value;
        lost += if sum.abs() >= value.abs() {
            (sum - next) + value
        } else {
            (value - next) + sum
        };
        sum = next;
    }
    sum + lost
}

/// The mean of values, the same bits for every order of them; 0 of none.
pub fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.into_iter().collect();
    let count = values.len();
    if count == 0 {
        return 0.0;
    }
    sum(values) / count as f64
}

/// Values below this count as this in a geometric mean (trec_eval).
const FLOOR: f64 = 1e-5;

/// The geometric mean of values, those below 0.00001 counting as that; 0 of none. The same bits for every order
/// of them.
///
/// ```
/// use mrmr_measures::geometric_mean;
/// assert!((geometric_mean([0.1, 0.4]) - 0.2).abs() < 1e-15);
/// assert!((geometric_mean([0.0]) - 0.00001).abs() < 1e-15);
/// ```
pub fn geometric_mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let logarithms: Vec<f64> = values.into_iter().map(|v| v.max(FLOOR).ln()).collect();
    if logarithms.is_empty() {
        return 0.0;
    }
    mean(logarithms).exp()
}
