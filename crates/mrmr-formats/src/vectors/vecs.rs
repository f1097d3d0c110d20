//! `.fvecs`, `.bvecs`, `.ivecs`: each vector behind its dimension, an integer of 4 bytes, the lowest first.
//!
//! Format: <http://corpus-texmex.irisa.fr>.

use std::io::Read;

use mrmr_core::{Error, Place, Result};

use super::bytes::{fill, numbers};
use super::number::Number;
use super::read::{Announce, Rows, VectorShape};

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

/// Reads vectors to the end; all must have the dimension of the first.
pub(super) fn read(
    reader: &mut impl Read,
    name: &str,
    size: Option<u64>,
    number: Number,
    announce: Announce<'_>,
) -> Result<Rows> {
    let (mut rows, mut dimension, mut data) = (0, 0, Vec::new());
    loop {
        let here = || Place::row(name, rows as u64);
        let mut head = [0; 4];
        let found = fill(reader, &mut head)?;
        if found == 0 {
            break;
        }
        let count = i32::from_le_bytes(head);
        if found < head.len() {
            return Err(Error::format(format!(
                "expected a dimension, 4 bytes; the file ends after {found} of them"
            ))
            .at(here())
            .hint("the file is cut off; write or copy it again"));
        }
        if !(1..=LARGEST_DIMENSION).contains(&count) {
            return Err(Error::format(format!(
                "expected a dimension from 1 to {LARGEST_DIMENSION}, found {count}"
            ))
            .at(here())
            .hint("the ending says .fvecs, .bvecs or .ivecs; is it a file of another kind?"));
        }
        let count = count as usize;
        if rows == 0 {
            dimension = count;
            let each = (4 + count * number.width()) as u64;
            announce(VectorShape {
                rows: size.map(|size| (size / each) as usize),
                dimension,
            })?;
        }
        if count != dimension {
            return Err(Error::format(format!(
                "expected a vector of {dimension} numbers as the first, found {count}"
            ))
            .at(here()));
        }
        let vector = numbers(reader, number, count, "this vector");
        let vector = vector.map_err(|error| error.at(here()))?;
        let inexact = |value: &&f32| number == Number::INT32 && value.abs() >= LARGEST_INTEGER;
        if let Some(value) = vector.iter().find(inexact) {
            return Err(Error::data(format!(
                "expected integers that 32-bit floats hold, up to 2^24; found about {value}"
            ))
            .at(here())
            .hint("a file .ivecs often holds row numbers of neighbours, not vectors"));
        }
        data.extend(vector);
        rows += 1;
    }
    if rows == 0 {
        return Err(Error::format("expected vectors, found an empty file"));
    }
    Ok(Rows {
        rows,
        dimension,
        data,
        ids: None,
    })
}
