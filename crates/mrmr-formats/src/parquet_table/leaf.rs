//! Single cells of one leaf column, in ascending order, with everything else skipped.

use std::sync::Arc;

use mrmr_core::{Place, Result};
use parquet::basic::Type;
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::serialized_reader::SerializedPageReader;

use super::Table;
use super::guard::guarded;

/// A cell of a leaf.
#[derive(Clone, Debug)]
pub(crate) enum LeafCell {
    /// The column itself is null in this row.
    NoColumn,
    /// The column is there (a struct that is not null), but this leaf of it is null.
    NoValue,
    /// A value; shares the memory of its page.
    Value(ByteArray),
}

/// Reads the cells of one leaf within one row group, forwards.
///
/// Pages without a wanted cell are skipped: by the offset index where the file has one, else by their headers.
/// A dictionary page is read once for each reader, so going on with a reader is much cheaper than a new one.
pub(crate) struct LeafReader {
    reader: ColumnReaderImpl<ByteArrayType>,
    place: Place,
    nullable_column: bool,
    full_level: i16,
    next_row: usize,
    rows: usize,
}

impl LeafReader {
    /// A reader at the first row of a row group; none where the leaf is not a single value of bytes or text.
    pub(crate) fn open(table: &Table, row_group: usize, leaf: usize) -> Result<Option<Self>> {
        let schema = table.footer().file_metadata().schema_descr();
        let column = schema.column(leaf);
        if column.physical_type() != Type::BYTE_ARRAY || column.max_rep_level() > 0 {
            return Ok(None);
        }
        let group: &RowGroupMetaData = table.footer().row_group(row_group);
        let rows = group.num_rows().max(0) as usize;
        let place = Place::whole(&table.name);
        let locations = table
            .footer()
            .offset_index()
            .and_then(|groups| groups.get(row_group))
            .and_then(|columns| columns.get(leaf))
            .map(|index| index.page_locations().clone())
            .filter(|pages| !pages.is_empty());
        let pages = guarded(
            || place.clone(),
            || {
                let source = Arc::new(table.source.clone());
                SerializedPageReader::new(source, group.column(leaf), rows, locations)
            },
        )?;
        Ok(Some(LeafReader {
            nullable_column: schema.get_column_root(leaf).is_optional(),
            full_level: column.max_def_level(),
            reader: ColumnReaderImpl::new(column, Box::new(pages)),
            place,
            next_row: 0,
            rows,
        }))
    }

    /// The row that is read next, from 0 within the row group.
    pub(crate) fn next_row(&self) -> usize {
        self.next_row
    }

    /// Whether every row was read or skipped.
    pub(crate) fn is_at_end(&self) -> bool {
        self.next_row >= self.rows
    }

    /// Reads row `row`, which must not be behind [`LeafReader::next_row`].
    pub(crate) fn read(&mut self, row: usize) -> Result<LeafCell> {
        self.skip_to(row)?;
        let mut cells = self.read_many(1)?;
        cells.pop().ok_or_else(|| self.ended())
    }

    /// Reads the next `count` rows, fewer at the end of the row group.
    pub(crate) fn read_many(&mut self, count: usize) -> Result<Vec<LeafCell>> {
        let count = count.min(self.rows - self.next_row);
        let mut cells = Vec::with_capacity(count);
        while cells.len() < count {
            let (mut levels, mut values) = (Vec::new(), Vec::new());
            let wanted = count - cells.len();
            let (records, ..) = guarded(
                || self.place.clone(),
                || {
                    self.reader
                        .read_records(wanted, Some(&mut levels), None, &mut values)
                },
            )?;
            if records == 0 {
                return Err(self.ended());
            }
            self.next_row += records;
            self.cells_into(&levels, values, records, &mut cells);
        }
        Ok(cells)
    }

    fn cells_into(
        &self,
        levels: &[i16],
        values: Vec<ByteArray>,
        records: usize,
        cells: &mut Vec<LeafCell>,
    ) {
        let mut values = values.into_iter();
        for record in 0..records {
            // A column that is required all the way down has no levels.
            let level = levels.get(record).copied().unwrap_or(self.full_level);
            let value = if level == self.full_level {
                values.next()
            } else {
                None
            };
            cells.push(match value {
                Some(value) => LeafCell::Value(value),
                None if level == 0 && self.nullable_column => LeafCell::NoColumn,
                None => LeafCell::NoValue,
            });
        }
    }

    fn skip_to(&mut self, row: usize) -> Result<()> {
        let count = row.saturating_sub(self.next_row);
        if count > 0 {
            let skipped = guarded(|| self.place.clone(), || self.reader.skip_records(count))?;
            self.next_row += skipped;
            if skipped < count {
                return Err(self.ended());
            }
        }
        Ok(())
    }

    fn ended(&self) -> mrmr_core::Error {
        mrmr_core::Error::format(format!(
            "expected {} rows in a row group, but its values end after {}",
            self.rows, self.next_row
        ))
        .at(self.place.clone())
    }
}
