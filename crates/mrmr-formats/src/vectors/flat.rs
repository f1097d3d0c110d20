//! Numbers that lie row after row, with nothing between.

use mrmr_core::{Error, Result};

use super::bytes::{append, cut_off, fill};
use super::number::Number;
use super::source::{Cells, Source, Stream};

pub(super) struct Flat {
    pub(super) stream: Stream,
    pub(super) number: Number,
    pub(super) rows: usize,
    pub(super) dimension: usize,
    /// The type, for messages.
    what: String,
    next_row: usize,
    may_have_more: bool,
}

impl Flat {
    pub(super) fn new(
        stream: Stream,
        number: Number,
        rows: usize,
        dimension: usize,
        what: String,
    ) -> Self {
        Flat {
            stream,
            number,
            rows,
            dimension,
            what,
            next_row: 0,
            may_have_more: false,
        }
    }

    /// The same, where something else may follow in the file.
    pub(super) fn with_more_behind(self) -> Self {
        Flat {
            may_have_more: true,
            ..self
        }
    }

    /// An error for a file with so many bytes of numbers.
    pub(super) fn too_short(&self, found: usize) -> Error {
        let count = self.rows * self.dimension;
        cut_off(count * self.number.width(), count, &self.what, found)
    }

    /// An error for a file with more numbers than its header says.
    pub(super) fn too_long(&self) -> Error {
        let count = self.rows * self.dimension;
        Error::format(format!(
            "expected {} bytes of numbers ({count} of {}), found more",
            count * self.number.width(),
            self.what
        ))
        .hint("a file holds one array; save others to files of their own")
    }
}

impl Source for Flat {
    fn append(&mut self, most: usize, cells: &mut Cells) -> Result<usize> {
        let rows = most.min(self.rows - self.next_row);
        if rows == 0 {
            let is_longer = !self.may_have_more && fill(&mut self.stream, &mut [0])? > 0;
            return if is_longer {
                Err(self.too_long())
            } else {
                Ok(0)
            };
        }
        let done = self.next_row * self.dimension * self.number.width();
        let (count, all) = (rows * self.dimension, self.rows * self.dimension);
        let (number, what) = (self.number, &self.what);
        let ended = |found| cut_off(all * number.width(), all, what, done + found);
        let into = (&mut cells.data, &mut cells.rounded);
        append(&mut self.stream, number, count, into, ended)?;
        self.next_row += rows;
        Ok(rows)
    }
}
