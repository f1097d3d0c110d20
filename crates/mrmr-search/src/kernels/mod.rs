//! The inner loops of a first pass, one module for each set of instructions, chosen once at run time.
//!
//! Integer dot products are the same whatever the instructions. Those in 32-bit floating point differ in
//! their last bits, within the bounds that the search keeps, so that an answer never does.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512;
pub(crate) mod greatest;
#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code)]
mod neon;
mod portable;
#[allow(unsafe_code)]
mod prefetch;
pub(crate) mod segments;
#[cfg(test)]
mod tests;

pub(crate) use prefetch::prefetch;

/// Rows whose codes lie together.
pub(crate) const ROWS: usize = 16;
/// Consecutive columns whose codes lie together.
pub(crate) const COLUMNS: usize = 4;
/// The most columns whose products of codes, 127 x 127 at most, sum without overflow.
pub(crate) const MAX_COLUMNS: usize = 1 << 17;

/// Codes, from -127 to 127, of [`COLUMNS`] columns of [`ROWS`] rows, row after row: a line of the cache.
#[derive(Clone)]
#[repr(align(64))]
pub(crate) struct Line(pub(crate) [i8; ROWS * COLUMNS]);

/// Codes, from -127 to 127, of as many columns of one row as fill a line of the cache.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(align(64))]
pub(crate) struct Strip(pub(crate) [i8; STRIP]);

/// Columns of a [`Strip`].
pub(crate) const STRIP: usize = 64;

/// A row in strips, and the sum of its codes.
#[derive(Clone, Copy)]
pub(crate) struct CodedRow<'a> {
    pub(crate) strips: &'a [Strip],
    pub(crate) sum: i32,
}

/// What bounds the scores of [`ROWS`] rows; see [`Reach`].
#[derive(Clone)]
#[repr(align(64))]
pub(crate) struct RowBounds {
    pub(crate) scale: [f32; ROWS],
    pub(crate) residual: [f32; ROWS],
    pub(crate) length: [f32; ROWS],
    pub(crate) whole: [f32; ROWS],
    pub(crate) square: [f32; ROWS],
}

/// Columns that have no codes: their products are summed in floating point.
#[derive(Clone, Copy)]
pub(crate) struct Apart<'a> {
    /// Column after column, each of [`ROWS`] rows.
    pub(crate) rows: &'a [[f32; ROWS]],
    /// Query after query, a number for each of these columns.
    pub(crate) queries: &'a [f32],
}

/// Codes of some queries, [`COLUMNS`] to a word.
pub(crate) struct QueryCodes {
    /// Words of one query.
    pub(crate) words: usize,
    /// Query after query.
    pub(crate) codes: Vec<i32>,
    /// For each query the sum of its codes.
    pub(crate) sums: Vec<i32>,
}

/// Which rows may reach a query's threshold: those where `scale * dot * row.scale`, plus the products of the
/// columns [`Apart`], plus
/// `residual * row.residual + length * row.length + whole * row.whole - square * row.square >= floor`.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    pub(crate) scale: f32,
    pub(crate) residual: f32,
    pub(crate) length: f32,
    pub(crate) whole: f32,
    pub(crate) square: f32,
    pub(crate) floor: f32,
}

/// The norms of [`ROWS`] rows, NaN where a row always survives, and their squares.
#[derive(Clone)]
#[repr(align(64))]
pub(crate) struct RowNorms {
    pub(crate) norm: [f32; ROWS],
    pub(crate) square: [f32; ROWS],
}

/// Which rows may reach a query's threshold by their dot products in floating point: those where
/// `dot + norm * row.norm - square * row.square` is not below `floor`.
#[derive(Clone, Copy)]
pub(crate) struct FloatReach {
    pub(crate) norm: f32,
    pub(crate) square: f32,
    pub(crate) floor: f32,
}

type CodeDots = fn(&[Line], &QueryCodes, &mut [[i32; ROWS]]);
type Reaching = fn(&RowBounds, Apart<'_>, &[Reach], &[[i32; ROWS]], &mut [u16]);
type RowDots = fn(&[Strip], CodedRow<'_>, &[u32], &mut [i32]);
type FloatDots = fn(&[&[f32]], &[f32], &mut [[f32; ROWS]]);
type FloatReaching = fn(&RowNorms, &[FloatReach], &[[f32; ROWS]], &mut [u16]);

/// The loops in one set of instructions.
#[derive(Clone, Copy)]
pub(crate) struct Kernels {
    /// The dot products of the codes of a group of rows with each query's.
    pub(crate) code_dots: CodeDots,
    /// The dot products of a row's codes with those of some of the rows that lie one after another, each in
    /// as many strips as that row.
    pub(crate) row_dots: RowDots,
    /// For each query a bit for each row of the group that may reach its threshold.
    pub(crate) reaching: Reaching,
    /// The dot products of each query with up to [`ROWS`] rows that lie one after another, in floating point; the
    /// queries have as many numbers as a row.
    pub(crate) float_dots: FloatDots,
    /// As `reaching`, by dot products in floating point.
    pub(crate) float_reaching: FloatReaching,
}

impl Kernels {
    /// The fastest that this machine runs.
    pub(crate) fn detect() -> Self {
        Self::available()
            .next()
            .map_or(portable::KERNELS, |found| found.1)
    }

    /// Those that this machine runs, by name, fastest first.
    pub(crate) fn available() -> impl Iterator<Item = (&'static str, Kernels)> {
        #[cfg(target_arch = "x86_64")]
        let special = [("avx512", avx512::detect()), ("avx2", avx2::detect())];
        #[cfg(target_arch = "aarch64")]
        let special = [("neon", neon::detect())];
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let special: [(&'static str, Option<Kernels>); 0] = [];
        special
            .into_iter()
            .chain([("portable", Some(portable::KERNELS))])
            .filter_map(|(name, kernels)| Some((name, kernels?)))
    }
}
