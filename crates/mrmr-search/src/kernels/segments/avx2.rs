//! The portable loops in AVX2; looking costs up has no faster way there than byte after byte.

use super::portable;
use super::{CENTROIDS, Codebook, SegmentKernels};

pub(super) fn detect() -> Option<SegmentKernels> {
    is_x86_feature_detected!("avx2").then_some(SegmentKernels {
        nearest,
        values,
        costs: portable::costs,
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

#[target_feature(enable = "avx2")]
fn nearest_in_lanes(codebook: &Codebook<'_>, points: &[f32], nearest: &mut [u8]) {
    portable::nearest(codebook, points, nearest);
}

#[target_feature(enable = "avx2")]
fn values_in_lanes(codebook: &Codebook<'_>, point: &[f32], values: &mut [f32; CENTROIDS]) {
    portable::values(codebook, point, values);
}
