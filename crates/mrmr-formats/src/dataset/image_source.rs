//! The bytes of images, read when they are asked for.

use std::sync::{Arc, Mutex, PoisonError};

use mrmr_core::{Error, MediaSource, Place, Result};

use crate::parquet_table::{LeafCell, LeafReader, Table};

/// How much decoded data the open readers of one column may hold, by the sizes of their column chunks.
const OPEN_READERS_BYTES: u64 = 256 << 20;
/// How many readers of one column stay open.
const OPEN_READERS: usize = 32;

/// One image column of one file; the key is the row.
pub(super) struct ImageColumn {
    table: Table,
    column: String,
    bytes_leaf: Option<usize>,
    group_starts: Vec<usize>,
    /// Readers that stand somewhere within a row group: going on from there is cheap. Oldest first.
    open: Mutex<Vec<OpenReader>>,
}

struct OpenReader {
    group: usize,
    size: u64,
    reader: LeafReader,
}

impl ImageColumn {
    /// `group_starts` are the first rows of the row groups; without `bytes_leaf` no row has bytes.
    pub(super) fn new(
        table: Table,
        column: &str,
        bytes_leaf: Option<usize>,
        group_starts: Vec<usize>,
    ) -> Self {
        ImageColumn {
            table,
            column: column.to_owned(),
            bytes_leaf,
            group_starts,
            open: Mutex::default(),
        }
    }

    /// A reader of a row group that stands at or before a row: the nearest open one, else a new one.
    fn take(&self, group: usize, row: usize) -> Result<Option<OpenReader>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let nearest = open
            .iter()
            .enumerate()
            .filter(|(_, other)| other.group == group && other.reader.next_row() <= row)
            .max_by_key(|(_, other)| other.reader.next_row())
            .map(|(at, _)| at);
        if let Some(at) = nearest {
            return Ok(Some(open.remove(at)));
        }
        drop(open);
        let Some(leaf) = self.bytes_leaf else {
            return Ok(None);
        };
        let chunk = self.table.footer().row_group(group).column(leaf);
        let size = chunk.uncompressed_size().max(0) as u64;
        let reader = LeafReader::open(&self.table, group, leaf)?;
        Ok(reader.map(|reader| OpenReader {
            group,
            size,
            reader,
        }))
    }

    fn put_back(&self, reader: OpenReader) {
        if reader.reader.is_at_end() {
            return;
        }
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.push(reader);
        let mut held: u64 = open.iter().map(|reader| reader.size).sum();
        while open.len() > 1 && (held > OPEN_READERS_BYTES || open.len() > OPEN_READERS) {
            held -= open.remove(0).size;
        }
    }
}

impl MediaSource for ImageColumn {
    fn read(&self, key: u64) -> Result<Arc<[u8]>> {
        let row = key as usize;
        let fail = |what: String| {
            Error::data(format!("column '{}': {what}", self.column))
                .at(Place::row(self.table.name(), key))
        };
        let group = self.group_starts.partition_point(|start| *start <= row);
        let Some(group) = group.checked_sub(1) else {
            return Err(fail("there is no such row".to_owned()));
        };
        let within = row - self.group_starts[group];
        let cell = match self.take(group, within)? {
            None => LeafCell::NoColumn,
            Some(mut open) => {
                let cell = open.reader.read(within).map_err(|error| {
                    fail(format!("the image cannot be read: {}", error.message())).because(error)
                })?;
                self.put_back(open);
                cell
            }
        };
        match cell {
            LeafCell::Value(bytes) => Ok(bytes.data().into()),
            LeafCell::NoColumn | LeafCell::NoValue => Err(fail(
                "expected the bytes of an image, found none, although the file counts one"
                    .to_owned(),
            )),
        }
    }

    fn describe(&self, key: u64) -> String {
        format!("{}: row {key}, column '{}'", self.table.name(), self.column)
    }
}
