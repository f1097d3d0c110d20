//! Records from the rows of Parquet files.

use std::path::Path;

use mrmr_core::{Collection, Error, Interned, Origin, Place, Record, Result};

use super::columns::{Columns, Names};
use super::shards::Shards;
use crate::parquet_table::Table;

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

impl<K: Interned> Reader<K> {
    fn read(&mut self, table: Table, names: &Names, root: &Path) -> Result<()> {
        self.tables
            .push((table.name().to_owned(), self.collection.len()));
        let mut columns = Columns::of(&table, names, root, &mut self.ignored)?;
        for batch in table.read(&columns.wants())? {
            let batch = batch?;
            for row in 0..batch.rows() {
                let number = batch.first_row() + row as u64;
                let Some(id) = batch.text(0, row) else {
                    return Err(Error::format(format!(
                        "expected an id, found null in column '{}'",
                        columns.id
                    ))
                    .at(Place::row(table.name(), number)));
                };
                let record = columns.record(&batch, row);
                self.push(id, record, table.name(), number)?;
            }
        }
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::columns::CORPUS;
    use crate::dataset::write_mrmr;
    use mrmr_core::{Content, DocId, Image, Media, Part, Qrels};

    const RECORDS: u64 = 300;
    const IMAGE_BYTES: u64 = 20_000;

    /// Bytes without a pattern, so that no compression makes the file small.
    fn noise(seed: u64) -> Media {
        let mut state = seed + 1;
        let bytes = (0..IMAGE_BYTES).map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
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
            corpus
                .push(
                    &format!("d{number}"),
                    Record::new(Content::new(parts)),
                    number,
                )
                .unwrap();
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
        assert!(
            opening < RECORDS * IMAGE_BYTES / 50,
            "{opening} bytes read while opening"
        );

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
