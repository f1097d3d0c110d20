//! An index in a file.
//!
//! Eight bytes of magic, the version of the format, the length of the content, the content, and BLAKE3 of
//! all that is before it. Numbers are little-endian; a text is its length in bytes and its bytes.

mod read;
mod write;

use std::fs;
use std::path::Path;

use mrmr_core::{Error, Place, Result};
use mrmr_formats::output::write_atomically;

use super::index::Bm25Index;

const MAGIC: &[u8; 8] = b"mrmrBM25";
/// The format that is written, and the only one that is read.
const VERSION: u32 = 1;
/// Magic, version, length of the content.
const HEAD: usize = 8 + 4 + 8;
/// A checksum.
const TAIL: usize = blake3::OUT_LEN;

impl Bm25Index {
    /// Writes the index to a file: all of it, or nothing where that fails.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        write_atomically(path, |out| self.write(out).map_err(Error::io))
    }

    /// Reads an index that [`Bm25Index::save`] wrote; it answers as the one that was saved, to the last
    /// bit.
    ///
    /// # Errors
    /// If the file cannot be read, is none of an index, was cut short or changed, or has a format that
    /// this version does not know.
    pub fn open(path: &Path) -> Result<Self> {
        let place = || Place::whole(path.display().to_string());
        let bytes = fs::read(path).map_err(|error| Error::io(error).at(place()))?;
        Bm25Index::read(&bytes).map_err(|error| error.at(place()))
    }
}
