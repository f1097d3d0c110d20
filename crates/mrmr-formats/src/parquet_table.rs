//! Parquet files as tables of named columns: only what is asked for is read, batch after batch.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # use std::sync::Arc;
//! # use arrow_array::{ArrayRef, Float32Array, Int64Array, RecordBatch};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("qrels.parquet");
//! # let columns: [(&str, ArrayRef); 2] = [
//! #     ("query_id", Arc::new(Int64Array::from(vec![7]))),
//! #     ("score", Arc::new(Float32Array::from(vec![1.0]))),
//! # ];
//! # let rows = RecordBatch::try_from_iter(columns)?;
//! # let file = std::fs::File::create(&path)?;
//! # let mut writer = parquet::arrow::ArrowWriter::try_new(file, rows.schema(), None)?;
//! # writer.write(&rows)?;
//! # writer.close()?;
//! use mrmr_formats::parquet_table::{Table, Want};
//!
//! let table = Table::open(&path)?;
//! let query = table.require(&["query_id", "query-id"])?;
//! let score = table.require(&["score"])?;
//! for batch in table.read(&[Want::Text(query), Want::Number(score)])? {
//!     let batch = batch?;
//!     for row in 0..batch.rows() {
//!         assert_eq!(batch.text(0, row), Some("7")); // an integer column, as text
//!         assert_eq!(batch.number(1, row), Some(1.0));
//!         assert_eq!(batch.first_row() + row as u64, 0); // its number in the file
//!     }
//! }
//! # Ok(())
//! # }
//! ```

mod batch;
mod cast;
mod guard;
mod leaf;
mod schema;
mod source;

use std::path::Path;
use std::sync::Arc;

use mrmr_core::{Error, Place, Result, closest};
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader};

pub use batch::{Batch, Batches, Want};
pub(crate) use cast::number;
use guard::guarded;
pub(crate) use guard::parquet_error;
pub(crate) use leaf::{LeafCell, LeafReader};
pub use schema::ColumnKind;
use schema::{check_rows, kind};
use source::Source;

/// An open Parquet file: its schema is known, its rows are not read.
///
/// Clones share the file. Reading takes no lock: any number of threads may do it at once.
#[derive(Clone)]
pub struct Table {
    name: String,
    source: Source,
    metadata: ArrowReaderMetadata,
}

impl Table {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read or is no Parquet file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Table::new(path.display().to_string(), Source::open(path)?)
    }

    /// A table of a whole file in memory; `name` names it in errors.
    ///
    /// # Errors
    /// If it is no Parquet file.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self> {
        Table::new(name.into(), Source::memory(bytes))
    }

    fn new(name: String, source: Source) -> Result<Self> {
        let place = || Place::whole(&name);
        let metadata = guarded(place, || {
            let metadata = ParquetMetaDataReader::new()
                .with_offset_index_policy(PageIndexPolicy::Optional)
                .parse_and_finish(&source)?;
            // The types of the file itself are enough; those of the program that wrote it only add variants.
            let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
            ArrowReaderMetadata::try_new(Arc::new(metadata), options)
        })?;
        check_rows(metadata.metadata()).map_err(|error| error.at(place()))?;
        Ok(Table {
            name,
            source,
            metadata,
        })
    }

    /// The name of the file as it was given, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many rows there are.
    pub fn rows(&self) -> u64 {
        self.footer().file_metadata().num_rows().max(0) as u64
    }

    /// The text of a key in the file's own metadata.
    pub fn metadata(&self, key: &str) -> Option<String> {
        let pairs = self.footer().file_metadata().key_value_metadata()?;
        pairs.iter().find(|pair| pair.key == key)?.value.clone()
    }

    /// The names of the columns, in the order of the file.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        let fields = self.metadata.schema().fields();
        fields.iter().map(|field| field.name().as_str())
    }

    /// What a column can be read as; none where there is no such column.
    pub fn kind(&self, column: &str) -> Option<ColumnKind> {
        let root = self.root(column)?;
        Some(kind(self.metadata.schema().field(root).data_type()))
    }

    /// The first of these names that is a column.
    pub fn find<'n>(&self, names: &[&'n str]) -> Option<&'n str> {
        let mut names = names.iter().copied();
        names.find(|name| self.root(name).is_some())
    }

    /// The first of these names that is a column.
    ///
    /// # Errors
    /// If none is; the names that the file has are listed.
    pub fn require<'n>(&self, names: &[&'n str]) -> Result<&'n str> {
        self.find(names).ok_or_else(|| {
            let found: Vec<&str> = self.columns().collect();
            let near = names
                .first()
                .and_then(|name| closest(name, found.iter().copied()));
            Error::format(format!(
                "expected a column named {}; found {}",
                alternatives(names),
                if found.is_empty() {
                    "no column".to_owned()
                } else {
                    quoted(&found).join(", ")
                }
            ))
            .at(Place::whole(&self.name))
            .hint_maybe(near.map(|near| format!("rename '{near}' if it holds that")))
        })
    }

    /// Reads columns, batch after batch; the columns of a batch are in the order of `wants`.
    ///
    /// # Errors
    /// If a column is not there or cannot be read as wanted. While reading: if the file is damaged, or a
    /// value does not have the wanted form; the row is named.
    pub fn read(&self, wants: &[Want<'_>]) -> Result<Batches> {
        Batches::new(self, wants)
    }

    /// How many bytes of the file were read so far, by all clones.
    pub fn bytes_read(&self) -> u64 {
        self.source.bytes_read()
    }

    pub(crate) fn footer(&self) -> &Arc<ParquetMetaData> {
        self.metadata.metadata()
    }

    fn root(&self, column: &str) -> Option<usize> {
        self.columns().position(|name| name == column)
    }
}

fn quoted(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| format!("'{name}'")).collect()
}

fn alternatives(names: &[&str]) -> String {
    match quoted(names).as_slice() {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
    }
}
