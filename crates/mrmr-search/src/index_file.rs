//! The frame of an index in a file, and what all of them hold.
//!
//! Eight bytes of magic, the version of the format, the length of the content, the content, and BLAKE3 of
//! all that is before it. Numbers are little-endian; a text is its length in bytes and its bytes. The
//! vectors are not in the file: it says which ones it belongs to.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use mrmr_core::{Error, Place, Result};
use mrmr_formats::output::write_atomically;

use crate::rows::Rows;

/// A kind of index, as its files begin.
pub(crate) struct Kind {
    pub(crate) magic: [u8; 8],
    /// The format that is written, and the only one that is read.
    pub(crate) version: u32,
    /// As in "no index of HNSW".
    pub(crate) name: &'static str,
    /// As in "an index is written by `HnswIndex::save`".
    pub(crate) writer: &'static str,
}

/// Magic, version, length of the content.
const HEAD: usize = 8 + 4 + 8;
/// A checksum.
const TAIL: usize = blake3::OUT_LEN;
const AGAIN: &str = "build the index again from its vectors";

impl Kind {
    /// Writes a file: all of it, or nothing where that fails. The content is written twice: once to learn
    /// its length.
    pub(crate) fn seal(
        &self,
        path: &Path,
        content: impl Fn(&mut dyn Write) -> io::Result<()>,
    ) -> Result<()> {
        write_atomically(path, |out| self.write(out, &content).map_err(Error::io))
    }

    fn write(
        &self,
        out: &mut dyn Write,
        content: impl Fn(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut length = Counter(0);
        content(&mut length)?;
        let mut out = Hashing {
            out,
            hasher: blake3::Hasher::new(),
        };
        out.write_all(&self.magic)?;
        out.write_all(&self.version.to_le_bytes())?;
        out.write_all(&length.0.to_le_bytes())?;
        content(&mut out)?;
        out.out.write_all(out.hasher.finalize().as_bytes())
    }

    /// Reads a file that [`Kind::seal`] wrote; `read` has to take all of the content.
    pub(crate) fn unseal<T>(
        &self,
        path: &Path,
        read: impl FnOnce(&mut Content<'_>) -> Result<T>,
    ) -> Result<T> {
        let place = || Place::whole(path.display().to_string());
        let bytes = fs::read(path).map_err(|error| Error::io(error).at(place()))?;
        self.read(&bytes, read).map_err(|error| error.at(place()))
    }

    fn read<T>(&self, bytes: &[u8], read: impl FnOnce(&mut Content<'_>) -> Result<T>) -> Result<T> {
        let Some(rest) = bytes.strip_prefix(&self.magic) else {
            return Err(Error::format(format!("this is no index of {}", self.name))
                .hint(format!("an index is written by {}", self.writer)));
        };
        let mut head = Content(rest);
        let version = head.number()?;
        if version != self.version {
            return Err(Error::unsupported(format!(
                "the index has format {version}; this version reads format {}",
                self.version
            ))
            .hint(format!("{AGAIN}, or use the version that wrote it")));
        }
        let length = head.length()?;
        if length.checked_add(HEAD + TAIL) != Some(bytes.len()) {
            return Err(Error::format(format!(
                "the index was cut short or has something behind it: its content is said to have {length} bytes, but the file has {} in all",
                bytes.len()
            ))
            .hint(AGAIN));
        }
        let (hashed, checksum) = bytes.split_at(bytes.len() - TAIL);
        if blake3::hash(hashed).as_bytes() != checksum {
            return Err(Error::format(
                "the index was changed after it was written: its checksum is another",
            )
            .hint(AGAIN));
        }
        let mut content = Content(&hashed[HEAD..]);
        let value = read(&mut content)?;
        match content.0 {
            [] => Ok(value),
            _ => Err(contradiction()),
        }
    }
}

/// What is left to read.
pub(crate) struct Content<'a>(&'a [u8]);

impl<'a> Content<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or_else(contradiction)?;
        self.0 = rest;
        Ok(bytes)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let bytes = self.bytes(N)?;
        bytes.try_into().map_err(|_| contradiction())
    }

    pub(crate) fn number(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(crate) fn length(&mut self) -> Result<usize> {
        usize::try_from(u64::from_le_bytes(self.array()?)).map_err(|_| contradiction())
    }

    pub(crate) fn text(&mut self) -> Result<&'a str> {
        let length = self.length()?;
        std::str::from_utf8(self.bytes(length)?).map_err(|_| contradiction())
    }

    /// Bytes, as [`write_bytes`] wrote them.
    pub(crate) fn all_bytes(&mut self) -> Result<&'a [u8]> {
        let length = self.length()?;
        self.bytes(length)
    }

    /// Whole numbers, as [`write_numbers`] wrote them.
    pub(crate) fn numbers(&mut self) -> Result<Vec<u32>> {
        let length = self.length()?.checked_mul(4).ok_or_else(contradiction)?;
        let (numbers, _) = self.bytes(length)?.as_chunks::<4>();
        Ok(numbers.iter().map(|n| u32::from_le_bytes(*n)).collect())
    }

    /// Refuses rows other than those that [`write_rows`] was given.
    pub(crate) fn check_rows(&mut self, rows: &Rows) -> Result<()> {
        let found = (self.text()?, self.length()?, self.length()?);
        let given = (rows.metric.name(), rows.len(), rows.vectors.dimension());
        let checksum: [u8; blake3::OUT_LEN] = self.array()?;
        if found.0 != given.0 {
            return Err(Error::data(format!(
                "the index was built for the metric {}; expected {}",
                found.0, given.0
            ))
            .hint("open it with its own metric, or build it again"));
        }
        if (found.1, found.2) != (given.1, given.2) {
            return Err(Error::data(format!(
                "the index was built over {} vectors of {} dimensions; there are {} of {}",
                found.1, found.2, given.1, given.2
            ))
            .hint("open it with the vectors that it was built over, in their order"));
        }
        if checksum != checksum_of(rows) {
            return Err(Error::data(
                "the index was built over other vectors: their checksum is another",
            )
            .hint("open it with the vectors that it was built over, in their order"));
        }
        Ok(())
    }
}

/// The content does not have the form that it is written in.
pub(crate) fn contradiction() -> Error {
    Error::format("the index was cut short, or contradicts itself").hint(AGAIN)
}

pub(crate) fn write_text(out: &mut dyn Write, text: &str) -> io::Result<()> {
    write_bytes(out, text.as_bytes())
}

pub(crate) fn write_length(out: &mut dyn Write, length: usize) -> io::Result<()> {
    out.write_all(&(length as u64).to_le_bytes())
}

/// How many there are, and the bytes.
pub(crate) fn write_bytes(out: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    write_length(out, bytes.len())?;
    out.write_all(bytes)
}

/// How many there are, and the numbers.
pub(crate) fn write_numbers(out: &mut dyn Write, numbers: &[u32]) -> io::Result<()> {
    write_length(out, numbers.len())?;
    numbers
        .iter()
        .try_for_each(|number| out.write_all(&number.to_le_bytes()))
}

/// Which rows an index belongs to: their metric, how many they are, their dimension, their checksum.
pub(crate) fn write_rows(out: &mut dyn Write, rows: &Rows) -> io::Result<()> {
    write_text(out, rows.metric.name())?;
    write_length(out, rows.len())?;
    write_length(out, rows.vectors.dimension())?;
    out.write_all(&checksum_of(rows))
}

/// BLAKE3 of the numbers of all rows, little-endian.
fn checksum_of(rows: &Rows) -> [u8; blake3::OUT_LEN] {
    let mut hasher = blake3::Hasher::new();
    let mut bytes = Vec::new();
    for numbers in rows.vectors.as_slice().chunks(1 << 14) {
        bytes.clear();
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        hasher.update(&bytes);
    }
    *hasher.finalize().as_bytes()
}

/// How much would be written.
struct Counter(u64);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Hashes what it writes.
struct Hashing<'a> {
    out: &'a mut dyn Write,
    hasher: blake3::Hasher,
}

impl Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write_all(bytes)?;
        self.hasher.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
