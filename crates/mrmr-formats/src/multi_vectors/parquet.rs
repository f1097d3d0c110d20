//! Parquet files with a column of lists of lists of floats, and one of ids.

use mrmr_core::{Error, Place, Result};

use super::MultiVectorFile;
use crate::parquet_table::{ColumnKind, Table, Want};
use crate::vectors::VectorOptions;
use crate::vectors::ids::refuse_repeated;
use crate::vectors::number::{narrow, vanished};
use crate::vectors::parquet::ID_COLUMNS;

pub(super) fn read(table: &Table, options: &VectorOptions) -> Result<MultiVectorFile> {
    let column = column(table, options.name.as_deref())?;
    let ids_column = match &options.id_column {
        Some(name) => Some(table.require(&[name.as_str()])?),
        None => table.find(ID_COLUMNS),
    };
    let mut wants = vec![Want::NumberLists(&column)];
    wants.extend(ids_column.map(Want::Text));
    let (mut dimension, mut data, mut offsets, mut ids) = (None, Vec::new(), vec![0], Vec::new());
    for batch in table.read(&wants)? {
        let batch = batch?;
        for row in 0..batch.rows() {
            let here = || Place::row(table.name(), batch.first_row() + row as u64);
            let fail = |what: String| Error::data(format!("column '{column}': {what}")).at(here());
            let vectors = batch.number_lists(0, row);
            let vectors =
                vectors.ok_or_else(|| fail("expected a list of vectors, found null".to_owned()))?;
            let start = offsets[offsets.len() - 1];
            offsets.push(start + vectors.len());
            for (number, vector) in vectors.into_iter().enumerate() {
                let vector =
                    vector.ok_or_else(|| fail(format!("expected vector {number}, found null")))?;
                let first = *dimension.get_or_insert(vector.len());
                if vector.len() != first || first == 0 {
                    return Err(fail(format!(
                        "expected vectors of {} numbers, as the first has; found {} in vector {number}",
                        first.max(1),
                        vector.len()
                    )));
                }
                for (component, value) in vector.into_iter().enumerate() {
                    let wide = value.ok_or_else(|| {
                        fail(format!(
                            "expected a number, found null in component {component} of vector {number}"
                        ))
                    })?;
                    data.push(narrow(wide).ok_or_else(|| vanished(wide).at(here()))?);
                }
            }
            if let Some(name) = ids_column {
                let id = batch.text(1, row).ok_or_else(|| {
                    Error::data(format!("column '{name}': expected an id, found null")).at(here())
                })?;
                ids.push((id.to_owned(), here()));
            }
        }
    }
    let dimension = dimension.ok_or_else(|| {
        Error::data(format!(
            "column '{column}': expected vectors, found none in any row"
        ))
        .at(Place::whole(table.name()))
    })?;
    refuse_repeated(&ids)?;
    Ok(MultiVectorFile {
        dimension,
        data,
        offsets,
        padding: 0,
        ids: ids_column.map(|_| ids.into_iter().map(|(id, _)| id).collect()),
    })
}

/// The named column, or the only one of lists of lists of floats.
fn column(table: &Table, asked: Option<&str>) -> Result<String> {
    if let Some(name) = asked {
        return table.require(&[name]).map(str::to_owned);
    }
    let is_wanted = |name: &&str| table.kind(name) == Some(ColumnKind::NumberLists);
    let found: Vec<&str> = table.columns().filter(is_wanted).collect();
    match found.as_slice() {
        [only] => Ok((*only).to_owned()),
        [] => Err(Error::format(format!(
            "expected a column of lists of lists of floats; found the columns {}",
            table.columns().collect::<Vec<&str>>().join(", ")
        ))),
        several => Err(Error::usage(format!(
            "expected one column of lists of lists of floats, found several: {}",
            several.join(", ")
        ))
        .hint("name the column that holds the vectors")),
    }
}
