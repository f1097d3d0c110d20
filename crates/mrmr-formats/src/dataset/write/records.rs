//! Records, row after row, into a file.

use std::path::Path;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{
    ArrayBuilder, BinaryBuilder, ListBuilder, StringBuilder, StructBuilder,
};
use mrmr_core::{Collection, Field, Interned, Media, Place, Record, Result};

use super::features::{image_fields, list_item};
use super::plan::Plan;
use super::row::row;
use super::table::TableWriter;

/// Rows and bytes at which what was collected goes to the writer.
const BATCH_ROWS: usize = 256;
const BATCH_BYTES: usize = 8 << 20;

/// Writes the records of a collection.
pub(super) fn write_records<K: Interned>(path: &Path, collection: &Collection<K>) -> Result<()> {
    let plan = Plan::of(collection)?;
    let mut writer = TableWriter::create(path, &plan.columns())?;
    let mut rows = Rows::new(&plan);
    for (_, id, record) in collection.iter() {
        rows.push(&plan, id, record)
            .map_err(|error| error.at(Place::item("record", id)))?;
        if rows.count >= BATCH_ROWS || rows.bytes >= BATCH_BYTES {
            writer.write(rows.take())?;
        }
    }
    writer.write(rows.take())?;
    writer.finish()
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
            let builders: Vec<Box<dyn ArrayBuilder>> = vec![
                Box::new(BinaryBuilder::new()),
                Box::new(StringBuilder::new()),
            ];
            StructBuilder::new(image_fields(), builders)
        };
        let field = |is_list: &bool| match is_list {
            false => FieldBuilder::Text(StringBuilder::new()),
            true => {
                FieldBuilder::List(ListBuilder::new(StringBuilder::new()).with_field(list_item()))
            }
        };
        let images = 1 + plan.numbers.len() + usize::from(plan.has_page);
        Rows {
            texts: [
                StringBuilder::new(),
                StringBuilder::new(),
                StringBuilder::new(),
            ],
            images: (0..images).map(|_| image()).collect(),
            fields: plan.fields.values().map(field).collect(),
            count: 0,
            bytes: 0,
        }
    }

    fn push(&mut self, plan: &Plan, id: &str, record: &Record) -> Result<()> {
        let row = row(record)?;
        let [ids, modalities, texts] = &mut self.texts;
        ids.append_value(id);
        modalities.append_value(&row.modality);
        texts.append_option(row.text.as_deref());
        self.bytes += row.text.map_or(0, |text| text.len());

        let merged = ("image".to_owned(), row.images.merged.as_ref());
        let numbered = plan
            .numbers
            .iter()
            .map(|number| (format!("image_{number}"), row.images.numbered.get(number)));
        let page = plan
            .has_page
            .then_some(("vision".to_owned(), row.page.as_ref()));
        let media = std::iter::once(merged).chain(numbered).chain(page);
        for (column, (name, media)) in self.images.iter_mut().zip(media) {
            self.bytes += append_image(column, &format!("{id}.{name}"), media)?;
        }
        for (builder, name) in self.fields.iter_mut().zip(plan.fields.keys()) {
            match (builder, record.fields.get(name)) {
                (FieldBuilder::Text(builder), Some(Field::Text(text))) => {
                    builder.append_value(text)
                }
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
        let texts = self
            .texts
            .iter_mut()
            .map(|builder| Arc::new(builder.finish()) as ArrayRef);
        let images = self
            .images
            .iter_mut()
            .map(|builder| Arc::new(builder.finish()) as ArrayRef);
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
        let name = bytes
            .as_deref()
            .map(|bytes| format!("{}{}", name.replace(['/', '\\'], "_"), ending(bytes)));
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
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => ".webp",
        _ => "",
    }
}
