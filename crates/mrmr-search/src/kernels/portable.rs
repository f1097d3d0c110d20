//! Loops for any machine; the others are held to them.

use super::{
    Apart, COLUMNS, CodedRow, FloatReach, Kernels, Line, QueryCodes, ROWS, Reach, RowBounds,
    RowNorms, STRIP, Strip, prefetch,
};

pub(super) const KERNELS: Kernels = Kernels {
    code_dots,
    row_dots,
    reaching,
    float_dots,
    float_reaching,
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

fn float_dots(queries: &[&[f32]], rows: &[f32], dots: &mut [[f32; ROWS]]) {
    dots_in_lanes(queries, rows, dots, |x, y, sum| sum + x * y);
}

const LANES: usize = 8;

/// Each sum runs in 8 lanes, and then over them as a tree.
#[inline(always)]
pub(super) fn dots_in_lanes(
    queries: &[&[f32]],
    rows: &[f32],
    dots: &mut [[f32; ROWS]],
    add_product: impl Fn(f32, f32, f32) -> f32,
) {
    for (query, dots) in queries.iter().zip(dots) {
        let (query_lanes, query_rest) = query.as_chunks::<LANES>();
        for (row, dot) in rows.chunks_exact(query.len()).zip(dots) {
            let (row, row_rest) = row.as_chunks::<LANES>();
            let mut sums = [0.0f32; LANES];
            for (x, y) in query_lanes.iter().zip(row) {
                for lane in 0..LANES {
                    sums[lane] = add_product(x[lane], y[lane], sums[lane]);
                }
            }
            for (sum, (x, y)) in sums.iter_mut().zip(query_rest.iter().zip(row_rest)) {
                *sum = add_product(*x, *y, *sum);
            }
            *dot = sum_of_lanes(sums);
        }
    }
}

/// The upper half of the lanes goes onto the lower, until one is left.
#[inline(always)]
pub(super) fn sum_of_lanes(lanes: [f32; LANES]) -> f32 {
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

pub(super) fn float_reaching(
    rows: &RowNorms,
    queries: &[FloatReach],
    dots: &[[f32; ROWS]],
    masks: &mut [u16],
) {
    for ((query, dots), mask) in queries.iter().zip(dots).zip(masks) {
        *mask = 0;
        for (lane, dot) in dots.iter().enumerate() {
            let upper = dot + query.norm * rows.norm[lane] - query.square * rows.square[lane];
            // A sum that is no number survives.
            let is_below = upper < query.floor;
            *mask |= u16::from(!is_below) << lane;
        }
    }
}
