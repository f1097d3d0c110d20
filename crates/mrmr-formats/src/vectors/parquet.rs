//! Parquet files with a column of lists of numbers, and one of ids.

use mrmr_core::{Error, Place, Result};

use super::VectorOptions;
use super::number::{narrow, vanished};
use super::read::VectorShape;
use super::source::{Cells, Source};
use crate::parquet_table::{Batch, Batches, ColumnKind, Table, Want};

/// Columns that hold ids where none is named.
pub(crate) const ID_COLUMNS: &[&str] = &[
    "id",
    "_id",
    "docid",
    "doc_id",
    "corpus-id",
    "corpus_id",
    "query-id",
    "query_id",
    "qid",
];

/// Opens the column of vectors, and that of ids where there is one.
pub(super) fn open(
    table: &Table,
    options: &VectorOptions,
) -> Result<(VectorShape, bool, Box<dyn Source>)> {
    let column = vector_column(table, options.name.as_deref())?;
    let ids_column = match &options.id_column {
        Some(name) => Some(table.require(&[name.as_str()])?),
        None => table.find(ID_COLUMNS),
    };
    let mut wants = vec![Want::NumberList(&column)];
    wants.extend(ids_column.map(Want::Text));
    let mut lists = Lists {
        name: table.name().to_owned(),
        batches: table.read(&wants)?,
        are_integers: table.kind(&column) == Some(ColumnKind::IntegerList),
        column,
        ids_column: ids_column.map(str::to_owned),
        dimension: 0,
        batch: None,
        next: 0,
    };
    if !lists.advance()? {
        return Err(Error::format("expected vectors, found no row").at(Place::whole(table.name())));
    }
    lists.dimension = lists.vector()?.len();
    if lists.dimension == 0 {
        return Err(lists.flaw("expected numbers, found an empty list"));
    }
    let shape = VectorShape {
        rows: Some(table.rows() as usize),
        dimension: lists.dimension,
    };
    Ok((shape, ids_column.is_some(), Box::new(lists)))
}

struct Lists {
    name: String,
    batches: Batches,
    column: String,
    are_integers: bool,
    ids_column: Option<String>,
    dimension: usize,
    batch: Option<Batch>,
    /// The next row of the batch.
    next: usize,
}

impl Lists {
    /// Whether there is a next row.
    fn advance(&mut self) -> Result<bool> {
        while self
            .batch
            .as_ref()
            .is_none_or(|batch| self.next >= batch.rows())
        {
            self.batch = self.batches.next().transpose()?;
            self.next = 0;
            if self.batch.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn here(&self) -> Place {
        let first = self.batch.as_ref().map_or(0, Batch::first_row);
        Place::row(&self.name, first + self.next as u64)
    }

    fn flaw(&self, what: &str) -> Error {
        Error::data(format!("column '{}': {what}", self.column)).at(self.here())
    }

    fn vector(&self) -> Result<Vec<Option<f64>>> {
        let batch = self.batch.as_ref();
        let vector = batch.and_then(|batch| batch.numbers(0, self.next));
        vector.ok_or_else(|| self.flaw("expected a vector, found null"))
    }

    fn number(&self, component: usize, value: Option<f64>) -> Result<f32> {
        let wide = value.ok_or_else(|| {
            self.flaw(&format!(
                "expected a number, found null in component {component}"
            ))
        })?;
        let number = narrow(wide).ok_or_else(|| vanished(wide).at(self.here()))?;
        if self.are_integers && f64::from(number) != wide {
            return Err(self.flaw(&format!(
                "expected integers that 32-bit floats hold, up to 2^24; found {wide}"
            )));
        }
        Ok(number)
    }

    fn id(&self) -> Result<Option<String>> {
        let (Some(name), Some(batch)) = (&self.ids_column, &self.batch) else {
            return Ok(None);
        };
        match batch.text(1, self.next) {
            Some(id) => Ok(Some(id.to_owned())),
            None => {
                let what = format!("column '{name}': expected an id, found null");
                Err(Error::data(what).at(self.here()))
            }
        }
    }
}

impl Source for Lists {
    fn append(&mut self, most: usize, cells: &mut Cells) -> Result<usize> {
        for done in 0..most {
            if !self.advance()? {
                return Ok(done);
            }
            let vector = self.vector()?;
            if vector.len() != self.dimension {
                return Err(self.flaw(&format!(
                    "expected a vector of {} numbers as the first, found {}",
                    self.dimension,
                    vector.len()
                )));
            }
            for (component, value) in vector.into_iter().enumerate() {
                let number = self.number(component, value)?;
                let is_rounded = value.is_some_and(|wide| f64::from(number) != wide);
                cells.rounded += u64::from(is_rounded);
                cells.data.push(number);
            }
            cells.ids.extend(self.id()?);
            self.next += 1;
        }
        Ok(most)
    }
}

/// The named column, or the only one of lists of floats.
fn vector_column(table: &Table, asked: Option<&str>) -> Result<String> {
    if let Some(name) = asked {
        return table.require(&[name]).map(str::to_owned);
    }
    let is_vector = |name: &&str| table.kind(name) == Some(ColumnKind::NumberList);
    let found: Vec<&str> = table.columns().filter(is_vector).collect();
    let place = || Place::whole(table.name());
    match found.as_slice() {
        [only] => Ok((*only).to_owned()),
        [] => {
            let columns: Vec<&str> = table.columns().collect();
            Err(Error::format(format!(
                "expected a column of lists of floats; found the columns {}",
                columns.join(", ")
            ))
            .at(place())
            .hint("a column of lists of integers can be named"))
        }
        several => Err(Error::usage(format!(
            "expected one column of lists of floats, found several: {}",
            several.join(", ")
        ))
        .at(place())
        .hint("name the column that holds the vectors")),
    }
}
