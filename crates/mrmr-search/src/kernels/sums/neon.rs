//! Sums for 64-bit ARM: the eight lanes take four registers.

use std::arch::aarch64::*;
use std::arch::is_aarch64_feature_detected;

use super::{LANES, SumKernels, TOGETHER, padded};

pub(super) fn detect() -> Option<SumKernels> {
    is_aarch64_feature_detected!("neon").then_some(SumKernels {
        products,
        squared_differences,
        products_with_each,
        squared_differences_with_each,
    })
}

// The functions below are reached through `detect` alone.

fn products(left: &[f32], right: &[f32]) -> f64 {
    // SAFETY: `detect` found the instructions.
    let [sum] = unsafe { lane_sums::<1, false>(left, [right]) };
    sum
}

fn squared_differences(left: &[f32], right: &[f32]) -> f64 {
    // SAFETY: `detect` found the instructions.
    let [sum] = unsafe { lane_sums::<1, true>(left, [right]) };
    sum
}

fn products_with_each(left: &[f32], rights: [&[f32]; TOGETHER]) -> [f64; TOGETHER] {
    // SAFETY: `detect` found the instructions.
    unsafe { lane_sums::<TOGETHER, false>(left, rights) }
}

fn squared_differences_with_each(left: &[f32], rights: [&[f32]; TOGETHER]) -> [f64; TOGETHER] {
    // SAFETY: `detect` found the instructions.
    unsafe { lane_sums::<TOGETHER, true>(left, rights) }
}

/// Of products, or of squares of differences.
#[target_feature(enable = "neon")]
fn lane_sums<const N: usize, const DIFFERENCES: bool>(
    left: &[f32],
    rights: [&[f32]; N],
) -> [f64; N] {
    let rights = rights.map(|right| &right[..left.len()]);
    let mut sums = [[vdupq_n_f64(0.0); 4]; N];
    let whole = left.len() - left.len() % LANES;
    for start in (0..whole).step_by(LANES) {
        // SAFETY: all vectors have eight numbers from here on.
        let (left, rights) = unsafe {
            (
                load(left.as_ptr().add(start)),
                rights.map(|right| load(right.as_ptr().add(start))),
            )
        };
        for (sum, right) in sums.iter_mut().zip(rights) {
            *sum = add::<DIFFERENCES>(*sum, left, right);
        }
    }
    if whole < left.len() {
        let rest = padded(&left[whole..]);
        for (sum, right) in sums.iter_mut().zip(rights) {
            let right = padded(&right[whole..]);
            // SAFETY: both are arrays of eight numbers.
            let (left, right) = unsafe { (load(rest.as_ptr()), load(right.as_ptr())) };
            *sum = add::<DIFFERENCES>(*sum, left, right);
        }
    }
    sums.map(|sum| tree(sum))
}

/// # Safety
/// Eight numbers lie there.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn load(numbers: *const f32) -> [float64x2_t; 4] {
    // SAFETY: as promised; the loads need no alignment.
    let [low, high] = unsafe { [vld1q_f32(numbers), vld1q_f32(numbers.add(4))] };
    [
        vcvt_f64_f32(vget_low_f32(low)),
        vcvt_high_f64_f32(low),
        vcvt_f64_f32(vget_low_f32(high)),
        vcvt_high_f64_f32(high),
    ]
}

#[target_feature(enable = "neon")]
#[inline]
fn add<const DIFFERENCES: bool>(
    mut sums: [float64x2_t; 4],
    left: [float64x2_t; 4],
    right: [float64x2_t; 4],
) -> [float64x2_t; 4] {
    for ((sum, left), right) in sums.iter_mut().zip(left).zip(right) {
        *sum = if DIFFERENCES {
            let difference = vsubq_f64(left, right);
            vaddq_f64(*sum, vmulq_f64(difference, difference))
        } else {
            vfmaq_f64(*sum, left, right)
        };
    }
    sums
}

/// The upper half of the lanes goes onto the lower, until one is left.
#[target_feature(enable = "neon")]
#[inline]
fn tree([first, second, third, fourth]: [float64x2_t; 4]) -> f64 {
    let (low, high) = (vaddq_f64(first, third), vaddq_f64(second, fourth));
    vaddvq_f64(vaddq_f64(low, high))
}
