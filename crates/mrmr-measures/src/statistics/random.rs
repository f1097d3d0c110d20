//! Random numbers that depend on a seed and a stream alone.

/// The generator xoshiro256++ (Blackman & Vigna 2021), its state filled by SplitMix64.
///
/// Work that is split into blocks takes a stream for each block, whatever thread it runs on.
pub(super) struct Random {
    state: [u64; 4],
}

impl Random {
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        let mut key = splitmix(&mut { seed }) ^ splitmix(&mut { !stream });
        Random {
            state: std::array::from_fn(|_| splitmix(&mut key)),
        }
    }

    /// 64 random bits.
    pub(super) fn next(&mut self) -> u64 {
        let state = &mut self.state;
        let result = state[0]
            .wrapping_add(state[3])
            .rotate_left(23)
            .wrapping_add(state[0]);
        let shifted = state[1] << 17;
        state[2] ^= state[0];
        state[3] ^= state[1];
        state[1] ^= state[2];
        state[0] ^= state[3];
        state[2] ^= shifted;
        state[3] = state[3].rotate_left(45);
        result
    }

    /// All orders are as likely, up to a share of len / 2^32.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let at = ((self.next() >> 32) * (last as u64 + 1)) >> 32;
            items.swap(last, at as usize);
        }
    }
}

/// SplitMix64 (Steele, Lea & Flood 2014).
fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut bits = *state;
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generators_give_their_published_numbers() {
        // The test vectors of the reference programs, as the crate rand_xoshiro has them.
        let mut random = Random {
            state: [1, 2, 3, 4],
        };
        let numbers: [u64; 5] = std::array::from_fn(|_| random.next());
        assert_eq!(
            numbers,
            [
                41943041,
                58720359,
                3588806011781223,
                3591011842654386,
                9228616714210784205
            ]
        );
        let mut seed = 1477776061723855037;
        let numbers: [u64; 3] = std::array::from_fn(|_| splitmix(&mut seed));
        assert_eq!(
            numbers,
            [
                1985237415132408290,
                2979275885539914483,
                13511426838097143398
            ]
        );
    }
}
