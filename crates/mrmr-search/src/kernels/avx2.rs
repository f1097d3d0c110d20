//! Loops for x86-64 with AVX2 and FMA.

use std::arch::x86_64::*;

use super::portable::{each_row, sum_of_lanes};
use super::{
    Apart, CodedRow, FloatReach, Kernels, Line, QueryCodes, ROWS, Reach, RowBounds, RowNorms, Strip,
};

pub(super) fn detect() -> Option<Kernels> {
    let present = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    present.then_some(Kernels {
        code_dots,
        row_dots,
        reaching,
        float_dots,
        float_reaching,
    })
}

// The functions below are reached through `detect` alone.

fn code_dots(rows: &[Line], queries: &QueryCodes, dots: &mut [[i32; ROWS]]) {
    // SAFETY: `detect` found the instructions.
    unsafe { all_code_dots(rows, queries, dots) }
}

fn reaching(
    rows: &RowBounds,
    apart: Apart<'_>,
    queries: &[Reach],
    dots: &[[i32; ROWS]],
    masks: &mut [u16],
) {
    // SAFETY: `detect` found the instructions.
    unsafe { reaching_in_lanes(rows, apart, queries, dots, masks) }
}

fn row_dots(rows: &[Strip], query: CodedRow<'_>, places: &[u32], dots: &mut [i32]) {
    // SAFETY: `detect` found the instructions.
    unsafe { all_row_dots(rows, query, places, dots) }
}

fn float_dots(queries: &[&[f32]], rows: &[f32], dots: &mut [[f32; ROWS]]) {
    // SAFETY: `detect` found the instructions.
    unsafe { all_float_dots(queries, rows, dots) }
}

fn float_reaching(
    rows: &RowNorms,
    queries: &[FloatReach],
    dots: &[[f32; ROWS]],
    masks: &mut [u16],
) {
    // SAFETY: `detect` found the instructions.
    unsafe { float_reaching_in_lanes(rows, queries, dots, masks) }
}

#[target_feature(enable = "avx2,fma")]
fn all_code_dots(rows: &[Line], queries: &QueryCodes, dots: &mut [[i32; ROWS]]) {
    let mut queries = queries.codes.chunks_exact(queries.words);
    let (fours, rest) = dots.as_chunks_mut::<4>();
    for dots in fours {
        let four = [(); 4].map(|()| queries.next().unwrap_or_default());
        code_dots_of(rows, four, dots);
    }
    for (dots, query) in rest.iter_mut().zip(queries) {
        code_dots_of(rows, [query], std::array::from_mut(dots));
    }
}

/// Multiplies the row's magnitude by the query with the row's sign: two products of at most 127 x 127 stay
/// within the 16 bits in which the instruction adds them.
#[target_feature(enable = "avx2,fma")]
#[inline]
fn code_dots_of<const N: usize>(rows: &[Line], queries: [&[i32]; N], dots: &mut [[i32; ROWS]; N]) {
    let queries = queries.map(|query| &query[..rows.len()]);
    let ones = _mm256_set1_epi16(1);
    let mut sums = [[_mm256_setzero_si256(); 2]; N];
    for (i, line) in rows.iter().enumerate() {
        // SAFETY: a line is two times 32 bytes, and lies at a multiple of 64.
        let halves = unsafe {
            let line: *const __m256i = line.0.as_ptr().cast();
            [_mm256_load_si256(line), _mm256_load_si256(line.add(1))]
        };
        let magnitudes = halves.map(|half| _mm256_abs_epi8(half));
        for (query, sums) in queries.iter().zip(&mut sums) {
            let query = _mm256_set1_epi32(query[i]);
            for ((sum, row), magnitude) in sums.iter_mut().zip(halves).zip(magnitudes) {
                let signed = _mm256_sign_epi8(query, row);
                let pairs = _mm256_maddubs_epi16(magnitude, signed);
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, ones));
            }
        }
    }
    for (dots, sums) in dots.iter_mut().zip(sums) {
        for (half, sum) in sums.into_iter().enumerate() {
            // SAFETY: 16 numbers take two times 32 bytes; the store needs no alignment.
            unsafe { _mm256_storeu_si256(dots.as_mut_ptr().add(half * 8).cast(), sum) };
        }
    }
}

/// Signs go from the row to the query, as with groups of rows.
#[target_feature(enable = "avx2,fma")]
fn all_row_dots(rows: &[Strip], query: CodedRow<'_>, places: &[u32], dots: &mut [i32]) {
    let ones = _mm256_set1_epi16(1);
    let width = query.strips.len();
    each_row(rows, width, places, dots, |row| {
        let mut sums = [_mm256_setzero_si256(); 2];
        for (row, query) in row.iter().zip(query.strips) {
            for (half, sum) in sums.iter_mut().enumerate() {
                // SAFETY: a strip is two times 32 bytes, and lies at a multiple of 64.
                let (row, query) = unsafe {
                    (
                        _mm256_load_si256(row.0.as_ptr().add(half * 32).cast()),
                        _mm256_load_si256(query.0.as_ptr().add(half * 32).cast()),
                    )
                };
                let pairs =
                    _mm256_maddubs_epi16(_mm256_abs_epi8(row), _mm256_sign_epi8(query, row));
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, ones));
            }
        }
        let eight = _mm256_add_epi32(sums[0], sums[1]);
        let four = _mm_add_epi32(
            _mm256_castsi256_si128(eight),
            _mm256_extracti128_si256::<1>(eight),
        );
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
        let one = _mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
        _mm_cvtsi128_si32(one)
    });
}

#[target_feature(enable = "avx2,fma")]
fn reaching_in_lanes(
    rows: &RowBounds,
    apart: Apart<'_>,
    queries: &[Reach],
    dots: &[[i32; ROWS]],
    masks: &mut [u16],
) {
    let columns = apart.rows.len();
    for (number, ((query, dots), mask)) in queries.iter().zip(dots).zip(masks).enumerate() {
        let weights = &apart.queries[number * columns..(number + 1) * columns];
        *mask = 0;
        for half in 0..2 {
            // SAFETY: each array is of 16 numbers, two times 8; the loads need no alignment.
            let (dot, scale, residual, length, whole, square) = unsafe {
                (
                    _mm256_loadu_si256(dots.as_ptr().add(half * 8).cast()),
                    _mm256_loadu_ps(rows.scale.as_ptr().add(half * 8)),
                    _mm256_loadu_ps(rows.residual.as_ptr().add(half * 8)),
                    _mm256_loadu_ps(rows.length.as_ptr().add(half * 8)),
                    _mm256_loadu_ps(rows.whole.as_ptr().add(half * 8)),
                    _mm256_loadu_ps(rows.square.as_ptr().add(half * 8)),
                )
            };
            let scaled = _mm256_mul_ps(_mm256_cvtepi32_ps(dot), _mm256_set1_ps(query.scale));
            let mut upper = _mm256_mul_ps(scaled, scale);
            for (weight, column) in weights.iter().zip(apart.rows) {
                // SAFETY: 16 numbers are two times 8; the load needs no alignment.
                let column = unsafe { _mm256_loadu_ps(column.as_ptr().add(half * 8)) };
                upper = _mm256_fmadd_ps(_mm256_set1_ps(*weight), column, upper);
            }
            upper = _mm256_fmadd_ps(_mm256_set1_ps(query.residual), residual, upper);
            upper = _mm256_fmadd_ps(_mm256_set1_ps(query.length), length, upper);
            upper = _mm256_fmadd_ps(_mm256_set1_ps(query.whole), whole, upper);
            upper = _mm256_fnmadd_ps(_mm256_set1_ps(query.square), square, upper);
            let reach = _mm256_cmp_ps::<_CMP_GE_OQ>(upper, _mm256_set1_ps(query.floor));
            *mask |= (_mm256_movemask_ps(reach) as u16) << (half * 8);
        }
    }
}

/// Four queries and two rows at a time: their sums stay in registers, and each number is loaded for several products.
#[target_feature(enable = "avx2,fma")]
fn all_float_dots(queries: &[&[f32]], rows: &[f32], dots: &mut [[f32; ROWS]]) {
    let (fours, ones) = queries.as_chunks::<4>();
    let (dots_of_fours, dots_of_ones) = dots.as_chunks_mut::<4>();
    for (queries, dots) in fours.iter().zip(dots_of_fours) {
        float_dots_of(*queries, rows, dots);
    }
    for (query, dots) in ones.iter().zip(dots_of_ones) {
        float_dots_of([*query], rows, std::array::from_mut(dots));
    }
}

const TILE: usize = 2;

#[target_feature(enable = "avx2,fma")]
#[inline]
fn float_dots_of<const N: usize>(queries: [&[f32]; N], rows: &[f32], dots: &mut [[f32; ROWS]; N]) {
    let dimension = queries[0].len();
    let mut rows = rows.chunks_exact(dimension).take(ROWS);
    let mut lane = 0;
    while rows.len() >= TILE {
        let tile = [(); TILE].map(|()| rows.next().unwrap_or_default());
        for (sums, n) in float_tile(queries, tile).iter().zip(0..) {
            dots[n][lane..lane + TILE].copy_from_slice(sums);
        }
        lane += TILE;
    }
    for row in rows {
        for (sums, n) in float_tile(queries, [row]).iter().zip(0..) {
            dots[n][lane] = sums[0];
        }
        lane += 1;
    }
}

/// The dot products of each query with each row, summed in 8 lanes.
#[target_feature(enable = "avx2,fma")]
#[inline]
fn float_tile<const N: usize, const R: usize>(
    queries: [&[f32]; N],
    rows: [&[f32]; R],
) -> [[f32; R]; N] {
    let dimension = queries[0].len();
    let (queries, rows) = (
        queries.map(|query| &query[..dimension]),
        rows.map(|row| &row[..dimension]),
    );
    let mut sums = [[_mm256_setzero_ps(); R]; N];
    let whole = dimension - dimension % 8;
    for start in (0..whole).step_by(8) {
        // SAFETY: every slice has at least 8 numbers from here on; the loads need no alignment.
        let (queries, rows) = unsafe {
            (
                queries.map(|query| _mm256_loadu_ps(query.as_ptr().add(start))),
                rows.map(|row| _mm256_loadu_ps(row.as_ptr().add(start))),
            )
        };
        for (sums, query) in sums.iter_mut().zip(queries) {
            for (sum, row) in sums.iter_mut().zip(rows) {
                *sum = _mm256_fmadd_ps(query, row, *sum);
            }
        }
    }
    let mut dots = [[0.0; R]; N];
    for ((dots, sums), query) in dots.iter_mut().zip(sums).zip(queries) {
        for ((dot, sum), row) in dots.iter_mut().zip(sums).zip(rows) {
            let mut lanes = [0.0f32; 8];
            // SAFETY: 8 numbers take 32 bytes; the store needs no alignment.
            unsafe { _mm256_storeu_ps(lanes.as_mut_ptr(), sum) };
            let rest = query[whole..].iter().zip(&row[whole..]);
            for (lane, (x, y)) in lanes.iter_mut().zip(rest) {
                *lane = x.mul_add(*y, *lane);
            }
            *dot = sum_of_lanes(lanes);
        }
    }
    dots
}

#[target_feature(enable = "avx2,fma")]
fn float_reaching_in_lanes(
    rows: &RowNorms,
    queries: &[FloatReach],
    dots: &[[f32; ROWS]],
    masks: &mut [u16],
) {
    for ((query, dots), mask) in queries.iter().zip(dots).zip(masks) {
        *mask = 0;
        for half in 0..2 {
            // SAFETY: each array is of 16 numbers, two times 8; the loads need no alignment.
            let (mut upper, norm, square) = unsafe {
                (
                    _mm256_loadu_ps(dots.as_ptr().add(half * 8)),
                    _mm256_loadu_ps(rows.norm.as_ptr().add(half * 8)),
                    _mm256_loadu_ps(rows.square.as_ptr().add(half * 8)),
                )
            };
            upper = _mm256_fmadd_ps(_mm256_set1_ps(query.norm), norm, upper);
            upper = _mm256_fnmadd_ps(_mm256_set1_ps(query.square), square, upper);
            // Not less: a sum that is no number survives.
            let reach = _mm256_cmp_ps::<_CMP_NLT_UQ>(upper, _mm256_set1_ps(query.floor));
            *mask |= (_mm256_movemask_ps(reach) as u16) << (half * 8);
        }
    }
}
