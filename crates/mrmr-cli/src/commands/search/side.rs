//! The vectors of one side, and their ids.

use std::path::Path;

use mrmr_core::{Error, Place, Result};
use mrmr_formats::Input;
use mrmr_formats::vectors::{VectorOptions, VectorShape, read_ids, read_vectors_announced};
use mrmr_search::Vectors;

use crate::arguments::SearchArguments;
use crate::printer::Printer;
use crate::words::{counted, size};

/// Queries or documents.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Queries,
    Documents,
}

/// The files of one side.
pub(super) struct Side<'a> {
    kind: Kind,
    pub(super) vectors: &'a Path,
    pub(super) ids: Option<&'a Path>,
    pub(super) options: VectorOptions,
}

impl<'a> Side<'a> {
    pub(super) fn of(arguments: &'a SearchArguments, kind: Kind) -> Self {
        let given = &arguments.vectors;
        let (vectors, ids, column) = match kind {
            Kind::Queries => (&given.query_vectors, &given.query_ids, &given.query_column),
            Kind::Documents => (
                &given.corpus_vectors,
                &given.corpus_ids,
                &given.corpus_column,
            ),
        };
        Side {
            kind,
            vectors: vectors.as_deref().unwrap_or(Path::new("")),
            ids: ids.as_deref(),
            options: VectorOptions {
                name: column.clone(),
                id_column: given.id_column.clone(),
            },
        }
    }

    pub(super) fn name(&self) -> String {
        self.vectors.display().to_string()
    }

    pub(super) fn place(&self) -> Place {
        Place::whole(self.name())
    }

    /// Reads vectors and ids; `check` sees the shape first and may end it.
    pub(super) fn read(
        &self,
        printer: Printer,
        check: &mut dyn FnMut(VectorShape) -> Result<()>,
    ) -> Result<(Vec<String>, Vectors)> {
        let mut file = read_vectors_announced(self.vectors, &self.options, &mut |shape| {
            self.announce(shape, printer);
            check(shape)
        })?;
        if file.rows == 0 {
            return Err(Error::data("expected vectors, found none").at(self.place()));
        }
        let ids = match (self.ids, file.ids.take()) {
            (Some(path), _) => read_ids(&Input::new(path), &file)?,
            (None, Some(ids)) => ids,
            (None, None) => {
                self.say_row_numbers(printer);
                (0..file.rows).map(|row| row.to_string()).collect()
            }
        };
        let vectors = Vectors::new(file.dimension, file.data);
        Ok((ids, vectors.map_err(|error| error.at(self.place()))?))
    }

    pub(super) fn say_row_numbers(&self, printer: Printer) {
        let name = self.name();
        printer.say(&format!("note: {name}: row numbers, from 0, are the ids"));
    }

    fn announce(&self, shape: VectorShape, printer: Printer) {
        let (one, many) = match self.kind {
            Kind::Queries => ("query", "queries"),
            Kind::Documents => ("document", "documents"),
        };
        let (rows, bytes) = match shape.rows {
            None => (format!("an unknown number of {many}"), String::new()),
            Some(rows) => {
                let bytes = (rows as u64).saturating_mul(shape.dimension as u64 * 4);
                let bytes = format!(", {} in memory", size(bytes));
                (counted(rows, one, many), bytes)
            }
        };
        printer.say(&format!(
            "{}: {rows} x {} x 4 bytes{bytes}",
            self.name(),
            counted(shape.dimension, "number", "numbers")
        ));
    }
}
