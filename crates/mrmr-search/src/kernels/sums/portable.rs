//! Loops for any machine; the others are held to them.

use super::{LANES, SumKernels, TOGETHER};

pub(super) const KERNELS: SumKernels = SumKernels {
    products,
    squared_differences,
    products_with_each,
    squared_differences_with_each,
};

fn products(left: &[f32], right: &[f32]) -> f64 {
    sum(left, right, |x, y| x * y)
}

fn squared_differences(left: &[f32], right: &[f32]) -> f64 {
    sum(left, right, |x, y| (x - y) * (x - y))
}

fn products_with_each(left: &[f32], rights: [&[f32]; TOGETHER]) -> [f64; TOGETHER] {
    rights.map(|right| products(left, right))
}

fn squared_differences_with_each(left: &[f32], rights: [&[f32]; TOGETHER]) -> [f64; TOGETHER] {
    rights.map(|right| squared_differences(left, right))
}

#[inline]
fn sum(left: &[f32], right: &[f32], term: impl Fn(f64, f64) -> f64) -> f64 {
    let mut lanes = [0.0f64; LANES];
    let (left, left_rest) = left.as_chunks::<LANES>();
    let (right, right_rest) = right.as_chunks::<LANES>();
    for (left, right) in left.iter().zip(right) {
        for lane in 0..LANES {
            lanes[lane] += term(f64::from(left[lane]), f64::from(right[lane]));
        }
    }
    for (lane, (left, right)) in left_rest.iter().zip(right_rest).enumerate() {
        lanes[lane] += term(f64::from(*left), f64::from(*right));
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}
