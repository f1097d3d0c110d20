//! Dot products of the first pass.

/// Lanes of a sum: enough for two SSE registers or one of AVX.
pub(super) const LANES: usize = 8;
/// How many queries share the loading of a row.
pub(super) const GROUP: usize = 4;

/// The dot products of `N` queries with a row of the same dimension, in 32 bits.
///
/// Each sum runs in [`LANES`] lanes and then over them as a tree, whatever `N`.
#[inline]
pub(super) fn dots<const N: usize>(queries: [&[f32]; N], row: &[f32]) -> [f32; N] {
    let (row, row_rest) = row.as_chunks::<LANES>();
    let chunks = queries.map(|query| {
        let (chunks, rest) = query.as_chunks::<LANES>();
        // Of one length with the row, so that the loop below needs no check.
        (&chunks[..row.len()], &rest[..row_rest.len()])
    });
    let mut sums = [[0.0f32; LANES]; N];
    for (i, row) in row.iter().enumerate() {
        for n in 0..N {
            let query = &chunks[n].0[i];
            for lane in 0..LANES {
                sums[n][lane] += query[lane] * row[lane];
            }
        }
    }
    for n in 0..N {
        for (lane, (x, y)) in chunks[n].1.iter().zip(row_rest).enumerate() {
            sums[n][lane] += x * y;
        }
    }
    sums.map(|[a, b, c, d, e, f, g, h]| ((a + e) + (c + g)) + ((b + f) + (d + h)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_gives_what_each_query_gives_alone() {
        let vector = |seed: u32| -> Vec<f32> {
            (0..43)
                .map(|i| ((seed * 31 + i * 17) % 97) as f32 / 9.0)
                .collect()
        };
        let (row, queries) = (vector(9), [vector(1), vector(2), vector(3), vector(4)]);
        let together = dots(queries.each_ref().map(|query| query.as_slice()), &row);
        for (query, dot) in queries.iter().zip(together) {
            assert_eq!(dots([query.as_slice()], &row), [dot]);
        }
    }
}
