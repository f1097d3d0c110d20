//! What a query says of each code.

use super::codebooks::Codebooks;
use crate::exact::bound::unit;
use crate::kernels::segments::{Bytes, CENTROIDS, MAX_COST, SegmentKernels};
use crate::metric::{Metric, square};

/// For each segment the cost of each code, a whole number: the lower, the better.
///
/// A cost is how much less the code gives to the score than the best code of its segment, up to a factor
/// that is the same for all segments.
pub(super) fn costs(
    metric: Metric,
    codebooks: &Codebooks,
    query: &[f32],
    kernels: SegmentKernels,
) -> Vec<Bytes> {
    let (point, divisor) = point(metric, codebooks, query);
    let mut values = vec![[0.0f32; CENTROIDS]; codebooks.segments.len()];
    let mut greatest = Vec::with_capacity(values.len());
    let mut range = 0.0f32;
    for (segment, (fine, values)) in codebooks.segments.iter().zip(&mut values).enumerate() {
        let point = &point[codebooks.columns(segment)];
        match metric {
            Metric::Euclidean => {
                (kernels.values)(&fine.nearest_first(), point, values);
                values.iter_mut().for_each(|value| *value /= divisor);
            }
            _ => (kernels.values)(&fine.largest_first(), point, values),
        }
        let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let least = values.iter().copied().fold(f32::INFINITY, f32::min);
        range = range.max(most - least);
        greatest.push(most);
    }
    let levels = (MAX_COST / values.len()).min(255) as f32;
    let factor = if range > 0.0 { levels / range } else { 0.0 };
    // Where the range is too small for its reciprocal, all codes are alike.
    let factor = if factor.is_finite() { factor } else { 0.0 };
    let costs = values.iter().zip(greatest).map(|(values, most)| {
        let mut costs = [0; CENTROIDS];
        for (cost, value) in costs.iter_mut().zip(values) {
            *cost = ((most - value) * factor + 0.5).min(levels) as u8;
        }
        costs
    });
    costs.collect()
}

/// The query as it meets the centroids, in the range of 32 bits, and what values are divided by.
fn point(metric: Metric, codebooks: &Codebooks, query: &[f32]) -> (Vec<f32>, f32) {
    match metric {
        Metric::Euclidean => {
            let centred = query.iter().zip(&codebooks.mean);
            let centred: Vec<f64> = centred
                .map(|(x, m)| f64::from(*x) - f64::from(*m))
                .collect();
            // <q - m, c> - |c|^2 / 2 with a query that is no longer than 2^40: beyond, centroids of rows
            // with a bound are in one direction from it as good as at infinity.
            let norm = centred.iter().map(|x| x * x).sum::<f64>().sqrt();
            let shrink = (norm / (1u64 << 40) as f64).max(1.0);
            let point: Vec<f32> = centred.iter().map(|x| (x / shrink) as f32).collect();
            let divisor = square(&point).sqrt().max(1.0) as f32;
            (point, divisor)
        }
        _ => (unit(query).0, 1.0),
    }
}
