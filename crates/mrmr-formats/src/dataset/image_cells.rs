//! Images in a column of a Parquet file: which rows have one is known at once, the bytes are read on demand.

use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use mrmr_core::{Error, Media, MediaSource, Place, Result};
use parquet::basic::{LogicalType, Type};

use crate::parquet_table::{LeafCell, LeafReader, Table};

/// How much decoded data the open readers of one column may hold, by the sizes of their column chunks.
const OPEN_READERS_BYTES: u64 = 256 << 20;
/// How many readers of one column stay open.
const OPEN_READERS: usize = 32;
/// Cells at a time where only their presence matters.
const CELLS: usize = 64;

/// The leaves of an image column: a struct of `bytes` and `path`, or either alone.
#[derive(Clone, Copy, Debug, Default)]
struct Leaves {
    bytes: Option<usize>,
    path: Option<usize>,
}

/// For each row of `table`, the image that `column` holds, or none.
///
/// Of the file only the `path` leaf is read; the nulls of the struct are in its levels. Where it leaves open
/// whether a row has bytes, the count of nulls in the file's statistics decides, and only where those are missing
/// or show rows without bytes, the `bytes` leaf of that row group is read as well.
/// A row with a path and no bytes names a file in `folder`; a file that is not there is [`Media::Missing`].
///
/// # Errors
/// If the column holds no images, or a path leads out of the folder.
pub(super) fn image_cells(
    table: &Table,
    column: &str,
    folder: &Path,
) -> Result<Vec<Option<Media>>> {
    let rows = table.rows() as usize;
    let Some(leaves) = leaves(table, column)? else {
        return Ok(vec![None; rows]);
    };
    let mut group_starts = Vec::new();
    let mut next = 0;
    for group in table.footer().row_groups() {
        group_starts.push(next);
        next += group.num_rows().max(0) as usize;
    }
    let source: Arc<dyn MediaSource> = Arc::new(ImageColumn {
        table: table.clone(),
        column: column.to_owned(),
        bytes_leaf: leaves.bytes,
        group_starts: group_starts.clone(),
        open: Mutex::default(),
    });
    let mut files = Vec::new();
    let mut found = Vec::with_capacity(rows);
    for (group, &start) in group_starts.iter().enumerate() {
        for (within, cell) in group_cells(table, group, leaves)?.into_iter().enumerate() {
            let row = start + within;
            found.push(match cell {
                Cell::Nothing => None,
                Cell::Bytes => Some(Media::Stored {
                    source: source.clone(),
                    key: row as u64,
                }),
                Cell::File(path) => {
                    let place = || Place::row(table.name(), row as u64);
                    let file = file_of(folder, &path).map_err(|error| {
                        Error::data(format!("column '{column}': {error}")).at(place())
                    })?;
                    files.push((row, file));
                    None
                }
            });
        }
    }
    let paths: Vec<PathBuf> = files.iter().map(|(_, file)| file.clone()).collect();
    let source: Arc<dyn MediaSource> = Arc::new(ImageFiles { paths });
    for (key, (row, file)) in files.into_iter().enumerate() {
        found[row] = Some(if file.is_file() {
            Media::Stored {
                source: source.clone(),
                key: key as u64,
            }
        } else {
            Media::Missing
        });
    }
    Ok(found)
}

enum Cell {
    Nothing,
    Bytes,
    File(String),
}

fn leaves(table: &Table, column: &str) -> Result<Option<Leaves>> {
    let schema = table.footer().file_metadata().schema_descr();
    let mut leaves = Leaves::default();
    for (index, leaf) in schema.columns().iter().enumerate() {
        let parts: Vec<&str> = leaf.path().parts().iter().map(String::as_str).collect();
        if parts.first() != Some(&column) {
            continue;
        }
        if matches!(leaf.logical_type_ref(), Some(LogicalType::Unknown)) {
            return Ok(None); // a column that was written with nulls alone
        }
        if leaf.physical_type() != Type::BYTE_ARRAY || leaf.max_rep_level() > 0 {
            continue;
        }
        let text = matches!(leaf.logical_type_ref(), Some(LogicalType::String));
        match parts[1..] {
            [] if text => leaves.path = Some(index),
            [] | ["bytes"] => leaves.bytes = Some(index),
            ["path"] => leaves.path = Some(index),
            _ => {}
        }
    }
    if leaves.bytes.is_none() && leaves.path.is_none() {
        return Err(Error::format(format!(
            "column '{column}': expected images, a struct of bytes (binary) and path (text)"
        ))
        .at(Place::whole(table.name())));
    }
    Ok(Some(leaves))
}

/// The cells of one row group.
fn group_cells(table: &Table, group: usize, leaves: Leaves) -> Result<Vec<Cell>> {
    let metadata = table.footer().row_group(group);
    let rows = metadata.num_rows().max(0) as usize;
    let read = |leaf: Option<usize>| match leaf {
        Some(leaf) => LeafReader::open(table, group, leaf),
        None => Ok(None),
    };
    let mut cells = Vec::with_capacity(rows);
    let mut without_column = 0;
    if let Some(mut paths) = read(leaves.path)? {
        while cells.len() < rows {
            for cell in paths.read_many(CELLS)? {
                without_column += usize::from(matches!(cell, LeafCell::NoColumn));
                cells.push(cell);
            }
        }
    } else {
        cells.resize_with(rows, || LeafCell::NoValue);
    }

    let byte_nulls = leaves.bytes.map_or(Some(rows as u64), |leaf| {
        metadata.column(leaf).statistics()?.null_count_opt()
    });
    let all_filled = byte_nulls == Some(without_column as u64);
    let none_filled = byte_nulls == Some(rows as u64);
    let has_bytes: Option<Vec<bool>> = if all_filled || none_filled || without_column == rows {
        None
    } else if let Some(mut bytes) = read(leaves.bytes)? {
        let mut present = Vec::with_capacity(rows);
        while present.len() < rows {
            let cells = bytes.read_many(CELLS)?;
            present.extend(cells.iter().map(|cell| matches!(cell, LeafCell::Value(_))));
        }
        Some(present)
    } else {
        None
    };

    let cells = cells.into_iter().enumerate().map(|(row, path)| {
        let filled = has_bytes.as_ref().map_or(all_filled, |present| present[row]);
        match path {
            LeafCell::NoColumn => Cell::Nothing,
            _ if filled => Cell::Bytes,
            LeafCell::NoValue => Cell::Nothing,
            LeafCell::Value(path) if path.data().is_empty() => Cell::Nothing,
            LeafCell::Value(path) => Cell::File(String::from_utf8_lossy(path.data()).into_owned()),
        }
    });
    Ok(cells.collect())
}

fn file_of(folder: &Path, path: &str) -> Result<PathBuf, String> {
    let relative = Path::new(path);
    let inside = relative
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if inside {
        Ok(folder.join(relative))
    } else {
        Err(format!(
            "expected bytes, or the path of a file within the data set's folder; found the path '{path}' alone"
        ))
    }
}

/// One image column of one file; the key is the row.
struct ImageColumn {
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
                "expected the bytes of an image, found none, although the file counts one".to_owned(),
            )),
        }
    }

    fn describe(&self, key: u64) -> String {
        format!("{}: row {key}, column '{}'", self.table.name(), self.column)
    }
}

/// Image files beside a data set; the key is a place in the list.
struct ImageFiles {
    paths: Vec<PathBuf>,
}

impl MediaSource for ImageFiles {
    fn read(&self, key: u64) -> Result<Arc<[u8]>> {
        let path = &self.paths[key as usize];
        let bytes = std::fs::read(path)
            .map_err(|error| Error::io(error).at(Place::whole(path.display().to_string())))?;
        Ok(bytes.into())
    }

    fn describe(&self, key: u64) -> String {
        self.paths[key as usize].display().to_string()
    }
}
