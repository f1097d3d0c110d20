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
    let expected = count * number.width();
    let mut data = Vec::new();
    let mut block = vec![0; BLOCK.min(expected)];
    let mut done = 0;
    while done < expected {
        let wanted = block.len().min(expected - done);
        let found = fill(reader, &mut block[..wanted])?;
        done += found;
        if found < wanted {
            return Err(Error::format(format!(
                "expected {expected} bytes of numbers ({count} of {what}), found {done}"
            ))
            .hint("the file is cut off; write or copy it again"));
        }
        if let Some(wide) = number.append(&block[..wanted], &mut data) {
            return Err(vanished(wide));
        }
    }
    Ok(data)
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
