//! Each set of instructions against the portable loops, bit for bit.

use super::*;
use proptest::prelude::*;

/// Of all sizes: sums that are rounded, vanish, or are lost in others.
fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => -1.0f32..1.0,
        1 => prop::num::f32::NORMAL | prop::num::f32::SUBNORMAL | prop::num::f32::ZERO,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn sums_have_the_same_bits_in_every_set_of_instructions(
        (length, numbers) in (0usize..45).prop_flat_map(|length| (
            Just(length),
            prop::collection::vec(number(), length * (TOGETHER + 1)),
        )),
    ) {
        let (left, others) = numbers.split_at(length);
        let rights: [&[f32]; TOGETHER] =
            std::array::from_fn(|n| &others[n * length..(n + 1) * length]);
        for (name, kernels) in available() {
            for (each, one, expected) in [
                (kernels.products_with_each, kernels.products, portable::KERNELS.products),
                (
                    kernels.squared_differences_with_each,
                    kernels.squared_differences,
                    portable::KERNELS.squared_differences,
                ),
            ] {
                let expected = rights.map(|right| expected(left, right).to_bits());
                prop_assert_eq!(rights.map(|right| one(left, right).to_bits()), expected, "{}", name);
                prop_assert_eq!(each(left, rights).map(f64::to_bits), expected, "{}", name);
            }
        }
    }
}

#[test]
fn a_sum_runs_in_eight_lanes_and_then_over_them_as_a_tree() {
    // In another order the small ones would be lost, or not.
    let left = [1e20, 1.0, -1e20, 1.0, -1e20, 1.0, 1e20, 1.0, 3.0];
    for (name, kernels) in available() {
        assert_eq!((kernels.products)(&left, &[1.0; 9]), 4.0, "{name}");
        let mut right = left;
        right[1] = 4.0;
        right[8] = 1.0;
        assert_eq!((kernels.squared_differences)(&left, &right), 13.0, "{name}");
    }
}
