//! Loops for any machine; the others are held to them.

use super::{
    Apart, COLUMNS, CodedRow, GROUP, Kernels, Line, QueryCodes, ROWS, Reach, RowBounds, STRIP,
    Strip, prefetch,
};

pub(super) const KERNELS: Kernels = Kernels {
    code_dots,
    row_dots,
    reaching,
    dots_of_group: dots::<GROUP>,
    dots_of_one: dots::<1>,
};

fn code_dots(rows: &[Line], queries: &QueryCodes, dots: &mut [[i32; ROWS]]) {
    for (query, dots) in queries.codes.chunks_exact(queries.words).zip(dots) {
        let mut sums = [0i32; ROWS];
        for (line, word) in rows.iter().zip(query) {
            let word = word.to_ne_bytes().map(|byte| i32::from(byte as i8));
            let (codes, _) = line.0.as_chunks::<COLUMNS>();
            for (sum, codes) in sums.iter_mut().zip(codes) {
                for (code, query) in codes.iter().zip(word) {
                    *sum += i32::from(*code) * query;
                }
            }
        }
        *dots = sums;
    }
}

fn row_dots(rows: &[Strip], query: CodedRow<'_>, places: &[u32], dots: &mut [i32]) {
    each_row(rows, query.strips.len(), places, dots, |row| {
        let mut sums = [0i32; STRIP];
        for (row, query) in row.iter().zip(query.strips) {
            for ((sum, code), query) in sums.iter_mut().zip(row.0).zip(query.0) {
                *sum += i32::from(code) * i32::from(query);
            }
        }
        sums.iter().sum()
    });
}

/// How many rows before its turn a row is asked for.
const AHEAD: usize = 4;

/// Calls `dot` with each of some rows of `width` strips, the memory of the next ones under way.
#[inline(always)]
pub(super) fn each_row(
    rows: &[Strip],
    width: usize,
    places: &[u32],
    dots: &mut [i32],
    dot: impl Fn(&[Strip]) -> i32,
) {
    let row = |place: &u32| &rows[*place as usize * width..][..width];
    for place in places.iter().take(AHEAD) {
        prefetch(row(place));
    }
    for (i, (place, value)) in places.iter().zip(dots).enumerate() {
        if let Some(next) = places.get(i + AHEAD) {
            prefetch(row(next));
        }
        *value = dot(row(place));
    }
}

pub(super) fn reaching(
    rows: &RowBounds,
    apart: Apart<'_>,
    queries: &[Reach],
    dots: &[[i32; ROWS]],
    masks: &mut [u16],
) {
    let columns = apart.rows.len();
    for (number, ((query, dots), mask)) in queries.iter().zip(dots).zip(masks).enumerate() {
        *mask = 0;
        let weights = &apart.queries[number * columns..(number + 1) * columns];
        for (lane, dot) in dots.iter().enumerate() {
            let mut middle = query.scale * *dot as f32 * rows.scale[lane];
            for (weight, column) in weights.iter().zip(apart.rows) {
                middle += weight * column[lane];
            }
            let upper = middle
                + query.residual * rows.residual[lane]
                + query.length * rows.length[lane]
                + query.whole * rows.whole[lane]
                - query.square * rows.square[lane];
            *mask |= u16::from(upper >= query.floor) << lane;
        }
    }
}

fn dots<const N: usize>(queries: [&[f32]; N], rows: &[f32], dots: &mut [[f32; N]]) {
    dots_in_lanes::<N, 8>(queries, rows, dots, |x, y, sum| sum + x * y);
}

/// Each sum runs in `LANES` lanes, 8 or 16, and then over them as a tree, whatever `N`.
#[inline(always)]
pub(super) fn dots_in_lanes<const N: usize, const LANES: usize>(
    queries: [&[f32]; N],
    rows: &[f32],
    dots: &mut [[f32; N]],
    add_product: impl Fn(f32, f32, f32) -> f32,
) {
    for (row, dots) in rows.chunks_exact(queries[0].len()).zip(dots) {
        let (row, row_rest) = row.as_chunks::<LANES>();
        let chunks = queries.map(|query| {
            let (chunks, rest) = query.as_chunks::<LANES>();
            // Of one length with the row, so that the loop below needs no check.
            (&chunks[..row.len()], &rest[..row_rest.len()])
        });
        let mut sums = [[0.0f32; LANES]; N];
        for (i, row) in row.iter().enumerate() {
            for n in 0..N {
                let query = &chunks[n].0[i];
                for lane in 0..LANES {
                    sums[n][lane] = add_product(query[lane], row[lane], sums[n][lane]);
                }
            }
        }
        for n in 0..N {
            for (lane, (x, y)) in chunks[n].1.iter().zip(row_rest).enumerate() {
                sums[n][lane] = add_product(*x, *y, sums[n][lane]);
            }
            dots[n] = sum_of_lanes(sums[n]);
        }
    }
}

/// The upper half of the lanes goes onto the lower, until one is left.
#[inline(always)]
fn sum_of_lanes<const LANES: usize>(mut lanes: [f32; LANES]) -> f32 {
    for width in [8, 4, 2, 1] {
        if width < LANES {
            for lane in 0..width {
                lanes[lane] += lanes[lane + width];
            }
        }
    }
    lanes[0]
}
