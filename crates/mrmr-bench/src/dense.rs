//! An encoder as a system: a task's records become vectors, which exact search ranks.

use mrmr_core::{Observer, Record, Result};
use mrmr_models::{CaptionSource, EmbeddingKind, EncodeNotes, RecordEncoder, Role};
use mrmr_search::{Metric, MultiVectors, Vectors};

use crate::encoding::{Encoded, EncodingJob, EncodingPlan};
use crate::index_spec::IndexSpec;
use crate::store::Store;
use crate::system::{Retrieval, VectorSystem, VectorTable};
use crate::task::Task;

/// An encoder, with what its vectors depend on.
#[derive(Clone, Copy)]
pub struct DenseSystem<'a> {
    /// What encodes records, under its rule.
    pub encoder: &'a RecordEncoder,
    /// What stands before queries.
    pub instruction: Option<&'a str>,
    /// Captions of images.
    pub captions: &'a (dyn CaptionSource + Sync),
    /// What the encoder was opened with, and the fingerprints of its models.
    pub identity: &'a [(String, String)],
    /// How it is described, as (name, value), for reports.
    pub settings: &'a [(String, String)],
    /// How similar two vectors are.
    pub metric: Metric,
}

/// What encoding the records of a task took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DenseNotes {
    /// Shards of queries and documents.
    pub shards: usize,
    /// Those of them that the store had.
    pub reused: usize,
    /// Files of the store that were damaged and replaced.
    pub damaged: usize,
    /// What was read and cut.
    pub notes: EncodeNotes,
}

impl DenseSystem<'_> {
    /// How the records of a task are ranked: their vectors come from the store, those that it lacks from the encoder.
    ///
    /// # Errors
    /// If a model fails, or nothing of one side can be encoded.
    pub fn retrieval(
        &self,
        task: &Task,
        store: &Store,
        observer: &dyn Observer,
    ) -> Result<(Retrieval, DenseNotes)> {
        let queries = task.dataset.queries.iter();
        let queries: Vec<_> = queries.map(|(_, id, record)| (id, record)).collect();
        let documents = task.dataset.corpus.iter();
        let documents: Vec<_> = documents.map(|(_, id, record)| (id, record)).collect();
        let mut notes = DenseNotes::default();
        let queries = self.side(Role::Query, &queries, store, observer, &mut notes)?;
        let documents = self.side(Role::Document, &documents, store, observer, &mut notes)?;
        let system = VectorSystem {
            metric: self.metric,
            queries,
            documents,
            settings: self.settings.to_vec(),
            index: IndexSpec::Exact,
        };
        Ok((Retrieval::Exact(Box::new(system)), notes))
    }

    fn side(
        &self,
        role: Role,
        records: &[(&str, &Record)],
        store: &Store,
        observer: &dyn Observer,
        notes: &mut DenseNotes,
    ) -> Result<VectorTable> {
        let job = EncodingJob {
            instruction: self.instruction,
            identity: self.identity,
            ..EncodingJob::new(self.encoder, role, self.captions)
        };
        let plan: EncodingPlan<'_> = job.plan(records, store)?;
        notes.shards += plan.shards();
        notes.reused += plan.reused();
        notes.damaged += plan.damaged();
        let encoded = plan.run(observer)?;
        encoded.require_vectors()?;
        notes.notes.add(encoded.notes());
        table(&encoded)
    }
}

/// The vectors of records, as one table.
pub(crate) fn table(encoded: &Encoded<'_>) -> Result<VectorTable> {
    let (mut data, mut lengths) = (Vec::new(), Vec::new());
    encoded.each(&mut |shard| {
        let failed: Vec<usize> = shard.failures.iter().map(|(at, _)| *at).collect();
        let there = (0..shard.lengths.len()).filter(|at| failed.binary_search(at).is_err());
        lengths.extend(there.map(|at| shard.lengths[at]));
        data.extend(shard.data);
        Ok(())
    })?;
    let failures = encoded.failures();
    let failures = failures
        .map(|(id, reason)| (id.to_owned(), reason.to_owned()))
        .collect();
    let vectors = match encoded.kind() {
        EmbeddingKind::Multi => {
            let mut offsets = vec![0];
            offsets.extend(lengths.iter().scan(0, |end, length| {
                *end += length;
                Some(*end)
            }));
            MultiVectors::new(encoded.dimension(), data, offsets)?
        }
        _ => MultiVectors::singles(Vectors::new(encoded.dimension(), data)?),
    };
    Ok(VectorTable {
        ids: encoded.ids(),
        vectors,
        is_multi: encoded.kind() == EmbeddingKind::Multi,
        failures,
    })
}
