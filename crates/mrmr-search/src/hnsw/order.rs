//! Which layers a point is on, and when it is linked.

use rayon::prelude::*;

/// The fewest points on the top layer, where there are as many: from those a walk starts.
const FEWEST: usize = 8;
/// No more layers than this: each has at most half of the points of the one below.
const LAYERS: usize = 32;

/// Points in the order of their numbers: those of higher layers first, so that a layer's points are the first
/// so many; shuffled within, so that rows that lie together (passages of a document) are not linked together.
pub(super) struct Order {
    /// For each point its first row.
    pub(super) rows: Vec<u32>,
    /// How many points are on each layer, from the lowest, which has all.
    pub(super) sizes: Vec<usize>,
}

impl Order {
    /// Each row is on the next layer with a chance of 1 in `m`.
    pub(super) fn new(rows: Vec<u32>, m: usize, seed: u64) -> Self {
        let mut turns: Vec<(usize, u64, u32)> = rows
            .into_par_iter()
            .map(|row| {
                let chance = mixed(mixed(seed) ^ u64::from(row));
                (LAYERS - level(chance, m), mixed(chance), row)
            })
            .collect();
        turns.par_sort_unstable();
        let on = |layer: usize| turns.partition_point(|turn| LAYERS - turn.0 >= layer);
        let mut sizes = vec![turns.len()];
        sizes.extend((1..LAYERS).map(on).take_while(|size| *size >= FEWEST));
        Order {
            rows: turns.iter().map(|turn| turn.2).collect(),
            sizes,
        }
    }
}

/// The top layer of a point, by whole numbers alone: the same on every machine.
fn level(chance: u64, m: usize) -> usize {
    let (mut level, mut below) = (0, u64::MAX / m as u64);
    while chance < below && level + 1 < LAYERS {
        level += 1;
        below /= m as u64;
    }
    level
}

/// The finalizer of SplitMix64 (Steele, Lea and Flood, 2014).
fn mixed(number: u64) -> u64 {
    let mut x = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
