//! Which options belong to which systems: what has no effect is refused, what is needed asked for.

use mrmr_core::{Error, Result};

use super::system::System;
use crate::arguments::SearchArguments;

/// An option, whether it was given, and the systems that heed it.
type Belonging = (&'static str, bool, &'static [System]);

/// Refuses options without effect, and the lack of those that are needed.
pub(super) fn check(arguments: &SearchArguments, system: System) -> Result<()> {
    for (flag, given, systems) in belonging(arguments) {
        if given && !systems.contains(&system) {
            return Err(
                Error::usage(format!("{flag} has no effect with {}", system.name()))
                    .hint(format!("{flag} is for {}", names(systems))),
            );
        }
    }
    let index = &arguments.index;
    if index.index.is_some() {
        for (flag, given) in baked(arguments) {
            if given {
                return Err(Error::usage(format!(
                    "{flag} has no effect with --index: the index was built already"
                )));
            }
        }
    }
    if arguments.against.sweep.is_some() {
        for (flag, given) in [
            ("--ef", index.ef.is_some()),
            ("--probes", index.probes.is_some()),
            ("--rescored", index.rescored.is_some()),
        ] {
            if given {
                return Err(Error::usage(format!(
                    "{flag} has no effect with --sweep, which sets it"
                )));
            }
        }
    }
    for (flag, given) in needed(arguments, system) {
        if !given {
            return Err(Error::usage(format!("{} needs {flag}", system.name())));
        }
    }
    let against = &arguments.against;
    if system == System::MaxSim && against.against_exact && index.first_stage.is_none() {
        return Err(Error::usage(
            "--against-exact needs --first-stage with maxsim, which is exact without it",
        ));
    }
    let compares = against.against_exact || against.sweep.is_some();
    for (flag, given) in [
        ("--qrels", against.qrels.is_some()),
        ("--report", against.report.is_some()),
    ] {
        if given && !compares {
            return Err(Error::usage(format!("{flag} needs --against-exact"))
                .hint("mrmr score measures a run that is there"));
        }
    }
    if !against.measures.measures.is_empty() && against.qrels.is_none() {
        return Err(Error::usage("-m needs --qrels FILE"));
    }
    Ok(())
}

fn belonging(arguments: &SearchArguments) -> Vec<Belonging> {
    let (vectors, texts, bm25) = (&arguments.vectors, &arguments.texts, &arguments.bm25);
    let (index, against) = (&arguments.index, &arguments.against);
    let of_vectors = [
        ("--corpus-vectors", vectors.corpus_vectors.is_some()),
        ("--corpus-ids", vectors.corpus_ids.is_some()),
        ("--corpus-column", vectors.corpus_column.is_some()),
        ("--query-vectors", vectors.query_vectors.is_some()),
        ("--query-ids", vectors.query_ids.is_some()),
        ("--query-column", vectors.query_column.is_some()),
        ("--id-column", vectors.id_column.is_some()),
        ("--metric", vectors.metric.is_some()),
        ("--memory", arguments.memory.is_some()),
    ];
    let of_texts = [
        ("--corpus", texts.corpus.is_some()),
        ("--queries", texts.queries.is_some()),
        ("--split", texts.split.is_some()),
        ("--k1", bm25.k1.is_some()),
        ("--b", bm25.b.is_some()),
        ("--norms", bm25.norms.is_some()),
        ("--analyzer", bm25.analyzer.is_some()),
        ("--stop-words", bm25.stop_words.is_some()),
        ("--query-weighting", bm25.query_weighting.is_some()),
        ("--content", bm25.content.is_some()),
        ("--captions", bm25.captions.is_some()),
    ];
    let hnsw: &[System] = &[System::Hnsw];
    let ivf: &[System] = &[System::Ivf];
    let pq: &[System] = &[System::Pq];
    let maxsim: &[System] = &[System::MaxSim];
    let of_indexes = [
        ("--m", index.m.is_some(), hnsw),
        ("--ef-construction", index.ef_construction.is_some(), hnsw),
        ("--ef", index.ef.is_some(), hnsw),
        ("--lists", index.lists.is_some(), ivf),
        ("--probes", index.probes.is_some(), ivf),
        ("--segments", index.segments.is_some(), pq),
        ("--rescored", index.rescored.is_some(), pq),
        ("--seed", index.seed.is_some(), System::APPROXIMATE),
        ("--pool", index.pool.is_some(), maxsim),
        ("--first-stage", index.first_stage.is_some(), maxsim),
        ("--save-index", index.save_index.is_some(), System::SAVED),
        ("--index", index.index.is_some(), System::SAVED),
        ("--against-exact", against.against_exact, System::HELD),
        ("--sweep", against.sweep.is_some(), System::APPROXIMATE),
    ];
    let words: &[System] = &[System::Bm25];
    let of_vectors = of_vectors.map(|(flag, given)| (flag, given, System::OVER_VECTORS));
    let of_texts = of_texts.map(|(flag, given)| (flag, given, words));
    of_vectors
        .into_iter()
        .chain(of_texts)
        .chain(of_indexes)
        .collect()
}

/// Options that say how an index is built.
fn baked(arguments: &SearchArguments) -> [(&'static str, bool); 12] {
    let (index, bm25) = (&arguments.index, &arguments.bm25);
    [
        ("--m", index.m.is_some()),
        ("--ef-construction", index.ef_construction.is_some()),
        ("--lists", index.lists.is_some()),
        ("--segments", index.segments.is_some()),
        ("--seed", index.seed.is_some()),
        ("--corpus", arguments.texts.corpus.is_some()),
        ("--k1", bm25.k1.is_some()),
        ("--b", bm25.b.is_some()),
        ("--norms", bm25.norms.is_some()),
        ("--analyzer", bm25.analyzer.is_some()),
        ("--stop-words", bm25.stop_words.is_some()),
        ("--query-weighting", bm25.query_weighting.is_some()),
    ]
}

fn needed(arguments: &SearchArguments, system: System) -> [(&'static str, bool); 2] {
    let (vectors, texts) = (&arguments.vectors, &arguments.texts);
    match system {
        System::Bm25 => {
            let is_built = arguments.index.index.is_some();
            [
                ("--corpus", texts.corpus.is_some() || is_built),
                ("--queries", texts.queries.is_some()),
            ]
        }
        _ => [
            ("--corpus-vectors", vectors.corpus_vectors.is_some()),
            ("--query-vectors", vectors.query_vectors.is_some()),
        ],
    }
}

fn names(systems: &[System]) -> String {
    let names: Vec<&str> = systems.iter().map(|system| system.name()).collect();
    names.join(", ")
}
