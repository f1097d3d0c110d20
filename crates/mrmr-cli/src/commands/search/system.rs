//! How documents are found.

use mrmr_core::{Error, Result};

use crate::arguments::SearchArguments;

/// How documents are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum System {
    Bm25,
    Exact,
    Hnsw,
    Ivf,
    Pq,
    MaxSim,
}

impl System {
    /// Every name, in the order of [`System::ALL`].
    pub(crate) const NAMES: &'static [&'static str] =
        &["bm25", "exact", "hnsw", "ivf", "pq", "maxsim"];
    pub(super) const ALL: &'static [System] = &[
        System::Bm25,
        System::Exact,
        System::Hnsw,
        System::Ivf,
        System::Pq,
        System::MaxSim,
    ];
    /// Those over vectors.
    pub(super) const OVER_VECTORS: &'static [System] = &[
        System::Exact,
        System::Hnsw,
        System::Ivf,
        System::Pq,
        System::MaxSim,
    ];
    /// Those that may miss neighbours.
    pub(super) const APPROXIMATE: &'static [System] = &[System::Hnsw, System::Ivf, System::Pq];
    /// Those that can be held to exact search.
    pub(super) const HELD: &'static [System] =
        &[System::Hnsw, System::Ivf, System::Pq, System::MaxSim];
    /// Those whose index can be kept in a file.
    pub(super) const SAVED: &'static [System] =
        &[System::Hnsw, System::Ivf, System::Pq, System::Bm25];

    pub(crate) fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// What its effort is called, where it has one.
    pub(super) fn effort(self) -> Option<&'static str> {
        match self {
            System::Hnsw => Some("ef"),
            System::Ivf => Some("probes"),
            System::Pq => Some("rescored"),
            System::Bm25 | System::Exact | System::MaxSim => None,
        }
    }

    /// The system that was asked for, or that what is given is for.
    pub(super) fn chosen(arguments: &SearchArguments) -> Result<Self> {
        if let Some(name) = &arguments.system {
            let known = Self::ALL.iter().find(|system| system.name() == name);
            return known
                .copied()
                .ok_or_else(|| Error::usage(format!("unknown system '{name}'")));
        }
        let (vectors, texts) = (&arguments.vectors, &arguments.texts);
        if texts.corpus.is_some() || texts.queries.is_some() {
            return Ok(System::Bm25);
        }
        if vectors.corpus_vectors.is_some() || vectors.query_vectors.is_some() {
            return Ok(System::Exact);
        }
        Err(
            Error::usage("expected what to search, found nothing").hint(
                "vectors: --corpus-vectors FILE --query-vectors FILE; texts: --corpus FILE --queries FILE",
            ),
        )
    }
}
