//! Each set of instructions against the plainest loops.

use super::*;
use proptest::prelude::*;

fn bytes(numbers: &[u8]) -> Vec<Bytes> {
    numbers.as_chunks::<256>().0.to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn costs_are_the_same_in_every_set_of_instructions(
        (codes, costs) in (0usize..9).prop_flat_map(|segments| (
            prop::collection::vec(any::<u8>(), segments * 256),
            prop::collection::vec(any::<u8>(), segments * 256),
        )),
    ) {
        let (codes, costs) = (bytes(&codes), bytes(&costs));
        for (name, kernels) in SegmentKernels::available() {
            let mut sums = [1; BLOCK];
            (kernels.costs)(&codes, &costs, &mut sums);
            for (row, sum) in sums.iter().enumerate() {
                let pairs = codes.iter().zip(&costs);
                let expected: u16 = pairs.map(|(codes, costs)| u16::from(costs[codes[row] as usize])).sum();
                prop_assert_eq!(*sum, expected, "{}", name);
            }
        }
    }

    #[test]
    fn values_and_the_nearest_are_the_same_bits_in_every_set_of_instructions(
        (columns, points) in (1usize..7).prop_flat_map(|width| (
            prop::collection::vec(prop_oneof![-1.0f32..1.0, Just(0.5f32)], width * CENTROIDS),
            prop::collection::vec(-1.0f32..1.0, width * 5),
        )),
        euclidean in any::<bool>(),
    ) {
        let columns = columns.as_chunks::<CENTROIDS>().0;
        let half = |number: usize| columns.iter().map(|column| column[number] * column[number] * 0.5).sum();
        let halves = std::array::from_fn(|number| if euclidean { half(number) } else { 0.0 });
        let codebook = Codebook { columns, halves: &halves };
        for point in points.chunks_exact(columns.len()) {
            let expected: [f32; CENTROIDS] = std::array::from_fn(|number| {
                let columns = point.iter().zip(columns);
                columns.fold(-halves[number], |sum, (x, column)| sum + x * column[number])
            });
            let first = (0..CENTROIDS).rev().max_by(|a, b| expected[*a].total_cmp(&expected[*b]));
            for (name, kernels) in SegmentKernels::available() {
                let (mut values, mut nearest) = ([9.0; CENTROIDS], [0]);
                (kernels.values)(&codebook, point, &mut values);
                (kernels.nearest)(&codebook, point, &mut nearest);
                prop_assert_eq!(values.map(f32::to_bits), expected.map(f32::to_bits), "{}", name);
                prop_assert_eq!(Some(usize::from(nearest[0])), first, "{}", name);
            }
        }
    }
}

#[test]
fn the_largest_costs_of_the_most_segments_fit() {
    let segments = MAX_COST / 255;
    for (name, kernels) in SegmentKernels::available() {
        let mut sums = [0; BLOCK];
        (kernels.costs)(
            &vec![[7; 256]; segments],
            &vec![[255; 256]; segments],
            &mut sums,
        );
        assert_eq!(sums, [(segments * 255) as u16; BLOCK], "{name}");
    }
}
