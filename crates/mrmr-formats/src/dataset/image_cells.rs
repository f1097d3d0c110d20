//! Which rows of a Parquet column have an image, found without reading any.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mrmr_core::{Error, Media, MediaSource, Place, Result};
use parquet::basic::{LogicalType, Type};

use super::image_source::ImageColumn;
use super::media_files::{MediaFiles, file_within};
use crate::parquet_table::{LeafCell, LeafReader, Table};

/// Cells at a time where only their presence matters.
const CELLS: usize = 64;

/// The leaves of an image column: a struct of `bytes` and `path`, or either alone.
#[derive(Clone, Copy, Debug, Default)]
struct Leaves {
    bytes: Option<usize>,
    path: Option<usize>,
}

/// For each row of `table`, the image that `column` holds, or none; no rows at all where the column has none.
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
    let Some(leaves) = leaves(table, column)? else {
        return Ok(Vec::new());
    };
    let mut group_starts = Vec::new();
    let mut next = 0;
    for group in table.footer().row_groups() {
        group_starts.push(next);
        next += group.num_rows().max(0) as usize;
    }
    let source: Arc<dyn MediaSource> = Arc::new(ImageColumn::new(
        table.clone(),
        column,
        leaves.bytes,
        group_starts.clone(),
    ));
    let mut files = Vec::new();
    let mut found = Vec::new();
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
    let source: Arc<dyn MediaSource> = Arc::new(MediaFiles::new(paths));
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
    let mut cells = Vec::new();
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
        let mut present = Vec::new();
        while present.len() < rows {
            let cells = bytes.read_many(CELLS)?;
            present.extend(cells.iter().map(|cell| matches!(cell, LeafCell::Value(_))));
        }
        Some(present)
    } else {
        None
    };

    let cells = cells.into_iter().enumerate().map(|(row, path)| {
        let filled = has_bytes
            .as_ref()
            .map_or(all_filled, |present| present[row]);
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

pub(super) fn file_of(folder: &Path, path: &str) -> Result<PathBuf, String> {
    file_within(folder, path).ok_or_else(|| {
        format!(
            "expected bytes, or the path of a file within the data set's folder; found the path '{path}' alone"
        )
    })
}
