//! From shards to one file.

use std::path::Path;

use mrmr_bench::encoding::Encoded;
use mrmr_core::{Error, Result};
use mrmr_formats::multi_vectors::{MultiVectorFile, write_noted_multi_vectors};
use mrmr_formats::vectors::{Dtype, VectorForm, VectorNotes, VectorsToWrite, write_vectors};
use mrmr_models::EmbeddingKind;

use super::OpenEncoder;

/// Refuses what a form does not hold.
pub(super) fn check(open: &OpenEncoder, form: VectorForm, dtype: Dtype) -> Result<()> {
    if open.encoder.kind() != EmbeddingKind::Multi {
        return Ok(());
    }
    if form != VectorForm::Safetensors || dtype != Dtype::F32 {
        return Err(Error::usage(format!(
            "{} makes several vectors a record, which are written as f32 to .safetensors alone",
            open.encoder.name()
        ))
        .hint("-o NAME.safetensors, without --dtype"));
    }
    Ok(())
}

/// Writes the vectors of all shards.
pub(super) fn write(file: &Path, encoded: &Encoded<'_>, notes: &VectorNotes) -> Result<()> {
    if encoded.kind() == EmbeddingKind::Multi {
        return write_many(file, encoded, notes);
    }
    write_vectors(
        file,
        &VectorsToWrite {
            dimension: encoded.dimension(),
            ids: &encoded.ids(),
            blocks: &|take| encoded.each(&mut |shard| take(&shard.data)),
            notes,
        },
    )
}

fn write_many(file: &Path, encoded: &Encoded<'_>, notes: &VectorNotes) -> Result<()> {
    let mut items = MultiVectorFile {
        dimension: encoded.dimension(),
        data: Vec::new(),
        offsets: vec![0],
        padding: 0,
        ids: Some(encoded.ids()),
    };
    encoded.each(&mut |shard| {
        let failed: Vec<usize> = shard.failures.iter().map(|(at, _)| *at).collect();
        for (at, length) in shard.lengths.iter().enumerate() {
            if failed.binary_search(&at).is_err() {
                let end = items.offsets.last().copied().unwrap_or(0);
                items.offsets.push(end + length);
            }
        }
        items.data.extend(shard.data);
        Ok(())
    })?;
    write_noted_multi_vectors(file, &items, notes)
}
