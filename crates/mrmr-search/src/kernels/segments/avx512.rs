//! Loops for x86-64 with AVX-512 and its permutations of bytes (VBMI): a table of 256 bytes fits in four
//! registers.

use std::arch::x86_64::*;

use super::portable;
use super::{BLOCK, Bytes, CENTROIDS, Codebook, SegmentKernels};

/// Bytes of a register.
const WIDTH: usize = 64;
/// Registers that a block of bytes fills.
const PARTS: usize = BLOCK / WIDTH;

pub(super) fn detect() -> Option<SegmentKernels> {
    let present = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi");
    present.then_some(SegmentKernels {
        nearest,
        values,
        costs,
    })
}

// The functions below are reached through `detect` alone.

fn nearest(codebook: &Codebook<'_>, points: &[f32], nearest: &mut [u8]) {
    // SAFETY: `detect` found the instructions.
    unsafe { nearest_in_lanes(codebook, points, nearest) }
}

fn values(codebook: &Codebook<'_>, point: &[f32], values: &mut [f32; CENTROIDS]) {
    // SAFETY: `detect` found the instructions.
    unsafe { values_in_lanes(codebook, point, values) }
}

fn costs(codes: &[Bytes], costs: &[Bytes], sums: &mut [u16; BLOCK]) {
    // SAFETY: `detect` found the instructions.
    unsafe { looked_up(codes, costs, sums) }
}

#[target_feature(enable = "avx512f,avx512bw")]
fn nearest_in_lanes(codebook: &Codebook<'_>, points: &[f32], nearest: &mut [u8]) {
    portable::nearest(codebook, points, nearest);
}

#[target_feature(enable = "avx512f,avx512bw")]
fn values_in_lanes(codebook: &Codebook<'_>, point: &[f32], values: &mut [f32; CENTROIDS]) {
    portable::values(codebook, point, values);
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline]
fn registers(bytes: &Bytes) -> [__m512i; PARTS] {
    // SAFETY: 256 bytes are four times 64; the loads need no alignment.
    std::array::from_fn(|part| unsafe {
        _mm512_loadu_si512(bytes.as_ptr().add(part * WIDTH).cast())
    })
}

/// One permutation looks 7 bits of a code up in 128 bytes; its last bit chooses between two of these. Bytes
/// at even and odd places are summed apart, and put in order at the end.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn looked_up(codes: &[Bytes], costs: &[Bytes], sums: &mut [u16; BLOCK]) {
    let low = _mm512_set1_epi16(0xFF);
    let mut even = [_mm512_setzero_si512(); PARTS];
    let mut odd = [_mm512_setzero_si512(); PARTS];
    for (codes, costs) in codes.iter().zip(costs) {
        let [a, b, c, d] = registers(costs);
        let codes = registers(codes);
        for part in 0..PARTS {
            let code = codes[part];
            let upper = _mm512_movepi8_mask(code);
            let found = _mm512_mask_blend_epi8(
                upper,
                _mm512_permutex2var_epi8(a, code, b),
                _mm512_permutex2var_epi8(c, code, d),
            );
            even[part] = _mm512_add_epi16(even[part], _mm512_and_si512(found, low));
            odd[part] = _mm512_add_epi16(odd[part], _mm512_srli_epi16::<8>(found));
        }
    }
    for (part, sums) in sums.as_chunks_mut::<WIDTH>().0.iter_mut().enumerate() {
        let mut halves = [[0u16; WIDTH / 2]; 2];
        for (half, sum) in halves.iter_mut().zip([even[part], odd[part]]) {
            // SAFETY: 32 numbers take 64 bytes; the store needs no alignment.
            unsafe { _mm512_storeu_si512(half.as_mut_ptr().cast(), sum) };
        }
        for (place, sum) in sums.iter_mut().enumerate() {
            *sum = halves[place % 2][place / 2];
        }
    }
}
