//! Rows in 8 bits for the first pass, and how far that is from the rows.

use rayon::prelude::*;

use super::bound::ordinary;
use super::columns::{Columns, far};
use crate::kernels::{COLUMNS, Line, MAX_COLUMNS, ROWS, RowBounds};
use crate::metric::Metric;
use crate::vectors::Vectors;

/// What a sum of squares of up to 2^20 numbers in 64 bits can be short of, as a factor of its root.
pub(crate) const SUM: f64 = 1.0 + 1.0 / (1u64 << 30) as f64;
/// More than the roundings of a few operations in 64 bits, as a factor.
pub(crate) const FEW: f64 = 1.0 / (1u64 << 50) as f64;

/// No row at all.
pub(crate) const NO_ROW: u32 = u32::MAX;
const NO_BOUNDS: RowBounds = RowBounds {
    scale: [0.0; ROWS],
    residual: [0.0; ROWS],
    length: [0.0; ROWS],
    whole: [0.0; ROWS],
    square: [0.0; ROWS],
};

/// The codes of all rows: of each row less the mean of all, one scale a row. At cosine similarity the rows
/// are divided by their norms first. See docs/exact-search.md.
pub(crate) struct Codes {
    pub(crate) mean: Vec<f32>,
    /// Columns that have no codes, ascending, and their numbers, group after group.
    pub(super) apart: Vec<usize>,
    apart_rows: Vec<[f32; ROWS]>,
    /// Lines of a group of [`ROWS`] rows.
    pub(crate) words: usize,
    lines: Vec<Line>,
    pub(crate) bounds: Vec<RowBounds>,
    /// The largest square of a row less the mean.
    pub(crate) largest_square: f64,
}

impl Codes {
    /// The codes, unless the rows are too long for sums of their products.
    pub(crate) fn new(metric: Metric, vectors: &Vectors, squares: &[f64]) -> Option<Self> {
        Self::with(metric, vectors, squares, |columns| {
            far(metric, &columns.mean, &columns.variances)
        })
    }

    /// The codes of all columns, however large some are.
    pub(crate) fn of_all_columns(
        metric: Metric,
        vectors: &Vectors,
        squares: &[f64],
    ) -> Option<Self> {
        Self::with(metric, vectors, squares, |_| Vec::new())
    }

    fn with(
        metric: Metric,
        vectors: &Vectors,
        squares: &[f64],
        apart: impl Fn(&Columns) -> Vec<usize>,
    ) -> Option<Self> {
        if vectors.dimension() > MAX_COLUMNS {
            return None;
        }
        let columns = Columns::of(vectors, |row| divisor(metric, squares[row]));
        let apart = apart(&columns);
        Some(Codes::less(columns.mean, apart, metric, vectors, squares))
    }

    /// The codes of all columns of rows less a vector that need not be their mean; of at most [`MAX_COLUMNS`]
    /// dimensions.
    pub(crate) fn about(
        mean: Vec<f32>,
        metric: Metric,
        vectors: &Vectors,
        squares: &[f64],
    ) -> Self {
        Codes::less(mean, Vec::new(), metric, vectors, squares)
    }

    fn less(
        mean: Vec<f32>,
        apart: Vec<usize>,
        metric: Metric,
        vectors: &Vectors,
        squares: &[f64],
    ) -> Self {
        let dimension = vectors.dimension();
        let words = dimension.div_ceil(COLUMNS);
        let groups = vectors.len().div_ceil(ROWS);
        let mut lines = vec![Line([0; ROWS * COLUMNS]); groups * words];
        let mut bounds = vec![NO_BOUNDS; groups];
        let mut apart_rows = vec![[0.0; ROWS]; groups * apart.len()];
        // Chunks of none are no chunks.
        let mut far_rows: Vec<&mut [[f32; ROWS]]> = Vec::with_capacity(groups);
        let mut rest = apart_rows.as_mut_slice();
        for _ in 0..groups {
            let (first, others) = rest.split_at_mut(apart.len());
            far_rows.push(first);
            rest = others;
        }
        let groups = lines.par_chunks_mut(words).zip(&mut bounds).zip(far_rows);
        let filled = groups.enumerate();
        filled.for_each_init(
            || vec![0.0f64; dimension],
            |centred, (group, ((lines, bounds), far_rows))| {
                let first = group * ROWS;
                for (lane, square) in squares[first..].iter().take(ROWS).enumerate() {
                    let row = first + lane;
                    let divisor = match divisor(metric, *square) {
                        Some(divisor) => divisor,
                        None => {
                            bounds.residual[lane] = f32::INFINITY;
                            continue;
                        }
                    };
                    for ((centred, x), mean) in centred.iter_mut().zip(vectors.row(row)).zip(&mean)
                    {
                        *centred = f64::from(*x) / divisor - f64::from(*mean);
                    }
                    bounds.whole[lane] = up(norm(centred));
                    if metric == Metric::Euclidean {
                        bounds.square[lane] = sum_of_squares(centred) as f32;
                    }
                    for (column, numbers) in apart.iter().zip(&mut *far_rows) {
                        numbers[lane] = std::mem::take(&mut centred[*column]) as f32;
                    }
                    let divided = if metric == Metric::Cosine { 1.0 } else { 0.0 };
                    let lost = FEW * (f64::from(bounds.whole[lane]) + divided);
                    encode_row(centred, lost, lines, bounds, lane);
                }
            },
        );
        let squares = bounds.iter().flat_map(|bounds| bounds.square);
        let largest_square = squares.fold(0.0, f32::max).into();
        Codes {
            mean,
            apart,
            apart_rows,
            words,
            lines,
            bounds,
            largest_square,
        }
    }

    /// The codes of some rows, in this order; [`NO_ROW`] leaves a place empty. All columns must have codes.
    pub(crate) fn gathered(&self, rows: &[u32]) -> Codes {
        debug_assert!(self.apart.is_empty());
        let groups = rows.len().div_ceil(ROWS);
        let mut lines = vec![Line([0; ROWS * COLUMNS]); groups * self.words];
        let mut bounds = vec![NO_BOUNDS; groups];
        let filled = lines.par_chunks_mut(self.words).zip(&mut bounds);
        filled
            .zip(rows.par_chunks(ROWS))
            .for_each(|((lines, bounds), rows)| {
                let places = rows.iter().enumerate();
                for (lane, row) in places.filter(|(_, row)| **row != NO_ROW) {
                    let (group, from) = (*row as usize / ROWS, *row as usize % ROWS);
                    let known = &self.bounds[group];
                    bounds.scale[lane] = known.scale[from];
                    bounds.residual[lane] = known.residual[from];
                    bounds.length[lane] = known.length[from];
                    bounds.whole[lane] = known.whole[from];
                    bounds.square[lane] = known.square[from];
                    for (line, known) in lines.iter_mut().zip(self.lines(group)) {
                        line.0[lane * COLUMNS..][..COLUMNS]
                            .copy_from_slice(&known.0[from * COLUMNS..][..COLUMNS]);
                    }
                }
            });
        Codes {
            mean: self.mean.clone(),
            apart: Vec::new(),
            apart_rows: Vec::new(),
            words: self.words,
            lines,
            bounds,
            largest_square: self.largest_square,
        }
    }

    pub(crate) fn lines(&self, group: usize) -> &[Line] {
        &self.lines[group * self.words..(group + 1) * self.words]
    }

    /// The numbers of a group in the columns without codes.
    pub(super) fn apart_rows(&self, group: usize) -> &[[f32; ROWS]] {
        let columns = self.apart.len();
        &self.apart_rows[group * columns..(group + 1) * columns]
    }
}

/// What a row is divided by before it is coded; none where the row has no bound.
pub(crate) fn divisor(metric: Metric, square: f64) -> Option<f64> {
    let norm = square.sqrt();
    match metric {
        _ if !ordinary(norm) => None,
        Metric::Cosine if norm != 0.0 => Some(norm),
        _ => Some(1.0),
    }
}

/// The mean of the rows that have a bound, summed in an order that does not depend on the threads.
pub(crate) fn mean(metric: Metric, vectors: &Vectors, squares: &[f64]) -> Vec<f32> {
    Columns::of(vectors, |row| divisor(metric, squares[row])).mean
}

/// Makes the codes of a row; roundings in 64 bits may have `lost` so much of its length.
fn encode_row(centred: &[f64], lost: f64, lines: &mut [Line], bounds: &mut RowBounds, lane: usize) {
    let scale = scale(centred);
    let (mut square, mut residual) = (0.0, 0.0);
    for (columns, line) in centred.chunks(COLUMNS).zip(lines) {
        for (x, code) in columns.iter().zip(&mut line.0[lane * COLUMNS..]) {
            *code = encode(*x, scale);
            let rest = x - f64::from(scale) * f64::from(*code);
            square += x * x;
            residual += rest * rest;
        }
    }
    bounds.scale[lane] = scale;
    bounds.residual[lane] = up(residual.sqrt() * SUM + lost);
    bounds.length[lane] = up(square.sqrt() * SUM);
}

fn sum_of_squares(numbers: &[f64]) -> f64 {
    numbers.iter().map(|x| x * x).sum()
}

/// The norm, not less than it is.
fn norm(numbers: &[f64]) -> f64 {
    sum_of_squares(numbers).sqrt() * SUM
}

/// The step between codes; any is right, this one makes the largest number the largest code.
pub(crate) fn scale(numbers: &[f64]) -> f32 {
    let largest = numbers
        .iter()
        .fold(0.0f64, |largest, x| largest.max(x.abs()));
    (largest / 127.0) as f32
}

/// The nearest code; 0 where the scale is 0.
pub(crate) fn encode(number: f64, scale: f32) -> i8 {
    if scale == 0.0 {
        return 0;
    }
    (number / f64::from(scale))
        .round_ties_even()
        .clamp(-127.0, 127.0) as i8
}

/// The number in 32 bits, rounded up, and a little further.
pub(crate) fn up(number: f64) -> f32 {
    (number as f32).next_up()
}
