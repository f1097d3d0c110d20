//! Records from the rows of Parquet files.

use std::path::Path;

use mrmr_core::{Collection, Error, Interned, Origin, Place, Position, Record, Result};

use super::columns::{Columns, Names};
use super::faults::{Faults, flaw, unless, wrong_id};
use super::shards::Shards;
use crate::findings::Code;
use crate::parquet_table::Table;

/// Reads all records of a part, and the names of the columns that no record can hold.
pub(super) fn read_records<K: Interned>(
    shards: Option<&Shards>,
    names: &Names,
    root: &Path,
    faults: &mut dyn Faults,
) -> Result<(Collection<K>, Vec<String>)> {
    let origin = match shards {
        Some(shards) => match shards.files.as_slice() {
            [only] => only.display().to_string(),
            _ => shards.name.clone(),
        },
        None => "nothing".to_owned(),
    };
    let mut reader = Reader {
        collection: Collection::new(Origin::rows(origin)),
        tables: Vec::new(),
        rows: 0,
        ignored: Vec::new(),
    };
    for file in shards.iter().flat_map(|shards| &shards.files) {
        let table = Table::open(file);
        if let Some(table) = unless(faults, Code::BrokenFile, table)? {
            reader.read(table, names, root, faults)?;
        }
    }
    Ok((reader.collection, reader.ignored))
}

struct Reader<K: Interned> {
    collection: Collection<K>,
    /// Every file so far: its name, and how many rows came before it.
    tables: Vec<(String, u64)>,
    /// How many rows the files so far have.
    rows: u64,
    ignored: Vec<String>,
}

impl<K: Interned> Reader<K> {
    fn read(
        &mut self,
        table: Table,
        names: &Names,
        root: &Path,
        faults: &mut dyn Faults,
    ) -> Result<()> {
        let before = self.rows;
        self.rows += table.rows();
        self.tables.push((table.name().to_owned(), before));
        let columns = Columns::of(&table, names, root, &mut self.ignored);
        let Some(mut columns) = unless(faults, Code::MissingColumn, columns)? else {
            return Ok(());
        };
        let batches = table.read(&columns.wants());
        let Some(batches) = unless(faults, Code::MissingColumn, batches)? else {
            return Ok(());
        };
        for batch in batches {
            let Some(batch) = unless(faults, Code::BrokenFile, batch)? else {
                continue;
            };
            for row in 0..batch.rows() {
                let number = batch.first_row() + row as u64;
                let Some(id) = batch.text(0, row) else {
                    let error = Error::format(format!(
                        "expected an id, found null in column '{}'",
                        columns.id
                    ));
                    let place = Place::row(table.name(), number);
                    flaw(faults, Code::EmptyId, error.at(place))?;
                    continue;
                };
                let record = columns.record(&batch, row);
                let pushed = self.push(id, record, table.name(), before + number);
                unless(faults, wrong_id(id), pushed)?;
            }
        }
        Ok(())
    }

    /// Adds the record of a row, which is counted through all files.
    fn push(&mut self, id: &str, record: Record, table: &str, number: u64) -> Result<()> {
        if let Some(first) = self.collection.ids().get(id) {
            let (name, first) = match self.collection.place(first).position {
                Some(Position::Row(first)) => self.file(first),
                _ => (table, 0),
            };
            let first = if name == table {
                format!("row {first}")
            } else {
                format!("row {first} of {name}")
            };
            let (_, row) = self.file(number);
            return Err(Error::data(format!(
                "id '{id}' is there already, at {first}; ids are unique"
            ))
            .at(Place::row(table, row)));
        }
        self.collection.push(id, record, number)?;
        Ok(())
    }

    /// The file of a row, and its number in there.
    fn file(&self, number: u64) -> (&str, u64) {
        let at = self.tables.partition_point(|(_, before)| *before <= number);
        let (name, before) = &self.tables[at.saturating_sub(1)];
        (name, number - before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::columns::CORPUS;
    use crate::dataset::faults::Strict;
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
            rows: 0,
            ignored: Vec::new(),
        };
        reader
            .read(table.clone(), &CORPUS, &root, &mut Strict)
            .unwrap();
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
