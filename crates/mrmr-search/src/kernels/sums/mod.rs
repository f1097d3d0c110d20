//! Sums in 64 bits over two vectors in 32, one module for each set of instructions, chosen once at run time.
//!
//! All give the same bits. A sum runs in eight lanes, each with every eighth number, and then over the lanes as
//! a tree. The product of two numbers of 32 bits is exact in 64, so one instruction may multiply and add; a
//! difference and its square are each rounded, everywhere.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512;
#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code)]
mod neon;
mod portable;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

const LANES: usize = 8;

/// Vectors whose sums run side by side: one alone would wait for each of its additions.
pub(crate) const TOGETHER: usize = 4;

type Sum = fn(&[f32], &[f32]) -> f64;
type Sums = fn(&[f32], [&[f32]; TOGETHER]) -> [f64; TOGETHER];

/// The loops in one set of instructions; all vectors of a call have one length.
#[derive(Clone, Copy)]
pub(crate) struct SumKernels {
    /// Of products.
    pub(crate) products: Sum,
    /// Of squares of differences.
    pub(crate) squared_differences: Sum,
    /// As `products`, of a vector with each of some.
    pub(crate) products_with_each: Sums,
    /// As `squared_differences`, of a vector with each of some.
    pub(crate) squared_differences_with_each: Sums,
}

/// The fastest that this machine runs.
pub(crate) fn sums() -> &'static SumKernels {
    static CHOSEN: OnceLock<SumKernels> = OnceLock::new();
    CHOSEN.get_or_init(|| {
        available()
            .next()
            .map_or(portable::KERNELS, |found| found.1)
    })
}

/// Those that this machine runs, by name, fastest first.
fn available() -> impl Iterator<Item = (&'static str, SumKernels)> {
    #[cfg(target_arch = "x86_64")]
    let special = [("avx512", avx512::detect()), ("avx2", avx2::detect())];
    #[cfg(target_arch = "aarch64")]
    let special = [("neon", neon::detect())];
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let special: [(&'static str, Option<SumKernels>); 0] = [];
    special
        .into_iter()
        .chain([("portable", Some(portable::KERNELS))])
        .filter_map(|(name, kernels)| Some((name, kernels?)))
}

/// The last numbers of a vector, fewer than there are lanes, with zeros behind: they add nothing.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn padded(rest: &[f32]) -> [f32; LANES] {
    let mut lanes = [0.0; LANES];
    lanes[..rest.len()].copy_from_slice(rest);
    lanes
}
