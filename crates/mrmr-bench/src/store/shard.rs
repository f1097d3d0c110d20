//! The vectors of some records, in order, with those that failed.

use mrmr_models::{EmbeddingKind, Embeddings, EncodeNotes, PageNotes};
use serde::{Deserialize, Serialize};

const MAGIC: &[u8] = b"MRMRSHD1";
const HASH: usize = 32;

/// The vectors of some records.
///
/// As bytes: `MRMRSHD1`, the length of a JSON header (4 bytes), the header, the numbers (f32), and BLAKE3 of all that.
/// Every number has its lowest byte first.
#[derive(Clone, Debug, PartialEq)]
pub struct Shard {
    /// One vector a record, or several.
    pub kind: EmbeddingKind,
    /// How many numbers each vector has.
    pub dimension: usize,
    /// How many vectors each record has: under [`EmbeddingKind::Single`] one, or none where it failed.
    pub lengths: Vec<usize>,
    /// The numbers, vector after vector.
    pub data: Vec<f32>,
    /// The records that failed, by their place in the shard, and why.
    pub failures: Vec<(usize, String)>,
    /// What was read and cut.
    pub notes: EncodeNotes,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    multi: bool,
    dimension: usize,
    lengths: Vec<usize>,
    failures: Vec<(usize, String)>,
    /// Items, tokens, truncated, empty, missing images, missing captions.
    notes: [usize; 6],
    pages: [usize; 13],
}

impl Shard {
    /// The shard of what an encoder made.
    pub fn of(embeddings: &Embeddings) -> Self {
        let failures = embeddings.failures().iter();
        Shard {
            kind: embeddings.kind(),
            dimension: embeddings.dimension(),
            lengths: embeddings
                .spans()
                .iter()
                .map(ExactSizeIterator::len)
                .collect(),
            data: embeddings.as_slice().to_vec(),
            failures: failures
                .map(|failure| (failure.item, failure.reason.clone()))
                .collect(),
            notes: embeddings.notes(),
        }
    }

    /// Appends the records of another shard.
    pub fn append(&mut self, other: Shard) {
        let before = self.lengths.len();
        self.lengths.extend(other.lengths);
        self.data.extend(other.data);
        let failures = other.failures.into_iter();
        self.failures
            .extend(failures.map(|(item, reason)| (before + item, reason)));
        self.notes.add(other.notes);
    }

    /// The shard as bytes.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let notes = self.notes;
        let header = Header {
            multi: self.kind == EmbeddingKind::Multi,
            dimension: self.dimension,
            lengths: self.lengths.clone(),
            failures: self.failures.clone(),
            notes: [
                notes.items,
                notes.tokens,
                notes.truncated,
                notes.empty,
                notes.missing_images,
                notes.missing_captions,
            ],
            pages: notes.pages.counts(),
        };
        let header = serde_json::to_vec(&header).unwrap_or_default();
        let mut bytes = MAGIC.to_vec();
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header);
        bytes.extend(self.data.iter().flat_map(|number| number.to_le_bytes()));
        let hash = blake3::hash(&bytes);
        bytes.extend(hash.as_bytes());
        bytes
    }

    /// The shard of bytes; none where they are not those of a whole one.
    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let (content, hash) = bytes.split_last_chunk::<HASH>()?;
        if blake3::hash(content).as_bytes() != hash {
            return None;
        }
        let (length, rest) = content.strip_prefix(MAGIC)?.split_first_chunk::<4>()?;
        let (header, data) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        let header: Header = serde_json::from_slice(header).ok()?;
        let (numbers, odd) = data.as_chunks::<4>();
        let vectors: usize = header.lengths.iter().sum();
        if !odd.is_empty() || numbers.len() != vectors * header.dimension {
            return None;
        }
        let [
            items,
            tokens,
            truncated,
            empty,
            missing_images,
            missing_captions,
        ] = header.notes;
        Some(Shard {
            kind: match header.multi {
                true => EmbeddingKind::Multi,
                false => EmbeddingKind::Single,
            },
            dimension: header.dimension,
            lengths: header.lengths,
            data: numbers
                .iter()
                .map(|bytes| f32::from_le_bytes(*bytes))
                .collect(),
            failures: header.failures,
            notes: EncodeNotes {
                items,
                tokens,
                truncated,
                empty,
                missing_images,
                missing_captions,
                pages: PageNotes::of_counts(header.pages),
            },
        })
    }
}
