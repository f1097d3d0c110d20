//! `.fvecs`, `.bvecs`, `.ivecs`: each vector behind its dimension, an integer of 4 bytes, the lowest first.
//!
//! Format: <http://corpus-texmex.irisa.fr>.

use mrmr_core::{Error, Place, Result};

use super::bytes::{append, cut_off, fill};
use super::number::Number;
use super::read::VectorShape;
use super::source::{Cells, Source, Stream};

/// Beyond this the file is none of these.
const LARGEST_DIMENSION: i32 = 1 << 20;
/// Beyond this 32 bits do not hold every integer.
const LARGEST_INTEGER: f32 = 16_777_216.0;

/// The numbers of a file with this ending.
pub(super) fn number(ending: &str) -> Option<Number> {
    match ending {
        "fvecs" => Some(Number::SINGLE),
        "bvecs" => Some(Number::BYTE),
        "ivecs" => Some(Number::INT32),
        _ => None,
    }
}

/// Opens the file; all vectors must have the dimension of the first.
pub(super) fn open(
    stream: Stream,
    name: &str,
    size: Option<u64>,
    number: Number,
) -> Result<(VectorShape, Box<dyn Source>)> {
    let mut vecs = Vecs {
        stream,
        name: name.to_owned(),
        number,
        dimension: 0,
        next_row: 0,
        is_ahead: false,
    };
    let Some(dimension) = vecs.count()? else {
        return Err(Error::format("expected vectors, found an empty file"));
    };
    vecs.dimension = dimension;
    vecs.is_ahead = true;
    let each = (4 + dimension * number.width()) as u64;
    let shape = VectorShape {
        rows: size.map(|size| (size / each) as usize),
        dimension,
    };
    Ok((shape, Box::new(vecs)))
}

struct Vecs {
    stream: Stream,
    name: String,
    number: Number,
    dimension: usize,
    next_row: u64,
    /// Whether the dimension of the next vector is read already.
    is_ahead: bool,
}

impl Vecs {
    fn here(&self) -> Place {
        Place::row(&self.name, self.next_row)
    }

    /// How many numbers the next vector has; none at the end.
    fn count(&mut self) -> Result<Option<usize>> {
        let mut head = [0; 4];
        let found = fill(&mut self.stream, &mut head)?;
        if found == 0 {
            return Ok(None);
        }
        if found < head.len() {
            return Err(Error::format(format!(
                "expected a dimension, 4 bytes; the file ends after {found} of them"
            ))
            .at(self.here())
            .hint("the file is cut off; write or copy it again"));
        }
        let count = i32::from_le_bytes(head);
        if !(1..=LARGEST_DIMENSION).contains(&count) {
            return Err(Error::format(format!(
                "expected a dimension from 1 to {LARGEST_DIMENSION}, found {count}"
            ))
            .at(self.here())
            .hint("the ending says .fvecs, .bvecs or .ivecs; is it a file of another kind?"));
        }
        Ok(Some(count as usize))
    }
}

impl Source for Vecs {
    fn append(&mut self, most: usize, cells: &mut Cells) -> Result<usize> {
        let first = cells.data.len();
        for done in 0..most {
            if !std::mem::take(&mut self.is_ahead) {
                let Some(count) = self.count()? else {
                    return Ok(done);
                };
                if count != self.dimension {
                    return Err(Error::format(format!(
                        "expected a vector of {} numbers as the first, found {count}",
                        self.dimension
                    ))
                    .at(self.here()));
                }
            }
            let (count, expected) = (self.dimension, self.dimension * self.number.width());
            let ended = |found| cut_off(expected, count, "this vector", found);
            let into = (&mut cells.data, &mut cells.rounded);
            append(&mut self.stream, self.number, count, into, ended)
                .map_err(|error| error.at(self.here()))?;
            let vector = &cells.data[first + done * count..];
            let inexact =
                |value: &&f32| self.number == Number::INT32 && value.abs() >= LARGEST_INTEGER;
            if let Some(value) = vector.iter().find(inexact) {
                return Err(Error::data(format!(
                    "expected integers that 32-bit floats hold, up to 2^24; found about {value}"
                ))
                .at(self.here())
                .hint("a file .ivecs often holds row numbers of neighbours, not vectors"));
            }
            self.next_row += 1;
        }
        Ok(most)
    }
}
