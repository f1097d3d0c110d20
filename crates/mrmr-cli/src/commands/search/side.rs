//! The vectors of one side, and their ids.

use std::path::Path;

use mrmr_core::{Error, Event, Observer as _, Place, Result};
use mrmr_formats::Input;
use mrmr_formats::vectors::{VectorBlocks, VectorOptions, VectorShape, read_ids_of};
use mrmr_search::{Metric, Vectors};

use crate::arguments::SearchArguments;
use crate::printer::Printer;
use crate::progress::Progress;
use crate::words::{counted, size};

/// Numbers that are read at once.
const STEP: usize = 1 << 20;
/// With more rows than this, reading is a step of its own for people.
const LARGE: usize = 10_000;

/// Numbers, ids where the file has them, and the rows that are zero.
type Read = (Vec<f32>, Option<Vec<String>>, Vec<usize>);

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
    /// Whether a vector without a direction has no meaning.
    need_directions: bool,
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
            need_directions: given.metric.as_deref() != Some(Metric::Euclidean.name()),
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
        let mut blocks = VectorBlocks::open(self.vectors, &self.options)?;
        let shape = blocks.shape();
        self.announce(shape, printer);
        check(shape).map_err(|error| error.at(self.place()))?;
        let (data, ids, zero_rows) = self.read_all(&mut blocks, printer)?;
        let rows = data.len() / shape.dimension.max(1);
        if rows == 0 {
            return Err(Error::data("expected vectors, found none").at(self.place()));
        }
        let ids = match (self.ids, ids) {
            (Some(path), _) => read_ids_of(&Input::new(path), rows)?,
            (None, Some(ids)) => ids,
            (None, None) => {
                self.say_row_numbers(printer);
                (0..rows).map(|row| row.to_string()).collect()
            }
        };
        self.warn_of_rounding(blocks.rounded(), printer);
        if self.kind == Kind::Documents && self.need_directions {
            let first = zero_rows.first().copied().unwrap_or(0);
            self.warn_of_zero_rows(zero_rows.len(), first, printer);
        }
        let vectors = Vectors::new(shape.dimension, data);
        Ok((ids, vectors.map_err(|error| error.at(self.place()))?))
    }

    fn read_all(&self, blocks: &mut VectorBlocks, printer: Printer) -> Result<Read> {
        let shape = blocks.shape();
        let (mut data, mut ids, mut zero_rows) = (Vec::new(), Vec::new(), Vec::new());
        data.reserve_exact(self.honest_count(shape));
        let progress = Progress::new(printer);
        let is_large = shape.rows.is_none_or(|rows| rows > LARGE);
        if is_large {
            let total = shape.rows.map(|rows| rows as u64);
            progress.observe(Event::StepStarted {
                number: 1,
                of: 1,
                name: "read",
                total,
                unit: "vectors",
            });
        }
        let most = (STEP / shape.dimension.max(1)).max(1);
        while let Some(block) = blocks.next_block(most)? {
            data.extend_from_slice(&block.data);
            zero_rows.extend(block.zero_rows);
            ids.extend(block.ids.into_iter().flatten());
            progress.observe(Event::Advanced(block.rows as u64));
        }
        if is_large {
            progress.observe(Event::StepFinished);
        }
        Ok((data, blocks.has_ids().then_some(ids), zero_rows))
    }

    /// How many numbers there are, where the file is large enough to have them: what a header promises beyond is
    /// not waited for with memory.
    fn honest_count(&self, shape: VectorShape) -> usize {
        let promised = shape.rows.unwrap_or(0).saturating_mul(shape.dimension);
        match std::fs::metadata(self.vectors) {
            Ok(file) if file.len() >= promised as u64 => promised,
            _ => 0,
        }
    }

    /// Warns of numbers of 64 bits that 32 do not hold.
    pub(super) fn warn_of_rounding(&self, rounded: u64, printer: Printer) {
        if rounded > 0 {
            printer.warning(&format!(
                "{}: {} of 64 bits {} digits: the search is over 32",
                self.name(),
                counted(rounded as usize, "number", "numbers"),
                if rounded == 1 { "loses" } else { "lose" }
            ));
        }
    }

    /// Warns of vectors without a direction.
    pub(super) fn warn_of_zero_rows(&self, count: usize, first: usize, printer: Printer) {
        let text = match count {
            0 => return,
            1 => format!("the zero vector of row {first} has similarity 0 to every query"),
            count => format!(
                "{count} zero vectors (the first is row {first}) have similarity 0 to every query"
            ),
        };
        printer.warning(&format!("{}: {text}", self.name()));
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
