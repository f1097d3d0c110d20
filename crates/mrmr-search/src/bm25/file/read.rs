//! Bytes to an index, with nothing in them trusted.

use mrmr_core::{DocId, Error, Ids, Interned, Result};

use super::{HEAD, MAGIC, TAIL, VERSION};
use crate::bm25::index::Bm25Index;
use crate::bm25::params::Bm25Params;
use crate::bm25::postings::Postings;
use crate::{Analysis, StopWords};

impl Bm25Index {
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        if !bytes.starts_with(MAGIC) {
            return Err(Error::format("this is no index of BM25")
                .hint("an index is written by Bm25Index::save"));
        }
        let mut head = Content(&bytes[MAGIC.len()..]);
        let version = head.number()?;
        if version != VERSION {
            return Err(Error::unsupported(format!(
                "the index has format {version}; this version reads format {VERSION}"
            ))
            .hint("make the index again from its documents, or use the version that wrote it"));
        }
        let length = head.length()?;
        let expected = length.checked_add(HEAD + TAIL);
        if expected != Some(bytes.len()) {
            return Err(Error::format(format!(
                "the index was cut short or has something behind it: its content is said to have {length} bytes, but the file has {} in all",
                bytes.len()
            ))
            .hint("make the index again from its documents"));
        }
        let (hashed, checksum) = bytes.split_at(bytes.len() - TAIL);
        if blake3::hash(hashed).as_bytes() != checksum {
            return Err(Error::format(
                "the index was changed after it was written: its checksum is another",
            )
            .hint("make the index again from its documents"));
        }
        let mut content = Content(&hashed[HEAD..]);
        let index = content.index()?;
        if content.0.is_empty() {
            Ok(index)
        } else {
            Err(contradiction())
        }
    }
}

/// What is left to read.
struct Content<'a>(&'a [u8]);

impl<'a> Content<'a> {
    fn index(&mut self) -> Result<Bm25Index> {
        let (k1, b) = (
            f32::from_le_bytes(self.array()?),
            f32::from_le_bytes(self.array()?),
        );
        let params =
            Bm25Params::new(k1, b, self.text()?.parse()?)?.with_query(self.text()?.parse()?);
        let analyzer = self.text()?.parse()?;
        let stop_words = match self.text()? {
            "custom" => StopWords::custom(self.texts()?),
            known => known.parse()?,
        };
        let ids: Ids<DocId> = self.distinct()?;
        let lengths = self.numbers()?;
        if lengths.len() != ids.len() {
            return Err(contradiction());
        }
        let terms = self.distinct()?;
        let mut postings = Postings::of_terms(terms, lengths);
        for _ in 0..postings.terms.len() {
            let (rows, frequencies) = (self.numbers()?, self.numbers()?);
            let in_order = rows.array_windows().all(|[left, right]| left < right);
            let there = rows.last().is_none_or(|row| (*row as usize) < ids.len());
            if !in_order || !there || rows.len() != frequencies.len() {
                return Err(contradiction());
            }
            postings.push(&rows, &frequencies);
        }
        let analysis = Analysis::new(analyzer, stop_words);
        Ok(Bm25Index::new(params, analysis, ids, postings))
    }

    fn bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or_else(contradiction)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let bytes = self.bytes(N)?;
        bytes.try_into().map_err(|_| contradiction())
    }

    fn number(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn length(&mut self) -> Result<usize> {
        usize::try_from(u64::from_le_bytes(self.array()?)).map_err(|_| contradiction())
    }

    fn text(&mut self) -> Result<&'a str> {
        let length = self.length()?;
        std::str::from_utf8(self.bytes(length)?).map_err(|_| contradiction())
    }

    fn texts(&mut self) -> Result<Vec<&'a str>> {
        let count = self.length()?;
        (0..count).map(|_| self.text()).collect()
    }

    fn distinct<K: Interned>(&mut self) -> Result<Ids<K>> {
        let count = self.length()?;
        let mut ids = Ids::new();
        for _ in 0..count {
            if !ids.insert(self.text()?).1 {
                return Err(contradiction());
            }
        }
        Ok(ids)
    }

    fn numbers(&mut self) -> Result<Vec<u32>> {
        let length = self.length()?.checked_mul(4).ok_or_else(contradiction)?;
        let (numbers, _) = self.bytes(length)?.as_chunks::<4>();
        Ok(numbers.iter().map(|n| u32::from_le_bytes(*n)).collect())
    }
}

/// The content does not have the form that it is written in.
fn contradiction() -> Error {
    Error::format("the index was cut short, or was not written by Bm25Index::save")
        .hint("make the index again from its documents")
}
