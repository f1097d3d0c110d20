//! A run, with the first documents of each query put in a new order.
//!
//! ```
//! use mrmr_bench::rerank::{Below, rerank};
//! use mrmr_core::{Origin, RankingPolicy, Run};
//! use mrmr_models::Scores;
//! let mut run = Run::builder("bm25", Origin::memory("run"));
//! for (document, score) in [("d1", 3.0), ("d2", 2.0), ("d3", 1.0)] {
//!     run.add("q1", document, score, 0)?;
//! }
//! let (run, _) = run.finish(Default::default())?;
//! let longer = |_: &str, documents: &[&str]| {
//!     let scores = documents.iter().map(|document| Some(f32::from(document.ends_with('2'))));
//!     Ok(Scores { scores: scores.collect(), ..Scores::default() })
//! };
//! let reranked = rerank(&run, "reranked", 2, Below::Keep, &longer, &())?;
//! let query = reranked.run.queries().get("q1").unwrap();
//! let ranking = reranked.run.ranking(query, RankingPolicy::default());
//! let scores: Vec<f64> = ranking.entries().iter().map(|entry| entry.score).collect();
//! assert_eq!(scores, [1.0, 0.0, -1.0]); // d2, d1, and d3 below the depth
//! # Ok::<(), mrmr_core::Error>(())
//! ```

use std::fmt;
use std::str::FromStr;

use mrmr_core::{Error, Event, Observer, Origin, RankingPolicy, Result, Run};
use mrmr_models::{EncodeNotes, Scores};

/// What becomes of documents below the depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Below {
    /// They keep their order, below all that were scored.
    #[default]
    Keep,
    /// They are left out.
    Drop,
}

impl Below {
    /// Every name.
    pub const NAMES: &'static [&'static str] = &["keep", "drop"];
}

impl fmt::Display for Below {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Below::Keep => "keep",
            Below::Drop => "drop",
        })
    }
}

impl FromStr for Below {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        match text {
            "keep" => Ok(Below::Keep),
            "drop" => Ok(Below::Drop),
            _ => Err(Error::usage(format!(
                "unknown rule '{text}' for documents below the depth; expected keep, drop"
            ))),
        }
    }
}

/// A pair that could not be scored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairFailure {
    /// The query.
    pub query: String,
    /// The document.
    pub document: String,
    /// What was expected and what was found.
    pub reason: String,
}

/// What reranking gave.
#[derive(Clone, Debug)]
pub struct Reranked {
    /// The run.
    pub run: Run,
    /// The pairs that could not be scored, by query in the order of the run.
    pub failures: Vec<PairFailure>,
    /// What was read and cut.
    pub notes: EncodeNotes,
    /// How many pairs were scored.
    pub pairs: usize,
}

/// Gives the scores of documents for a query, by their ids.
pub type Scorer<'a> = dyn Fn(&str, &[&str]) -> Result<Scores> + 'a;

/// Scores the first `depth` documents of each query anew, by the default ranking policy.
///
/// The documents with a new score come first, by it. Those that could not be scored follow, then, under
/// [`Below::Keep`], those below the depth, both in their old order: their scores are the lowest new one less 1, less 2
/// and so on (-1, -2, ... where no document has a new one).
///
/// # Errors
/// If the scorer fails.
pub fn rerank(
    run: &Run,
    name: &str,
    depth: usize,
    below: Below,
    scorer: &Scorer<'_>,
    observer: &dyn Observer,
) -> Result<Reranked> {
    let mut builder = Run::builder(name, Origin::memory("reranked"));
    let (mut failures, mut notes, mut pairs) = (Vec::new(), EncodeNotes::default(), 0);
    observer.observe(Event::StepStarted {
        number: 1,
        of: 1,
        name: "rerank",
        total: Some(run.queries().len() as u64),
        unit: "queries",
    });
    for query in run.queries().keys() {
        let asked = run.queries().name(query);
        builder.add_empty(asked);
        let ranking = run.ranking(query, RankingPolicy::default());
        let old: Vec<&str> = ranking
            .entries()
            .iter()
            .map(|entry| run.documents().name(entry.document))
            .collect();
        let (first, rest) = old.split_at(depth.min(old.len()));
        let scored = match first {
            [] => Scores::default(),
            first => scorer(asked, first)?,
        };
        notes.add(scored.notes);
        let mut last: Vec<&str> = Vec::new();
        let mut lowest = 0f64;
        for (place, score) in scored.scores.iter().enumerate() {
            match score {
                Some(score) => {
                    let score = f64::from(*score);
                    builder.add(asked, first[place], score, pairs as u64)?;
                    lowest = if last.len() == place {
                        score
                    } else {
                        lowest.min(score)
                    };
                    pairs += 1;
                }
                None => last.push(first[place]),
            }
        }
        for failure in scored.failures {
            failures.push(PairFailure {
                query: asked.to_owned(),
                document: first[failure.item].to_owned(),
                reason: failure.reason,
            });
        }
        if below == Below::Keep {
            last.extend(rest);
        }
        for (place, document) in last.into_iter().enumerate() {
            builder.add(asked, document, lowest - (place + 1) as f64, place as u64)?;
        }
        observer.observe(Event::Advanced(1));
    }
    observer.observe(Event::StepFinished);
    let (run, _) = builder.finish(Default::default())?;
    Ok(Reranked {
        run,
        failures,
        notes,
        pairs,
    })
}
