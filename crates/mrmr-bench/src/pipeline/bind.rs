//! What was written for a system, as the work that it means.

use std::path::Path;
use std::sync::Arc;

use mrmr_core::{Error, Result};
use mrmr_measures::MeasureSpec;
use mrmr_models::{ContentRule, Endpoint, Family, ModelFolder};
use mrmr_search::fusion::{FusionSpec, Method};
use mrmr_search::{
    Analysis, Analyzer, Bm25Params, HnswParams, IvfParams, Metric, PqParams, StopWords,
};

use super::encoder::{self, BoundEncoder};
use super::file::{
    EncoderEntry, ExpandEntry, FuseEntry, RerankEntry, RetrieveEntry, SystemEntry, TuneEntry,
};
use super::plan::PlannedSystem;
use super::step::Context;
use super::work::bm25::Bm25Work;
use super::work::expand::ExpandWork;
use super::work::fuse::FuseWork;
use super::work::rerank::{RerankWork, Scoring};
use super::work::run_file::RunWork;
use super::work::search::SearchWork;
use super::work::tune::TuneWork;
use crate::index_spec::IndexSpec;
use crate::store::{self, fingerprint};
use crate::system::{Bm25System, RunFile};
use crate::task::Task;
use crate::tuning::TuneOptions;

/// How many documents are reranked unless it is said.
const RERANKED: usize = 100;

/// Refuses parts that contradict one another or would have no effect.
pub(super) fn check(entry: &SystemEntry) -> Result<()> {
    let finds = [
        ("run", entry.run.is_some()),
        ("retrieve", entry.retrieve.is_some()),
        ("fuse", entry.fuse.is_some()),
    ];
    let given: Vec<&str> = finds
        .iter()
        .filter(|(_, is)| *is)
        .map(|(name, _)| *name)
        .collect();
    if let [first, second, ..] = given.as_slice() {
        return Err(Error::format(format!(
            "it has both {first} and {second}; expected one of run, retrieve, fuse"
        )));
    }
    let by_words = matches!(entry.retrieve, Some(RetrieveEntry::Bm25 { .. }));
    if entry.encoder.is_some() && (by_words || entry.retrieve.is_none()) {
        let with = if by_words {
            "retrieve = { kind = \"bm25\" }"
        } else {
            given.first().unwrap_or(&"it")
        };
        return Err(Error::format(format!("encoder has no effect with {with}"))
            .hint("retrieve = { kind = \"exact\" } searches the encoder's vectors"));
    }
    if entry.run.is_some() && entry.depth.is_some() {
        return Err(Error::format(
            "depth has no effect with run: all documents of the run count",
        ));
    }
    if entry.expand.is_some() && entry.retrieve.is_none() {
        return Err(Error::format(
            "expand changes the queries that retrieve asks; there is no retrieve",
        ));
    }
    Ok(())
}

/// A run of a file.
pub(super) fn run_file(
    path: &Path,
    entry: &SystemEntry,
    system: &mut PlannedSystem,
) -> Result<RunWork> {
    let source = path.display().to_string();
    let input = mrmr_formats::input::Input::new(path);
    let (run, _) = mrmr_formats::run::read_run(&input, &Default::default())?;
    let bytes = std::fs::read(path)
        .map_err(|error| Error::io(error).at(mrmr_core::Place::whole(source.clone())))?;
    let hash = store::hash(&bytes);
    system.settings.extend([
        ("retrieval".to_owned(), "run file".to_owned()),
        ("file".to_owned(), source.clone()),
        ("blake3".to_owned(), hash.clone()),
    ]);
    Ok(RunWork {
        file: RunFile {
            source,
            hash: Some(hash),
            run,
        },
        drop_self: entry.drop_self,
    })
}

/// BM25, where that is what finds documents.
pub(super) fn words(
    retrieve: &RetrieveEntry,
    entry: &SystemEntry,
    depth: usize,
    system: &mut PlannedSystem,
) -> Result<Option<Bm25Work>> {
    let RetrieveEntry::Bm25 {
        k1,
        b,
        norms,
        analyzer,
        stop_words,
        query_weighting,
        content,
    } = retrieve
    else {
        return Ok(None);
    };
    let content: ContentRule = content.as_deref().unwrap_or("text").parse()?;
    if !matches!(content, ContentRule::Text | ContentRule::Captions) {
        return Err(Error::format(format!(
            "BM25 reads words: expected content text or captions, found {content}"
        )));
    }
    let default = Bm25Params::default();
    let norms = parsed(norms.as_deref())?.unwrap_or(default.norms());
    let query = parsed(query_weighting.as_deref())?.unwrap_or(default.query());
    let params = Bm25Params::new(k1.unwrap_or(default.k1()), b.unwrap_or(default.b()), norms)?;
    let analyzer: Analyzer = parsed(analyzer.as_deref())?.unwrap_or_default();
    let analysis = match stop_words {
        Some(list) => Analysis::new(analyzer, StopWords::named_or_file(list)?),
        None => analyzer.into(),
    };
    let bm25 = Bm25System {
        params: params.with_query(query),
        analysis,
        content,
    };
    system.settings.extend(bm25.settings());
    Ok(Some(Bm25Work {
        system: bm25,
        depth,
        drop_self: entry.drop_self,
    }))
}

/// What makes the vectors that are searched.
pub(super) fn encoder(
    entry: &SystemEntry,
    system: &mut PlannedSystem,
) -> Result<Arc<BoundEncoder>> {
    let Some(encoder) = &entry.encoder else {
        return Err(Error::format("it searches vectors, and nothing makes them")
            .hint("encoder = { model = \"models/minilm\" }"));
    };
    let encoder = BoundEncoder::new(encoder)?;
    system.settings.extend(encoder.settings.iter().cloned());
    Ok(Arc::new(encoder))
}

/// A search of vectors.
pub(super) fn search(
    retrieve: &RetrieveEntry,
    entry: &SystemEntry,
    depth: usize,
    system: &mut PlannedSystem,
) -> Result<SearchWork> {
    let (metric, index, name) = match retrieve {
        RetrieveEntry::Hnsw {
            metric,
            m,
            ef_construction,
            ef,
            seed,
        } => {
            let usual = HnswParams::default();
            let params = HnswParams {
                m: m.unwrap_or(usual.m),
                ef_construction: ef_construction.unwrap_or(usual.ef_construction),
                ef: ef.unwrap_or(usual.ef),
                seed: seed.unwrap_or(usual.seed),
            };
            (metric, IndexSpec::Hnsw(params), None)
        }
        RetrieveEntry::Ivf {
            metric,
            lists,
            probes,
            seed,
        } => {
            let usual = IvfParams::default();
            let params = IvfParams {
                lists: *lists,
                probes: probes.unwrap_or(usual.probes),
                seed: seed.unwrap_or(usual.seed),
            };
            (metric, IndexSpec::Ivf(params), None)
        }
        RetrieveEntry::Pq {
            metric,
            segments,
            rescored,
            seed,
        } => {
            let usual = PqParams::default();
            let params = PqParams {
                segments: *segments,
                rescored: rescored.unwrap_or(usual.rescored),
                seed: seed.unwrap_or(usual.seed),
            };
            (metric, IndexSpec::Pq(params), None)
        }
        RetrieveEntry::Maxsim { metric } => (metric, IndexSpec::Exact, Some("maxsim")),
        RetrieveEntry::Exact { metric } => (metric, IndexSpec::Exact, None),
        RetrieveEntry::Bm25 { .. } => (&None, IndexSpec::Exact, None),
    };
    let metric: Metric = parsed(metric.as_deref())?.unwrap_or_default();
    let kind = name.map_or_else(|| index.to_string(), str::to_owned);
    system.settings.push(("retrieval".to_owned(), kind));
    system
        .settings
        .push(("metric".to_owned(), metric.to_string()));
    Ok(SearchWork {
        metric,
        index,
        depth,
        drop_self: entry.drop_self,
        wants_many: name.is_some(),
    })
}

/// What queries are told to find: what the file says, else the benchmark.
pub(super) fn instruction(encoder: &BoundEncoder, task: &Task) -> Option<String> {
    match encoder.instruction.as_deref() {
        Some("") => None,
        Some(told) => Some(told.to_owned()),
        None => task
            .spec
            .instruction_under(encoder.rule())
            .map(str::to_owned),
    }
}

/// The runs of other systems as one.
pub(super) fn fuse(fuse: &FuseEntry, depth: usize, system: &mut PlannedSystem) -> Result<FuseWork> {
    if fuse.runs.len() < 2 {
        return Err(Error::format(format!(
            "fuse needs the runs of two systems, found {}",
            fuse.runs.len()
        )));
    }
    let mut method: Method = fuse.method.as_deref().unwrap_or("rrf").parse()?;
    if let Some(k) = fuse.k {
        method = method.with_number("k", f64::from(k))?;
    }
    if method.definition().is_trained() {
        return Err(Error::format(format!(
            "{method} learns from judgements; in a file of systems, whose queries are measured, it would know the answers"
        ))
        .hint("mrmr fuse --train fits it to judgements of other queries"));
    }
    if let Some(weights) = &fuse.weights {
        if weights.len() != fuse.runs.len() {
            return Err(Error::format(format!(
                "expected a weight for each of {} runs, found {}",
                fuse.runs.len(),
                weights.len()
            )));
        }
        method = method.with_weights(weights)?;
    }
    let mut spec = FusionSpec::new(method);
    if let Some(normalization) = parsed(fuse.norm.as_deref())? {
        spec.normalization = normalization;
    }
    spec.depth = fuse.depth;
    spec.keep = Some(depth);
    system.settings.extend([
        ("fusion".to_owned(), spec.method.to_string()),
        ("runs".to_owned(), fuse.runs.join(" + ")),
        ("normalization".to_owned(), spec.normalization.to_string()),
    ]);
    Ok(FuseWork {
        spec,
        names: fuse.runs.clone(),
    })
}

/// A fusion whose parameters are tuned.
pub(super) fn tune(
    fuse: &FuseEntry,
    tune: &TuneEntry,
    work: FuseWork,
    main: &MeasureSpec,
    system: &mut PlannedSystem,
) -> Result<TuneWork> {
    let chosen = [
        ("norm", fuse.norm.is_some(), "norms"),
        ("depth", fuse.depth.is_some(), "depths"),
        ("k", fuse.k.is_some(), "nothing"),
        ("weights", fuse.weights.is_some(), "nothing"),
    ];
    if let Some((name, _, instead)) = chosen.iter().find(|(_, given, _)| *given) {
        return Err(Error::format(format!(
            "{name} is given, and tune chooses it; leave it out, and give tune {instead}"
        )));
    }
    let measure = parsed(tune.measure.as_deref())?.unwrap_or_else(|| main.clone());
    let usual = TuneOptions::default();
    let norms = tune.norms.iter().map(|norm| norm.parse());
    let options = TuneOptions {
        folds: tune.folds.unwrap_or(usual.folds),
        seed: tune.seed.unwrap_or(usual.seed),
        normalizations: norms.collect::<Result<_>>()?,
        depths: tune.depths.clone(),
        ..usual
    };
    system.settings.extend([
        ("tuned for".to_owned(), measure.to_string()),
        ("folds".to_owned(), options.folds.to_string()),
        ("seed".to_owned(), options.seed.to_string()),
    ]);
    Ok(TuneWork {
        spec: work.spec,
        names: work.names,
        measure,
        options,
    })
}

/// Expansions of a file.
pub(super) fn expand(
    expand: &ExpandEntry,
    context: &Context<'_>,
    system: &mut PlannedSystem,
) -> Result<ExpandWork> {
    let mode = parsed(expand.mode.as_deref())?.unwrap_or_default();
    let work = ExpandWork::new(&expand.file, mode, context)?;
    let file = expand.file.display().to_string();
    system.settings.push(("expansions".to_owned(), file));
    let mode = format!("{:?}", work.mode).to_lowercase();
    system.settings.push(("expansion".to_owned(), mode));
    let without = work.without(context);
    if without > 0 {
        system.warnings.push(format!(
            "{without} of {} queries have no expansion and are asked as they are",
            context.task.dataset.queries.len()
        ));
    }
    Ok(work)
}

/// What scores the first documents anew.
pub(super) fn rerank(rerank: &RerankEntry, system: &mut PlannedSystem) -> Result<RerankWork> {
    let below = parsed(rerank.below.as_deref())?.unwrap_or_default();
    let depth = rerank.depth.unwrap_or(RERANKED);
    if depth == 0 {
        return Err(Error::format("rerank: depth is 0; expected at least 1"));
    }
    let scoring = if scores_pairs(&rerank.model)? {
        let rule: ContentRule = rerank.content.as_deref().unwrap_or("text").parse()?;
        if !matches!(rule, ContentRule::Text | ContentRule::Captions) {
            return Err(Error::format(format!(
                "rerank: a cross-encoder reads texts: expected content text or captions, found {rule}"
            )));
        }
        let (network, runtime) = (rerank.network.as_deref(), rerank.runtime.as_deref());
        Scoring::Pairs {
            model: rerank.model.clone(),
            fingerprint: fingerprint(&rerank.model)?,
            rule,
            options: Box::new(encoder::options(rerank.tokens, network, runtime)?),
        }
    } else {
        Scoring::Vectors(Arc::new(BoundEncoder::new(&EncoderEntry {
            model: rerank.model.clone(),
            content: rerank.content.clone(),
            tokens: rerank.tokens,
            network: rerank.network.clone(),
            runtime: rerank.runtime.clone(),
            ..EncoderEntry::default()
        })?))
    };
    system.settings.extend([
        ("reranker".to_owned(), rerank.model.clone()),
        ("reranked".to_owned(), depth.to_string()),
    ]);
    Ok(RerankWork {
        scoring,
        depth,
        below,
    })
}

/// Whether a model reads a query and a document together.
fn scores_pairs(model: &str) -> Result<bool> {
    if matches!(model, "hashing" | "pixels") {
        return Ok(false);
    }
    if Endpoint::is_meant(model) {
        return Ok(true);
    }
    Ok(ModelFolder::find(model)?.family()? == Family::CrossEncoder)
}

fn parsed<T: std::str::FromStr<Err = Error>>(text: Option<&str>) -> Result<Option<T>> {
    text.map(str::parse).transpose()
}
