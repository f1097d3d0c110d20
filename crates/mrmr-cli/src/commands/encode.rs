//! `mrmr encode`: the records of one side to a file of vectors.

mod output;

use std::path::{Path, PathBuf};

use mrmr_bench::encoding::{Encoded, EncodingJob};
use mrmr_bench::store::Store;
use mrmr_core::{Collection, Error, Interned, Place, Record, Result};
use mrmr_formats::dataset::{DatasetOptions, read_corpus, read_queries};
use mrmr_formats::vectors::{Dtype, VectorFailure, VectorForm, VectorNotes};
use mrmr_models::{ContentRule, EmbeddingKind, Role};

use super::models::{self, OpenEncoder, Prompts};
use super::settings;
use crate::Ending;
use crate::arguments::EncodeArguments;
use crate::interruption;
use crate::printer::Printer;
use crate::progress::Progress;
use crate::words::{counted, size};

/// How many records without a vector are named one by one.
const SHOWN: usize = 10;

pub(crate) fn run(arguments: &EncodeArguments, printer: Printer) -> Result<Ending> {
    // What would end it is looked for before the work begins.
    let form = VectorForm::of(&arguments.file)?;
    let dtype: Dtype = arguments.dtype.parse()?;
    form.check(dtype)?;
    if let Some(folder) = arguments.file.parent()
        && !folder.as_os_str().is_empty()
        && !folder.is_dir()
    {
        return Err(
            Error::usage("expected a folder for the vectors, found none")
                .at(Place::whole(folder.display().to_string())),
        );
    }
    let rule: ContentRule = arguments.content.parse()?;
    let role = role(arguments)?;
    if role == Role::Document && arguments.instruction.is_some() {
        return Err(Error::usage("--instruction has no effect with documents")
            .hint("--prompt stands before their texts"));
    }
    let inputs = [&arguments.corpus, &arguments.queries, &arguments.captions];
    settings::refuse_overwriting(Some(&arguments.file), inputs.into_iter().flatten())?;
    let captions = models::captions(&rule, arguments.captions.as_deref())?;
    let records = records(arguments, role)?;
    if records.is_empty() {
        return Err(Error::data("expected records to encode, found none").at(source(arguments)));
    }
    let prompts = match role {
        Role::Query => Prompts {
            query: arguments.prompt.as_deref(),
            ..Prompts::default()
        },
        Role::Document => Prompts {
            document: arguments.prompt.as_deref(),
            ..Prompts::default()
        },
    };
    let open = models::open(&arguments.encoder, rule, prompts)?;
    output::check(&open, form, dtype)?;
    let parts = parts_of(&arguments.file);
    let store = Store::open_alone(&parts)?;
    say(&open, role, &records, arguments, dtype, printer);

    let job = EncodingJob {
        instruction: arguments.instruction.as_deref(),
        identity: &open.identity,
        shard: arguments.shard,
        batch: arguments.batch,
        ..EncodingJob::new(&open.encoder, role, &captions)
    };
    let named: Vec<(&str, &Record)> = records
        .iter()
        .map(|(id, record)| (id.as_str(), record))
        .collect();
    let before = store.count()?;
    let plan = job.plan(&named, &store)?;
    let (shards, reused) = (plan.shards(), plan.reused());
    if reused > 0 {
        printer.say(&format!(
            "reuse {reused} of {}, of a run that was broken off",
            counted(shards, "shard", "shards")
        ));
    }
    if plan.damaged() > 0 {
        let count = counted(plan.damaged(), "damaged shard", "damaged shards");
        printer.warning(&format!("{}: {count}, encoded again", parts.display()));
    }
    let others = before.saturating_sub(reused + plan.damaged());
    if others > 0 {
        printer.say(&format!(
            "note: {}: {} of other records or settings, not used",
            parts.display(),
            counted(others, "shard", "shards")
        ));
    }
    interruption::keep(Some(format!(
        "interrupted; the shards that are done are kept in {}: the same command goes on there",
        parts.display()
    )));
    let encoded = plan.run(&Progress::new(printer))?;
    if let Err(error) = encoded.require_vectors() {
        drop(encoded);
        store.remove()?;
        return Err(error.at(source(arguments)));
    }
    let notes = notes(&open, role, arguments, dtype, &encoded, named.len());
    output::write(&arguments.file, &encoded, &notes)?;
    drop(encoded);
    interruption::keep(None);
    store.remove()?;
    Ok(tell(arguments, &notes, printer))
}

/// The side that was asked for.
fn role(arguments: &EncodeArguments) -> Result<Role> {
    let asked = arguments.role.as_deref();
    match (&arguments.corpus, &arguments.queries, asked) {
        (Some(_), _, Some("query")) => Err(Error::usage("--corpus holds documents, not queries")
            .hint("--queries FILE, or --role document")),
        (_, Some(_), Some("document")) => {
            Err(Error::usage("--queries holds queries, not documents")
                .hint("--corpus FILE, or --role query"))
        }
        (Some(_), _, _) | (_, _, Some("document")) => Ok(Role::Document),
        (_, Some(_), _) | (_, _, Some("query")) => Ok(Role::Query),
        _ => Err(Error::usage(
            "a data set has two sides: expected --role query or --role document",
        )),
    }
}

fn source(arguments: &EncodeArguments) -> Place {
    let sources = [&arguments.dataset, &arguments.corpus, &arguments.queries];
    let path = sources.into_iter().flatten().next();
    Place::whole(path.map_or(String::new(), |path| path.display().to_string()))
}

fn records(arguments: &EncodeArguments, role: Role) -> Result<Vec<(String, Record)>> {
    let options = DatasetOptions {
        split: arguments.split.clone(),
        ..DatasetOptions::default()
    };
    let sources = [&arguments.dataset, &arguments.corpus, &arguments.queries];
    let path = sources.into_iter().flatten().next().cloned();
    let path = path.unwrap_or_default();
    match role {
        Role::Query => Ok(owned(&read_queries(&path, &options)?)),
        Role::Document => Ok(owned(&read_corpus(&path, &options)?)),
    }
}

fn owned<K: Interned>(records: &Collection<K>) -> Vec<(String, Record)> {
    let records = records.iter();
    records
        .map(|(_, id, record)| (id.to_owned(), record.clone()))
        .collect()
}

/// The folder beside the output in which shards are kept until it is whole.
fn parts_of(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".parts");
    PathBuf::from(name)
}

/// Says what is about to be done and what it takes.
fn say(
    open: &OpenEncoder,
    role: Role,
    records: &[(String, Record)],
    arguments: &EncodeArguments,
    dtype: Dtype,
    printer: Printer,
) {
    let encoder = &open.encoder;
    let many = encoder.kind() == EmbeddingKind::Multi;
    let count = match role {
        Role::Query => counted(records.len(), "query", "queries"),
        Role::Document => counted(records.len(), "document", "documents"),
    };
    let dimension = encoder.dimension();
    let numbers = counted(dimension, "number", "numbers");
    let shard = records.len().min(arguments.shard);
    let sizes = match many {
        true => format!("vectors of {numbers}, several a record"),
        false => format!(
            "{numbers} as {dtype}, {} on disk, {} of vectors in memory",
            size(file_size(records.len(), dimension, dtype)),
            size((shard * dimension * 4) as u64)
        ),
    };
    let shards = records.len().div_ceil(arguments.shard);
    printer.say(&format!(
        "{count} by {} under {}: {sizes}; {} of {}",
        encoder.name(),
        encoder.rule(),
        counted(shards, "shard", "shards"),
        counted(arguments.shard, "record", "records")
    ));
}

fn file_size(records: usize, dimension: usize, dtype: Dtype) -> u64 {
    let scale = if dtype == Dtype::Int8 { 4 } else { 0 };
    (records * (dimension * dtype.bytes() + scale)) as u64
}

fn notes(
    open: &OpenEncoder,
    role: Role,
    arguments: &EncodeArguments,
    dtype: Dtype,
    encoded: &Encoded<'_>,
    records: usize,
) -> VectorNotes {
    let mut made = open.settings.clone();
    made.extend(
        arguments
            .instruction
            .clone()
            .map(|text| ("instruction".to_owned(), text)),
    );
    // What the model is, whatever its folder is called.
    made.extend(
        open.identity
            .iter()
            .filter(|(name, _)| name.ends_with("model"))
            .map(|(name, value)| (format!("{name} files"), value.clone())),
    );
    let failures = encoded.failures();
    VectorNotes {
        model: open.encoder.name(),
        role: match role {
            Role::Query => "query".to_owned(),
            Role::Document => "document".to_owned(),
        },
        settings: made
            .into_iter()
            .filter(|(name, _)| name != "model")
            .collect(),
        dtype,
        records,
        truncated: encoded.notes().truncated,
        failures: failures
            .map(|(id, reason)| VectorFailure {
                id: id.to_owned(),
                reason: reason.to_owned(),
            })
            .collect(),
    }
}

/// Says what was made and what was not.
fn tell(arguments: &EncodeArguments, notes: &VectorNotes, printer: Printer) -> Ending {
    let made = notes.records - notes.failures.len();
    if notes.truncated > 0 {
        printer.warning(&format!(
            "{} cut at the model's limit",
            counted(notes.truncated, "text was", "texts were")
        ));
    }
    printer.say(&format!(
        "{}: {} of {}",
        arguments.file.display(),
        counted(made, "vector", "vectors"),
        counted(notes.records, "record", "records")
    ));
    if notes.is_complete() {
        return Ending::Done;
    }
    for failure in notes.failures.iter().take(SHOWN) {
        printer.warning(&format!(
            "'{}' has no vector: {}",
            failure.id, failure.reason
        ));
    }
    let more = notes.failures.len().saturating_sub(SHOWN);
    if more > 0 {
        printer.warning(&format!("{more} more have no vector; the file lists them"));
    }
    match arguments.allow_failures {
        true => Ending::Done,
        false => Ending::Found,
    }
}
