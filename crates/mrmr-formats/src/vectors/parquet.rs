//! Parquet files with a column of lists of floats, and one of ids.

use mrmr_core::{Error, Place, Result};

use super::VectorOptions;
use super::ids::refuse_repeated;
use super::number::{narrow, vanished};
use super::read::{Announce, Rows, VectorShape};
use crate::parquet_table::{ColumnKind, Table, Want};

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

/// Reads the column of vectors, and that of ids where there is one.
pub(super) fn read(table: &Table, options: &VectorOptions, announce: Announce<'_>) -> Result<Rows> {
    let column = vector_column(table, options.name.as_deref())?;
    let ids_column = match &options.id_column {
        Some(name) => Some(table.require(&[name.as_str()])?),
        None => table.find(ID_COLUMNS),
    };
    let mut wants = vec![Want::NumberList(&column)];
    wants.extend(ids_column.map(Want::Text));
    let rows = table.rows() as usize;
    let (mut dimension, mut data, mut ids) = (0, Vec::new(), Vec::new());
    for batch in table.read(&wants)? {
        let batch = batch?;
        for row in 0..batch.rows() {
            let number = batch.first_row() + row as u64;
            let here = || Place::row(table.name(), number);
            let Some(vector) = batch.numbers(0, row) else {
                let what = format!("column '{column}': expected a vector, found null");
                return Err(Error::data(what).at(here()));
            };
            if number == 0 {
                dimension = vector.len();
                if dimension == 0 {
                    let what = format!("column '{column}': expected numbers, found an empty list");
                    return Err(Error::data(what).at(here()));
                }
                announce(VectorShape {
                    rows: Some(rows),
                    dimension,
                })?;
            }
            if vector.len() != dimension {
                return Err(Error::data(format!(
                    "column '{column}': expected a vector of {dimension} numbers as the first, found {}",
                    vector.len()
                ))
                .at(here()));
            }
            for (component, value) in vector.into_iter().enumerate() {
                let wide = value.ok_or_else(|| {
                    let what = format!(
                        "column '{column}': expected a number, found null in component {component}"
                    );
                    Error::data(what).at(here())
                })?;
                data.push(narrow(wide).ok_or_else(|| vanished(wide).at(here()))?);
            }
            if let Some(name) = ids_column {
                let id = batch.text(1, row).ok_or_else(|| {
                    let what = format!("column '{name}': expected an id, found null");
                    Error::data(what).at(here())
                })?;
                ids.push((id.to_owned(), here()));
            }
        }
    }
    if rows == 0 {
        return Err(Error::format("expected vectors, found no row").at(Place::whole(table.name())));
    }
    refuse_repeated(&ids)?;
    Ok(Rows {
        rows,
        dimension,
        data,
        ids: ids_column.map(|_| ids.into_iter().map(|(id, _)| id).collect()),
    })
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
            .at(place()))
        }
        several => Err(Error::usage(format!(
            "expected one column of lists of floats, found several: {}",
            several.join(", ")
        ))
        .at(place())
        .hint("name the column that holds the vectors")),
    }
}
