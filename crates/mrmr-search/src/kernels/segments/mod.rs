//! The inner loops of product quantisation, one module for each set of instructions, chosen once at run
//! time. All give the same bits: sums of costs are whole numbers, and those in floating point have no fused
//! operation and one order.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512;
mod portable;
#[cfg(test)]
mod tests;

/// How many centroids a segment has: a code is a byte.
pub(crate) const CENTROIDS: usize = 256;
/// Rows whose codes lie together, segment after segment.
pub(crate) const BLOCK: usize = 256;
/// The most that the costs of a row may sum to.
pub(crate) const MAX_COST: usize = u16::MAX as usize;

/// A byte for each row of a block, or for each centroid of a segment: a code, or a cost.
pub(crate) type Bytes = [u8; 256];

/// The centroids of a segment: column after column, of each centroid one number.
pub(crate) struct Codebook<'a> {
    /// For each column the numbers of all centroids.
    pub(crate) columns: &'a [[f32; CENTROIDS]],
    /// Half the square of each, or 0.
    pub(crate) halves: &'a [f32; CENTROIDS],
}

type Nearest = fn(&Codebook<'_>, &[f32], &mut [u8]);
type Values = fn(&Codebook<'_>, &[f32], &mut [f32; CENTROIDS]);
type Costs = fn(&[Bytes], &[Bytes], &mut [u16; BLOCK]);

/// The loops in one set of instructions.
#[derive(Clone, Copy)]
pub(crate) struct SegmentKernels {
    /// For each point, which has a number for each column, the centroid of the greatest value; the first of
    /// equal ones.
    pub(crate) nearest: Nearest,
    /// For one point the value of each centroid: dot product less half.
    pub(crate) values: Values,
    /// Given the codes of a block, segment after segment, and for each segment the cost of each code: the
    /// sum of each row.
    pub(crate) costs: Costs,
}

impl SegmentKernels {
    /// The fastest that this machine runs.
    pub(crate) fn detect() -> Self {
        Self::available()
            .next()
            .map_or(portable::KERNELS, |found| found.1)
    }

    /// Those that this machine runs, by name, fastest first.
    pub(crate) fn available() -> impl Iterator<Item = (&'static str, SegmentKernels)> {
        #[cfg(target_arch = "x86_64")]
        let special = [("avx512", avx512::detect()), ("avx2", avx2::detect())];
        #[cfg(not(target_arch = "x86_64"))]
        let special: [(&'static str, Option<SegmentKernels>); 0] = [];
        special
            .into_iter()
            .chain([("portable", Some(portable::KERNELS))])
            .filter_map(|(name, kernels)| Some((name, kernels?)))
    }
}
