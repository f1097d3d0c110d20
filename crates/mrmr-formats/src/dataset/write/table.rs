//! Records as a Parquet file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BinaryBuilder, ListBuilder, StringBuilder, StructBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;
use mrmr_core::{Collection, Error, Field, Interned, Media, Place, Record, Result};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;

use super::features::{Columns, Feature, image_fields, list_item};
use super::row::{Row, row};
use crate::dataset::placeholder::image_number;

/// Rows and bytes at which a row group ends: one is held in memory while it is written.
const GROUP_ROWS: usize = 1000;
const GROUP_BYTES: usize = 64 << 20;
/// Where a page of images ends: an image is read with the others of its page.
const IMAGE_PAGE_BYTES: usize = 64 << 10;
/// Rows and bytes at which what was collected goes to the writer.
const BATCH_ROWS: usize = 256;
const BATCH_BYTES: usize = 8 << 20;

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
        self.writer.close().map_err(|error| failed(&self.path, error))?;
        let place = || Place::whole(self.path.display().to_string());
        self.file.sync_all().map_err(|error| Error::io(error).at(place()))
    }
}

fn failed(path: &Path, error: ParquetError) -> Error {
    crate::parquet_table::parquet_error(error).at(Place::whole(path.display().to_string()))
}

/// Writes the records of a collection.
pub(super) fn write_records<K: Interned>(path: &Path, collection: &Collection<K>) -> Result<()> {
    let plan = Plan::of(collection)?;
    let mut writer = TableWriter::create(path, &plan.columns())?;
    let mut rows = Rows::new(&plan);
    for (_, id, record) in collection.iter() {
        rows.push(&plan, id, record).map_err(|error| error.at(Place::item("record", id)))?;
        if rows.count >= BATCH_ROWS || rows.bytes >= BATCH_BYTES {
            writer.write(rows.take())?;
        }
    }
    writer.write(rows.take())?;
    writer.finish()
}

/// Which columns the records need.
#[derive(Default)]
struct Plan {
    numbers: BTreeSet<u32>,
    has_page: bool,
    /// Names, and whether they are lists.
    fields: BTreeMap<String, bool>,
}

impl Plan {
    fn of<K: Interned>(collection: &Collection<K>) -> Result<Self> {
        let mut plan = Plan::default();
        for (_, id, record) in collection.iter() {
            plan.add(record).map_err(|error| error.at(Place::item("record", id)))?;
        }
        Ok(plan)
    }

    fn add(&mut self, record: &Record) -> Result<()> {
        let row = row(record)?;
        self.numbers.extend(row.images.numbered.keys());
        self.has_page |= row.page.is_some();
        for (name, field) in &record.fields {
            if name == "modality" {
                continue;
            }
            let taken = matches!(name.as_str(), "id" | "_id" | "text" | "image" | "vision");
            if taken || image_number(name).is_some() || name.starts_with("__") {
                return Err(Error::data(format!(
                    "field '{name}': expected another name, this one is a column of the layout"
                )));
            }
            let is_list = matches!(field, Field::List(_));
            if *self.fields.entry(name.clone()).or_insert(is_list) != is_list {
                return Err(Error::data(format!(
                    "field '{name}': expected a text in every record or a list in every record, found both"
                )));
            }
        }
        Ok(())
    }

    fn columns(&self) -> Columns {
        let mut columns = Columns::default();
        for name in ["id", "modality", "text"] {
            columns.push(name, Feature::Text);
        }
        columns.push("image", Feature::Image);
        for number in &self.numbers {
            columns.push(format!("image {number}"), Feature::Image);
        }
        if self.has_page {
            columns.push("vision", Feature::Image);
        }
        for (name, is_list) in &self.fields {
            columns.push(name, if *is_list { Feature::TextList } else { Feature::Text });
        }
        columns
    }
}

/// Rows that were collected, column by column.
struct Rows {
    texts: [StringBuilder; 3],
    images: Vec<StructBuilder>,
    fields: Vec<FieldBuilder>,
    count: usize,
    bytes: usize,
}

enum FieldBuilder {
    Text(StringBuilder),
    List(ListBuilder<StringBuilder>),
}

impl Rows {
    fn new(plan: &Plan) -> Self {
        let image = || {
            let builders: Vec<Box<dyn ArrayBuilder>> =
                vec![Box::new(BinaryBuilder::new()), Box::new(StringBuilder::new())];
            StructBuilder::new(image_fields(), builders)
        };
        let field = |is_list: &bool| match is_list {
            false => FieldBuilder::Text(StringBuilder::new()),
            true => FieldBuilder::List(ListBuilder::new(StringBuilder::new()).with_field(list_item())),
        };
        let images = 1 + plan.numbers.len() + usize::from(plan.has_page);
        Rows {
            texts: [StringBuilder::new(), StringBuilder::new(), StringBuilder::new()],
            images: (0..images).map(|_| image()).collect(),
            fields: plan.fields.values().map(field).collect(),
            count: 0,
            bytes: 0,
        }
    }

    fn push(&mut self, plan: &Plan, id: &str, record: &Record) -> Result<()> {
        let row: Row = row(record)?;
        let [ids, modalities, texts] = &mut self.texts;
        ids.append_value(id);
        modalities.append_value(&row.modality);
        texts.append_option(row.text.as_deref());
        self.bytes += row.text.map_or(0, |text| text.len());

        let merged = ("image".to_owned(), row.images.merged.as_ref());
        let numbered = plan.numbers.iter().map(|number| {
            (format!("image_{number}"), row.images.numbered.get(number))
        });
        let page = plan.has_page.then_some(("vision".to_owned(), row.page.as_ref()));
        let media = std::iter::once(merged).chain(numbered).chain(page);
        for (column, (name, media)) in self.images.iter_mut().zip(media) {
            self.bytes += append_image(column, &format!("{id}.{name}"), media)?;
        }
        for (builder, name) in self.fields.iter_mut().zip(plan.fields.keys()) {
            match (builder, record.fields.get(name)) {
                (FieldBuilder::Text(builder), Some(Field::Text(text))) => builder.append_value(text),
                (FieldBuilder::Text(builder), _) => builder.append_null(),
                (FieldBuilder::List(builder), Some(Field::List(items))) => {
                    builder.append_value(items.iter().map(Some));
                }
                (FieldBuilder::List(builder), _) => builder.append_null(),
            }
        }
        self.count += 1;
        Ok(())
    }

    fn take(&mut self) -> Vec<ArrayRef> {
        (self.count, self.bytes) = (0, 0);
        let texts = self.texts.iter_mut().map(|builder| Arc::new(builder.finish()) as ArrayRef);
        let images = self.images.iter_mut().map(|builder| Arc::new(builder.finish()) as ArrayRef);
        let fields = self.fields.iter_mut().map(|builder| match builder {
            FieldBuilder::Text(builder) => Arc::new(builder.finish()) as ArrayRef,
            FieldBuilder::List(builder) => Arc::new(builder.finish()) as ArrayRef,
        });
        texts.chain(images).chain(fields).collect()
    }
}

/// Adds an image or null; returns how many bytes it has.
fn append_image(column: &mut StructBuilder, name: &str, media: Option<&Media>) -> Result<usize> {
    let bytes = media.map(Media::read).transpose()?;
    if let Some(builder) = column.field_builder::<BinaryBuilder>(0) {
        builder.append_option(bytes.as_deref());
    }
    if let Some(builder) = column.field_builder::<StringBuilder>(1) {
        let name = bytes.as_deref().map(|bytes| {
            format!("{}{}", name.replace(['/', '\\'], "_"), ending(bytes))
        });
        builder.append_option(name);
    }
    column.append(bytes.is_some());
    Ok(bytes.map_or(0, |bytes| bytes.len()))
}

/// The ending of a file name, by the first bytes of an image.
fn ending(bytes: &[u8]) -> &'static str {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => ".png",
        [0xff, 0xd8, 0xff, ..] => ".jpg",
        [b'G', b'I', b'F', b'8', ..] => ".gif",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => ".webp",
        _ => "",
    }
}
