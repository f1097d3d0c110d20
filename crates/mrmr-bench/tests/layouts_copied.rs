//! The same questions and theorems in other layouts give the same results.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::fmt::Write as _;
use std::path::Path;

use mrmr_bench::{Bm25System, Retrieval, Source, SystemSpec, Task, TaskInputs, TaskOutcome, mrmr};
use mrmr_core::{Collection, Dataset, Interned, Part};
use mrmr_formats::dataset::{DatasetOptions, Layout, open_dataset, write_mrmr};
use mrmr_measures::Policies;
use mrmr_models::{ContentRule, NoCaptions};
use mrmr_search::{Analyzer, Bm25Params};
use serde_json::json;

fn theoremqa() -> Option<Dataset> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/theoremqa");
    if !folder.is_dir() {
        println!("skipped: there is no ../shared/data/theoremqa beside the repository");
        return None;
    }
    let opened = open_dataset(&folder, &DatasetOptions::default());
    Some(opened.unwrap().0)
}

fn measured(dataset: Dataset) -> TaskOutcome {
    let system = SystemSpec {
        name: "bm25".to_owned(),
        retrieval: Retrieval::Bm25(Bm25System {
            params: Bm25Params::default(),
            analysis: Analyzer::LuceneEnglish.into(),
            content: ContentRule::Text,
        }),
        depth: 100,
        drop_self: false,
    };
    let inputs = TaskInputs {
        measures: &["R@10".parse().unwrap()],
        policies: Policies::default(),
        captions: &NoCaptions,
        observer: &(),
    };
    let spec = mrmr().unwrap().task("theorem").unwrap().clone();
    let source = Source::default();
    let task = Task {
        spec,
        dataset,
        source,
    };
    task.run(&system, inputs).unwrap()
}

/// One JSON object a record: its texts in their order, and its category.
fn lines<K: Interned>(records: &Collection<K>) -> String {
    let mut lines = String::new();
    for (_, id, record) in records.iter() {
        let texts = record.content.parts().iter().map(|part| match part {
            Part::Text(text) => text.as_str(),
            _ => "",
        });
        let text: String = texts.collect();
        let line = json!({"_id": id, "text": text, "category": record.field("category")});
        writeln!(lines, "{line}").unwrap();
    }
    lines
}

/// Every judgement, written by `line` from the query, the document and the grade.
fn judgements(dataset: &Dataset, line: impl Fn(&str, &str, f64) -> String) -> String {
    let qrels = &dataset.qrels;
    let mut lines = String::new();
    for query in qrels.queries().keys() {
        for judgement in qrels.judgements(query) {
            let document = qrels.documents().name(judgement.document);
            lines += &line(qrels.queries().name(query), document, judgement.grade);
        }
    }
    lines
}

fn json_judgement(query: &str, document: &str, grade: f64) -> String {
    let line = json!({"query-id": query, "corpus-id": document, "score": grade});
    format!("{line}\n")
}

/// The values of every query, to the last bit, and the sub-tasks.
fn same(name: &str, original: &TaskOutcome, copy: &Path, layout: Layout) {
    let (dataset, notes) = open_dataset(copy, &DatasetOptions::default()).unwrap();
    assert_eq!(notes.layout, layout, "{name}");
    let outcome = measured(dataset);
    let values = |outcome: &TaskOutcome| -> Vec<u64> {
        let measures = outcome.evaluation.measures.iter();
        let values = measures.flat_map(|measure| measure.values.iter().chain([&measure.value]));
        values.map(|value| value.to_bits()).collect()
    };
    assert_eq!(outcome.evaluation.queries, original.evaluation.queries);
    assert_eq!(values(&outcome), values(original), "{name}");
    let sizes = |outcome: &TaskOutcome| {
        let slices = outcome.sub_tasks.iter().map(|slice| slice.places.clone());
        slices.collect::<Vec<_>>()
    };
    assert_eq!(sizes(&outcome), sizes(original), "{name}");
}

#[test]
fn theoremqa_in_the_layouts_of_beir_and_mteb_is_measured_the_same() {
    let Some(dataset) = theoremqa() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let write = |name: &str, text: String| {
        fs_err::create_dir_all(at(name).parent().unwrap()).unwrap();
        fs_err::write(at(name), text).unwrap();
    };
    for copy in ["beir", "lines"] {
        write(&format!("{copy}/corpus.jsonl"), lines(&dataset.corpus));
        write(&format!("{copy}/queries.jsonl"), lines(&dataset.queries));
    }
    let tabs = |query: &str, document: &str, grade: f64| format!("{query}\t{document}\t{grade}\n");
    let header = "query-id\tcorpus-id\tscore\n".to_owned();
    write("beir/qrels/test.tsv", header + &judgements(&dataset, tabs));
    write(
        "lines/qrels/test.jsonl",
        judgements(&dataset, json_judgement),
    );
    // In Parquet, with lists of candidates that hold every document: they leave nothing out.
    let (queries, corpus) = (&dataset.queries, &dataset.corpus);
    write_mrmr(at("tables"), queries, corpus, &dataset.qrels).unwrap();
    let all: Vec<&str> = corpus.ids().names().collect();
    let ranked = queries.ids().names().map(|query| {
        let line = json!({"query-id": query, "corpus-ids": all});
        format!("{line}\n")
    });
    write("tables/top_ranked/test.jsonl", ranked.collect());

    let original = measured(dataset);
    assert!(original.evaluation.measures[0].value > 0.0);
    same("BEIR", &original, &at("beir"), Layout::Beir);
    same("MTEB's lines", &original, &at("lines"), Layout::Mteb);
    same("MTEB's tables", &original, &at("tables"), Layout::Mteb);
}
