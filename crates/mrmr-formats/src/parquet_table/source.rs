//! Where the bytes of a table come from, read at given offsets by any number of threads.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use mrmr_core::{Error, Place, Result};
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

/// A file or bytes in memory; clones share both, and the count of what was read.
#[derive(Clone)]
pub(crate) struct Source {
    store: Store,
    length: u64,
    read: Arc<AtomicU64>,
}

#[derive(Clone)]
enum Store {
    File(Arc<File>),
    Memory(Bytes),
}

impl Source {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let place = || Place::whole(path.display().to_string());
        let file = File::open(path).map_err(|error| Error::io(error).at(place()))?;
        let metadata = file
            .metadata()
            .map_err(|error| Error::io(error).at(place()))?;
        if metadata.is_dir() {
            return Err(Error::format("expected a file, found a folder").at(place()));
        }
        Ok(Source {
            length: metadata.len(),
            store: Store::File(Arc::new(file)),
            read: Arc::default(),
        })
    }

    pub(crate) fn memory(bytes: Vec<u8>) -> Self {
        Source {
            length: bytes.len() as u64,
            store: Store::Memory(bytes.into()),
            read: Arc::default(),
        }
    }

    /// How many bytes were read so far, by all clones.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let count = match &self.store {
            Store::File(file) => file_read_at(file, buffer, offset)?,
            Store::Memory(bytes) => {
                let rest = usize::try_from(offset)
                    .ok()
                    .and_then(|at| bytes.get(at..))
                    .unwrap_or_default();
                let count = rest.len().min(buffer.len());
                buffer[..count].copy_from_slice(&rest[..count]);
                count
            }
        };
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

#[cfg(unix)]
fn file_read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn file_read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

impl Length for Source {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for Source {
    type T = BufReader<Cursor>;

    fn get_read(&self, start: u64) -> parquet::errors::Result<Self::T> {
        // Page headers are read through this: a few dozen bytes each.
        let cursor = Cursor {
            source: self.clone(),
            position: start,
        };
        Ok(BufReader::with_capacity(512, cursor))
    }

    fn get_bytes(&self, start: u64, length: usize) -> parquet::errors::Result<Bytes> {
        let end = start.checked_add(length as u64);
        if end.is_none_or(|end| end > self.length) {
            return Err(ParquetError::EOF(format!(
                "expected {length} bytes at {start}, but the file ends at {}",
                self.length
            )));
        }
        if let Store::Memory(bytes) = &self.store {
            self.read.fetch_add(length as u64, Ordering::Relaxed);
            let start = start as usize;
            return Ok(bytes.slice(start..start + length));
        }
        let mut buffer = vec![0; length];
        let mut cursor = Cursor {
            source: self.clone(),
            position: start,
        };
        cursor.read_exact(&mut buffer)?;
        Ok(buffer.into())
    }
}

/// Reads on from a position, of its own: other readers do not move it.
pub(crate) struct Cursor {
    source: Source,
    position: u64,
}

impl Read for Cursor {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read_at(buffer, self.position)?;
        self.position += count as u64;
        Ok(count)
    }
}
