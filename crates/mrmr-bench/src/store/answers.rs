//! A run that is kept: its answers, and what people must know of them.

use mrmr_core::{DocId, DuplicatePolicy, Entry, Ids, Interned, Origin, Run};
use serde::{Deserialize, Serialize};

const MAGIC: &[u8; 8] = b"MRMRRUN1";
/// Bytes of an answer: document and score.
const ANSWER: usize = 12;

/// What a step of a pipeline answered.
#[derive(Clone, Debug)]
pub struct Answers {
    /// The answers.
    pub run: Run,
    /// What came with them.
    pub notes: AnswerNotes,
}

/// What people must know of answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerNotes {
    /// What they should know before they trust the numbers.
    pub warnings: Vec<String>,
    /// What is missing from the answers; nothing where they are complete.
    pub incomplete: Vec<String>,
    /// Images whose caption was wanted and not there: `query q1: image 1`.
    pub without_caption: Vec<String>,
    /// What was found out on the way, such as parameters, as (name, value).
    pub found: Vec<(String, String)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    name: String,
    queries: Vec<String>,
    documents: Vec<String>,
    lengths: Vec<usize>,
    notes: AnswerNotes,
}

impl AnswerNotes {
    /// Adds those of a step before.
    pub fn add(&mut self, other: &AnswerNotes) {
        let pairs = [
            (&mut self.warnings, &other.warnings),
            (&mut self.incomplete, &other.incomplete),
            (&mut self.without_caption, &other.without_caption),
        ];
        for (all, more) in pairs {
            for one in more {
                if !all.contains(one) {
                    all.push(one.clone());
                }
            }
        }
        for pair in &other.found {
            if !self.found.contains(pair) {
                self.found.push(pair.clone());
            }
        }
    }
}

impl Answers {
    /// The answers as bytes.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let run = &self.run;
        let entries = || run.queries().keys().flat_map(|query| run.entries(query));
        let name = |entry: &Entry| run.documents().name(entry.document);
        // By the order of the answers, whatever the order in which they were added.
        let documents: Ids<DocId> = entries().map(name).collect();
        let header = Header {
            name: run.name().to_owned(),
            queries: run.queries().names().map(str::to_owned).collect(),
            documents: documents.names().map(str::to_owned).collect(),
            lengths: run.queries().keys().map(|q| run.entries(q).len()).collect(),
            notes: self.notes.clone(),
        };
        let header = serde_json::to_vec(&header).unwrap_or_default();
        let mut bytes = MAGIC.to_vec();
        bytes.extend((header.len() as u64).to_le_bytes());
        bytes.extend(header);
        for entry in entries() {
            let document = documents.get(name(entry)).map_or(0, Interned::index);
            bytes.extend((document as u32).to_le_bytes());
            bytes.extend(entry.score.to_le_bytes());
        }
        let hash = blake3::hash(&bytes);
        bytes.extend(hash.as_bytes());
        bytes
    }

    /// The answers of bytes; none where they are not those of whole ones.
    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let (content, hash) = bytes.split_last_chunk::<{ blake3::OUT_LEN }>()?;
        if blake3::hash(content).as_bytes() != hash {
            return None;
        }
        let (length, rest) = content.strip_prefix(MAGIC)?.split_first_chunk::<8>()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (header, answers) = rest.split_at_checked(length)?;
        let header: Header = serde_json::from_slice(header).ok()?;
        let (answers, odd) = answers.as_chunks::<ANSWER>();
        let count: usize = header.lengths.iter().sum();
        if !odd.is_empty() || count != answers.len() || header.lengths.len() != header.queries.len()
        {
            return None;
        }
        let mut builder = Run::builder(header.name, Origin::memory("kept answers"));
        let mut answers = answers.iter();
        for (query, length) in header.queries.iter().zip(header.lengths) {
            builder.add_empty(query);
            for (number, answer) in answers.by_ref().take(length).enumerate() {
                let (document, score) = answer.split_first_chunk::<4>()?;
                let document = header
                    .documents
                    .get(u32::from_le_bytes(*document) as usize)?;
                let score = f64::from_le_bytes(*score.first_chunk::<8>()?);
                builder.add(query, document, score, number as u64).ok()?;
            }
        }
        let (run, _) = builder.finish(DuplicatePolicy::Error).ok()?;
        Some(Answers {
            run,
            notes: header.notes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers() -> Answers {
        let mut builder = Run::builder("bm25", Origin::memory("test"));
        builder.add_empty("nothing");
        for (query, document, score) in [
            ("q1", "b", 0.1 + 0.2),
            ("q1", "a", f64::NEG_INFINITY),
            ("q2", "a", -0.0),
        ] {
            builder.add(query, document, score, 0).unwrap();
        }
        let (run, _) = builder.finish(DuplicatePolicy::Error).unwrap();
        Answers {
            run,
            notes: AnswerNotes {
                warnings: vec!["w".to_owned()],
                ..AnswerNotes::default()
            },
        }
    }

    #[test]
    fn answers_come_back_to_the_bit() {
        let bytes = answers().to_bytes();
        let back = Answers::of_bytes(&bytes).unwrap();
        assert_eq!(back.to_bytes(), bytes);
        assert_eq!(back.notes, answers().notes);
        let queries: Vec<&str> = back.run.queries().names().collect();
        assert_eq!(queries, ["nothing", "q1", "q2"]);
    }

    #[test]
    fn a_file_that_is_cut_off_or_changed_is_none() {
        let bytes = answers().to_bytes();
        assert!(Answers::of_bytes(&bytes[..bytes.len() - 1]).is_none());
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(Answers::of_bytes(&changed).is_none(), "{at}");
        }
    }
}
