//! Bytes for the scanner: a part of a file, or a stream that is kept in case it has to be read again.

use std::fs::File;
use std::io::{self, BufRead, ErrorKind, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use mrmr_core::{Error, Place, Result};
use tempfile::NamedTempFile;

use crate::input::{Input, Opened, Text, read_failed};

/// How an input is read by blocks.
pub(super) enum Opening {
    /// Not at all.
    Unfit,
    /// A plain file, in parts.
    File(PlainFile),
    /// From its start to its end.
    Stream(Stream),
}

/// A plain file of text.
pub(super) struct PlainFile {
    path: PathBuf,
    pub(super) length: u64,
}

/// Bytes in order.
pub(super) struct Stream {
    name: String,
    reader: Box<dyn Read + Send>,
    kept: Option<Kept>,
}

/// A copy on disk of what was read of an input that can be read once only.
struct Kept {
    file: NamedTempFile,
    /// What went wrong with it; the reading goes on, but there is no second one.
    fault: Option<io::Error>,
}

pub(super) fn open(input: &Input) -> Result<Opening> {
    let plain = input.as_path().filter(|path| path.is_file());
    let mut text = match input.open()? {
        Opened::Parquet(_) => return Ok(Opening::Unfit),
        Opened::Text(text) => text,
    };
    if let Some(path) = plain
        && !text.is_compressed()
    {
        if text.bom_stripped() || text.peek(1)? == b"{" || text.peek(1)? == b"[" {
            return Ok(Opening::Unfit);
        }
        let length = file_length(path, &input.name())?;
        return Ok(Opening::File(PlainFile {
            path: path.to_owned(),
            length,
        }));
    }
    let again = plain.is_some() || input.is_memory();
    let kept = if again { None } else { Kept::new() };
    Ok(Opening::Stream(Stream {
        name: input.name(),
        reader: Box::new(Whole(text)),
        kept,
    }))
}

fn file_length(path: &Path, name: &str) -> Result<u64> {
    let metadata = std::fs::metadata(path);
    metadata
        .map(|metadata| metadata.len())
        .map_err(|error| read_failed(name, error))
}

/// A text with its byte order mark, which is unfit for blocks.
struct Whole(Text);

impl Read for Whole {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let available = self.0.fill_buf()?;
        let count = available.len().min(out.len());
        out[..count].copy_from_slice(&available[..count]);
        self.0.consume(count);
        Ok(count)
    }
}

impl PlainFile {
    /// The bytes of a part.
    pub(super) fn part(&self, range: Range<u64>) -> Result<Stream> {
        let name = self.path.display().to_string();
        let open = || -> io::Result<io::Take<File>> {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(range.start))?;
            Ok(file.take(range.end - range.start))
        };
        let reader = open().map_err(|error| read_failed(&name, error))?;
        Ok(Stream {
            name,
            reader: Box::new(reader),
            kept: None,
        })
    }
}

impl Stream {
    /// Fills the buffer from `start` on as far as there is something; true at the end of the stream.
    pub(super) fn fill(&mut self, buffer: &mut [u8], start: &mut usize) -> Result<bool> {
        while *start < buffer.len() {
            match self.reader.read(&mut buffer[*start..]) {
                Ok(0) => return Ok(true),
                Ok(count) => {
                    if let Some(kept) = &mut self.kept {
                        kept.write(&buffer[*start..*start + count]);
                    }
                    *start += count;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(read_failed(&self.name, error)),
            }
        }
        Ok(false)
    }

    /// An input that gives the whole stream again.
    pub(super) fn rewound(mut self, input: &Input) -> Result<Input> {
        let Some(mut kept) = self.kept.take() else {
            return Ok(input.clone());
        };
        let mut buffer = vec![0; 1 << 16];
        loop {
            match self.reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => kept.write(&buffer[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(read_failed(&self.name, error)),
            }
        }
        match kept.fault {
            None => Ok(Input::kept(input, kept.file)),
            Some(fault) => Err(Error::io(fault)
                .at(Place::whole(self.name))
                .hint("the lines of a query do not stand together, and there was no room on disk to read the input twice")
                .hint("sort the run by query, or give it as a file")),
        }
    }
}

impl Kept {
    fn new() -> Option<Kept> {
        let file = NamedTempFile::new().ok()?;
        Some(Kept { file, fault: None })
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.fault.is_none() {
            self.fault = self.file.write_all(bytes).err();
        }
    }
}
