//! Parquet files as rows.

use mrmr_core::{Error, Place, Result};

use super::kind::Kind;
use super::layout::Columns;
use super::{Row, Sink};
use crate::input::ParquetSource;
use crate::parquet_table::{ColumnKind, Table, Want};

/// Reads the columns that go under the same names as those of a table with a header.
pub(super) fn read<S: Sink>(
    name: &str,
    source: ParquetSource,
    kind: Kind,
    sink: &mut S,
) -> Result<()> {
    let table = match source {
        ParquetSource::File(path) => Table::open(path)?,
        ParquetSource::Bytes(bytes) => Table::from_bytes(name, bytes)?,
    };
    let names: Vec<&str> = table.columns().collect();
    let columns = Columns::find(kind, &names).map_err(|error| error.at(Place::whole(name)))?;
    let mut wants = vec![
        Want::Text(names[columns.query]),
        Want::Text(names[columns.document]),
    ];
    let value = columns.value.or(columns.rank);
    wants.extend(value.map(|index| Want::Number(names[index])));
    // A rank beside a score is for comparison alone: it is no fault if it cannot be read.
    let rank = columns.value.and(columns.rank).map(|index| names[index]);
    let rank = rank.filter(|rank| table.kind(rank) == Some(ColumnKind::Integer));
    wants.extend(rank.map(Want::Number));
    for batch in table.read(&wants)? {
        let batch = batch?;
        for row in 0..batch.rows() {
            let number = batch.first_row() + row as u64;
            let place = || Place::row(name, number);
            let id = |column, what: &str| {
                batch
                    .text(column, row)
                    .filter(|id| !id.is_empty())
                    .ok_or_else(|| {
                        Error::format(format!("expected the id of a {what}, found nothing"))
                            .at(place())
                    })
            };
            let (query, document) = (id(0, "query")?, id(1, "document")?);
            let found = batch.number(2, row);
            let value = match columns.value {
                Some(_) => found.filter(|value| kind.accepts(*value)),
                None => found
                    .filter(|rank| *rank >= 0.0 && rank.fract() == 0.0)
                    .map(|rank| -rank),
            };
            let Some(value) = value else {
                let expected = match columns.value {
                    Some(_) => kind.expected_value(),
                    None => "a rank (a whole number from 0)",
                };
                let found = found.map_or("nothing".to_owned(), |value| value.to_string());
                return Err(Error::format(format!(
                    "expected {expected} for document '{document}' of query '{query}', found {found}"
                ))
                .at(place()));
            };
            sink.row(Row {
                query,
                document,
                value,
                from_rank: columns.value.is_none(),
                rank: rank
                    .and_then(|_| batch.number(3, row))
                    .map(|rank| rank as i64),
                tag: None,
                number,
            })?;
        }
    }
    Ok(())
}
