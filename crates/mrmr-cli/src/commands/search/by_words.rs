//! Search by words.

use std::path::{Path, PathBuf};

use mrmr_bench::Bm25System;
use mrmr_core::{Error, Place, Result, Run};
use mrmr_formats::Input;
use mrmr_formats::captions::{Captions, read_captions};
use mrmr_formats::dataset::{DatasetOptions, read_corpus, read_queries};
use mrmr_models::Role;
use mrmr_search::{Bm25Index, Retriever as _, TextQueries};

use super::lists::Lists;
use super::output;
use crate::arguments::SearchArguments;
use crate::commands::bench;
use crate::printer::Printer;
use crate::progress::Progress;
use crate::reading::FileCaptions;
use crate::words::{counted, size};

pub(super) fn run(
    arguments: &SearchArguments,
    lists: &Lists,
    name: &str,
    printer: Printer,
) -> Result<Run> {
    let system = bench::bm25(&arguments.bm25)?;
    let captions = FileCaptions(match &arguments.bm25.captions {
        Some(path) => read_captions(&Input::new(path))?,
        None => Captions::new(),
    });
    let texts = &arguments.texts;
    let asked = read_queries(path(&texts.queries), &options(arguments))?;
    if asked.is_empty() {
        return Err(Error::data("expected queries, found none").at(place(&texts.queries)));
    }
    let mut without_caption = 0;
    let mut queries = TextQueries::new();
    for (_, id, record) in asked.iter() {
        let rendered = system.content.render(Role::Query, id, record, &captions);
        without_caption += rendered.without_caption.len();
        queries.push_restricted(id, rendered.text, lists.restriction(id)?)?;
    }
    let index = match &arguments.index.index {
        Some(file) => opened(file, printer)?,
        None => {
            let (index, more) = built(arguments, &system, &captions, printer)?;
            without_caption += more;
            index
        }
    };
    if without_caption > 0 {
        printer.warning(&format!(
            "{} no caption",
            counted(without_caption, "image has", "images have")
        ));
    }
    output::check_ids(arguments, queries.ids(), index.ids())?;
    lists.check(queries.ids(), index.ids(), printer)?;
    if let Some(file) = &arguments.index.save_index {
        index.save(file)?;
        printer.say(&format!("{}: index written", file.display()));
    }
    let k = arguments.k().min(index.len()).max(1);
    index.retrieve(name, &queries, k, &Progress::new(printer))
}

fn options(arguments: &SearchArguments) -> DatasetOptions {
    DatasetOptions {
        split: arguments.texts.split.clone(),
        ..DatasetOptions::default()
    }
}

fn path(path: &Option<PathBuf>) -> PathBuf {
    path.clone().unwrap_or_default()
}

fn place(given: &Option<PathBuf>) -> Place {
    Place::whole(path(given).display().to_string())
}

/// The index of a file.
fn opened(file: &Path, printer: Printer) -> Result<Bm25Index> {
    let index = Bm25Index::open(file)?;
    printer.say(&format!(
        "{}: {} in the index",
        file.display(),
        counted(index.len(), "document", "documents")
    ));
    Ok(index)
}

/// The index of a corpus, and how many of its images have no caption.
fn built(
    arguments: &SearchArguments,
    system: &Bm25System,
    captions: &FileCaptions,
    printer: Printer,
) -> Result<(Bm25Index, usize)> {
    let Bm25System {
        params,
        analysis,
        content,
    } = system;
    let file = path(&arguments.texts.corpus);
    let corpus = read_corpus(&file, &options(arguments))?;
    if corpus.is_empty() {
        return Err(
            Error::data("expected documents, found none").at(place(&arguments.texts.corpus))
        );
    }
    let mut builder = Bm25Index::builder(*params, analysis.clone());
    let (mut bytes, mut without_caption) = (0, 0);
    for (_, id, record) in corpus.iter() {
        let rendered = content.render(Role::Document, id, record, captions);
        without_caption += rendered.without_caption.len();
        bytes += rendered.text.len() as u64;
        builder.add(id, rendered.text)?;
    }
    printer.say(&format!(
        "{} with {} of text; k1 {}, b {}, norms {}, query weighting {}, analyzer {}, stop words {}",
        counted(corpus.len(), "document", "documents"),
        size(bytes),
        params.k1(),
        params.b(),
        params.norms(),
        params.query(),
        analysis.analyzer(),
        analysis.stop_words()
    ));
    let index = builder.build();
    let silent = index.documents_without_terms();
    if silent == index.len() {
        return Err(Error::data(format!(
            "no document has a word under the content rule '{content}': BM25 can find nothing"
        ))
        .at(place(&arguments.texts.corpus)));
    }
    if silent > 0 {
        printer.warning(&format!(
            "{silent} of {} {} no words under the content rule '{content}': BM25 cannot find {}",
            counted(index.len(), "document", "documents"),
            if silent == 1 { "has" } else { "have" },
            if silent == 1 { "it" } else { "them" },
        ));
    }
    Ok((index, without_caption))
}
