//! Sums with AVX-512: a register holds the eight lanes.

use std::arch::x86_64::*;

use super::{LANES, SumKernels, TOGETHER, padded};

pub(super) fn detect() -> Option<SumKernels> {
    is_x86_feature_detected!("avx512f").then_some(SumKernels {
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
#[target_feature(enable = "avx512f")]
fn lane_sums<const N: usize, const DIFFERENCES: bool>(
    left: &[f32],
    rights: [&[f32]; N],
) -> [f64; N] {
    let rights = rights.map(|right| &right[..left.len()]);
    let mut sums = [_mm512_setzero_pd(); N];
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
#[target_feature(enable = "avx512f")]
#[inline]
unsafe fn load(numbers: *const f32) -> __m512d {
    // SAFETY: as promised; the load needs no alignment.
    _mm512_cvtps_pd(unsafe { _mm256_loadu_ps(numbers) })
}

#[target_feature(enable = "avx512f")]
#[inline]
fn add<const DIFFERENCES: bool>(sum: __m512d, left: __m512d, right: __m512d) -> __m512d {
    if DIFFERENCES {
        let difference = _mm512_sub_pd(left, right);
        _mm512_add_pd(sum, _mm512_mul_pd(difference, difference))
    } else {
        _mm512_fmadd_pd(left, right, sum)
    }
}

/// The upper half of the lanes goes onto the lower, until one is left.
#[target_feature(enable = "avx512f")]
#[inline]
fn tree(lanes: __m512d) -> f64 {
    let (low, high) = (
        _mm512_castpd512_pd256(lanes),
        _mm512_extractf64x4_pd::<1>(lanes),
    );
    let four = _mm256_add_pd(low, high);
    let two = _mm_add_pd(
        _mm256_castpd256_pd128(four),
        _mm256_extractf128_pd::<1>(four),
    );
    _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)))
}
