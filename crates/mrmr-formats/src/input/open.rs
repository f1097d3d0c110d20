//! Opening: decompression, byte order mark, and errors that name the file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use mrmr_core::{Error, Place, Result, closest};

use super::encoding::{LEAD, Lead};

const BLOCK: usize = 256 * 1024;

/// An opened input.
#[derive(Debug)]
pub enum Opened {
    /// Anything but Parquet, decompressed.
    Text(Text),
    /// A Parquet file.
    Parquet(ParquetSource),
}

/// Where a Parquet file lies; it is read from its end, so that a pipe is held in memory.
#[derive(Debug)]
pub enum ParquetSource {
    /// A file on disk.
    File(PathBuf),
    /// The whole file.
    Bytes(Vec<u8>),
}

/// A decompressed stream of bytes without its byte order mark.
pub struct Text {
    name: String,
    compression: Option<&'static str>,
    bom_stripped: bool,
    head: Vec<u8>,
    head_at: usize,
    /// What stopped the looking ahead; it is told once the bytes before it are taken.
    fault: Option<io::Error>,
    rest: Box<dyn BufRead + Send>,
}

impl Text {
    /// The name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether a byte order mark was skipped.
    pub fn bom_stripped(&self) -> bool {
        self.bom_stripped
    }

    /// Whether the bytes were compressed.
    pub fn is_compressed(&self) -> bool {
        self.compression.is_some()
    }

    /// The bytes to come, without taking them: `length` of them, fewer only at the end, or where reading fails
    /// behind the first line.
    ///
    /// # Errors
    /// If reading fails within the first line.
    pub fn peek(&mut self, length: usize) -> Result<&[u8]> {
        let missing = (length + self.head_at).saturating_sub(self.head.len());
        if missing > 0 && self.fault.is_none() {
            let mut more = (&mut self.rest).take(missing as u64);
            if let Err(error) = more.read_to_end(&mut self.head) {
                let error = broken(self.compression, error);
                if !self.head[self.head_at..].contains(&b'\n') {
                    return Err(self.failed(error));
                }
                self.fault = Some(error);
            }
        }
        let end = self.head.len().min(self.head_at + length);
        Ok(&self.head[self.head_at..end])
    }

    /// An error of reading, with the name of the file.
    pub(crate) fn failed(&self, error: io::Error) -> Error {
        read_failed(&self.name, error)
    }
}

impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Text")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Read for Text {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let count = available.len().min(out.len());
        out[..count].copy_from_slice(&available[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Text {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.head_at < self.head.len() {
            return Ok(&self.head[self.head_at..]);
        }
        if let Some(fault) = &self.fault {
            return Err(io::Error::new(fault.kind(), fault.to_string()));
        }
        let compression = self.compression;
        let filled = self.rest.fill_buf();
        filled.map_err(|error| broken(compression, error))
    }

    fn consume(&mut self, count: usize) {
        if self.head_at < self.head.len() {
            self.head_at += count;
            if self.head_at == self.head.len() {
                self.head = Vec::new();
                self.head_at = 0;
            }
        } else {
            self.rest.consume(count);
        }
    }
}

/// Says of an error in a compressed file that it may be the compression that is wrong.
fn broken(compression: Option<&str>, error: io::Error) -> io::Error {
    match compression {
        Some(name) if error.kind() != ErrorKind::Interrupted => {
            io::Error::new(error.kind(), format!("the {name} data are broken: {error}"))
        }
        _ => error,
    }
}

/// An error of reading, with the name of the file.
pub(crate) fn read_failed(name: &str, error: io::Error) -> Error {
    let cut_off = error.kind() == ErrorKind::UnexpectedEof;
    Error::io(error)
        .at(Place::whole(name))
        .hint_maybe(cut_off.then(|| "the file is cut off; copy or download it again".to_owned()))
}

pub(super) fn path(path: &Path) -> Result<Opened> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| open_failed(path, error))?;
    let metadata = file.metadata().map_err(|error| open_failed(path, error))?;
    if metadata.is_dir() {
        return Err(Error::usage("expected a file, found a folder").at(Place::whole(name)));
    }
    stream(name, metadata.is_file().then_some(path), Box::new(file))
}

/// `file` is the path where the stream is a plain file, which can be opened a second time.
pub(super) fn stream(
    name: String,
    file: Option<&Path>,
    reader: Box<dyn Read + Send>,
) -> Result<Opened> {
    let mut text = Text {
        name,
        compression: None,
        bom_stripped: false,
        head: Vec::new(),
        head_at: 0,
        fault: None,
        rest: Box::new(BufReader::with_capacity(BLOCK, reader)),
    };
    let mut lead = lead(&mut text)?;
    if matches!(lead, Lead::Gzip | Lead::Zstd) {
        text = decompressed(text, lead)?;
        lead = self::lead(&mut text)?;
    } else if let (Lead::Parquet, Some(path)) = (lead, file) {
        return Ok(Opened::Parquet(ParquetSource::File(path.to_owned())));
    }
    match lead {
        Lead::Parquet => {
            let mut bytes = Vec::new();
            let read = text.read_to_end(&mut bytes);
            read.map_err(|error| text.failed(error))?;
            Ok(Opened::Parquet(ParquetSource::Bytes(bytes)))
        }
        Lead::Gzip | Lead::Zstd => Err(Error::unsupported("the file is compressed twice")
            .at(Place::whole(text.name))
            .hint("decompress it once first")),
        Lead::MarkedText => {
            text.consume(3);
            text.bom_stripped = true;
            Ok(Opened::Text(text))
        }
        Lead::Text => Ok(Opened::Text(text)),
    }
}

fn lead(text: &mut Text) -> Result<Lead> {
    let name = text.name.clone();
    Lead::of(text.peek(LEAD)?, &name)
}

fn decompressed(text: Text, lead: Lead) -> Result<Text> {
    let name = text.name.clone();
    let (compression, reader): (_, Box<dyn Read + Send>) = match lead {
        Lead::Gzip => ("gzip", Box::new(MultiGzDecoder::new(text))),
        _ => {
            let decoder = zstd::stream::read::Decoder::with_buffer(text);
            (
                "zstd",
                Box::new(decoder.map_err(|error| read_failed(&name, error))?),
            )
        }
    };
    Ok(Text {
        name,
        compression: Some(compression),
        bom_stripped: false,
        head: Vec::new(),
        head_at: 0,
        fault: None,
        rest: Box::new(BufReader::with_capacity(BLOCK, reader)),
    })
}

fn open_failed(path: &Path, error: io::Error) -> Error {
    let hint = (error.kind() == ErrorKind::NotFound)
        .then(|| missing_hint(path))
        .flatten();
    Error::io(error)
        .at(Place::whole(path.display().to_string()))
        .hint_maybe(hint)
}

/// What a missing path may have meant: a file of a similar name, or that the folder is missing.
pub(crate) fn missing_hint(path: &Path) -> Option<String> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if !folder.exists() {
        return Some(format!("the folder '{}' does not exist", folder.display()));
    }
    let wanted = path.file_name()?.to_string_lossy().into_owned();
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .collect();
    names.sort_unstable();
    let near = closest(&wanted, names.iter().map(String::as_str))?;
    let meant = path.with_file_name(near);
    Some(format!("did you mean '{}'?", meant.display()))
}
