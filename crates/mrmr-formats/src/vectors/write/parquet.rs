//! Parquet: the columns `id` and `vector`, a list of floats of fixed size.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{FixedSizeListBuilder, Float16Builder, Float32Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use mrmr_core::{Error, ErrorKind, Result};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;

use super::super::dtype::Dtype;
use super::super::notes::KEY;
use super::{VectorsToWrite, components};
use crate::output::write_atomically;

/// Numbers that are held before they are written.
const BATCH: usize = 1 << 20;
/// Rows of a row group, at most.
const GROUP: usize = 1 << 16;

pub(super) fn write(path: &Path, vectors: &VectorsToWrite<'_>) -> Result<()> {
    write_atomically(path, |out| {
        let mut table = Table::new(vectors, out)?;
        vectors.each(&mut |id, row| table.add(id, row))?;
        table.finish()
    })
}

enum Numbers {
    Half(FixedSizeListBuilder<Float16Builder>),
    Single(FixedSizeListBuilder<Float32Builder>),
}

struct Table<'o> {
    schema: Arc<Schema>,
    writer: ArrowWriter<&'o mut (dyn Write + Send)>,
    ids: StringBuilder,
    numbers: Numbers,
    rows: usize,
    most: usize,
}

impl<'o> Table<'o> {
    fn new(vectors: &VectorsToWrite<'_>, out: &'o mut (dyn Write + Send)) -> Result<Self> {
        let size = i32::try_from(vectors.dimension)
            .map_err(|_| Error::unsupported("expected vectors of at most 2^31 numbers"))?;
        let half = vectors.notes.dtype == Dtype::F16;
        let kind = if half {
            DataType::Float16
        } else {
            DataType::Float32
        };
        let item = Arc::new(Field::new("item", kind, false));
        let schema = Arc::new(Schema::new(vec![
            Field::new("id", DataType::Utf8, false),
            Field::new("vector", DataType::FixedSizeList(item.clone(), size), false),
        ]));
        let notes = KeyValue::new(KEY.to_owned(), vectors.notes.to_json().to_string());
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_row_count(Some(GROUP))
            .set_key_value_metadata(Some(vec![notes]))
            .build();
        Ok(Table {
            writer: ArrowWriter::try_new(out, schema.clone(), Some(properties)).map_err(failed)?,
            schema,
            ids: StringBuilder::new(),
            numbers: match half {
                true => Numbers::Half(
                    FixedSizeListBuilder::new(Float16Builder::new(), size).with_field(item),
                ),
                false => Numbers::Single(
                    FixedSizeListBuilder::new(Float32Builder::new(), size).with_field(item),
                ),
            },
            rows: 0,
            most: (BATCH / vectors.dimension).max(1),
        })
    }

    fn add(&mut self, id: &str, row: &[f32]) -> Result<()> {
        self.ids.append_value(id);
        match &mut self.numbers {
            Numbers::Half(list) => {
                for number in row {
                    list.values().append_value(components::to_f16(id, *number)?);
                }
                list.append(true);
            }
            Numbers::Single(list) => {
                list.values().append_slice(row);
                list.append(true);
            }
        }
        self.rows += 1;
        match self.rows < self.most {
            true => Ok(()),
            false => self.flush(),
        }
    }

    fn flush(&mut self) -> Result<()> {
        let numbers: ArrayRef = match &mut self.numbers {
            Numbers::Half(list) => Arc::new(list.finish()),
            Numbers::Single(list) => Arc::new(list.finish()),
        };
        self.rows = 0;
        let columns: Vec<ArrayRef> = vec![Arc::new(self.ids.finish()), numbers];
        let batch = RecordBatch::try_new(self.schema.clone(), columns)
            .map_err(|error| failed(error.into()))?;
        self.writer.write(&batch).map_err(failed)
    }

    fn finish(mut self) -> Result<()> {
        if self.rows > 0 {
            self.flush()?;
        }
        self.writer.close().map_err(failed)?;
        Ok(())
    }
}

fn failed(error: ParquetError) -> Error {
    let text = format!("the Parquet file could not be written: {error}");
    Error::new(ErrorKind::Io, text).because(error)
}
