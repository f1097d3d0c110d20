//! Each set of instructions against the portable loops.

use super::*;
use proptest::prelude::*;

fn code() -> impl Strategy<Value = i8> {
    prop_oneof![4 => -127i8..=127, 1 => Just(127i8), 1 => Just(-127i8)]
}

fn lines(codes: &[i8]) -> Vec<Line> {
    let (lines, _) = codes.as_chunks::<{ ROWS * COLUMNS }>();
    lines.iter().map(|line| Line(*line)).collect()
}

fn queries(words: usize, codes: &[i8]) -> QueryCodes {
    let (packed, _) = codes.as_chunks::<COLUMNS>();
    let sum = |query: &[i8]| query.iter().map(|code| i32::from(*code)).sum();
    QueryCodes {
        words,
        codes: packed
            .iter()
            .map(|word| i32::from_ne_bytes(word.map(|code| code as u8)))
            .collect(),
        sums: codes.chunks_exact(words * COLUMNS).map(sum).collect(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn dot_products_of_codes_are_the_same_in_every_set_of_instructions(
        (words, rows, codes) in (1usize..24, 0usize..40).prop_flat_map(|(words, count)| (
            Just(words),
            prop::collection::vec(code(), words * COLUMNS * ROWS),
            prop::collection::vec(code(), words * COLUMNS * count),
        )),
    ) {
        let (lines, queries) = (lines(&rows), queries(words, &codes));
        let mut expected = vec![[0; ROWS]; queries.sums.len()];
        for (query, dots) in codes.chunks_exact(words * COLUMNS).zip(&mut expected) {
            for (row, dot) in dots.iter_mut().enumerate() {
                *dot = (0..words * COLUMNS)
                    .map(|i| (i / COLUMNS * ROWS + row) * COLUMNS + i % COLUMNS)
                    .zip(query)
                    .map(|(place, code)| i32::from(rows[place]) * i32::from(*code))
                    .sum();
            }
        }
        for (name, kernels) in Kernels::available() {
            let mut dots = vec![[1; ROWS]; expected.len()];
            (kernels.code_dots)(&lines, &queries, &mut dots);
            prop_assert_eq!(&dots, &expected, "{}", name);
        }
    }

    #[test]
    fn dot_products_of_rows_anywhere_are_the_same_in_every_set_of_instructions(
        (width, codes, places) in (1usize..8, 1usize..12).prop_flat_map(|(width, rows)| (
            Just(width),
            prop::collection::vec(code(), width * STRIP * (rows + 1)),
            prop::collection::vec(0u32..rows as u32, 0..40),
        )),
    ) {
        let (strips, _) = codes.as_chunks::<STRIP>();
        let strips: Vec<Strip> = strips.iter().map(|strip| Strip(*strip)).collect();
        let (query, rows) = codes.split_at(width * STRIP);
        let coded = CodedRow {
            strips: &strips[..width],
            sum: query.iter().map(|code| i32::from(*code)).sum(),
        };
        let expected: Vec<i32> = places
            .iter()
            .map(|place| {
                let row = &rows[*place as usize * width * STRIP..];
                query.iter().zip(row).map(|(x, y)| i32::from(*x) * i32::from(*y)).sum()
            })
            .collect();
        for (name, kernels) in Kernels::available() {
            let mut dots = vec![1; places.len()];
            (kernels.row_dots)(&strips[width..], coded, &places, &mut dots);
            prop_assert_eq!(&dots, &expected, "{}", name);
        }
    }

    #[test]
    fn the_same_rows_reach_in_every_set_of_instructions(
        // Small whole numbers, of which every sum is exact.
        rows in prop::collection::vec(-30i32..30, 5 * ROWS),
        columns in 0usize..4,
        apart in prop::collection::vec(-30i32..30, 3 * (ROWS + 2)),
        queries in prop::collection::vec(prop::collection::vec(-30i32..30, 6), 2),
        dots in prop::collection::vec(-999i32..999, 2 * ROWS),
    ) {
        let four = |part: usize| std::array::from_fn(|lane| rows[part * ROWS + lane] as f32);
        let rows = RowBounds {
            scale: four(0),
            residual: four(1),
            length: four(2),
            whole: four(3),
            square: four(4),
        };
        let reaches: Vec<Reach> = queries.iter().map(|query| {
            let query: Vec<f32> = query.iter().map(|x| *x as f32).collect();
            Reach {
                scale: query[0],
                residual: query[1],
                length: query[2],
                whole: query[3],
                square: query[4],
                floor: query[5] * 100.0,
            }
        }).collect();
        let apart: Vec<f32> = apart.into_iter().map(|x| x as f32).collect();
        let (lanes, weights) = apart.split_at(3 * ROWS);
        let (lanes, _) = lanes.as_chunks::<ROWS>();
        let apart = Apart { rows: &lanes[..columns], queries: &weights[..2 * columns] };
        let (dots, _) = dots.as_chunks::<ROWS>();
        let mut expected = [0; 2];
        for (number, (reach, dots)) in reaches.iter().zip(dots).enumerate() {
            for (lane, dot) in dots.iter().enumerate() {
                let products = (0..columns).map(|column| weights[number * columns + column] * lanes[column][lane]);
                let upper = reach.scale * *dot as f32 * rows.scale[lane]
                    + products.sum::<f32>()
                    + reach.residual * rows.residual[lane]
                    + reach.length * rows.length[lane]
                    + reach.whole * rows.whole[lane]
                    - reach.square * rows.square[lane];
                expected[number] |= u16::from(upper >= reach.floor) << lane;
            }
        }
        for (name, kernels) in Kernels::available() {
            let mut masks = [0xAAAA; 2];
            (kernels.reaching)(&rows, apart, &reaches, dots, &mut masks);
            prop_assert_eq!(masks, expected, "{}", name);
        }
    }

    #[test]
    fn dot_products_in_floating_point_are_near_the_true_ones(
        (dimension, queries, rows) in (1usize..70, 0usize..11, 0usize..=ROWS).prop_flat_map(
            |(dimension, queries, rows)| (
                Just(dimension),
                prop::collection::vec(-1.0f32..1.0, dimension * queries),
                prop::collection::vec(-1.0f32..1.0, dimension * rows),
            ),
        ),
    ) {
        let queries: Vec<&[f32]> = queries.chunks(dimension).collect();
        for (name, kernels) in Kernels::available() {
            let mut dots = vec![[7.0; ROWS]; queries.len()];
            (kernels.float_dots)(&queries, &rows, &mut dots);
            for (query, dots) in queries.iter().zip(&dots) {
                for (row, dot) in rows.chunks(dimension).zip(dots) {
                    let products = row.iter().zip(*query).map(|(x, y)| f64::from(*x) * f64::from(*y));
                    let expected: f64 = products.sum();
                    prop_assert!((f64::from(*dot) - expected).abs() < 1e-5, "{}", name);
                }
                let unused = &dots[rows.len() / dimension..];
                prop_assert!(unused.iter().all(|dot| *dot == 7.0), "{}", name);
            }
        }
    }

    #[test]
    fn the_same_rows_reach_by_dot_products_in_floating_point(
        numbers in prop::collection::vec(prop_oneof![9 => -30i32..30, 1 => Just(i32::MAX)], 2 * ROWS),
        queries in prop::collection::vec((-30i32..30, -30i32..30, -30i32..30), 2),
        dots in prop::collection::vec(-999i32..999, 2 * ROWS),
    ) {
        let number = |x: i32| if x == i32::MAX { f32::NAN } else { x as f32 };
        let rows = RowNorms {
            norm: std::array::from_fn(|lane| number(numbers[lane])),
            square: std::array::from_fn(|lane| number(numbers[ROWS + lane])),
        };
        let reaches: Vec<FloatReach> = queries.into_iter().map(|(norm, square, floor)| FloatReach {
            norm: norm as f32,
            square: square as f32,
            floor: floor as f32 * 30.0,
        }).collect();
        let dots: Vec<f32> = dots.into_iter().map(|x| x as f32).collect();
        let (dots, _) = dots.as_chunks::<ROWS>();
        let mut expected = [0; 2];
        portable::float_reaching(&rows, &reaches, dots, &mut expected);
        for (lane, number) in numbers.iter().enumerate() {
            let bit = expected[0] >> (lane % ROWS) & 1;
            prop_assert!(*number != i32::MAX || bit == 1);
        }
        for (name, kernels) in Kernels::available() {
            let mut masks = [0xAAAA; 2];
            (kernels.float_reaching)(&rows, &reaches, dots, &mut masks);
            prop_assert_eq!(masks, expected, "{}", name);
        }
    }
}

#[test]
fn the_longest_sums_of_the_largest_codes_fit() {
    let words = MAX_COLUMNS / COLUMNS;
    let codes = vec![127; MAX_COLUMNS];
    let (lines, queries) = (
        vec![Line([-127; ROWS * COLUMNS]); words],
        queries(words, &codes),
    );
    for (name, kernels) in Kernels::available() {
        let mut dots = [[0; ROWS]];
        (kernels.code_dots)(&lines, &queries, &mut dots);
        assert_eq!(dots, [[-127 * 127 * MAX_COLUMNS as i32; ROWS]], "{name}");
        let (rows, strips) = (
            vec![Strip([-127; STRIP]); MAX_COLUMNS / STRIP],
            vec![Strip([127; STRIP]); MAX_COLUMNS / STRIP],
        );
        let sum = 127 * MAX_COLUMNS as i32;
        let coded = CodedRow {
            strips: &strips,
            sum,
        };
        let mut dots = [0];
        (kernels.row_dots)(&rows, coded, &[0], &mut dots);
        assert_eq!(dots, [-127 * 127 * MAX_COLUMNS as i32], "{name}");
    }
}
