//! The greatest scaled dot product of a query with some rows, lane by lane.
//!
//! No sum is taken, so the numbers are the same in every set of instructions.

use super::ROWS;

/// For each query the greatest number so far in each lane.
pub(crate) type Greatest = [f32; ROWS];

/// Raises `greatest` to the dot products of codes times the rows' scales, for each query.
pub(crate) type Raise = fn(&[f32; ROWS], &[[i32; ROWS]], &mut [Greatest]);

/// The fastest that this machine runs.
pub(crate) fn detect() -> Raise {
    available().next().map_or(portable, |found| found.1)
}

/// Those that this machine runs, by name, fastest first, as [`super::Kernels::available`] names them.
pub(crate) fn available() -> impl Iterator<Item = (&'static str, Raise)> {
    #[cfg(target_arch = "x86_64")]
    let special = [
        (
            "avx512",
            x86::avx512_is_here().then_some(x86::avx512 as Raise),
        ),
        ("avx2", x86::avx2_is_here().then_some(x86::avx2 as Raise)),
    ];
    // Where the baseline has vectors of 16 bytes, the plain loop makes use of them.
    #[cfg(not(target_arch = "x86_64"))]
    let special: [(&'static str, Option<Raise>); 0] = [];
    special
        .into_iter()
        .chain([("portable", Some(portable as Raise))])
        .filter_map(|(name, raise)| Some((name, raise?)))
}

fn portable(scales: &[f32; ROWS], dots: &[[i32; ROWS]], greatest: &mut [Greatest]) {
    raise(scales, dots, greatest);
}

#[inline(always)]
fn raise(scales: &[f32; ROWS], dots: &[[i32; ROWS]], greatest: &mut [Greatest]) {
    for (dots, greatest) in dots.iter().zip(greatest) {
        for lane in 0..ROWS {
            let scaled = dots[lane] as f32 * scales[lane];
            greatest[lane] = match scaled > greatest[lane] {
                true => scaled,
                false => greatest[lane],
            };
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use super::{Greatest, ROWS, raise};

    pub(super) fn avx512_is_here() -> bool {
        is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl")
    }

    pub(super) fn avx2_is_here() -> bool {
        is_x86_feature_detected!("avx2")
    }

    // The functions below are reached where those above found the instructions.

    pub(super) fn avx512(scales: &[f32; ROWS], dots: &[[i32; ROWS]], greatest: &mut [Greatest]) {
        // SAFETY: `avx512_is_here` found the instructions.
        unsafe { wide(scales, dots, greatest) }
    }

    pub(super) fn avx2(scales: &[f32; ROWS], dots: &[[i32; ROWS]], greatest: &mut [Greatest]) {
        // SAFETY: `avx2_is_here` found the instructions.
        unsafe { half(scales, dots, greatest) }
    }

    #[target_feature(enable = "avx512f,avx512vl")]
    fn wide(scales: &[f32; ROWS], dots: &[[i32; ROWS]], greatest: &mut [Greatest]) {
        raise(scales, dots, greatest);
    }

    #[target_feature(enable = "avx2")]
    fn half(scales: &[f32; ROWS], dots: &[[i32; ROWS]], greatest: &mut [Greatest]) {
        raise(scales, dots, greatest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_greatest_are_the_same_in_every_set_of_instructions(
            scales in prop::collection::vec(0.0f32..1.0, ROWS),
            dots in prop::collection::vec(-2_000_000i32..2_000_000, ROWS * 5),
            start in -1e6f32..1e6,
        ) {
            let scales: [f32; ROWS] = std::array::from_fn(|lane| scales[lane]);
            let (dots, _) = dots.as_chunks::<ROWS>();
            for (name, raise) in available() {
                let mut greatest = vec![[start; ROWS]; dots.len()];
                raise(&scales, dots, &mut greatest);
                for (dots, greatest) in dots.iter().zip(greatest) {
                    for lane in 0..ROWS {
                        let expected = (dots[lane] as f32 * scales[lane]).max(start);
                        prop_assert_eq!(greatest[lane], expected, "{}", name);
                    }
                }
            }
        }
    }
}
