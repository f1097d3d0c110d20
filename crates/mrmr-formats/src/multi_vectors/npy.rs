//! Arrays of three axes: items, vectors, components; short items are filled up with zero vectors.

use std::io::Read;

use mrmr_core::{Error, Result};

use super::MultiVectorFile;
use crate::vectors::bytes::{fill, numbers};
use crate::vectors::npy::read_header;
use crate::vectors::number::Number;
use crate::vectors::read::check_shape;

pub(super) fn read(reader: &mut impl Read) -> Result<MultiVectorFile> {
    let (header, _) = read_header(reader)?;
    let number = Number::named(&header.descr)?;
    let [items, most, dimension] = header.shape[..] else {
        let shape: Vec<String> = header.shape.iter().map(usize::to_string).collect();
        return Err(Error::format(format!(
            "expected three axes, items, vectors and components; found {}: shape ({})",
            header.shape.len(),
            shape.join(", ")
        ))
        .hint("items of one vector each are saved as vectors[:, None, :]"));
    };
    check_shape(items.saturating_mul(most), dimension)?;
    let count = items * most * dimension;
    let what = format!("'{}'", header.descr);
    let data = numbers(reader, number, count, &what)?;
    if fill(reader, &mut [0])? > 0 {
        return Err(Error::format(format!(
            "expected {} bytes of numbers ({count} of {what}), found more",
            count * number.width()
        ))
        .hint("a file holds one array; save others to files of their own"));
    }
    let data = match header.fortran_order {
        true => transposed(&data, [items, most, dimension]),
        false => data,
    };
    Ok(without_padding(&data, [items, most, dimension]))
}

fn without_padding(data: &[f32], [items, most, dimension]: [usize; 3]) -> MultiVectorFile {
    let (mut kept, mut offsets) = (Vec::new(), vec![0]);
    for item in 0..items {
        let vectors = &data[item * most * dimension..(item + 1) * most * dimension];
        let is_zero = |vector: &[f32]| vector.iter().all(|x| *x == 0.0);
        let vectors: Vec<&[f32]> = vectors.chunks_exact(dimension.max(1)).collect();
        let last = vectors.iter().rposition(|vector| !is_zero(vector));
        let length = last.map_or(0, |last| last + 1);
        vectors[..length]
            .iter()
            .for_each(|vector| kept.extend_from_slice(vector));
        offsets.push(offsets[item] + length);
    }
    MultiVectorFile {
        dimension,
        padding: items * most - offsets[items],
        data: kept,
        offsets,
        ids: None,
    }
}

/// The first axis varying fastest becomes the last varying fastest.
fn transposed(data: &[f32], [items, most, dimension]: [usize; 3]) -> Vec<f32> {
    let mut cells = Vec::with_capacity(data.len());
    for item in 0..items {
        for vector in 0..most {
            cells.extend((0..dimension).map(|c| data[item + items * (vector + most * c)]));
        }
    }
    cells
}
