//! The lists in every set of instructions.

use super::*;
use crate::index::Index;
use crate::kernels::Kernels;
use crate::metric::Metric;
use crate::vectors::Vectors;

#[test]
fn lists_and_answers_are_the_same_in_every_set_of_instructions() {
    let number = |n: u32| (n.wrapping_mul(2654435761) >> 8) as f32 / (1 << 23) as f32 - 1.0;
    let rows = Vectors::new(9, (0..9 * 900).map(number).collect()).unwrap();
    for metric in Metric::ALL {
        let built = Kernels::available().map(|(_, kernels)| {
            let params = IvfParams {
                lists: Some(3),
                probes: 2,
                seed: 4,
            };
            // 900 rows are more than 3 lists are trained on.
            let builder = IvfIndex::builder(*metric, rows.clone()).params(params);
            let (index, _) = builder.build_with(&(), kernels).unwrap();
            let found = index.search(&rows.slice(0..20), 5).unwrap();
            (index.lists.list_of, found)
        });
        let built: Vec<_> = built.collect();
        assert!(built.windows(2).all(|pair| pair[0] == pair[1]), "{metric}");
    }
}

#[test]
fn no_rows_one_and_two_and_rows_all_alike() {
    for metric in Metric::ALL {
        for rows in 0..3 {
            let vectors = Vectors::new(3, vec![0.5; 3 * rows]).unwrap();
            let builder = IvfIndex::builder(*metric, vectors);
            let (index, notes) = builder.build(&()).unwrap();
            assert_eq!(notes.largest_list, rows);
            let query = Vectors::new(3, vec![0.0; 3]).unwrap();
            assert_eq!(index.search(&query, 5).unwrap()[0].len(), rows);
        }
        let vectors = Vectors::new(2, vec![1.5; 200]).unwrap();
        let (index, notes) = IvfIndex::builder(*metric, vectors.clone())
            .build(&())
            .unwrap();
        assert_eq!((notes.lists, notes.largest_list), (10, 100));
        let found = index.search(&vectors.slice(0..1), 3).unwrap();
        let rows: Vec<u32> = found[0].iter().map(|neighbour| neighbour.row).collect();
        assert_eq!(rows, [0, 1, 2]);
    }
}
