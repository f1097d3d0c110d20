//! Loops for 64-bit ARM.

use std::arch::aarch64::*;
use std::arch::is_aarch64_feature_detected;

use super::portable::{self, dots_in_lanes, each_row};
use super::{CodedRow, Kernels, Line, QueryCodes, ROWS, Strip};

pub(super) fn detect() -> Option<Kernels> {
    is_aarch64_feature_detected!("neon").then_some(Kernels {
        code_dots,
        row_dots,
        reaching: portable::reaching,
        float_dots,
        float_reaching: portable::float_reaching,
    })
}

// The functions below are reached through `detect` alone.

fn code_dots(rows: &[Line], queries: &QueryCodes, dots: &mut [[i32; ROWS]]) {
    for (query, dots) in queries.codes.chunks_exact(queries.words).zip(dots) {
        // SAFETY: `detect` found the instructions.
        unsafe { code_dots_of_one(rows, query, dots) };
    }
}

fn row_dots(rows: &[Strip], query: CodedRow<'_>, places: &[u32], dots: &mut [i32]) {
    // SAFETY: `detect` found the instructions.
    unsafe { all_row_dots(rows, query, places, dots) }
}

fn float_dots(queries: &[&[f32]], rows: &[f32], dots: &mut [[f32; ROWS]]) {
    // SAFETY: `detect` found the instructions.
    unsafe { fused_dots(queries, rows, dots) }
}

#[target_feature(enable = "neon")]
fn code_dots_of_one(rows: &[Line], query: &[i32], dots: &mut [i32; ROWS]) {
    let mut sums = [vdupq_n_s32(0); 4];
    for (line, word) in rows.iter().zip(query) {
        let query = vreinterpret_s8_s32(vdup_n_s32(*word));
        for (quarter, sum) in sums.iter_mut().enumerate() {
            // SAFETY: a line is four times 16 bytes.
            let row = unsafe { vld1q_s8(line.0.as_ptr().add(quarter * 16)) };
            let low = vpaddlq_s16(vmull_s8(vget_low_s8(row), query));
            let high = vpaddlq_s16(vmull_s8(vget_high_s8(row), query));
            *sum = vaddq_s32(*sum, vpaddq_s32(low, high));
        }
    }
    for (quarter, sum) in sums.into_iter().enumerate() {
        // SAFETY: 16 numbers are four times 4.
        unsafe { vst1q_s32(dots.as_mut_ptr().add(quarter * 4), sum) };
    }
}

#[target_feature(enable = "neon")]
fn all_row_dots(rows: &[Strip], query: CodedRow<'_>, places: &[u32], dots: &mut [i32]) {
    let width = query.strips.len();
    each_row(rows, width, places, dots, |row| {
        let mut sums = [vdupq_n_s32(0); 4];
        for (row, query) in row.iter().zip(query.strips) {
            for (quarter, sum) in sums.iter_mut().enumerate() {
                // SAFETY: a strip is four times 16 bytes.
                let (row, query) = unsafe {
                    (
                        vld1q_s8(row.0.as_ptr().add(quarter * 16)),
                        vld1q_s8(query.0.as_ptr().add(quarter * 16)),
                    )
                };
                *sum = vpadalq_s16(*sum, vmull_s8(vget_low_s8(row), vget_low_s8(query)));
                *sum = vpadalq_s16(*sum, vmull_s8(vget_high_s8(row), vget_high_s8(query)));
            }
        }
        let [a, b, c, d] = sums;
        vaddvq_s32(vaddq_s32(vaddq_s32(a, b), vaddq_s32(c, d)))
    });
}

#[target_feature(enable = "neon")]
fn fused_dots(queries: &[&[f32]], rows: &[f32], dots: &mut [[f32; ROWS]]) {
    dots_in_lanes(queries, rows, dots, f32::mul_add);
}
