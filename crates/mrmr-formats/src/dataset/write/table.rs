//! A Parquet file under construction.

use std::fs::File;
use std::path::{Path, PathBuf};

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;
use mrmr_core::{Error, Place, Result};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;

use super::features::Columns;

/// Rows and bytes at which a row group ends: one is held in memory while it is written.
const GROUP_ROWS: usize = 1000;
const GROUP_BYTES: usize = 64 << 20;
/// Where a page of images ends: an image is read with the others of its page.
const IMAGE_PAGE_BYTES: usize = 64 << 10;
/// A Parquet file under construction.
pub(super) struct TableWriter {
    path: PathBuf,
    file: File,
    schema: SchemaRef,
    writer: ArrowWriter<File>,
}

impl TableWriter {
    pub(super) fn create(path: &Path, columns: &Columns) -> Result<Self> {
        let fail = |error| Error::io(error).at(Place::whole(path.display().to_string()));
        let file = File::create_new(path).map_err(fail)?;
        let metadata = KeyValue::new("huggingface".to_owned(), columns.hub_metadata());
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_row_count(Some(GROUP_ROWS))
            // A page ends only between batches of values.
            .set_write_batch_size(1)
            .set_key_value_metadata(Some(vec![metadata]));
        for image in columns.images() {
            let bytes = ColumnPath::new(vec![image.to_owned(), "bytes".to_owned()]);
            properties = properties
                .set_column_dictionary_enabled(bytes.clone(), false)
                .set_column_data_page_size_limit(bytes.clone(), IMAGE_PAGE_BYTES)
                .set_column_compression(bytes, Compression::SNAPPY);
        }
        let schema = columns.schema();
        let handle = file.try_clone().map_err(fail)?;
        let writer = ArrowWriter::try_new(handle, schema.clone(), Some(properties.build()))
            .map_err(|error| failed(path, error))?;
        Ok(TableWriter {
            path: path.to_owned(),
            file,
            schema,
            writer,
        })
    }

    /// Writes rows: the columns in order.
    pub(super) fn write(&mut self, columns: Vec<ArrayRef>) -> Result<()> {
        let batch = RecordBatch::try_new(self.schema.clone(), columns)
            .map_err(|error| failed(&self.path, error.into()))?;
        let written = self.writer.write(&batch);
        written.map_err(|error| failed(&self.path, error))?;
        if self.writer.in_progress_size() >= GROUP_BYTES {
            let flushed = self.writer.flush();
            flushed.map_err(|error| failed(&self.path, error))?;
        }
        Ok(())
    }

    /// Ends the file; it is on the disk when this returns.
    pub(super) fn finish(self) -> Result<()> {
        self.writer
            .close()
            .map_err(|error| failed(&self.path, error))?;
        let place = || Place::whole(self.path.display().to_string());
        self.file
            .sync_all()
            .map_err(|error| Error::io(error).at(place()))
    }
}

fn failed(path: &Path, error: ParquetError) -> Error {
    crate::parquet_table::parquet_error(error).at(Place::whole(path.display().to_string()))
}
