//! Search by the many vectors of each text or picture: MaxSim.

use mrmr_core::{DocId, Error, Ids, Place, Result, Run};
use mrmr_formats::Input;
use mrmr_formats::multi_vectors::{MultiVectorFile, read_item_ids, read_multi_vectors};
use mrmr_search::{
    MaxSimIndex, Metric, MultiVectorQueries, MultiVectors, Pooling, Restriction, Retriever as _,
    TwoStage,
};

use super::by_vectors::Answer;
use super::lists::Lists;
use super::memory;
use super::output;
use super::side::{Kind, Side};
use crate::arguments::SearchArguments;
use crate::printer::Printer;
use crate::progress::Progress;
use crate::words::{counted, size};

pub(super) fn run(
    arguments: &SearchArguments,
    lists: &Lists,
    name: &str,
    printer: Printer,
) -> Result<Answer> {
    let metric: Metric = match &arguments.vectors.metric {
        Some(metric) => metric.parse()?,
        None => Metric::default(),
    };
    if metric == Metric::Euclidean {
        return Err(Error::usage(
            "maxsim takes the metric cosine or dot, not euclidean",
        ));
    }
    let (query_side, side) = (
        Side::of(arguments, Kind::Queries),
        Side::of(arguments, Kind::Documents),
    );
    let (query_ids, query_vectors) = read(&query_side, "query", "queries", printer)?;
    let (ids, documents) = read(&side, "document", "documents", printer)?;
    if query_vectors.dimension() != documents.dimension() {
        return Err(Error::data(format!(
            "the vectors of {} have {}, those of {} have {}; expected the same",
            query_side.name(),
            counted(query_vectors.dimension(), "number", "numbers"),
            side.name(),
            documents.dimension()
        ))
        .at(side.place())
        .hint("queries and documents must come from the same encoder"));
    }
    let queries = queries(query_ids, query_vectors, lists)?;
    let ids: Ids<DocId> = ids.iter().collect();
    output::check_ids(arguments, queries.ids(), &ids)?;
    lists.check(queries.ids(), &ids, printer)?;
    let k = arguments.k().min(ids.len()).max(1);
    say_memory(arguments, &queries, &documents, k, side.place(), printer)?;

    let given = &arguments.index;
    let documents = match (given.pool, given.first_stage) {
        (Some(factor), None) => {
            let pooled = documents.pooled(factor, Pooling::default())?;
            printer.say(&format!(
                "{} of documents after pooling by {factor}",
                counted(pooled.vectors().len(), "vector", "vectors")
            ));
            pooled
        }
        _ => documents,
    };
    let count = ids.len();
    let builder = MaxSimIndex::builder(documents).metric(metric).ids(ids);
    let (index, notes) = builder.build()?;
    for warning in notes.warnings() {
        printer.warning(&format!("{}: {warning}", side.name()));
    }
    let progress = Progress::new(printer);
    let Some(candidates) = given.first_stage else {
        printer.say(&format!(
            "maxsim by {metric}: {} x {}",
            counted(queries.ids().len(), "query", "queries"),
            counted(k, "result", "results")
        ));
        let run = index.retrieve(name, &queries, k, &progress)?;
        return Ok(Answer::Run(Box::new(run)));
    };
    let index = match given.pool {
        Some(factor) => TwoStage::by_pooled(index, factor, Pooling::default(), candidates)?,
        None => TwoStage::by_means(index, candidates)?,
    };
    printer.say(&format!(
        "maxsim by {metric} of {} a query, found by {}",
        counted(candidates.max(k).min(count), "candidate", "candidates"),
        match given.pool {
            Some(factor) => format!("vectors pooled by {factor}"),
            None => "their means".to_owned(),
        }
    ));
    let run: Run = index.retrieve(name, &queries, k, &progress)?;
    if !arguments.against.against_exact {
        return Ok(Answer::Run(Box::new(run)));
    }
    let exact = index.exact().retrieve("exact", &queries, k, &progress)?;
    Ok(Answer::Beside(Box::new((run, exact)), k))
}

/// The items of one side, and their ids.
fn read(
    side: &Side<'_>,
    one: &str,
    many: &str,
    printer: Printer,
) -> Result<(Vec<String>, MultiVectors)> {
    let mut file = read_multi_vectors(side.vectors, &side.options)?;
    let items = file.items();
    if items == 0 {
        return Err(Error::data("expected items of vectors, found none").at(side.place()));
    }
    announce(side, &file, one, many, printer);
    let ids = match (side.ids, file.ids.take()) {
        (Some(path), _) => read_item_ids(&Input::new(path), &file)?,
        (None, Some(ids)) => ids,
        (None, None) => {
            side.say_row_numbers(printer);
            (0..items).map(|item| item.to_string()).collect()
        }
    };
    let vectors = MultiVectors::new(file.dimension, file.data, file.offsets);
    Ok((ids, vectors.map_err(|error| error.at(side.place()))?))
}

fn announce(side: &Side<'_>, file: &MultiVectorFile, one: &str, many: &str, printer: Printer) {
    let vectors = file.offsets.last().copied().unwrap_or(0);
    printer.say(&format!(
        "{}: {} with {} x {} x 4 bytes, {} in memory",
        side.name(),
        counted(file.items(), one, many),
        counted(vectors, "vector", "vectors"),
        counted(file.dimension, "number", "numbers"),
        size(file.data.len() as u64 * 4)
    ));
    if file.padding > 0 {
        printer.say(&format!(
            "note: {}: {} at the ends of items left out as padding",
            side.name(),
            counted(file.padding, "zero vector", "zero vectors")
        ));
    }
}

fn queries(ids: Vec<String>, vectors: MultiVectors, lists: &Lists) -> Result<MultiVectorQueries> {
    let restrictions: Vec<Restriction> = ids
        .iter()
        .map(|id| lists.restriction(id))
        .collect::<Result<_>>()?;
    let queries = MultiVectorQueries::new(ids.iter().collect(), vectors)?;
    match lists.restrict() {
        true => queries.with_restrictions(restrictions),
        false => Ok(queries),
    }
}

/// Says what the search takes beside the vectors that are read, and refuses what is more than there is.
fn say_memory(
    arguments: &SearchArguments,
    queries: &MultiVectorQueries,
    documents: &MultiVectors,
    k: usize,
    place: Place,
    printer: Printer,
) -> Result<()> {
    let vectors = documents.vectors();
    let pooled = match (arguments.index.pool, arguments.index.first_stage) {
        (Some(factor), _) => {
            let lengths = documents
                .items()
                .map(|item| item.len() / vectors.dimension());
            lengths.map(|length| length.div_ceil(factor.max(1))).sum()
        }
        (None, Some(_)) => documents.len(),
        (None, None) => 0,
    };
    let task = memory::Task {
        rows: vectors.len() as u64,
        dimension: vectors.dimension() as u64,
        queries: queries.ids().len() as u64,
        k: k as u64,
        pooled: pooled as u64,
    };
    let plan = memory::Plan::new(task, super::System::MaxSim, &arguments.index, false);
    plan.say(printer);
    match memory::available(arguments)? {
        Some(available) if plan.total() > available => {
            Err(memory::does_not_fit(plan.total(), available, super::System::MaxSim).at(place))
        }
        _ => Ok(()),
    }
}
