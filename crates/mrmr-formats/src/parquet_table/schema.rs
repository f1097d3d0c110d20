//! What the head of a file says: types of columns, counts of rows.

use arrow_schema::DataType;
use mrmr_core::{Error, Result};
use parquet::file::metadata::ParquetMetaData;

/// What the values of a column can be read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Text, in any of its encodings; bytes too, if they are UTF-8.
    Text,
    /// Integers: readable as text and as numbers.
    Integer,
    /// Floats and decimals.
    Number,
    /// A list of texts.
    TextList,
    /// A list of integers: readable as texts and as numbers.
    IntegerList,
    /// A list of floats.
    NumberList,
    /// A list of lists of floats.
    NumberLists,
    /// A column without any value: readable as anything, and null everywhere.
    Null,
    /// Anything else: structs, other lists of lists, times, truth values.
    Other,
}

/// The counts of rows must agree before anything relies on them.
pub(super) fn check_rows(metadata: &ParquetMetaData) -> Result<()> {
    let mut sum = 0i64;
    for (number, group) in metadata.row_groups().iter().enumerate() {
        let rows = group.num_rows();
        sum = sum.saturating_add(rows);
        for column in group.columns() {
            let offsets = [
                column.compressed_size(),
                column.data_page_offset(),
                column.dictionary_page_offset().unwrap_or_default(),
            ];
            if offsets.iter().any(|offset| *offset < 0) {
                return Err(Error::format(format!(
                    "expected a sound Parquet file; in row group {number}, column '{}' starts before the file",
                    column.column_path().string()
                )));
            }
            let flat = column.column_descr().max_rep_level() == 0;
            if rows < 0 || (flat && column.num_values() != rows) {
                return Err(Error::format(format!(
                    "expected a sound Parquet file; row group {number} has {rows} rows, but {} values in column '{}'",
                    column.num_values(),
                    column.column_path().string()
                )));
            }
        }
    }
    let rows = metadata.file_metadata().num_rows();
    if sum != rows {
        return Err(Error::format(format!(
            "expected a sound Parquet file; it has {rows} rows by its head, {sum} in its row groups"
        )));
    }
    Ok(())
}

pub(super) fn kind(data: &DataType) -> ColumnKind {
    use DataType::{
        Binary, BinaryView, Dictionary, FixedSizeList, LargeBinary, LargeList, LargeUtf8, List,
        Null, Utf8, Utf8View,
    };
    match data {
        Null => ColumnKind::Null,
        Utf8 | LargeUtf8 | Utf8View | Binary | LargeBinary | BinaryView => ColumnKind::Text,
        Dictionary(_, values) => kind(values),
        List(item) | LargeList(item) | FixedSizeList(item, _) => match kind(item.data_type()) {
            ColumnKind::Text | ColumnKind::Null => ColumnKind::TextList,
            ColumnKind::Integer => ColumnKind::IntegerList,
            ColumnKind::Number => ColumnKind::NumberList,
            ColumnKind::NumberList => ColumnKind::NumberLists,
            _ => ColumnKind::Other,
        },
        data if data.is_integer() => ColumnKind::Integer,
        data if data.is_numeric() => ColumnKind::Number,
        _ => ColumnKind::Other,
    }
}
