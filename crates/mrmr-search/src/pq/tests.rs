//! The codes in every set of instructions.

use super::*;
use crate::index::Index;
use crate::kernels::segments::SegmentKernels;
use crate::metric::Metric;
use crate::vectors::Vectors;

#[test]
fn codes_and_answers_are_the_same_in_every_set_of_instructions() {
    let number = |n: u32| (n.wrapping_mul(2654435761) >> 8) as f32 / (1 << 23) as f32 - 1.0;
    let rows = Vectors::new(7, (0..7 * 600).map(number).collect()).unwrap();
    for metric in Metric::ALL {
        let built = SegmentKernels::available().map(|(_, kernels)| {
            let params = PqParams {
                segments: Some(2),
                rescored: 9,
                seed: 4,
            };
            let builder = PqIndex::builder(*metric, rows.clone()).params(params);
            let (index, notes) = builder.build_with(&(), kernels).unwrap();
            assert!(notes.error > 0.0 && notes.error < 0.5, "{}", notes.error);
            let found = index.search(&rows.slice(0..20), 5).unwrap();
            (index.codes, notes, found)
        });
        let built: Vec<_> = built.collect();
        assert!(built.windows(2).all(|pair| pair[0] == pair[1]), "{metric}");
    }
}

#[test]
fn no_rows_one_and_two() {
    for metric in Metric::ALL {
        for rows in 0..3 {
            let vectors = Vectors::new(3, vec![0.5; 3 * rows]).unwrap();
            let (index, notes) = PqIndex::builder(*metric, vectors).build(&()).unwrap();
            assert_eq!((notes.segments, notes.error), (1, 0.0));
            let query = Vectors::new(3, vec![0.0; 3]).unwrap();
            assert_eq!(index.search(&query, 5).unwrap()[0].len(), rows);
        }
    }
}
