//! Loops for any machine; the others are held to them, or are these with wider instructions.

use super::{BLOCK, Bytes, CENTROIDS, Codebook, SegmentKernels};

pub(super) const KERNELS: SegmentKernels = SegmentKernels {
    nearest,
    values,
    costs,
};

/// Centroids that are compared together.
const LANES: usize = 32;

#[inline(always)]
pub(super) fn nearest(codebook: &Codebook<'_>, points: &[f32], nearest: &mut [u8]) {
    for (point, nearest) in points.chunks_exact(codebook.columns.len()).zip(nearest) {
        let (mut best, mut numbers) = ([f32::NEG_INFINITY; LANES], [0u32; LANES]);
        for chunk in 0..CENTROIDS / LANES {
            let values = values_of(codebook, point, chunk);
            for lane in 0..LANES {
                let better = values[lane] > best[lane];
                best[lane] = if better { values[lane] } else { best[lane] };
                numbers[lane] = if better { chunk as u32 } else { numbers[lane] };
            }
        }
        let greatest = best.iter().fold(
            f32::NEG_INFINITY,
            |most, x| if *x > most { *x } else { most },
        );
        let mut first = u32::MAX;
        for lane in 0..LANES {
            let number = numbers[lane] * LANES as u32 + lane as u32;
            first = if best[lane] == greatest {
                first.min(number)
            } else {
                first
            };
        }
        *nearest = first as u8;
    }
}

#[inline(always)]
pub(super) fn values(codebook: &Codebook<'_>, point: &[f32], values: &mut [f32; CENTROIDS]) {
    let (chunks, _) = values.as_chunks_mut::<LANES>();
    for (chunk, values) in chunks.iter_mut().enumerate() {
        *values = values_of(codebook, point, chunk);
    }
}

#[inline(always)]
fn values_of(codebook: &Codebook<'_>, point: &[f32], chunk: usize) -> [f32; LANES] {
    let mut values = [0.0; LANES];
    let halves = &codebook.halves.as_chunks::<LANES>().0[chunk];
    for lane in 0..LANES {
        values[lane] = -halves[lane];
    }
    for (x, column) in point.iter().zip(codebook.columns) {
        let column = &column.as_chunks::<LANES>().0[chunk];
        for lane in 0..LANES {
            values[lane] += x * column[lane];
        }
    }
    values
}

pub(super) fn costs(codes: &[Bytes], costs: &[Bytes], sums: &mut [u16; BLOCK]) {
    *sums = [0; BLOCK];
    for (codes, costs) in codes.iter().zip(costs) {
        for (sum, code) in sums.iter_mut().zip(codes) {
            *sum += u16::from(costs[*code as usize]);
        }
    }
}
