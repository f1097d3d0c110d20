//! Records from the rows of Parquet files.

use std::path::Path;

use mrmr_core::{
    Collection, Error, Field, Image, Interned, Media, Origin, Place, Record, Result,
};

use super::image_cells::image_cells;
use super::interleave::{RowImages, interleave};
use super::placeholder::image_number;
use super::shards::Shards;
use crate::parquet_table::{Batch, ColumnKind, Table, Want};

/// The names that the columns of a part may have.
pub(super) struct Names {
    pub(super) id: &'static [&'static str],
    pub(super) text: &'static [&'static str],
}

pub(super) const QUERY: Names = Names {
    id: &["id", "_id", "query-id", "query_id", "qid"],
    text: &["text", "query"],
};
pub(super) const CORPUS: Names = Names {
    id: &["id", "_id", "corpus-id", "corpus_id", "docid"],
    text: &["text"],
};

/// Reads all records of a part, and the names of the columns that no record can hold.
pub(super) fn read_records<K: Interned>(
    shards: &Shards,
    names: &Names,
    root: &Path,
) -> Result<(Collection<K>, Vec<String>)> {
    let origin = match shards.files.as_slice() {
        [only] => only.display().to_string(),
        _ => shards.name.clone(),
    };
    let mut reader = Reader {
        collection: Collection::new(Origin::rows(origin)),
        tables: Vec::new(),
        ignored: Vec::new(),
    };
    for file in &shards.files {
        reader.read(Table::open(file)?, names, root)?;
    }
    Ok((reader.collection, reader.ignored))
}

struct Reader<K: Interned> {
    collection: Collection<K>,
    /// Every file so far: its name, and how many records came before it.
    tables: Vec<(String, usize)>,
    ignored: Vec<String>,
}

/// The columns of one file, by what they are read for.
struct Columns {
    id: &'static str,
    text: Option<&'static str>,
    /// Joined in front of the text, as in MTEB's files.
    title: bool,
    /// Name, and whether it is a list.
    fields: Vec<(String, bool)>,
    images: Vec<ImageColumn>,
}

struct ImageColumn {
    role: Role,
    cells: Vec<Option<Media>>,
}

#[derive(Clone, Copy)]
enum Role {
    Merged,
    Page,
    Numbered(u32),
}

fn role(column: &str) -> Option<Role> {
    match column {
        "image" => Some(Role::Merged),
        "vision" => Some(Role::Page),
        _ => image_number(column).map(Role::Numbered),
    }
}

impl<K: Interned> Reader<K> {
    fn read(&mut self, table: Table, names: &Names, root: &Path) -> Result<()> {
        self.tables.push((table.name().to_owned(), self.collection.len()));
        let mut columns = self.columns(&table, names, root)?;
        let mut wants = vec![Want::Text(columns.id)];
        wants.extend(columns.text.map(Want::Text));
        let first_field = wants.len();
        wants.extend(columns.fields.iter().map(|(name, is_list)| match is_list {
            true => Want::TextList(name),
            false => Want::Text(name),
        }));
        let batches = table.read(&wants)?;
        for batch in batches {
            let batch = batch?;
            for row in 0..batch.rows() {
                let number = batch.first_row() + row as u64;
                let Some(id) = batch.text(0, row) else {
                    return Err(Error::format(format!("expected an id, found null in column '{}'", columns.id))
                        .at(Place::row(table.name(), number)));
                };
                let record = record(&mut columns, &batch, row, first_field);
                self.push(id, record, table.name(), number)?;
            }
        }
        Ok(())
    }

    fn columns(&mut self, table: &Table, names: &Names, root: &Path) -> Result<Columns> {
        let id = table.require(names.id)?;
        let text = table.find(names.text);
        let mut columns = Columns {
            id,
            text,
            title: table.find(&["modality"]).is_none(),
            fields: Vec::new(),
            images: Vec::new(),
        };
        for name in table.columns() {
            if name == id || Some(name) == text {
                continue;
            }
            if let Some(role) = role(name) {
                let cells = image_cells(table, name, root)?;
                columns.images.push(ImageColumn { role, cells });
                continue;
            }
            match table.kind(name) {
                Some(ColumnKind::Text | ColumnKind::Integer) if !name.starts_with("__") => {
                    columns.fields.push((name.to_owned(), false));
                }
                Some(ColumnKind::TextList) => columns.fields.push((name.to_owned(), true)),
                Some(ColumnKind::Null) => {}
                _ if self.ignored.iter().any(|ignored| ignored == name) => {}
                _ => self.ignored.push(name.to_owned()),
            }
        }
        if text.is_none() && columns.images.is_empty() {
            table.require(names.text)?;
        }
        Ok(columns)
    }

    fn push(&mut self, id: &str, record: Record, table: &str, number: u64) -> Result<()> {
        if let Some(first) = self.collection.ids().get(id) {
            // Every row gave a record, so that the record's place among all leads to its file.
            let first = first.index();
            let file = self.tables.partition_point(|(_, before)| *before <= first) - 1;
            let (name, before) = &self.tables[file];
            let row = first - before;
            let first = if name == table {
                format!("row {row}")
            } else {
                format!("row {row} of {name}")
            };
            return Err(Error::data(format!(
                "id '{id}' is there already, at {first}; ids are unique"
            ))
            .at(Place::row(table, number)));
        }
        let number = self.collection.len() as u64;
        self.collection.push(id, record, number)?;
        Ok(())
    }
}

fn record(columns: &mut Columns, batch: &Batch, row: usize, first_field: usize) -> Record {
    let mut record = Record::default();
    for (at, (name, is_list)) in columns.fields.iter().enumerate() {
        let column = first_field + at;
        let field = if *is_list {
            batch.list(column, row).map(Field::List)
        } else {
            batch.text(column, row).map(|text| Field::Text(text.to_owned()))
        };
        if let Some(field) = field {
            record.fields.insert(name.clone(), field);
        }
    }

    let number = (batch.first_row() + row as u64) as usize;
    let mut images = RowImages::default();
    for column in &mut columns.images {
        let Some(media) = column.cells[number].take() else {
            continue;
        };
        let image = |label: &str, media: &Media| Image {
            label: label.to_owned(),
            media: media.clone(),
        };
        match column.role {
            Role::Page => record.page = Some(image("vision", &media)),
            Role::Merged => {
                record.merged = Some(image("image", &media));
                images.merged = Some(media);
            }
            Role::Numbered(number) => {
                images.numbered.insert(number, media);
            }
        }
    }

    let text = columns.text.and_then(|_| batch.text(1, row)).unwrap_or_default();
    record.content = match record.field("title") {
        Some(title) if columns.title && !title.is_empty() => {
            interleave(&titled(title, text), &images)
        }
        _ => interleave(text, &images),
    };
    record
}

/// BEIR's and MTEB's document: the title, a space, the text.
pub(super) fn titled(title: &str, text: &str) -> String {
    match (title.is_empty(), text.is_empty()) {
        (false, false) => format!("{title} {text}"),
        (false, true) => title.to_owned(),
        (true, _) => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::write_mrmr;
    use mrmr_core::{Content, DocId, Part, Qrels};

    const RECORDS: u64 = 300;
    const IMAGE_BYTES: u64 = 20_000;

    /// Bytes without a pattern, so that no compression makes the file small.
    fn noise(seed: u64) -> Media {
        let mut state = seed + 1;
        let bytes = (0..IMAGE_BYTES).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        });
        Media::Bytes(bytes.collect())
    }

    #[test]
    fn opening_reads_no_image_and_one_image_is_read_without_its_neighbours() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("set");
        let mut corpus: Collection<DocId> = Collection::new(Origin::memory("corpus"));
        for number in 0..RECORDS {
            let image = Image {
                label: "image 1".to_owned(),
                media: noise(number),
            };
            let parts = [Part::Image(image), Part::Text(format!("text {number}"))];
            corpus.push(&format!("d{number}"), Record::new(Content::new(parts)), number).unwrap();
        }
        let queries = Collection::new(Origin::memory("queries"));
        let (qrels, _) = Qrels::builder(Origin::memory("qrels")).finish().unwrap();
        write_mrmr(&root, &queries, &corpus, &qrels).unwrap();

        let table = Table::open(root.join("corpus/test-00000-of-00001.parquet")).unwrap();
        let mut reader = Reader::<DocId> {
            collection: Collection::new(Origin::memory("read")),
            tables: Vec::new(),
            ignored: Vec::new(),
        };
        reader.read(table.clone(), &CORPUS, &root).unwrap();
        let opening = table.bytes_read();
        assert!(opening < RECORDS * IMAGE_BYTES / 50, "{opening} bytes read while opening");

        let records = reader.collection;
        for number in [RECORDS / 2, RECORDS - 1, 0] {
            let key = records.ids().get(&format!("d{number}")).unwrap();
            let image = records.record(key).content.images().next().unwrap();
            let before = table.bytes_read();
            assert_eq!(image.media.read().unwrap(), noise(number).read().unwrap());
            let read = table.bytes_read() - before;
            assert!(read < 6 * IMAGE_BYTES, "{read} bytes read for one image");
        }
    }
}
