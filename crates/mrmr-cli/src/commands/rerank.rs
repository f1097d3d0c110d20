//! `mrmr rerank`: a run in, a run with new scores out.

use std::collections::HashMap;

use mrmr_bench::rerank::{Reranked, rerank};
use mrmr_bench::similarity::Similarities;
use mrmr_core::{
    Collection, Content, DuplicatePolicy, Error, Interned, Place, RankingPolicy, Record, Result,
    Run, closest,
};
use mrmr_formats::dataset::{DatasetOptions, read_corpus, read_queries};
use mrmr_models::{ContentRule, Endpoint, Family, ModelFolder, Role, open_reranker};

use super::models::{self, Prompts};
use super::search::RunForm;
use super::settings;
use crate::Ending;
use crate::arguments::{EncoderArguments, RerankArguments};
use crate::printer::Printer;
use crate::progress::Progress;
use crate::reading::{self, FileCaptions};
use crate::words::counted;

/// How many pairs without a score are named one by one.
const SHOWN: usize = 10;

/// The records that a run names, by id.
type Named<'a> = HashMap<&'a str, &'a Record>;

pub(crate) fn run(arguments: &RerankArguments, printer: Printer) -> Result<Ending> {
    let rule: ContentRule = arguments.content.parse()?;
    let form = RunForm::of(arguments.format.as_deref(), arguments.file.as_deref())?;
    settings::refuse_overwriting(arguments.file.as_deref(), [&arguments.run])?;
    let captions = models::captions(&rule, arguments.captions.as_deref())?;
    let options = DatasetOptions {
        split: arguments.split.clone(),
        ..DatasetOptions::default()
    };
    let read = reading::run(&arguments.run, DuplicatePolicy::Error)?;
    for remark in reading::run_remarks(&read.notes) {
        printer.say(&format!("note: {}: {remark}", read.source));
    }
    form.check_ids(read.run.queries().names(), read.run.documents().names())
        .map_err(|error| error.at(Place::whole(read.source.clone())))?;
    let queries = read_queries(&arguments.queries, &options)?;
    let corpus = read_corpus(&arguments.corpus, &options)?;
    let asked = wanted_queries(&read.run, &queries, arguments)?;
    let documents = wanted_documents(&read.run, &corpus, arguments)?;
    let pairs: usize = read
        .run
        .queries()
        .keys()
        .map(|query| read.run.entries(query).len().min(arguments.depth))
        .sum();
    printer.say(&format!(
        "{} of {} for {} by {}",
        counted(pairs, "pair", "pairs"),
        counted(documents.len(), "document", "documents"),
        counted(asked.len(), "query", "queries"),
        arguments.model
    ));
    let short = models::short(&arguments.model);
    let name = arguments.name.as_deref().unwrap_or(&short);
    let sides = Sides {
        queries: asked,
        documents,
    };
    let reranked = sides.rerank(arguments, rule, &captions, &read.run, name, printer)?;
    form.deliver(&reranked.run, arguments.file.as_deref(), printer)?;
    Ok(tell(arguments, &reranked, pairs, printer))
}

struct Sides<'a> {
    queries: Named<'a>,
    documents: Named<'a>,
}

impl Sides<'_> {
    fn rerank(
        &self,
        arguments: &RerankArguments,
        rule: ContentRule,
        captions: &FileCaptions,
        run: &Run,
        name: &str,
        printer: Printer,
    ) -> Result<Reranked> {
        let below = arguments.below.parse()?;
        let progress = Progress::new(printer);
        let depth = arguments.depth;
        if scores_pairs(&arguments.model)? {
            if !matches!(rule, ContentRule::Text | ContentRule::Captions) {
                return Err(Error::usage(format!(
                    "a cross-encoder reads texts; --content {rule} hands over images"
                ))
                .hint("--content text, or captions"));
            }
            let options = models::options(&arguments.options, Prompts::default())?;
            if options.dimension.is_some() {
                return Err(Error::usage(
                    "--dimension has no effect with a cross-encoder",
                ));
            }
            let model = open_reranker(&arguments.model, &options)?;
            let content = |role, id: &str, record: &Record| -> Content {
                rule.render(role, id, record, captions).text.into()
            };
            let both = [
                (Role::Query, &self.queries),
                (Role::Document, &self.documents),
            ];
            let records = both.iter().flat_map(|(role, named)| {
                let named = named.iter();
                named.map(|(id, record)| rule.render(*role, id, record, captions))
            });
            // Each record is counted once, however many pairs it stands in.
            let missing_captions = records.map(|text| text.without_caption.len()).sum();
            let scorer = |query: &str, documents: &[&str]| {
                let contents: Vec<Content> = documents
                    .iter()
                    .map(|id| content(Role::Document, id, self.documents[id]))
                    .collect();
                let asked = content(Role::Query, query, self.queries[query]);
                let place = || Place::item(arguments.queries.display().to_string(), query);
                model
                    .score(&asked, &contents)
                    .map_err(|error| error.at(place()))
            };
            let mut reranked = rerank(run, name, depth, below, &scorer, &progress)?;
            reranked.notes.missing_captions = missing_captions;
            return Ok(reranked);
        }
        let given = EncoderArguments {
            encoder: Some(arguments.model.clone()),
            image_encoder: None,
            model: arguments.options.clone(),
        };
        let open = models::open(&given, rule, Prompts::default())?;
        let (queries, documents) = (sorted(&self.queries), sorted(&self.documents));
        let similarities =
            Similarities::new(&open.encoder, &queries, &documents, captions, &progress)?;
        let scorer = |query: &str, documents: &[&str]| similarities.scores(query, documents);
        let mut reranked = rerank(run, name, depth, below, &scorer, &progress)?;
        reranked.notes = similarities.notes();
        Ok(reranked)
    }
}

fn sorted<'a>(named: &Named<'a>) -> Vec<(&'a str, &'a Record)> {
    let mut records: Vec<_> = named.iter().map(|(id, record)| (*id, *record)).collect();
    records.sort_unstable_by_key(|(id, _)| *id);
    records
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

fn wanted_queries<'a>(
    run: &'a Run,
    queries: &'a Collection<mrmr_core::QueryId>,
    arguments: &RerankArguments,
) -> Result<Named<'a>> {
    let ids = run.queries().names();
    let ids = ids.map(|id| record(id, queries, "query", &arguments.queries, arguments));
    ids.collect()
}

/// The documents that are scored; those below the depth need not be there.
fn wanted_documents<'a>(
    run: &'a Run,
    corpus: &'a Collection<mrmr_core::DocId>,
    arguments: &RerankArguments,
) -> Result<Named<'a>> {
    let mut found = Named::new();
    for query in run.queries().keys() {
        let ranking = run.ranking(query, RankingPolicy::default());
        for entry in ranking.entries().iter().take(arguments.depth) {
            let id = run.documents().name(entry.document);
            if !found.contains_key(id) {
                let (id, record) = record(id, corpus, "document", &arguments.corpus, arguments)?;
                found.insert(id, record);
            }
        }
    }
    Ok(found)
}

fn record<'a, K: Interned>(
    id: &'a str,
    records: &'a Collection<K>,
    kind: &str,
    file: &std::path::Path,
    arguments: &RerankArguments,
) -> Result<(&'a str, &'a Record)> {
    if let Some(key) = records.ids().get(id) {
        return Ok((id, records.record(key)));
    }
    let near = closest(id, records.ids().names());
    let first = records.ids().names().next().unwrap_or("none at all");
    Err(Error::data(format!(
        "the run has the {kind} '{id}', which {} does not have; it has '{first}' and others",
        file.display()
    ))
    .at(Place::whole(arguments.run.display().to_string()))
    .hint(match near {
        Some(near) => format!("did you mean '{near}'? are these the data of the run?"),
        None => "are these the data of the run?".to_owned(),
    }))
}

fn tell(
    arguments: &RerankArguments,
    reranked: &Reranked,
    pairs: usize,
    printer: Printer,
) -> Ending {
    let notes = &reranked.notes;
    if notes.missing_captions > 0 {
        printer.warning(&format!(
            "{} no caption",
            counted(notes.missing_captions, "image has", "images have")
        ));
    }
    if notes.truncated > 0 {
        printer.warning(&format!(
            "{} cut at the model's limit",
            counted(notes.truncated, "text was", "texts were")
        ));
    }
    printer.say(&format!(
        "{} of {} scored",
        counted(reranked.pairs, "pair", "pairs"),
        pairs
    ));
    for failure in reranked.failures.iter().take(SHOWN) {
        printer.warning(&format!(
            "'{}' for '{}' has no score: {}",
            failure.document, failure.query, failure.reason
        ));
    }
    let more = reranked.failures.len().saturating_sub(SHOWN);
    if more > 0 {
        printer.warning(&format!(
            "{} no score",
            counted(more, "more pair has", "more pairs have")
        ));
    }
    match reranked.failures.is_empty() || arguments.allow_failures {
        true => Ending::Done,
        false => Ending::Found,
    }
}
