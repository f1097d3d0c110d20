//! An index to bytes.

use std::io::{self, Write};

use super::{MAGIC, VERSION};
use crate::StopWords;
use crate::bm25::index::Bm25Index;

impl Bm25Index {
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut length = Counter(0);
        self.write_content(&mut length)?;
        let mut out = Hashing {
            out,
            hasher: blake3::Hasher::new(),
        };
        out.write_all(MAGIC)?;
        out.write_all(&VERSION.to_le_bytes())?;
        out.write_all(&length.0.to_le_bytes())?;
        self.write_content(&mut out)?;
        out.out.write_all(out.hasher.finalize().as_bytes())
    }

    fn write_content(&self, out: &mut dyn Write) -> io::Result<()> {
        let corpus = &self.corpus;
        out.write_all(&self.params.k1().to_le_bytes())?;
        out.write_all(&self.params.b().to_le_bytes())?;
        write_text(out, self.params.norms().name())?;
        write_text(out, self.params.query().name())?;
        write_text(out, self.analysis.analyzer().name())?;
        match self.analysis.stop_words() {
            StopWords::Custom(words) => {
                write_text(out, "custom")?;
                write_texts(out, words.iter().map(String::as_str))?;
            }
            known => write_text(out, &known.to_string())?,
        }
        write_texts(out, corpus.ids.names())?;
        write_numbers(out, &corpus.postings.lengths)?;
        write_texts(out, corpus.postings.terms.names())?;
        for term in corpus.postings.terms.keys() {
            let (rows, frequencies) = corpus.postings.of(term);
            write_numbers(out, rows)?;
            write_numbers(out, frequencies)?;
        }
        Ok(())
    }
}

fn write_text(out: &mut dyn Write, text: &str) -> io::Result<()> {
    out.write_all(&(text.len() as u64).to_le_bytes())?;
    out.write_all(text.as_bytes())
}

fn write_texts<'a>(
    out: &mut dyn Write,
    texts: impl ExactSizeIterator<Item = &'a str>,
) -> io::Result<()> {
    out.write_all(&(texts.len() as u64).to_le_bytes())?;
    for text in texts {
        write_text(out, text)?;
    }
    Ok(())
}

fn write_numbers(out: &mut dyn Write, numbers: &[u32]) -> io::Result<()> {
    out.write_all(&(numbers.len() as u64).to_le_bytes())?;
    for number in numbers {
        out.write_all(&number.to_le_bytes())?;
    }
    Ok(())
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
