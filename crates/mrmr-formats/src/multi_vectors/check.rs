//! What holds for multi-vectors of any file.

use mrmr_core::{Error, Place, Result};

use super::MultiVectorFile;

/// Refuses what is not finite; item and vector are named.
pub(super) fn finite(name: &str, file: &MultiVectorFile) -> Result<()> {
    let Some(place) = file.data.iter().position(|number| !number.is_finite()) else {
        return Ok(());
    };
    let vector = place / file.dimension;
    let item = file.offsets.partition_point(|start| *start <= vector) - 1;
    Err(Error::data(format!(
        "expected finite numbers, found {} in component {} of vector {}",
        file.data[place],
        place % file.dimension,
        vector - file.offsets[item]
    ))
    .at(Place::row(name, item as u64))
    .hint("the encoder failed on this record, or the number is too large for 4 bytes"))
}

/// Refuses offsets that do not cut so many vectors into items; `what` names them in an error.
pub(super) fn offsets(offsets: &[usize], vectors: usize, what: &str) -> Result<()> {
    if let Some(first) = offsets.first().filter(|first| **first != 0) {
        return Err(Error::data(format!(
            "{what}: expected 0 first, found {first}"
        )));
    }
    if let Some(item) = offsets.windows(2).position(|pair| pair[0] > pair[1]) {
        return Err(Error::data(format!(
            "{what}: expected offsets that ascend, found {} after {} at item {item}",
            offsets[item + 1],
            offsets[item]
        ))
        .hint("numbers of vectors of each item belong into a tensor named 'lengths'"));
    }
    match offsets.last() {
        Some(last) if *last == vectors => Ok(()),
        last => Err(Error::data(format!(
            "{what}: expected the number of vectors, {vectors}, as the last offset; found {}",
            last.map_or("none".to_owned(), usize::to_string)
        ))),
    }
}
