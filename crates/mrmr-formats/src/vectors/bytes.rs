//! Numbers from a stream of bytes.

use std::io::Read;

use mrmr_core::{Error, Result};

use super::number::{Number, vanished};

const BLOCK: usize = 1 << 20;

/// Reads `count` numbers; `what` names them in an error. Memory grows with what is there, not with what is promised.
pub(crate) fn numbers(
    reader: &mut impl Read,
    number: Number,
    count: usize,
    what: &str,
) -> Result<Vec<f32>> {
    let (mut data, mut rounded) = (Vec::new(), 0);
    let ended = |found| cut_off(count * number.width(), count, what, found);
    append(reader, number, count, (&mut data, &mut rounded), ended)?;
    Ok(data)
}

/// Appends `count` numbers and counts those that are rounded; `ended` makes the error of a file that ends after so many
/// of their bytes. Memory grows with what is there, not with what is promised.
pub(super) fn append(
    reader: &mut impl Read,
    number: Number,
    count: usize,
    (data, rounded): (&mut Vec<f32>, &mut u64),
    ended: impl FnOnce(usize) -> Error,
) -> Result<()> {
    let expected = count * number.width();
    let mut block = vec![0; BLOCK.min(expected)];
    let mut done = 0;
    while done < expected {
        let wanted = block.len().min(expected - done);
        let found = fill(reader, &mut block[..wanted])?;
        done += found;
        if found < wanted {
            return Err(ended(done));
        }
        if let Some(wide) = number.append(&block[..wanted], data, rounded) {
            return Err(vanished(wide));
        }
    }
    Ok(())
}

/// An error for a file that is too short.
pub(super) fn cut_off(expected: usize, count: usize, what: &str, found: usize) -> Error {
    Error::format(format!(
        "expected {expected} bytes of numbers ({count} of {what}), found {found}"
    ))
    .hint("the file is cut off; write or copy it again")
}

/// Fills all the bytes; `what` says what they are in an error.
pub(crate) fn exact(reader: &mut impl Read, bytes: &mut [u8], what: &str) -> Result<()> {
    let found = fill(reader, bytes)?;
    if found < bytes.len() {
        return Err(Error::format(format!(
            "expected {what}, {} bytes; the file ends after {found} of them",
            bytes.len()
        )));
    }
    Ok(())
}

/// Fills the bytes as far as the file goes.
pub(crate) fn fill(reader: &mut impl Read, bytes: &mut [u8]) -> Result<usize> {
    let mut filled = 0;
    while filled < bytes.len() {
        match reader.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::io(error)),
        }
    }
    Ok(filled)
}
