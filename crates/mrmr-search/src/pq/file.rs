//! Codes in a file, without their rows.

use std::path::Path;

use mrmr_core::{DocId, Ids, Result};

use super::builder::PqParams;
use super::codebooks::Codebooks;
use super::index::PqIndex;
use crate::clusters::fine::Fine;
use crate::exact::codes::mean;
use crate::index_file::{
    Content, Kind, contradiction, write_bytes, write_length, write_numbers, write_rows,
};
use crate::kernels::segments::{BLOCK, CENTROIDS, SegmentKernels};
use crate::metric::Metric;
use crate::rows::Rows;
use crate::vectors::Vectors;

const KIND: Kind = Kind {
    magic: *b"mrmr-PQ8",
    version: 1,
    name: "PQ",
    writer: "PqIndex::save",
};

impl PqIndex {
    /// Writes parameters, codebooks and codes to a file: all of it, or nothing where that fails. The
    /// vectors are not in it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        let columns = self
            .codebooks
            .segments
            .iter()
            .flat_map(|fine| &fine.columns);
        let bits: Vec<u32> = columns.flatten().map(|x| x.to_bits()).collect();
        KIND.seal(path, |out| {
            write_rows(out, &self.rows)?;
            // 0 stands for none.
            write_length(out, self.params.segments.unwrap_or(0))?;
            write_length(out, self.params.rescored)?;
            out.write_all(&self.params.seed.to_le_bytes())?;
            out.write_all(&self.error.to_le_bytes())?;
            write_numbers(out, &bits)?;
            write_bytes(out, self.codes.as_flattened())
        })
    }

    /// Opens an index that [`PqIndex::save`] wrote, over the vectors that it was built over; it answers as
    /// the one that was saved, to the last bit.
    ///
    /// # Errors
    /// If the file cannot be read, is none of codes, was cut short or changed, has a format that this
    /// version does not know, or belongs to another metric or other vectors; or if there are not as many
    /// ids as vectors.
    pub fn open(
        path: &Path,
        metric: Metric,
        vectors: Vectors,
        ids: Option<Ids<DocId>>,
    ) -> Result<Self> {
        let rows = Rows::new(metric, vectors, ids)?;
        KIND.unseal(path, |content| read(content, rows))
    }
}

fn read(content: &mut Content<'_>, rows: Rows) -> Result<PqIndex> {
    content.check_rows(&rows)?;
    let (segments, rescored) = (content.length()?, content.length()?);
    let params = PqParams {
        segments: (segments != 0).then_some(segments),
        rescored,
        seed: u64::from_le_bytes(content.array()?),
    };
    let dimension = rows.vectors.dimension();
    let segments = params.segments_of(dimension)?;
    let error = f64::from_le_bytes(content.array()?);
    let numbers: Vec<f32> = content.numbers()?.into_iter().map(f32::from_bits).collect();
    let codes = content.all_bytes()?;
    let blocks = rows.len().div_ceil(BLOCK);
    let fits = numbers.len() == dimension * CENTROIDS
        && numbers.iter().all(|x| x.is_finite())
        && codes.len() == blocks * segments * BLOCK;
    if !fits {
        return Err(contradiction());
    }
    let (numbers, _) = numbers.as_chunks::<CENTROIDS>();
    let columns = |segment| super::codebooks::columns(dimension, segments, segment);
    let codebooks = Codebooks {
        mean: mean(rows.metric, &rows.vectors, &rows.squares),
        segments: (0..segments)
            .map(|segment| Fine::new(numbers[columns(segment)].to_vec()))
            .collect(),
    };
    let codes = codes.as_chunks::<BLOCK>().0.to_vec();
    let kernels = SegmentKernels::detect();
    Ok(PqIndex::new(rows, codebooks, codes, error, params, kernels))
}
