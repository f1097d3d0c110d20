//! Arrays in Fortran order: column after column.

use std::fs::File;
use std::io::{Seek, SeekFrom};

use mrmr_core::{Error, Result};

use super::bytes::append;
use super::flat::Flat;
use super::number::Number;
use super::source::{Cells, Source};

/// A part of each column is read for each block; what cannot be sought in, a pipe, is held whole.
pub(super) struct Fortran {
    columns: Columns,
    rows: usize,
    dimension: usize,
    next_row: usize,
    /// How many numbers lost digits before the first block.
    rounded: u64,
}

enum Columns {
    File {
        file: File,
        start: u64,
        number: Number,
    },
    Memory(Vec<f32>),
}

impl Fortran {
    /// The numbers of `flat`, which start at a byte of the file, as columns.
    pub(super) fn new(mut flat: Flat, start: u64, size: Option<u64>) -> Result<Self> {
        let (rows, dimension, number) = (flat.rows, flat.dimension, flat.number);
        let mut rounded = 0;
        let columns = match size {
            Some(size) => {
                let found = size.saturating_sub(start) as usize;
                let expected = rows * dimension * number.width();
                if found < expected {
                    return Err(flat.too_short(found));
                }
                if found > expected {
                    return Err(flat.too_long());
                }
                Columns::File {
                    file: flat.stream.into_file(),
                    start,
                    number,
                }
            }
            None => {
                let mut cells = Cells::default();
                while flat.append(rows.max(1), &mut cells)? > 0 {}
                rounded = cells.rounded;
                Columns::Memory(cells.data)
            }
        };
        Ok(Fortran {
            columns,
            rows,
            dimension,
            next_row: 0,
            rounded,
        })
    }
}

impl Source for Fortran {
    fn append(&mut self, most: usize, cells: &mut Cells) -> Result<usize> {
        let rows = most.min(self.rows - self.next_row);
        if rows == 0 {
            return Ok(0);
        }
        let first = cells.data.len();
        cells.rounded += std::mem::take(&mut self.rounded);
        cells.data.resize(first + rows * self.dimension, 0.0);
        let mut part = Vec::new();
        for column in 0..self.dimension {
            let place = column * self.rows + self.next_row;
            let numbers = match &mut self.columns {
                Columns::File {
                    file,
                    start,
                    number,
                } => {
                    part.clear();
                    let byte = *start + (place * number.width()) as u64;
                    file.seek(SeekFrom::Start(byte)).map_err(Error::io)?;
                    let ended = |_| Error::format("the file was cut off while it was read");
                    let into = (&mut part, &mut cells.rounded);
                    append(file, *number, rows, into, ended)?;
                    &part[..]
                }
                Columns::Memory(numbers) => &numbers[place..place + rows],
            };
            let cells = cells.data[first + column..].iter_mut();
            for (cell, number) in cells.step_by(self.dimension).zip(numbers) {
                *cell = *number;
            }
        }
        self.next_row += rows;
        Ok(rows)
    }
}
