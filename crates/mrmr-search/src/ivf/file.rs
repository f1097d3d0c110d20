//! Lists in a file, without their rows.

use std::path::Path;

use mrmr_core::{DocId, Ids, Result};

use super::builder::IvfParams;
use super::index::IvfIndex;
use super::lists::Lists;
use crate::clusters::coarse::centroids_of;
use crate::exact::codes::Codes;
use crate::index_file::{Content, Kind, contradiction, write_length, write_numbers, write_rows};
use crate::kernels::Kernels;
use crate::metric::Metric;
use crate::rows::Rows;
use crate::vectors::Vectors;

const KIND: Kind = Kind {
    magic: *b"mrmr-IVF",
    version: 1,
    name: "IVF",
    writer: "IvfIndex::save",
};

impl IvfIndex {
    /// Writes parameters, centroids and lists to a file: all of it, or nothing where that fails. The
    /// vectors are not in it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        let centroids = self.lists.coded.as_ref().map(|coded| &coded.centroids);
        let numbers = centroids.map_or(&[][..], |centroids| centroids.vectors.as_slice());
        let bits: Vec<u32> = numbers.iter().map(|x| x.to_bits()).collect();
        KIND.seal(path, |out| {
            write_rows(out, &self.rows)?;
            // 0 stands for none.
            write_length(out, self.params.lists.unwrap_or(0))?;
            write_length(out, self.params.probes)?;
            out.write_all(&self.params.seed.to_le_bytes())?;
            write_numbers(out, &bits)?;
            write_numbers(out, &self.lists.list_of)
        })
    }

    /// Opens an index that [`IvfIndex::save`] wrote, over the vectors that it was built over; it answers
    /// as the one that was saved, to the last bit.
    ///
    /// # Errors
    /// If the file cannot be read, is none of lists, was cut short or changed, has a format that this
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

fn read(content: &mut Content<'_>, rows: Rows) -> Result<IvfIndex> {
    content.check_rows(&rows)?;
    let (lists, probes) = (content.length()?, content.length()?);
    let params = IvfParams {
        lists: (lists != 0).then_some(lists),
        probes,
        seed: u64::from_le_bytes(content.array()?),
    };
    params.check()?;
    let centroids: Vec<f32> = content.numbers()?.into_iter().map(f32::from_bits).collect();
    let list_of = content.numbers()?;
    let dimension = rows.vectors.dimension();
    let lists = (centroids.len() / dimension).max(1);
    let fits = centroids.len().is_multiple_of(dimension)
        && list_of.len() == rows.len()
        && list_of.iter().all(|list| (*list as usize) < lists);
    if !fits {
        return Err(contradiction());
    }
    let lists = match Codes::of_all_columns(rows.metric, &rows.vectors, &rows.squares) {
        Some(codes) if !centroids.is_empty() => {
            let centroids = centroids_of(&rows, centroids, &codes)?;
            Lists::coded(list_of, centroids, &codes)
        }
        _ => Lists::single(rows.len()),
    };
    Ok(IvfIndex::new(rows, lists, params, Kernels::detect()))
}
