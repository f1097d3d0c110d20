//! What a format gives: vectors, some rows at a time.

use std::fs::File;
use std::io::{BufReader, Cursor, Read};

use mrmr_core::Result;

/// The vectors of a file in one format, in order.
pub(super) trait Source: Send {
    /// Appends the next rows, `most` of them (at least 1) or those that are left; 0 after the last one, once the end
    /// of the file is as it should be.
    fn append(&mut self, most: usize, cells: &mut Cells) -> Result<usize>;
}

/// What rows hold.
#[derive(Default)]
pub(super) struct Cells {
    /// Row after row.
    pub(super) data: Vec<f32>,
    /// One a row, where the file has ids.
    pub(super) ids: Vec<String>,
    /// How many numbers lost digits on their way to 32 bits.
    pub(super) rounded: u64,
}

/// A file, of which the first bytes were looked at.
pub(super) struct Stream {
    head: Cursor<Vec<u8>>,
    file: BufReader<File>,
}

impl Stream {
    pub(super) fn new(head: Vec<u8>, file: File) -> Self {
        Stream {
            head: Cursor::new(head),
            file: BufReader::with_capacity(1 << 20, file),
        }
    }

    /// The file, wherever it stands.
    pub(super) fn into_file(self) -> File {
        self.file.into_inner()
    }
}

impl Read for Stream {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        match self.head.read(bytes)? {
            0 => self.file.read(bytes),
            found => Ok(found),
        }
    }
}
