//! `mrmr search`: vectors or texts in, a run out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mrmr_bench::Bm25System;
use mrmr_core::{Error, Ids, Interned, Place, RankingPolicy, Result, Run};
use mrmr_formats::Input;
use mrmr_formats::captions::{Captions, read_captions};
use mrmr_formats::dataset::{DatasetOptions, read_corpus, read_queries};
use mrmr_formats::document_lists::read_document_lists;
use mrmr_formats::output::{write_atomically, write_run_json, write_run_trec};
use mrmr_formats::vectors::{VectorOptions, VectorShape, read_ids, read_vectors_announced};
use mrmr_models::Role;
use mrmr_search::{
    Bm25Index, ExactIndex, ExactNotes, Metric, Restriction, Retriever as _, TextQueries,
    VectorQueries, Vectors,
};

use super::{bench, settings};
use crate::Ending;
use crate::arguments::{RunOutputArguments, SearchArguments};
use crate::printer::Printer;
use crate::progress::Progress;
use crate::reading::FileCaptions;

pub(crate) fn run(arguments: &SearchArguments, printer: Printer) -> Result<Ending> {
    let system = system(arguments)?;
    if arguments.k == 0 {
        return Err(Error::usage(
            "-k is 0; expected at least 1 document a query",
        ));
    }
    let form = Form::of(&arguments.output)?;
    let file = arguments.output.file.as_deref();
    settings::refuse_overwriting(file, inputs(arguments))?;
    refuse_missing_folder(file)?;
    let lists = Lists::read(arguments)?;
    let name = arguments.output.name.as_deref().unwrap_or(system.name());
    let run = match system {
        System::Bm25 => by_words(arguments, &lists, name, printer)?,
        System::Exact => by_vectors(arguments, &lists, name, printer)?,
    };
    form.deliver(&run, file, printer)?;
    let empty = run.queries().keys();
    let empty = empty.filter(|query| run.entries(*query).is_empty()).count();
    if empty > 0 {
        printer.warning(&format!(
            "{empty} of {} queries found no document{}",
            run.queries().len(),
            match form {
                Form::Trec => ": TREC lines do not show them, JSON does",
                Form::Json => "",
            }
        ));
    }
    printer.say(&format!(
        "{} documents for {} queries",
        run.len(),
        run.queries().len()
    ));
    Ok(Ending::Done)
}

#[derive(Clone, Copy)]
enum System {
    Bm25,
    Exact,
}

impl System {
    fn name(self) -> &'static str {
        match self {
            System::Bm25 => "bm25",
            System::Exact => "exact",
        }
    }
}

/// The system that was asked for, or that what is given is for; options of the other one are refused.
fn system(arguments: &SearchArguments) -> Result<System> {
    let (vectors, texts, bm25) = (&arguments.vectors, &arguments.texts, &arguments.bm25);
    let system = match arguments.system.as_deref() {
        Some("bm25") => System::Bm25,
        Some(_) => System::Exact,
        None if texts.corpus.is_some() || texts.queries.is_some() => System::Bm25,
        None if vectors.corpus_vectors.is_some() || vectors.query_vectors.is_some() => {
            System::Exact
        }
        None => {
            return Err(Error::usage("expected what to search, found nothing").hint(
                "vectors: --corpus-vectors FILE --query-vectors FILE; texts: --corpus FILE --queries FILE",
            ));
        }
    };
    let of_vectors = [
        ("--corpus-vectors", vectors.corpus_vectors.is_some()),
        ("--corpus-ids", vectors.corpus_ids.is_some()),
        ("--corpus-column", vectors.corpus_column.is_some()),
        ("--query-vectors", vectors.query_vectors.is_some()),
        ("--query-ids", vectors.query_ids.is_some()),
        ("--query-column", vectors.query_column.is_some()),
        ("--id-column", vectors.id_column.is_some()),
        ("--metric", vectors.metric.is_some()),
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
    let (idle, pair) = match system {
        System::Bm25 => (
            &of_vectors[..],
            [
                ("--corpus", texts.corpus.is_some()),
                ("--queries", texts.queries.is_some()),
            ],
        ),
        System::Exact => (
            &of_texts[..],
            [
                ("--corpus-vectors", vectors.corpus_vectors.is_some()),
                ("--query-vectors", vectors.query_vectors.is_some()),
            ],
        ),
    };
    if let Some((flag, _)) = idle.iter().find(|(_, given)| *given) {
        return Err(Error::usage(format!(
            "{flag} has no effect with {}",
            system.name()
        )));
    }
    if let Some((flag, _)) = pair.iter().find(|(_, given)| !given) {
        return Err(Error::usage(format!("{} needs {flag}", system.name())));
    }
    Ok(system)
}

fn inputs(arguments: &SearchArguments) -> impl Iterator<Item = &PathBuf> {
    let (vectors, texts) = (&arguments.vectors, &arguments.texts);
    [
        &vectors.corpus_vectors,
        &vectors.corpus_ids,
        &vectors.query_vectors,
        &vectors.query_ids,
        &texts.corpus,
        &texts.queries,
        &arguments.bm25.captions,
        &arguments.exclude,
        &arguments.candidates,
    ]
    .into_iter()
    .flatten()
}

/// The form of a run.
#[derive(Clone, Copy)]
enum Form {
    Trec,
    Json,
}

impl Form {
    fn of(output: &RunOutputArguments) -> Result<Self> {
        let ending = output
            .file
            .as_deref()
            .filter(|file| file.as_os_str() != "-")
            .map(|file| file.extension().unwrap_or_default().to_string_lossy());
        match (output.format.as_deref(), ending.as_deref()) {
            (Some("json"), _) | (None, Some("json")) => Ok(Form::Json),
            (Some(_), _) | (None, None | Some("trec" | "run" | "txt")) => Ok(Form::Trec),
            (None, Some(_)) => Err(Error::usage(
                "the ending says no form of a run; expected .trec, .run, .txt or .json",
            )
            .at(Place::whole(
                output
                    .file
                    .as_deref()
                    .unwrap_or(Path::new("-"))
                    .display()
                    .to_string(),
            ))
            .hint("--format says the form whatever the ending")),
        }
    }

    fn deliver(self, run: &Run, file: Option<&Path>, printer: Printer) -> Result<()> {
        let write = |out: &mut dyn std::io::Write| match self {
            Form::Trec => write_run_trec(run, RankingPolicy::default(), out),
            Form::Json => write_run_json(run, RankingPolicy::default(), out),
        };
        match file.filter(|file| file.as_os_str() != "-") {
            Some(file) => write_atomically(file, write),
            None => {
                let mut text = Vec::new();
                write(&mut text)?;
                printer.data(&String::from_utf8_lossy(&text))
            }
        }
    }
}

/// Refuses a file in a folder that is not there, before the work begins.
fn refuse_missing_folder(file: Option<&Path>) -> Result<()> {
    match file.and_then(Path::parent) {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(Error::usage("expected a folder for the run, found none")
                .at(Place::whole(folder.display().to_string())))
        }
        _ => Ok(()),
    }
}

/// What queries may return.
struct Lists {
    /// The file, for messages, and its lists.
    candidates: Option<(String, BTreeMap<String, Vec<String>>)>,
    excluded: Option<(String, BTreeMap<String, Vec<String>>)>,
    drop_self: bool,
}

impl Lists {
    fn read(arguments: &SearchArguments) -> Result<Self> {
        let read = |path: &Option<PathBuf>| {
            let input = path.as_ref().map(Input::new);
            let lists = input.map(|input| {
                let lists = read_document_lists(&input)?;
                Ok::<_, Error>((input.name(), lists))
            });
            lists.transpose()
        };
        Ok(Lists {
            candidates: read(&arguments.candidates)?,
            excluded: read(&arguments.exclude)?,
            drop_self: arguments.drop_self,
        })
    }

    fn restriction(&self, query: &str) -> Result<Restriction> {
        let candidates = match &self.candidates {
            None => None,
            Some((file, lists)) => Some(lists.get(query).cloned().ok_or_else(|| {
                Error::data(format!(
                    "query '{query}' has no candidates; expected some for each"
                ))
                .at(Place::whole(file))
            })?),
        };
        let mut excluded = match &self.excluded {
            None => Vec::new(),
            Some((_, lists)) => lists.get(query).cloned().unwrap_or_default(),
        };
        if self.drop_self {
            excluded.push(query.to_owned());
        }
        Ok(Restriction {
            candidates,
            excluded,
        })
    }

    /// Warns of lists for queries that are not asked: a sign of other ids.
    fn warn<K: Interned>(&self, queries: &Ids<K>, printer: Printer) {
        for (file, lists) in self.candidates.iter().chain(&self.excluded) {
            let mut unknown = lists.keys().filter(|query| queries.get(query).is_none());
            if let Some(first) = unknown.next() {
                printer.warning(&format!(
                    "{file}: {} of {} queries are not asked, '{first}' among them",
                    unknown.count() + 1,
                    lists.len()
                ));
            }
        }
    }
}

fn by_words(
    arguments: &SearchArguments,
    lists: &Lists,
    name: &str,
    printer: Printer,
) -> Result<Run> {
    let Bm25System {
        params,
        analysis,
        content,
    } = bench::bm25(&arguments.bm25)?;
    let captions = FileCaptions(match &arguments.bm25.captions {
        Some(path) => read_captions(&Input::new(path))?,
        None => Captions::new(),
    });
    let texts = &arguments.texts;
    let options = DatasetOptions {
        split: texts.split.clone(),
        ..DatasetOptions::default()
    };
    let path = |path: &Option<PathBuf>| path.clone().unwrap_or_default();
    let asked = read_queries(path(&texts.queries), &options)?;
    let corpus = read_corpus(path(&texts.corpus), &options)?;
    let mut without_caption = 0;
    let mut queries = TextQueries::new();
    for (_, id, record) in asked.iter() {
        let rendered = content.render(Role::Query, id, record, &captions);
        without_caption += rendered.without_caption.len();
        queries.push_restricted(id, rendered.text, lists.restriction(id)?)?;
    }
    lists.warn(queries.ids(), printer);
    let mut builder = Bm25Index::builder(params, analysis.clone());
    let mut bytes = 0;
    for (_, id, record) in corpus.iter() {
        let rendered = content.render(Role::Document, id, record, &captions);
        without_caption += rendered.without_caption.len();
        bytes += rendered.text.len() as u64;
        builder.add(id, rendered.text)?;
    }
    printer.say(&format!(
        "{} documents with {} of text, {} queries; k1 {}, b {}, norms {}, query weighting {}, analyzer {}, stop words {}",
        corpus.len(),
        size(bytes),
        asked.len(),
        params.k1(),
        params.b(),
        params.norms(),
        params.query(),
        analysis.analyzer(),
        analysis.stop_words()
    ));
    let index = builder.build();
    if without_caption > 0 {
        printer.warning(&format!("{without_caption} images have no caption"));
    }
    let silent = index.documents_without_terms();
    if silent == index.len() {
        return Err(Error::data(format!(
            "no document has a word under the content rule '{content}': BM25 can find nothing"
        ))
        .at(Place::whole(path(&texts.corpus).display().to_string())));
    }
    if silent > 0 {
        printer.warning(&format!(
            "{silent} of {} documents have no words under the content rule '{content}': BM25 cannot find them",
            index.len()
        ));
    }
    let k = arguments.k.min(index.len()).max(1);
    index.retrieve(name, &queries, k, &Progress::new(printer))
}

fn by_vectors(
    arguments: &SearchArguments,
    lists: &Lists,
    name: &str,
    printer: Printer,
) -> Result<Run> {
    let given = &arguments.vectors;
    let metric: Metric = match &given.metric {
        Some(metric) => metric.parse()?,
        None => Metric::default(),
    };
    let path = |path: &Option<PathBuf>| path.clone().unwrap_or_default();
    let (query_file, corpus_file) = (path(&given.query_vectors), path(&given.corpus_vectors));
    let side = |vectors, ids, column: &Option<String>| Side {
        vectors,
        ids,
        options: VectorOptions {
            name: column.clone(),
            id_column: given.id_column.clone(),
        },
    };
    let queries = side(&query_file, given.query_ids.as_deref(), &given.query_column);
    let corpus = side(
        &corpus_file,
        given.corpus_ids.as_deref(),
        &given.corpus_column,
    );
    let (query_ids, query_vectors) = queries.read("queries", printer, &mut |_| Ok(()))?;
    let dimension = query_vectors.dimension();
    let restrictions: Vec<Restriction> = query_ids
        .iter()
        .map(|id| lists.restriction(id))
        .collect::<Result<_>>()?;
    let (corpus_ids, corpus_vectors) = corpus.read("documents", printer, &mut |shape| {
        if shape.dimension == dimension {
            return Ok(());
        }
        Err(Error::data(format!(
            "the vectors of {} have {dimension} numbers, those of {} have {}; expected the same",
            query_file.display(),
            corpus_file.display(),
            shape.dimension
        ))
        .hint("queries and documents must come from the same encoder"))
    })?;
    for (file, ids) in [(&query_file, &query_ids), (&corpus_file, &corpus_ids)] {
        if ids.is_empty() {
            let place = Place::whole(file.display().to_string());
            return Err(Error::data("expected vectors, found none").at(place));
        }
    }
    let (index, notes) = ExactIndex::builder(metric, corpus_vectors)
        .ids(corpus_ids.iter().collect())
        .build()?;
    // Only a direction is what a zero vector lacks.
    let notes = match metric {
        Metric::Euclidean => ExactNotes {
            zero_rows: 0,
            first_zero_row: None,
            ..notes
        },
        Metric::Cosine | Metric::Dot => notes,
    };
    for warning in notes.warnings() {
        printer.warning(&format!("{}: {warning}", corpus_file.display()));
    }
    let queries = VectorQueries::new(query_ids.iter().collect(), query_vectors)?
        .with_restrictions(restrictions)?;
    lists.warn(queries.ids(), printer);
    let k = arguments.k.min(corpus_ids.len()).max(1);
    printer.say(&format!(
        "exact search by {metric}: {} x {k} results take {}",
        query_ids.len(),
        size((query_ids.len() as u64).saturating_mul(k as u64 * 16))
    ));
    index.retrieve(name, &queries, k, &Progress::new(printer))
}

/// The vectors of one side, and their ids.
struct Side<'a> {
    vectors: &'a Path,
    ids: Option<&'a Path>,
    options: VectorOptions,
}

impl Side<'_> {
    fn read(
        &self,
        what: &str,
        printer: Printer,
        check: &mut dyn FnMut(VectorShape) -> Result<()>,
    ) -> Result<(Vec<String>, Vectors)> {
        let name = self.vectors.display().to_string();
        let mut file = read_vectors_announced(self.vectors, &self.options, &mut |shape| {
            check(shape)?;
            let rows = shape
                .rows
                .map_or("an unknown number of".to_owned(), |rows| rows.to_string());
            let bytes = shape.rows.map_or(String::new(), |rows| {
                format!(
                    ", {} in memory",
                    size(rows as u64 * shape.dimension as u64 * 4)
                )
            });
            printer.say(&format!(
                "{name}: {rows} {what} x {} numbers x 4 bytes{bytes}",
                shape.dimension
            ));
            Ok(())
        })?;
        let ids = match (self.ids, file.ids.take()) {
            (Some(path), _) => read_ids(&Input::new(path), &file)?,
            (None, Some(ids)) => ids,
            (None, None) => {
                printer.say(&format!("note: {name}: row numbers, from 0, are the ids"));
                (0..file.rows).map(|row| row.to_string()).collect()
            }
        };
        let vectors = Vectors::new(file.dimension, file.data);
        Ok((ids, vectors.map_err(|error| error.at(Place::whole(name)))?))
    }
}

/// Bytes for people.
fn size(bytes: u64) -> String {
    let mut value = bytes as f64;
    let mut unit = "bytes";
    for next in ["KiB", "MiB", "GiB", "TiB"] {
        if value < 1024.0 {
            break;
        }
        (value, unit) = (value / 1024.0, next);
    }
    match unit {
        "bytes" => format!("{bytes} bytes"),
        unit => format!("{value:.1} {unit}"),
    }
}
