//! How similar what an encoder made of queries and documents is: the score of an encoder that reranks.

use std::collections::HashMap;

use mrmr_core::{Error, Event, Observer, Record, Result};
use mrmr_models::{
    CaptionSource, EmbeddingKind, EncodeNotes, ItemFailure, RecordEncoder, Role, Scores,
};

use crate::encoding::BATCH;

/// The vectors of records, by role and id.
pub struct Similarities {
    kind: EmbeddingKind,
    dimension: usize,
    queries: HashMap<String, Result<Vec<f32>, String>>,
    documents: HashMap<String, Result<Vec<f32>, String>>,
    notes: EncodeNotes,
}

impl Similarities {
    /// Encodes records of both sides, each once.
    ///
    /// # Errors
    /// If a model fails.
    pub fn new(
        encoder: &RecordEncoder,
        queries: &[(&str, &Record)],
        documents: &[(&str, &Record)],
        captions: &dyn CaptionSource,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let mut made = Similarities {
            kind: encoder.kind(),
            dimension: encoder.dimension(),
            queries: HashMap::new(),
            documents: HashMap::new(),
            notes: EncodeNotes::default(),
        };
        observer.observe(Event::StepStarted {
            number: 1,
            of: 1,
            name: "encode",
            total: Some((queries.len() + documents.len()) as u64),
            unit: "records",
        });
        for (role, records) in [(Role::Query, queries), (Role::Document, documents)] {
            for batch in records.chunks(BATCH) {
                let embeddings = encoder.encode(batch, role, None, captions)?;
                made.notes.add(embeddings.notes());
                let side = match role {
                    Role::Query => &mut made.queries,
                    Role::Document => &mut made.documents,
                };
                let mut failures = embeddings.failures().iter().peekable();
                for (item, (id, _)) in batch.iter().enumerate() {
                    let vectors = match failures.next_if(|failure| failure.item == item) {
                        Some(failure) => Err(failure.reason.clone()),
                        None => Ok(embeddings.vectors(item).flatten().copied().collect()),
                    };
                    side.insert((*id).to_owned(), vectors);
                }
                observer.observe(Event::Advanced(batch.len() as u64));
            }
        }
        observer.observe(Event::StepFinished);
        Ok(made)
    }

    /// What was read and cut.
    pub fn notes(&self) -> EncodeNotes {
        self.notes
    }

    /// The cosine of a query and each document; of several vectors each, MaxSim.
    ///
    /// # Errors
    /// If the query was not encoded.
    pub fn scores(&self, query: &str, documents: &[&str]) -> Result<Scores> {
        let query = match self.queries.get(query) {
            Some(Ok(vectors)) => vectors,
            Some(Err(reason)) => {
                return Err(Error::data(format!("the query '{query}': {reason}")));
            }
            None => return Err(Error::data(format!("the query '{query}' was not encoded"))),
        };
        let mut scores = Scores::default();
        for (item, id) in documents.iter().enumerate() {
            let score = match self.documents.get(*id) {
                Some(Ok(vectors)) => Ok(self.score(query, vectors)),
                Some(Err(reason)) => Err(reason.clone()),
                None => Err("it was not encoded".to_owned()),
            };
            match score {
                Ok(score) => scores.scores.push(Some(score)),
                Err(reason) => {
                    scores.scores.push(None);
                    scores.failures.push(ItemFailure { item, reason });
                }
            }
        }
        Ok(scores)
    }

    fn score(&self, query: &[f32], document: &[f32]) -> f32 {
        if self.kind != EmbeddingKind::Multi {
            let lengths = (dot(query, query) * dot(document, document)).sqrt();
            return match lengths > 0.0 {
                true => (dot(query, document) / lengths) as f32,
                false => 0.0,
            };
        }
        let own = query.chunks_exact(self.dimension);
        let sum: f64 = own
            .map(|vector| {
                let others = document.chunks_exact(self.dimension);
                let best = others
                    .map(|other| dot(vector, other))
                    .fold(f64::NEG_INFINITY, f64::max);
                if best.is_finite() { best } else { 0.0 }
            })
            .sum();
        sum as f32
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    let pairs = a.iter().zip(b);
    pairs.map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
}
