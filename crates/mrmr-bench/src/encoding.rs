//! Records to vectors, shard by shard, each kept as it is done.
//!
//! ```
//! use std::sync::Arc;
//! use mrmr_bench::encoding::EncodingJob;
//! use mrmr_bench::store::Store;
//! use mrmr_core::Record;
//! use mrmr_models::{Hashing, NoCaptions, RecordEncoder, Role};
//! # let folder = tempfile::tempdir().unwrap();
//! let encoder = RecordEncoder::new("text".parse()?, Arc::new(Hashing::default()))?;
//! let job = EncodingJob::new(&encoder, Role::Document, &NoCaptions);
//! let (circle, square) = (Record::new("a red circle"), Record::new("a blue square"));
//! let records = [("d1", &circle), ("d2", &square)];
//! let store = Store::open(folder.path())?;
//! let encoded = job.plan(&records, &store)?.run(&())?;
//! assert_eq!((encoded.reused(), encoded.notes().items), (0, 2));
//! // A second time nothing is encoded.
//! let encoded = job.plan(&records, &store)?.run(&())?;
//! assert_eq!((encoded.reused(), encoded.shards()), (1, 1));
//! # Ok::<(), mrmr_core::Error>(())
//! ```

mod record_key;

use std::ops::Range;

use mrmr_core::{Error, Event, Observer, Record, Result};
use mrmr_models::{CaptionSource, ContentRule, EmbeddingKind, EncodeNotes, RecordEncoder, Role};
use rayon::prelude::*;

use crate::store::{Hash, Kept, Key, Shard, Store};

/// Records a shard, unless it is said.
pub const SHARD: usize = 512;
/// Records that an encoder is given at once, unless it is said.
pub const BATCH: usize = 64;

/// How records are encoded, and all that their vectors depend on.
#[derive(Clone, Copy)]
pub struct EncodingJob<'a> {
    /// What encodes them, under its rule.
    pub encoder: &'a RecordEncoder,
    /// Which side they are on.
    pub role: Role,
    /// What stands before queries.
    pub instruction: Option<&'a str>,
    /// Captions of images.
    pub captions: &'a (dyn CaptionSource + Sync),
    /// What the encoder was opened with, and the fingerprints of its models: no shard made with others is used.
    pub identity: &'a [(String, String)],
    /// Records a shard: what a crash costs at most.
    pub shard: usize,
    /// Records that the encoder is given at once; no vector depends on it.
    pub batch: usize,
}

impl<'a> EncodingJob<'a> {
    /// A job with what is usual.
    pub fn new(
        encoder: &'a RecordEncoder,
        role: Role,
        captions: &'a (dyn CaptionSource + Sync),
    ) -> Self {
        EncodingJob {
            encoder,
            role,
            instruction: None,
            captions,
            identity: &[],
            shard: SHARD,
            batch: BATCH,
        }
    }

    fn dependence(&self) -> Dependence<'a> {
        Dependence {
            rule: self.encoder.rule(),
            role: self.role,
            instruction: self.instruction,
            captions: self.captions,
            identity: self.identity,
        }
    }

    /// Which shards there will be, and which of them the store has.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn plan<'p>(
        &self,
        records: &'p [(&'p str, &'p Record)],
        store: &'p Store,
    ) -> Result<EncodingPlan<'p>>
    where
        'a: 'p,
    {
        let size = self.shard.max(1);
        let starts = (0..records.len()).step_by(size);
        let keys = self.dependence().keys(records, size);
        let mut steps = Vec::with_capacity(keys.len());
        for (start, key) in starts.zip(keys) {
            let kept = store.get(&key)?;
            steps.push(Step {
                records: start..records.len().min(start + size),
                key,
                is_kept: matches!(kept, Some(Kept::Whole(_))),
                is_damaged: matches!(kept, Some(Kept::Damaged)),
            });
        }
        Ok(EncodingPlan {
            job: *self,
            records,
            store,
            steps,
        })
    }
}

/// All that vectors depend on, beside the records.
#[derive(Clone, Copy)]
pub struct Dependence<'a> {
    /// What of a record is read.
    pub rule: &'a ContentRule,
    /// Which side the records are on.
    pub role: Role,
    /// What stands before queries.
    pub instruction: Option<&'a str>,
    /// Captions of images.
    pub captions: &'a (dyn CaptionSource + Sync),
    /// What the encoder is opened with, and the fingerprints of its models.
    pub identity: &'a [(String, String)],
}

impl Dependence<'_> {
    /// Adds all of it, but for captions, which count with their records.
    pub(crate) fn add(&self, hash: &mut Hash) {
        for (name, value) in self.identity {
            hash.text(name);
            hash.text(value);
        }
        hash.text(&self.rule.to_string());
        hash.text(role_name(self.role));
        hash.maybe(self.instruction.filter(|_| self.role == Role::Query));
    }

    /// The keys of the shards of records, `size` each: no model is opened for them.
    pub fn keys(&self, records: &[(&str, &Record)], size: usize) -> Vec<Key> {
        let common = Key::of("encoding", |hash| self.add(hash));
        let shards = records.par_chunks(size.max(1)).map(|shard| {
            Key::of("shard", |hash| {
                hash.bytes(common.as_bytes());
                for (id, record) in shard {
                    record_key::add(hash, self, id, record);
                }
            })
        });
        shards.collect()
    }
}

struct Step {
    records: Range<usize>,
    key: Key,
    is_kept: bool,
    is_damaged: bool,
}

/// The shards of a job.
pub struct EncodingPlan<'p> {
    job: EncodingJob<'p>,
    records: &'p [(&'p str, &'p Record)],
    store: &'p Store,
    steps: Vec<Step>,
}

impl<'p> EncodingPlan<'p> {
    /// How many shards there are.
    pub fn shards(&self) -> usize {
        self.steps.len()
    }

    /// How many of them the store has.
    pub fn reused(&self) -> usize {
        self.steps.iter().filter(|step| step.is_kept).count()
    }

    /// How many files of the store were damaged; their shards are encoded again.
    pub fn damaged(&self) -> usize {
        self.steps.iter().filter(|step| step.is_damaged).count()
    }

    /// Encodes all of it, whatever the store has.
    pub fn forget(&mut self) {
        self.steps.iter_mut().for_each(|step| step.is_kept = false);
    }

    /// Encodes what the store lacks.
    ///
    /// # Errors
    /// If a model fails, or a shard cannot be written.
    pub fn run(self, observer: &dyn Observer) -> Result<Encoded<'p>> {
        let waiting = self.steps.iter().filter(|step| !step.is_kept);
        let waiting: usize = waiting.map(|step| step.records.len()).sum();
        if waiting > 0 {
            observer.observe(Event::StepStarted {
                number: 1,
                of: 1,
                name: "encode",
                total: Some(waiting as u64),
                unit: match self.job.role {
                    Role::Query => "queries",
                    Role::Document => "documents",
                },
            });
        }
        let reused = self.reused();
        let mut notes = EncodeNotes::default();
        let mut failures = Vec::new();
        for step in &self.steps {
            let shard = match step.is_kept {
                true => whole(self.store, &step.key)?,
                false => {
                    let shard = self.encode(step.records.clone(), observer)?;
                    self.store.put(&step.key, &shard)?;
                    shard
                }
            };
            notes.add(shard.notes);
            let found = shard.failures.into_iter();
            failures.extend(found.map(|(item, reason)| (step.records.start + item, reason)));
        }
        if waiting > 0 {
            observer.observe(Event::StepFinished);
        }
        Ok(Encoded {
            kind: self.job.encoder.kind(),
            dimension: self.job.encoder.dimension(),
            store: self.store,
            records: self.records,
            steps: self.steps,
            failures,
            notes,
            reused,
        })
    }

    fn encode(&self, records: Range<usize>, observer: &dyn Observer) -> Result<Shard> {
        let job = &self.job;
        let mut whole: Option<Shard> = None;
        for batch in self.records[records].chunks(job.batch.max(1)) {
            let made = job
                .encoder
                .encode(batch, job.role, job.instruction, job.captions)?;
            let made = Shard::of(&made);
            match &mut whole {
                Some(whole) => whole.append(made),
                None => whole = Some(made),
            }
            observer.observe(Event::Advanced(batch.len() as u64));
        }
        whole.ok_or_else(|| Error::data("expected records, found none"))
    }
}

/// The vectors of all records, in the store.
pub struct Encoded<'p> {
    kind: EmbeddingKind,
    dimension: usize,
    store: &'p Store,
    records: &'p [(&'p str, &'p Record)],
    steps: Vec<Step>,
    failures: Vec<(usize, String)>,
    notes: EncodeNotes,
    reused: usize,
}

impl Encoded<'_> {
    /// Refuses what has no vector at all.
    ///
    /// # Errors
    /// If no record could be encoded.
    pub fn require_vectors(&self) -> Result<()> {
        match self.failures.first() {
            Some((first, reason)) if self.failures.len() == self.records.len() => {
                Err(Error::data(format!(
                    "none of the {} records could be encoded; '{}': {reason}",
                    self.failures.len(),
                    self.records[*first].0
                ))
                .hint("is it an encoder for what the records hold, under the right content rule?"))
            }
            _ => Ok(()),
        }
    }

    /// One vector a record, or several.
    pub fn kind(&self) -> EmbeddingKind {
        self.kind
    }

    /// How many numbers each vector has.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// How many shards there are.
    pub fn shards(&self) -> usize {
        self.steps.len()
    }

    /// How many of them were there before.
    pub fn reused(&self) -> usize {
        self.reused
    }

    /// What was read and cut, in the shards that were there before too.
    pub fn notes(&self) -> EncodeNotes {
        self.notes
    }

    /// The records that failed, with the reason, in order.
    pub fn failures(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        let failures = self.failures.iter();
        failures.map(|(at, reason)| (self.records[*at].0, reason.as_str()))
    }

    /// The ids of the records that have vectors, in order.
    pub fn ids(&self) -> Vec<String> {
        let mut failed = self.failures.iter().map(|(at, _)| *at).peekable();
        let records = self.records.iter().enumerate();
        let there = records.filter(|(at, _)| failed.next_if_eq(at).is_none());
        there.map(|(_, (id, _))| (*id).to_owned()).collect()
    }

    /// Gives each shard, in order.
    ///
    /// # Errors
    /// If a shard went since it was written, and what `take` gives.
    pub fn each(&self, take: &mut dyn FnMut(Shard) -> Result<()>) -> Result<()> {
        let steps = self.steps.iter();
        steps
            .map(|step| whole(self.store, &step.key))
            .try_for_each(|shard| take(shard?))
    }
}

fn whole(store: &Store, key: &Key) -> Result<Shard> {
    match store.get(key)? {
        Some(Kept::Whole(shard)) => Ok(*shard),
        Some(Kept::Damaged) | None => Err(Error::data(format!(
            "the shard {key} was there and is gone or damaged"
        ))
        .at(mrmr_core::Place::whole(
            store.folder().display().to_string(),
        ))
        .hint("something else removes files here; run the command again")),
    }
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Query => "query",
        Role::Document => "document",
    }
}
