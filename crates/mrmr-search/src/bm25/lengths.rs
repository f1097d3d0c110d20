//! Document lengths as Lucene rounds them.

/// Lengths below this stay as they are: 255 minus the 231 codes that longer ones need.
const UNCHANGED: u32 = 24;

/// The length that is left of `length` after Lucene's `SmallFloat.intToByte4` and `byte4ToInt`:
/// above [`UNCHANGED`] the difference keeps its four highest bits.
pub(super) fn rounded(length: u32) -> u32 {
    if length < UNCHANGED {
        return length;
    }
    let above = length - UNCHANGED;
    let dropped = (u32::BITS - above.leading_zeros()).saturating_sub(4);
    UNCHANGED + (above >> dropped << dropped)
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn lengths_up_to_40_are_exact_and_longer_ones_fall_to_the_step_below() {
        assert!((0..=40).all(|length| rounded(length) == length));
        for (length, expected) in [(41, 40), (42, 42), (57, 56), (100, 96), (1000, 984)] {
            assert_eq!(rounded(length), expected);
        }
        assert_eq!(rounded(i32::MAX as u32), 24 + (15 << 27));
    }
}
