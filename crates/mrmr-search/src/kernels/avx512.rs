//! Loops for x86-64 with AVX-512 and its dot products of bytes (VNNI).

use std::arch::x86_64::*;

use super::portable::each_row;
use super::{
    Apart, CodedRow, FloatReach, Kernels, Line, QueryCodes, ROWS, Reach, RowBounds, RowNorms, Strip,
};

pub(super) fn detect() -> Option<Kernels> {
    let present = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vnni")
        && is_x86_feature_detected!("fma");
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

/// How many queries share the loading of a line: their sums fill half of the registers.
const TOGETHER: usize = 16;

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn all_code_dots(rows: &[Line], queries: &QueryCodes, dots: &mut [[i32; ROWS]]) {
    let mut codes = queries.codes.chunks_exact(queries.words);
    let mut sums = queries.sums.iter().copied();
    let (blocks, rest) = dots.as_chunks_mut::<TOGETHER>();
    for dots in blocks {
        let block = [(); TOGETHER].map(|()| codes.next().unwrap_or_default());
        let sums = [(); TOGETHER].map(|()| sums.next().unwrap_or_default());
        code_dots_of(rows, block, sums, dots);
    }
    let (fours, rest) = rest.as_chunks_mut::<4>();
    for dots in fours {
        let block = [(); 4].map(|()| codes.next().unwrap_or_default());
        let sums = [(); 4].map(|()| sums.next().unwrap_or_default());
        code_dots_of(rows, block, sums, dots);
    }
    for ((dots, query), sum) in rest.iter_mut().zip(codes).zip(sums) {
        code_dots_of_one(rows, query, sum, dots);
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn without_sign(line: &Line) -> __m512i {
    // SAFETY: a line is 64 bytes.
    let row = unsafe { _mm512_loadu_si512(line.0.as_ptr().cast()) };
    _mm512_xor_si512(row, _mm512_set1_epi8(-128))
}

/// The instruction takes one factor without sign: the row's code plus 128. What that adds, 128 times the sum
/// of the query's codes, is taken off at the start; sums wrap, so only the last one has to fit.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn code_dots_of<const N: usize>(
    rows: &[Line],
    queries: [&[i32]; N],
    sums: [i32; N],
    dots: &mut [[i32; ROWS]; N],
) {
    let queries = queries.map(|query| &query[..rows.len()]);
    let mut totals = [_mm512_setzero_si512(); N];
    for n in 0..N {
        totals[n] = _mm512_set1_epi32(sums[n].wrapping_mul(-128));
    }
    for (i, line) in rows.iter().enumerate() {
        let row = without_sign(line);
        for n in 0..N {
            let query = _mm512_set1_epi32(queries[n][i]);
            totals[n] = _mm512_dpbusd_epi32(totals[n], row, query);
        }
    }
    for (dots, total) in dots.iter_mut().zip(totals) {
        // SAFETY: 16 numbers take 64 bytes; the store needs no alignment.
        unsafe { _mm512_storeu_si512(dots.as_mut_ptr().cast(), total) };
    }
}

/// Four sums in turn: one alone would wait for itself.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn code_dots_of_one(rows: &[Line], query: &[i32], sum: i32, dots: &mut [i32; ROWS]) {
    let mut totals = [_mm512_setzero_si512(); 4];
    totals[0] = _mm512_set1_epi32(sum.wrapping_mul(-128));
    let (fours, rest) = rows.as_chunks::<4>();
    let (words, words_rest) = query.as_chunks::<4>();
    for (lines, words) in fours.iter().zip(words) {
        for n in 0..4 {
            let query = _mm512_set1_epi32(words[n]);
            totals[n] = _mm512_dpbusd_epi32(totals[n], without_sign(&lines[n]), query);
        }
    }
    for (line, word) in rest.iter().zip(words_rest) {
        totals[0] = _mm512_dpbusd_epi32(totals[0], without_sign(line), _mm512_set1_epi32(*word));
    }
    let [a, b, c, d] = totals;
    let total = _mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d));
    // SAFETY: 16 numbers take 64 bytes; the store needs no alignment.
    unsafe { _mm512_storeu_si512(dots.as_mut_ptr().cast(), total) };
}

/// As with groups of rows, one factor has no sign, and 128 times the sum of the other's codes is taken off.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn all_row_dots(rows: &[Strip], query: CodedRow<'_>, places: &[u32], dots: &mut [i32]) {
    let width = query.strips.len();
    each_row(rows, width, places, dots, |row| {
        let mut totals = [_mm512_setzero_si512(); 2];
        let (pairs, rest) = row.as_chunks::<2>();
        let (query_pairs, query_rest) = query.strips.as_chunks::<2>();
        for (row, query) in pairs.iter().zip(query_pairs) {
            totals[0] = add_strip(totals[0], &row[0], &query[0]);
            totals[1] = add_strip(totals[1], &row[1], &query[1]);
        }
        for (row, query) in rest.iter().zip(query_rest) {
            totals[0] = add_strip(totals[0], row, query);
        }
        let total = _mm512_reduce_add_epi32(_mm512_add_epi32(totals[0], totals[1]));
        total.wrapping_sub(query.sum.wrapping_mul(128))
    });
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn add_strip(total: __m512i, row: &Strip, query: &Strip) -> __m512i {
    // SAFETY: a strip is 64 bytes, and lies at a multiple of 64.
    let (row, query) = unsafe {
        (
            _mm512_load_si512(row.0.as_ptr().cast()),
            _mm512_load_si512(query.0.as_ptr().cast()),
        )
    };
    _mm512_dpbusd_epi32(total, _mm512_xor_si512(row, _mm512_set1_epi8(-128)), query)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn reaching_in_lanes(
    rows: &RowBounds,
    apart: Apart<'_>,
    queries: &[Reach],
    dots: &[[i32; ROWS]],
    masks: &mut [u16],
) {
    let columns = apart.rows.len();
    // SAFETY: each array is of 16 numbers, 64 bytes; the loads need no alignment.
    let (scale, residual, length, whole, square) = unsafe {
        (
            _mm512_loadu_ps(rows.scale.as_ptr()),
            _mm512_loadu_ps(rows.residual.as_ptr()),
            _mm512_loadu_ps(rows.length.as_ptr()),
            _mm512_loadu_ps(rows.whole.as_ptr()),
            _mm512_loadu_ps(rows.square.as_ptr()),
        )
    };
    for (number, ((query, dots), mask)) in queries.iter().zip(dots).zip(masks).enumerate() {
        let weights = &apart.queries[number * columns..(number + 1) * columns];
        // SAFETY: 16 numbers take 64 bytes; the load needs no alignment.
        let dot = unsafe { _mm512_loadu_si512(dots.as_ptr().cast()) };
        let scaled = _mm512_mul_ps(_mm512_cvtepi32_ps(dot), _mm512_set1_ps(query.scale));
        let mut upper = _mm512_mul_ps(scaled, scale);
        for (weight, column) in weights.iter().zip(apart.rows) {
            // SAFETY: 16 numbers take 64 bytes; the load needs no alignment.
            let column = unsafe { _mm512_loadu_ps(column.as_ptr()) };
            upper = _mm512_fmadd_ps(_mm512_set1_ps(*weight), column, upper);
        }
        upper = _mm512_fmadd_ps(_mm512_set1_ps(query.residual), residual, upper);
        upper = _mm512_fmadd_ps(_mm512_set1_ps(query.length), length, upper);
        upper = _mm512_fmadd_ps(_mm512_set1_ps(query.whole), whole, upper);
        upper = _mm512_fnmadd_ps(_mm512_set1_ps(query.square), square, upper);
        *mask = _mm512_cmp_ps_mask::<_CMP_GE_OQ>(upper, _mm512_set1_ps(query.floor));
    }
}

/// Four queries and four rows at a time: their sums stay in registers, and each number is loaded for several products.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni,fma")]
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

const TILE: usize = 4;

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni,fma")]
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

/// The dot products of each query with each row, summed in 16 lanes.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni,fma")]
#[inline]
fn float_tile<const N: usize, const R: usize>(
    queries: [&[f32]; N],
    rows: [&[f32]; R],
) -> [[f32; R]; N] {
    let dimension = queries[0].len();
    let queries = queries.map(|query| query[..dimension].as_ptr());
    let rows = rows.map(|row| row[..dimension].as_ptr());
    let mut sums = [[_mm512_setzero_ps(); R]; N];
    for start in (0..dimension).step_by(16) {
        let left = dimension - start;
        let mask = if left < 16 { (1 << left) - 1 } else { u16::MAX };
        // SAFETY: every slice has `dimension` numbers, and the mask leaves out what would lie beyond.
        let (queries, rows) = unsafe {
            (
                queries.map(|query| _mm512_maskz_loadu_ps(mask, query.add(start))),
                rows.map(|row| _mm512_maskz_loadu_ps(mask, row.add(start))),
            )
        };
        for (sums, query) in sums.iter_mut().zip(queries) {
            for (sum, row) in sums.iter_mut().zip(rows) {
                *sum = _mm512_fmadd_ps(query, row, *sum);
            }
        }
    }
    sums.map(|sums| sums.map(|sum| _mm512_reduce_add_ps(sum)))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni,fma")]
fn float_reaching_in_lanes(
    rows: &RowNorms,
    queries: &[FloatReach],
    dots: &[[f32; ROWS]],
    masks: &mut [u16],
) {
    // SAFETY: each array is of 16 numbers, 64 bytes; the loads need no alignment.
    let (norm, square) = unsafe {
        (
            _mm512_loadu_ps(rows.norm.as_ptr()),
            _mm512_loadu_ps(rows.square.as_ptr()),
        )
    };
    for ((query, dots), mask) in queries.iter().zip(dots).zip(masks) {
        // SAFETY: 16 numbers take 64 bytes; the load needs no alignment.
        let mut upper = unsafe { _mm512_loadu_ps(dots.as_ptr()) };
        upper = _mm512_fmadd_ps(_mm512_set1_ps(query.norm), norm, upper);
        upper = _mm512_fnmadd_ps(_mm512_set1_ps(query.square), square, upper);
        // Not less: a sum that is no number survives.
        *mask = _mm512_cmp_ps_mask::<_CMP_NLT_UQ>(upper, _mm512_set1_ps(query.floor));
    }
}
