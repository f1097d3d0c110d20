//! An index to bytes.

use std::io::{self, Write};

use super::{Checksum, MAGIC, PAGE, VERSION};
use crate::StopWords;
use crate::bm25::index::Bm25Index;

impl Bm25Index {
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut settings = Vec::new();
        self.write_settings(&mut settings)?;
        let sections = self.sections();
        let mut pages = Pages::default();
        for section in sections {
            settings.write_all(&(section.len() as u64).to_le_bytes())?;
            pages.add(section);
        }
        for checksum in pages.finish() {
            settings.write_all(&checksum)?;
        }
        let length = MAGIC.len() + 4 + 8 + settings.len() + blake3::OUT_LEN;
        let mut head = MAGIC.to_vec();
        head.extend_from_slice(&VERSION.to_le_bytes());
        head.extend_from_slice(&(length as u64).to_le_bytes());
        head.append(&mut settings);
        head.extend_from_slice(blake3::hash(&head).as_bytes());
        out.write_all(&head)?;
        sections
            .iter()
            .try_for_each(|section| out.write_all(section))
    }

    fn write_settings(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.params.k1().to_le_bytes())?;
        out.write_all(&self.params.b().to_le_bytes())?;
        write_text(out, self.params.norms().name())?;
        write_text(out, self.params.query().name())?;
        write_text(out, self.analysis.analyzer().name())?;
        match self.analysis.stop_words() {
            StopWords::Custom(words) => {
                write_text(out, "custom")?;
                out.write_all(&(words.len() as u64).to_le_bytes())?;
                words.iter().try_for_each(|word| write_text(out, word))
            }
            known => write_text(out, &known.to_string()),
        }
    }
}

fn write_text(out: &mut dyn Write, text: &str) -> io::Result<()> {
    out.write_all(&(text.len() as u64).to_le_bytes())?;
    out.write_all(text.as_bytes())
}

/// Checksums of pages of bytes that come in pieces.
#[derive(Default)]
struct Pages {
    checksums: Vec<Checksum>,
    hasher: blake3::Hasher,
    /// How much of the last page there is.
    filled: usize,
}

impl Pages {
    fn add(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (part, rest) = bytes.split_at(bytes.len().min(PAGE - self.filled));
            self.hasher.update(part);
            self.filled += part.len();
            bytes = rest;
            if self.filled == PAGE {
                self.end();
            }
        }
    }

    fn end(&mut self) {
        self.checksums.push(*self.hasher.finalize().as_bytes());
        self.hasher.reset();
        self.filled = 0;
    }

    fn finish(mut self) -> Vec<Checksum> {
        if self.filled > 0 {
            self.end();
        }
        self.checksums
    }
}
