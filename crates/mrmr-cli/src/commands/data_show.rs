//! `mrmr data show`: what a data set holds, or one of its records.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use mrmr_core::{
    Collection, Dataset, Error, Field, Interned, Media, Part, Place, Record, Result, closest,
};
use mrmr_formats::dataset::{CollectionNotes, DatasetNotes, DatasetOptions, open_dataset};
use mrmr_formats::output::write_atomically;
use mrmr_models::PageDrawer;
use serde_json::{Value, json};

use super::check::dataset_findings;
use crate::Ending;
use crate::arguments::DataShowArguments;
use crate::printer::Printer;

pub(crate) fn run(arguments: &DataShowArguments, printer: Printer) -> Result<Ending> {
    let options = DatasetOptions {
        split: arguments.split.clone(),
        name: None,
    };
    let (dataset, notes) = open_dataset(&arguments.path, &options)?;
    let place = || Place::whole(arguments.path.display().to_string());
    let page_of = |record: &Record| match &arguments.page {
        Some(file) => write_page(record, &arguments.page_rule, file, printer),
        None => Ok(()),
    };
    let value = match (&arguments.query, &arguments.document) {
        (Some(id), _) => {
            let record = find(&dataset.queries, "query", id).map_err(|error| error.at(place()))?;
            page_of(record)?;
            record_json(id, record, judgements_of_query(&dataset, id))?
        }
        (None, Some(id)) => {
            let record =
                find(&dataset.corpus, "document", id).map_err(|error| error.at(place()))?;
            page_of(record)?;
            record_json(id, record, judgements_of_document(&dataset, id))?
        }
        (None, None) if arguments.page.is_some() => {
            return Err(Error::usage("--page needs a record")
                .hint("give --document ID or --query ID as well"));
        }
        (None, None) => overview(&dataset, &notes),
    };
    let text = if arguments.format == "json" {
        format!("{value:#}\n")
    } else {
        let mut text = String::new();
        outline(&value, 0, &mut text);
        text
    };
    printer.data(&text)?;
    Ok(Ending::Done)
}

fn find<'a, K: Interned>(records: &'a Collection<K>, kind: &str, id: &str) -> Result<&'a Record> {
    let key = records.ids().get(id).ok_or_else(|| {
        let near = closest(id, records.ids().names());
        let first: Vec<&str> = records.ids().names().take(3).collect();
        Error::usage(format!("there is no {kind} '{id}'")).hint(match near {
            Some(near) => format!("did you mean {near}?"),
            None => format!("the first are {}", first.join(", ")),
        })
    })?;
    Ok(records.record(key))
}

/// Writes the picture that a model gets of a record under the content rule `page`.
fn write_page(record: &Record, rule: &str, file: &Path, printer: Printer) -> Result<()> {
    let (page, notes) = PageDrawer::open(&rule.parse()?)?.page(record)?;
    let bytes = page.media.read()?;
    write_atomically(file, |out| {
        out.write_all(&bytes)
            .map_err(|error| Error::io(error).at(Place::whole(file.display().to_string())))
    })?;
    printer.say(&format!("{}: {notes}", file.display()));
    if let Some(hint) = notes.hint() {
        printer.hint(&hint);
    }
    Ok(())
}

fn record_json(id: &str, record: &Record, judgements: Value) -> Result<Value> {
    let parts = record
        .content
        .parts()
        .iter()
        .map(|part| {
            Ok(match part {
                Part::Text(text) => json!({ "text": text }),
                Part::Image(image) => {
                    json!({ "image": image.label, "bytes": bytes(&image.media)? })
                }
                Part::Audio(audio) => {
                    json!({ "audio": audio.label, "bytes": bytes(&audio.media)? })
                }
            })
        })
        .collect::<Result<Vec<Value>>>()?;
    let fields: BTreeMap<&str, Value> = record
        .fields
        .iter()
        .map(|(name, field)| {
            let value = match field {
                Field::Text(text) => json!(text),
                Field::List(items) => json!(items),
            };
            (name.as_str(), value)
        })
        .collect();
    Ok(json!({
        "id": id,
        "modality": record.content.modality().to_string(),
        "content": parts,
        "merged_image": record.merged.is_some(),
        "page": record.page.is_some(),
        "fields": fields,
        "judgements": judgements,
    }))
}

/// How many bytes there are; none where there is nothing.
fn bytes(media: &Media) -> Result<Option<usize>> {
    match media.is_there() {
        true => Ok(Some(media.read()?.len())),
        false => Ok(None),
    }
}

fn judgements_of_query(dataset: &Dataset, id: &str) -> Value {
    let qrels = &dataset.qrels;
    let Some(query) = qrels.queries().get(id) else {
        return json!({});
    };
    let judged = qrels.judgements(query).iter();
    judged
        .map(|judgement| {
            let name = qrels.documents().name(judgement.document);
            let known = dataset.corpus.ids().get(name).is_some();
            let grade = json!(judgement.grade);
            let shown = if known {
                grade
            } else {
                json!({ "grade": grade, "in_corpus": false })
            };
            (name.to_owned(), shown)
        })
        .collect::<serde_json::Map<String, Value>>()
        .into()
}

fn judgements_of_document(dataset: &Dataset, id: &str) -> Value {
    let qrels = &dataset.qrels;
    let Some(document) = qrels.documents().get(id) else {
        return json!({});
    };
    let queries = qrels.queries().keys();
    queries
        .filter_map(|query| {
            let grade = qrels.grade(query, document)?;
            Some((qrels.queries().name(query).to_owned(), json!(grade)))
        })
        .collect::<serde_json::Map<String, Value>>()
        .into()
}

fn overview(dataset: &Dataset, notes: &DatasetNotes) -> Value {
    let collection = |notes: &CollectionNotes, fields: BTreeMap<String, usize>| {
        let modalities: BTreeMap<String, usize> = notes
            .by_modality
            .iter()
            .map(|(modality, count)| (modality.to_string(), *count))
            .collect();
        json!({
            "records": notes.records,
            "modalities": modalities,
            "images": notes.images,
            "missing_images": notes.missing_images,
            "sounds": notes.sounds,
            "missing_sounds": notes.missing_sounds,
            "merged_images": notes.merged,
            "pages": notes.pages,
            "fields": fields,
        })
    };
    let mut categories: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, _, record) in dataset.queries.iter() {
        if let Some(category) = record.field("category") {
            *categories.entry(category).or_default() += 1;
        }
    }
    let mut grades: BTreeMap<String, usize> = BTreeMap::new();
    for query in dataset.qrels.queries().keys() {
        for judgement in dataset.qrels.judgements(query) {
            *grades.entry(judgement.grade.to_string()).or_default() += 1;
        }
    }
    let ids = |names: &mut dyn Iterator<Item = &str>| -> Vec<String> {
        names.take(3).map(str::to_owned).collect()
    };
    json!({
        "name": dataset.name,
        "layout": notes.layout.to_string(),
        "split": notes.split,
        "queries": collection(&notes.queries, field_counts(&dataset.queries)),
        "categories": categories,
        "documents": collection(&notes.corpus, field_counts(&dataset.corpus)),
        "judgements": {
            "count": dataset.qrels.len(),
            "queries": dataset.qrels.queries().len(),
            "by_grade": grades,
        },
        "first_queries": ids(&mut dataset.queries.ids().names()),
        "first_documents": ids(&mut dataset.corpus.ids().names()),
        "findings": dataset_findings(dataset, notes),
    })
}

/// How many records have each field.
fn field_counts<K: Interned>(records: &Collection<K>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for (_, _, record) in records.iter() {
        for name in record.fields.keys() {
            *counts.entry(name.clone()).or_default() += 1;
        }
    }
    counts
}

/// JSON as an indented outline; empty parts are left out.
fn outline(value: &Value, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(entries) => {
            for (name, value) in entries {
                match value {
                    Value::Object(inner) if inner.is_empty() => {}
                    Value::Array(inner) if inner.is_empty() => {}
                    Value::Object(_) | Value::Array(_) => {
                        let _ = writeln!(out, "{indent}{name}:");
                        outline(value, depth + 1, out);
                    }
                    _ => {
                        let _ = writeln!(out, "{indent}{name}: {}", leaf(value));
                    }
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                match item {
                    Value::Object(entries) => {
                        let entries: Vec<String> = entries
                            .iter()
                            .map(|(name, value)| format!("{name}: {}", leaf(value)))
                            .collect();
                        let _ = writeln!(out, "{indent}- {}", entries.join(", "));
                    }
                    _ => {
                        let _ = writeln!(out, "{indent}- {}", leaf(item));
                    }
                }
            }
        }
        _ => {
            let _ = writeln!(out, "{indent}{}", leaf(value));
        }
    }
}

fn leaf(value: &Value) -> String {
    match value {
        Value::String(text) => text.replace('\n', " "),
        Value::Null => "none".to_owned(),
        other => other.to_string(),
    }
}
