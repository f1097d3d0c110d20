//! Rows of the wanted columns, some at a time.

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef};
use mrmr_core::{Error, Place, Result};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::cast::{self, Form};
use super::guard::guarded;
use super::{Table, kind};

/// Few enough that the long texts of a batch stay far under the 2 GB of a text array.
const BATCH_ROWS: usize = 4096;
/// The same where a row has many vectors.
const BATCH_ROWS_OF_LISTS: usize = 64;

/// A column, and the form its values are wanted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want<'a> {
    /// Text: text columns of any encoding, bytes that are UTF-8, integers in decimal.
    Text(&'a str),
    /// A number: integers, floats, decimals, and texts that are numbers.
    Number(&'a str),
    /// A list of texts; a null within a list is an empty text, so that the others keep their places.
    TextList(&'a str),
    /// A list of floats or integers.
    NumberList(&'a str),
    /// A list of lists of floats.
    NumberLists(&'a str),
}

impl<'a> Want<'a> {
    fn parts(self) -> (&'a str, Form) {
        match self {
            Want::Text(name) => (name, Form::Text),
            Want::Number(name) => (name, Form::Number),
            Want::TextList(name) => (name, Form::TextList),
            Want::NumberList(name) => (name, Form::NumberList),
            Want::NumberLists(name) => (name, Form::NumberLists),
        }
    }
}

/// Some rows of a table: the columns that were wanted, in the order in which they were.
pub struct Batch {
    first_row: u64,
    rows: usize,
    columns: Vec<ArrayRef>,
}

impl Batch {
    /// The number of its first row in the file, from 0.
    pub fn first_row(&self) -> u64 {
        self.first_row
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// A text; none where it is null.
    ///
    /// # Panics
    /// If the `column`-th want is no [`Want::Text`], or `row` is not below [`Batch::rows`].
    pub fn text(&self, column: usize, row: usize) -> Option<&str> {
        let texts = self.columns[column].as_string::<i64>();
        texts.is_valid(row).then(|| texts.value(row))
    }

    /// A number; none where it is null.
    ///
    /// # Panics
    /// If the `column`-th want is no [`Want::Number`], or `row` is not below [`Batch::rows`].
    pub fn number(&self, column: usize, row: usize) -> Option<f64> {
        let numbers = self.columns[column].as_primitive::<Float64Type>();
        numbers.is_valid(row).then(|| numbers.value(row))
    }

    /// A list of texts; none where it is null.
    ///
    /// # Panics
    /// If the `column`-th want is no [`Want::TextList`], or `row` is not below [`Batch::rows`].
    pub fn list(&self, column: usize, row: usize) -> Option<Vec<String>> {
        let lists = self.columns[column].as_list::<i64>();
        lists.is_valid(row).then(|| {
            let items = lists.value(row);
            let items = items.as_string::<i64>().iter();
            items
                .map(|item| item.unwrap_or_default().to_owned())
                .collect()
        })
    }

    /// A list of numbers; none where it is null. A null within it is an empty place.
    ///
    /// # Panics
    /// If the `column`-th want is no [`Want::NumberList`], or `row` is not below [`Batch::rows`].
    pub fn numbers(&self, column: usize, row: usize) -> Option<Vec<Option<f64>>> {
        let lists = self.columns[column].as_list::<i64>();
        lists.is_valid(row).then(|| {
            let items = lists.value(row);
            items.as_primitive::<Float64Type>().iter().collect()
        })
    }
}

impl Batch {
    /// A list of lists of numbers, each as [`Batch::numbers`] gives it; none where the outer list is null.
    ///
    /// # Panics
    /// If the `column`-th want is no [`Want::NumberLists`], or `row` is not below [`Batch::rows`].
    pub fn number_lists(&self, column: usize, row: usize) -> Option<Vec<Option<Vec<Option<f64>>>>> {
        let lists = self.columns[column].as_list::<i64>();
        lists.is_valid(row).then(|| {
            let items = lists.value(row);
            let numbers = |list: ArrayRef| list.as_primitive::<Float64Type>().iter().collect();
            items
                .as_list::<i64>()
                .iter()
                .map(|list| list.map(numbers))
                .collect()
        })
    }
}

/// The batches of a table, in the order of the file; see [`Table::read`].
///
/// After an error there is nothing more.
pub struct Batches {
    name: String,
    reader: Option<ParquetRecordBatchReader>,
    columns: Vec<Column>,
    next_row: u64,
    /// Rows of a table of which no column is wanted.
    bare_rows: u64,
}

struct Column {
    name: String,
    form: Form,
    /// Which column of the batches that the reader gives.
    place: usize,
}

impl Batches {
    pub(super) fn new(table: &Table, wants: &[Want<'_>]) -> Result<Self> {
        let mut roots = Vec::with_capacity(wants.len());
        for want in wants {
            let (name, form) = want.parts();
            let root = table.root(table.require(&[name])?).unwrap_or_default();
            let data_type = table.metadata.schema().field(root).data_type();
            if !form.takes(kind(data_type)) {
                return Err(Error::format(format!(
                    "column '{name}': expected {}, found the type {data_type}",
                    form.expected(),
                ))
                .at(Place::whole(&table.name)));
            }
            roots.push((root, name, form));
        }
        let mut read: Vec<usize> = roots.iter().map(|(root, ..)| *root).collect();
        read.sort_unstable();
        read.dedup();
        let columns: Vec<Column> = roots
            .iter()
            .map(|(root, name, form)| Column {
                name: (*name).to_owned(),
                form: *form,
                place: read.partition_point(|other| other < root),
            })
            .collect();
        let is_large = |want: &Want<'_>| matches!(want, Want::NumberLists(_));
        let size = match wants.iter().any(is_large) {
            true => BATCH_ROWS_OF_LISTS,
            false => BATCH_ROWS,
        };
        let reader = if wants.is_empty() {
            None
        } else {
            let schema = table.footer().file_metadata().schema_descr();
            let projection = ProjectionMask::roots(schema, read);
            let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(
                table.source.clone(),
                table.metadata.clone(),
            )
            .with_projection(projection)
            .with_batch_size(size);
            Some(guarded(|| Place::whole(&table.name), || builder.build())?)
        };
        Ok(Batches {
            name: table.name.clone(),
            bare_rows: if reader.is_none() { table.rows() } else { 0 },
            reader,
            columns,
            next_row: 0,
        })
    }

    fn batch(&self, read: &arrow_array::RecordBatch) -> Result<Batch> {
        let columns = self
            .columns
            .iter()
            .map(|column| {
                let values = read.column(column.place);
                cast::cast(values, column.form).map_err(|(row, problem)| {
                    Error::format(format!("column '{}': {problem}", column.name))
                        .at(Place::row(&self.name, self.next_row + row as u64))
                })
            })
            .collect::<Result<_>>()?;
        Ok(Batch {
            first_row: self.next_row,
            rows: read.num_rows(),
            columns,
        })
    }
}

impl Iterator for Batches {
    type Item = Result<Batch>;

    fn next(&mut self) -> Option<Self::Item> {
        let result = match self.reader.as_mut() {
            Some(reader) => {
                let place = || Place::row(&self.name, self.next_row);
                let read = guarded(place, || Ok(reader.next().transpose()?));
                read.transpose()?.and_then(|read| self.batch(&read))
            }
            None => {
                let rows = self.bare_rows.min(BATCH_ROWS as u64);
                self.bare_rows -= rows;
                if rows == 0 {
                    return None;
                }
                Ok(Batch {
                    first_row: self.next_row,
                    rows: rows as usize,
                    columns: Vec::new(),
                })
            }
        };
        match &result {
            Ok(batch) => self.next_row += batch.rows as u64,
            Err(_) => {
                self.reader = None;
                self.bare_rows = 0;
            }
        }
        Some(result)
    }
}
