//! An index in a file that is opened by mapping it.
//!
//! A head, then sections one behind the other, of the same form as in memory. The head: eight bytes of
//! magic, the version of the format, its own length, the settings, how long each section is, BLAKE3 of each
//! page of the sections, and BLAKE3 of all that of the head is before it. Numbers are little-endian; a text
//! is its length in bytes and its bytes.
//!
//! Opening checks the head and all sections but the postings, which are by far the most: of
//! these the pages that hold a term are checked when a query first has the term ([`Checked`]).

mod checked;
mod read;
mod write;

use std::path::Path;
use std::sync::Arc;

use mrmr_core::{Error, Place, Result};
use mrmr_formats::output::write_atomically;

use super::index::Bm25Index;
use super::section::Section;
use crate::mapped::Mapped;
pub(super) use checked::Checked;

const MAGIC: &[u8; 8] = b"mrmrBM25";
/// The format that is written, and the only one that is read.
const VERSION: u32 = 2;
/// Bytes that are hashed together.
const PAGE: usize = 16 * 1024;
/// A checksum.
type Checksum = [u8; blake3::OUT_LEN];
/// How many sections there are.
const SECTIONS: usize = 13;
/// The first section that is checked when it is touched; those before it are checked at once.
const LAZY: usize = 10;

impl Bm25Index {
    /// Writes the index to a file: all of it, or nothing where that fails.
    ///
    /// # Errors
    /// If the file cannot be written, or the index lies in a file that was changed after it was written.
    pub fn save(&self, path: &Path) -> Result<()> {
        self.verify()?;
        write_atomically(path, |out| self.write(out).map_err(Error::io))
    }

    /// Opens an index that [`Bm25Index::save`] wrote; it answers as the one that was saved, to the last
    /// bit.
    ///
    /// The file is mapped, not read: opening takes milliseconds, and postings are loaded when a query
    /// touches them. They are checked then too: a search in a file that was changed after it was written
    /// gives an error or the answers of before ([`Bm25Index::verify`] checks all of it). While the index is
    /// open, no other program may write into the file or cut it; [`Bm25Index::save`] never does, it puts a
    /// new file in its place.
    ///
    /// # Errors
    /// If the file cannot be read, is none of an index, was cut short or changed in a part that is checked
    /// at once, or has a format that this version does not know.
    pub fn open(path: &Path) -> Result<Self> {
        let map = Arc::new(Mapped::open(path)?);
        let source = path.display().to_string();
        Bm25Index::read(&map, &source).map_err(|error| error.at(Place::whole(source)))
    }

    /// All sections, in the order of the file.
    fn sections(&self) -> [&Section; SECTIONS] {
        let (corpus, postings) = (&self.corpus, &self.corpus.postings);
        [
            &corpus.names.ends,
            &corpus.names.text,
            &corpus.places,
            &postings.lengths,
            &postings.terms.names.ends,
            &postings.terms.names.text,
            &postings.terms.slots,
            &postings.starts,
            &self.impacts.tops,
            &self.impacts.maxima,
            &postings.rows,
            &postings.frequencies,
            &self.impacts.x,
        ]
    }
}

/// The content does not have the form that it is written in.
fn contradiction() -> Error {
    Error::format("the index was cut short, or was not written by Bm25Index::save")
        .hint("make the index again from its documents")
}

/// A checksum does not fit.
fn changed() -> Error {
    Error::format("the index was changed after it was written: its checksum is another")
        .hint("make the index again from its documents")
}
