//! Parquet files as rows.

use mrmr_core::{Error, Place, Result};

use super::kind::Kind;
use super::layout::Columns;
use super::{Flaw, Row, Sink};
use crate::findings::Code;
use crate::input::ParquetSource;
use crate::parquet_table::{self, Batch, ColumnKind, Table, Want};

/// Reads the columns that go under the same names as those of a table with a header.
pub(super) fn read<S: Sink>(
    name: &str,
    source: ParquetSource,
    kind: Kind,
    sink: &mut S,
) -> Result<(), Flaw> {
    let broken = |error| Flaw::new(Code::BrokenFile, error);
    let table = match source {
        ParquetSource::File(path) => Table::open(path),
        ParquetSource::Bytes(bytes) => Table::from_bytes(name, bytes),
    };
    let table = table.map_err(broken)?;
    let names: Vec<&str> = table.columns().collect();
    let columns = Columns::find(kind, &names)
        .map_err(|error| Flaw::new(Code::MissingColumn, error.at(Place::whole(name))))?;
    let value = columns.value.or(columns.rank).map(|index| names[index]);
    let value = value.unwrap_or_default();
    let is_text = table.kind(value) == Some(ColumnKind::Text);
    // A rank beside a score is for comparison alone: it is no fault if it cannot be read.
    let rank = columns.value.and(columns.rank).map(|index| names[index]);
    let rank = rank.filter(|rank| table.kind(rank) == Some(ColumnKind::Integer));
    let mut wants = vec![
        Want::Text(names[columns.query]),
        Want::Text(names[columns.document]),
        // Texts are read one by one: a faulty one does not hide those behind it.
        if is_text {
            Want::Text(value)
        } else {
            Want::Number(value)
        },
    ];
    wants.extend(rank.map(Want::Number));
    let reader = Reader {
        name,
        kind,
        value,
        is_text,
        from_rank: columns.value.is_none(),
        has_rank: rank.is_some(),
    };
    for batch in table.read(&wants).map_err(broken)? {
        let batch = batch.map_err(broken)?;
        for row in 0..batch.rows() {
            match reader.row(&batch, row) {
                Ok(row) => sink.row(row),
                Err(flaw) => sink.fault(flaw.code, || flaw.error),
            }
            .map_err(broken)?;
        }
    }
    Ok(())
}

struct Reader<'n> {
    name: &'n str,
    kind: Kind,
    /// The column of the value.
    value: &'n str,
    is_text: bool,
    from_rank: bool,
    has_rank: bool,
}

impl Reader<'_> {
    fn row<'b>(&self, batch: &'b Batch, row: usize) -> Result<Row<'b>, Flaw> {
        let number = batch.first_row() + row as u64;
        let flaw = |code, error: Error| Flaw::new(code, error.at(Place::row(self.name, number)));
        let id = |column, what: &str| {
            let id = batch.text(column, row).filter(|id| !id.is_empty());
            id.ok_or_else(|| {
                let error = format!("expected the id of a {what}, found nothing");
                flaw(Code::EmptyId, Error::format(error))
            })
        };
        let (query, document) = (id(0, "query")?, id(1, "document")?);
        let found = if self.is_text {
            let text = batch.text(2, row);
            text.map(parquet_table::number)
                .transpose()
                .map_err(|problem| {
                    let error = Error::format(format!("column '{}': {problem}", self.value));
                    flaw(self.wrong(false), error)
                })?
        } else {
            batch.number(2, row)
        };
        let value = match self.from_rank {
            false => found.filter(|value| self.kind.accepts(*value)),
            true => found
                .filter(|rank| *rank >= 0.0 && rank.fract() == 0.0)
                .map(|rank| -rank),
        };
        let value = value.ok_or_else(|| {
            let expected = match self.from_rank {
                false => self.kind.expected_value(),
                true => "a rank (a whole number from 0)",
            };
            let shown = found.map_or("nothing".to_owned(), |value| value.to_string());
            let error = Error::format(format!(
                "expected {expected} for document '{document}' of query '{query}', found {shown}"
            ));
            flaw(self.wrong(found.is_some_and(f64::is_nan)), error)
        })?;
        let rank = if self.has_rank {
            batch.number(3, row).map(|rank| rank as i64)
        } else {
            None
        };
        Ok(Row {
            query,
            document,
            value,
            from_rank: self.from_rank,
            rank,
            tag: None,
            subtopic: None,
            number,
        })
    }

    fn wrong(&self, is_nan: bool) -> Code {
        match self.from_rank {
            true => Code::BadRank,
            false => self.kind.wrong_value(is_nan),
        }
    }
}
