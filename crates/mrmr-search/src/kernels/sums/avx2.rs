//! Sums with AVX2 and FMA: the eight lanes take two registers.

use std::arch::x86_64::*;

use super::{LANES, SumKernels, TOGETHER, padded};

pub(super) fn detect() -> Option<SumKernels> {
    let present = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    present.then_some(SumKernels {
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
#[target_feature(enable = "avx2,fma")]
fn lane_sums<const N: usize, const DIFFERENCES: bool>(
    left: &[f32],
    rights: [&[f32]; N],
) -> [f64; N] {
    let rights = rights.map(|right| &right[..left.len()]);
    let mut sums = [[_mm256_setzero_pd(); 2]; N];
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
#[target_feature(enable = "avx2,fma")]
#[inline]
unsafe fn load(numbers: *const f32) -> [__m256d; 2] {
    // SAFETY: as promised; the loads need no alignment.
    let halves = unsafe { [_mm_loadu_ps(numbers), _mm_loadu_ps(numbers.add(4))] };
    halves.map(|half| _mm256_cvtps_pd(half))
}

#[target_feature(enable = "avx2,fma")]
#[inline]
fn add<const DIFFERENCES: bool>(
    mut sums: [__m256d; 2],
    left: [__m256d; 2],
    right: [__m256d; 2],
) -> [__m256d; 2] {
    for ((sum, left), right) in sums.iter_mut().zip(left).zip(right) {
        *sum = if DIFFERENCES {
            let difference = _mm256_sub_pd(left, right);
            _mm256_add_pd(*sum, _mm256_mul_pd(difference, difference))
        } else {
            _mm256_fmadd_pd(left, right, *sum)
        };
    }
    sums
}

/// The upper half of the lanes goes onto the lower, until one is left.
#[target_feature(enable = "avx2,fma")]
#[inline]
fn tree([low, high]: [__m256d; 2]) -> f64 {
    let four = _mm256_add_pd(low, high);
    let two = _mm_add_pd(
        _mm256_castpd256_pd128(four),
        _mm256_extractf128_pd::<1>(four),
    );
    _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)))
}
