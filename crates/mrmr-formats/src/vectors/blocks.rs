//! The vectors of a file, a block of rows at a time.

use std::path::Path;

use mrmr_core::{DocId, Error, Ids, Interned, Place, Result};

use super::VectorOptions;
use super::read::{Opened, VectorShape, open};
use super::source::{Cells, Source};

/// Reads the vectors of a file in order, without ever holding more than a block of them (of Parquet, a batch of 4,096
/// rows beside), and the ids seen so far where the file has ids.
///
/// Formats, checks and messages are those of [`super::read_vectors`], which reads through this.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("corpus.fvecs");
/// # let row = |x: f32| [&1i32.to_le_bytes()[..], &x.to_le_bytes()].concat();
/// # std::fs::write(&path, [row(1.0), row(2.0), row(3.0)].concat()).unwrap();
/// use mrmr_formats::vectors::{VectorBlocks, VectorOptions};
///
/// let mut blocks = VectorBlocks::open(&path, &VectorOptions::default())?;
/// assert_eq!(blocks.shape().dimension, 1);
/// let mut sizes = Vec::new();
/// while let Some(block) = blocks.next_block(2)? {
///     sizes.push((block.first_row, block.rows));
/// }
/// assert_eq!(sizes, [(0, 2), (2, 1)]);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
pub struct VectorBlocks {
    name: String,
    shape: VectorShape,
    source: Option<Box<dyn Source>>,
    /// Those of all rows so far, where the file has ids.
    ids: Option<Ids<DocId>>,
    next_row: usize,
    rounded: u64,
}

/// Some rows of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorBlock {
    /// The number of its first row in the file, from 0.
    pub first_row: usize,
    /// How many rows it has, at least 1.
    pub rows: usize,
    /// How many components each has.
    pub dimension: usize,
    /// The components, row after row, all finite.
    pub data: Vec<f32>,
    /// Rows of the file whose components are all zero, ascending.
    pub zero_rows: Vec<usize>,
    /// The ids of the rows, where the file itself has them; all of the file are different.
    pub ids: Option<Vec<String>>,
}

impl VectorBlocks {
    /// Opens a file and reads what stands before its vectors.
    ///
    /// # Errors
    /// If it cannot be read or has another form.
    pub fn open(path: impl AsRef<Path>, options: &VectorOptions) -> Result<Self> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let opened = open(path, &name, options).map_err(|error| error.at(Place::whole(&name)))?;
        let Opened {
            shape,
            has_ids,
            source,
        } = opened;
        Ok(VectorBlocks {
            name,
            shape,
            source: Some(source),
            ids: has_ids.then(Ids::new),
            next_row: 0,
            rounded: 0,
        })
    }

    /// How many vectors there are, where that is known, and their dimension.
    pub fn shape(&self) -> VectorShape {
        self.shape
    }

    /// The name of the file as it was given, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many numbers of the rows so far lost digits, being of 64 bits.
    pub fn rounded(&self) -> u64 {
        self.rounded
    }

    /// Whether the file itself has ids.
    pub fn has_ids(&self) -> bool {
        self.ids.is_some()
    }

    /// The next rows, up to so many; none after the last, or after an error.
    ///
    /// # Errors
    /// As [`super::read_vectors`], once the row in question is read.
    pub fn next_block(&mut self, max_rows: usize) -> Result<Option<VectorBlock>> {
        let (mut cells, mut zero_rows) = (Cells::default(), Vec::new());
        let first_row = self.next_row;
        if let Some(all) = self.shape.rows {
            let rows = max_rows.min(all.saturating_sub(first_row));
            let numbers = rows.saturating_mul(self.shape.dimension);
            // Growing could take twice as much. Where there is no room for what the file promises, growing it is.
            let _ = cells.data.try_reserve_exact(numbers);
        }
        let rows = self.append(max_rows.max(1), &mut cells, &mut zero_rows)?;
        Ok((rows > 0).then(|| VectorBlock {
            first_row,
            rows,
            dimension: self.shape.dimension,
            data: cells.data,
            zero_rows,
            ids: self.has_ids().then_some(cells.ids),
        }))
    }

    /// Appends the next rows, checked, and which of them are zero; says how many, 0 at the end.
    pub(super) fn append(
        &mut self,
        most: usize,
        cells: &mut Cells,
        zero_rows: &mut Vec<usize>,
    ) -> Result<usize> {
        let Some(mut source) = self.source.take() else {
            return Ok(0);
        };
        let before = (cells.data.len(), cells.ids.len());
        let rounded = cells.rounded;
        let rows = source
            .append(most, cells)
            .map_err(|error| error.at(Place::whole(&self.name)))?;
        if rows == 0 {
            return Ok(0);
        }
        self.check(&cells.data[before.0..], zero_rows)?;
        self.note_ids(&cells.ids[before.1..])?;
        self.next_row += rows;
        self.rounded += cells.rounded - rounded;
        self.source = Some(source);
        Ok(rows)
    }

    /// Refuses what is not finite, and notes zero vectors.
    fn check(&self, data: &[f32], zero_rows: &mut Vec<usize>) -> Result<()> {
        let rows = data.chunks_exact(self.shape.dimension.max(1));
        for (row, vector) in (self.next_row..).zip(rows) {
            if let Some(component) = vector.iter().position(|value| !value.is_finite()) {
                return Err(Error::data(format!(
                    "expected finite numbers, found {} in component {component}",
                    vector[component]
                ))
                .at(Place::row(&self.name, row as u64))
                .hint(
                    "the encoder failed on this record, or the number is too large for 4 bytes",
                ));
            }
            if vector.iter().all(|value| *value == 0.0) {
                zero_rows.push(row);
            }
        }
        Ok(())
    }

    fn note_ids(&mut self, new: &[String]) -> Result<()> {
        let Some(ids) = &mut self.ids else {
            return Ok(());
        };
        for (row, id) in (self.next_row as u64..).zip(new) {
            let (key, is_new) = ids.insert(id);
            if !is_new {
                let first = Place::row(&self.name, key.index() as u64);
                return Err(already(id, &first).at(Place::row(&self.name, row)));
            }
        }
        Ok(())
    }
}

/// An error for an id that is there twice.
pub(super) fn already(id: &str, first: &Place) -> Error {
    Error::data(format!(
        "id '{id}' is there already ({first}); one vector a record"
    ))
}
