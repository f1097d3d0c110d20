//! The layouts of public benchmarks, read from what their own libraries wrote (`fixtures/layouts/make.py`).

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use mrmr_core::{Dataset, Interned, Part};
use mrmr_formats::dataset::{DatasetNotes, DatasetOptions, Layout, open_dataset};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/layouts")
        .join(name)
}

fn open(name: &str, split: Option<&str>) -> (Dataset, DatasetNotes) {
    let options = DatasetOptions {
        split: split.map(str::to_owned),
        name: None,
    };
    open_dataset(folder(name), &options).unwrap()
}

fn error(name: &str, split: Option<&str>) -> String {
    let options = DatasetOptions {
        split: split.map(str::to_owned),
        name: None,
    };
    let error = open_dataset(folder(name), &options).unwrap_err();
    error.message().to_owned()
}

/// `id: [image] text` of each record.
fn shown<K: Interned>(records: &mrmr_core::Collection<K>) -> Vec<String> {
    let parts = |part: &Part| match part {
        Part::Text(text) => text.clone(),
        Part::Image(image) => match image.media.read() {
            Ok(bytes) => format!("[{} bytes]", bytes.len()),
            Err(_) => "[missing]".to_owned(),
        },
        Part::Audio(_) => "[audio]".to_owned(),
    };
    records
        .iter()
        .map(|(_, id, record)| {
            let parts: Vec<String> = record.content.parts().iter().map(parts).collect();
            format!("{id}: {}", parts.join(" "))
        })
        .collect()
}

/// A copy of a data set's folder, to take something out of.
fn copied(name: &str) -> tempfile::TempDir {
    fn copy(from: &Path, to: &Path) {
        for entry in std::fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            let there = to.join(path.file_name().unwrap());
            if path.is_dir() {
                std::fs::create_dir(&there).unwrap();
                copy(&path, &there);
            } else {
                std::fs::copy(&path, &there).unwrap();
            }
        }
    }
    let copied = tempfile::tempdir().unwrap();
    copy(&folder(name), copied.path());
    copied
}

/// `query document grade` of each judgement.
fn judged(dataset: &Dataset) -> Vec<String> {
    let qrels = &dataset.qrels;
    let mut lines = Vec::new();
    for query in qrels.queries().keys() {
        for judgement in qrels.judgements(query) {
            let names = (
                qrels.queries().name(query),
                qrels.documents().name(judgement.document),
            );
            lines.push(format!("{} {} {}", names.0, names.1, judgement.grade));
        }
    }
    lines.sort();
    lines
}

const ANIMALS: [&str; 3] = [
    "d1: Otters river otters eat fish",
    "d2: Owls owls hunt mice at night",
    "d3: Bees bees make honey",
];

#[test]
fn mteb_in_parquet_has_candidates_and_an_instruction_a_query() {
    let (dataset, notes) = open("mteb", None);
    assert_eq!(notes.layout, Layout::Mteb);
    assert_eq!(shown(&dataset.corpus), ANIMALS);
    assert_eq!(
        shown(&dataset.queries),
        ["q1: otters fish", "q2: honey owls"]
    );
    assert_eq!(judged(&dataset), ["q1 d1 1", "q2 d3 1"]);
    assert_eq!(dataset.candidates["q2"], ["d1", "d2"]);
    let told: Vec<_> = dataset
        .queries
        .iter()
        .map(|(_, _, r)| r.field("instruction"))
        .collect();
    assert_eq!(told, [Some("Find animals."), Some("Find food.")]);
    assert_eq!(notes.files.len(), 5);
}

#[test]
fn mteb_in_json_lines_is_the_same_data() {
    let (dataset, notes) = open("mteb-lines", None);
    assert_eq!((notes.layout, notes.split.as_str()), (Layout::Mteb, "test"));
    assert_eq!(shown(&dataset.corpus), ANIMALS);
    assert_eq!(judged(&dataset), ["q1 d1 1", "q2 d3 1"]);
    assert!(dataset.candidates.is_empty());
}

#[test]
fn bright_takes_a_domain_and_its_long_documents() {
    let (dataset, notes) = open("bright", Some("biology"));
    assert_eq!(
        (notes.layout, notes.split.as_str()),
        (Layout::Bright, "biology")
    );
    assert_eq!(
        shown(&dataset.corpus),
        [
            "b/1.txt: cell wall",
            "b/2.txt: cell wall with some more words",
            "c/1.txt: nothing of that kind"
        ]
    );
    assert_eq!(judged(&dataset), ["1 b/2.txt 1", "2 b/2.txt 1"]);
    // ["N/A"] excludes nothing.
    let excluded: Vec<_> = dataset.excluded.iter().collect();
    assert_eq!(excluded, [(&"1".to_owned(), &vec!["b/1.txt".to_owned()])]);

    let (long, notes) = open("bright", Some("economics/long"));
    assert_eq!(notes.split, "economics/long");
    assert_eq!(
        shown(&long.corpus),
        ["b.txt: price wall and so on", "c.txt: nothing"]
    );
    assert_eq!(judged(&long), ["1 b.txt 1", "2 c.txt 1"]);
    assert_eq!(
        error("bright", None),
        "expected a split 'test'; found biology, economics"
    );
}

#[test]
fn mm_bright_finds_pictures_by_path_and_excludes_negatives() {
    let (dataset, notes) = open("mm-bright", Some("art/multimodal"));
    assert_eq!(
        (notes.layout, notes.split.as_str()),
        (Layout::MmBright, "art/multimodal")
    );
    let query = &shown(&dataset.queries)[0];
    assert!(
        query.starts_with("1: [") && query.ends_with(" bytes] price wall"),
        "{query}"
    );
    assert_eq!(dataset.excluded["1"], ["b/1.txt"]);
    let (texts, _) = open("mm-bright", None);
    assert_eq!(shown(&texts.queries), ["1: price wall"]);
}

#[test]
fn vidore_v1_has_one_document_a_page() {
    let (dataset, notes) = open("vidore-v1", None);
    assert_eq!(notes.layout, Layout::Vidore);
    assert_eq!(shown(&dataset.queries), ["q0: red page", "q1: red again"]);
    assert_eq!(judged(&dataset), ["q0 a.png 1", "q1 a.png 1"]);
    assert_eq!((dataset.corpus.len(), notes.corpus.images), (2, 2));
    assert_eq!(
        error("vidore-v1", Some("train")),
        "expected a split 'train'; found test"
    );
}

#[test]
fn vidore_v3_reads_integers_as_ids_and_floats_as_grades() {
    let (dataset, notes) = open("vidore-v3", None);
    assert_eq!(notes.layout, Layout::Mrmr);
    assert_eq!(shown(&dataset.queries), ["0: red page", "1: blue page"]);
    assert_eq!(judged(&dataset), ["0 0 2", "1 1 1"]);
    assert_eq!(notes.corpus.images, 2);
}

#[test]
fn m_beir_has_a_local_pool_and_one_of_all_data_sets() {
    let (dataset, notes) = open("m-beir", None);
    assert_eq!(
        (notes.layout, notes.split.as_str()),
        (Layout::MBeir, "birds_task0")
    );
    let documents = shown(&dataset.corpus);
    assert!(
        documents[0].starts_with("9:1: [") && documents[0].ends_with("a red bird"),
        "{documents:?}"
    );
    assert_eq!(documents[1], "9:2: a blue bird");
    assert_eq!(judged(&dataset), ["9:7 9:1 1"]);
    let (union, _) = open("m-beir", Some("birds_task0/union"));
    assert_eq!(union.corpus.len(), 3);
}

#[test]
fn mmeb_ranks_candidates_by_ids_that_say_nothing() {
    let (dataset, notes) = open("mmeb", None);
    assert_eq!(notes.layout, Layout::Mmeb);
    assert_eq!(shown(&dataset.queries), ["q0: red bird", "q1: zebra"]);
    // The same three texts in both rows are three documents, and both lists are in the order of the ids.
    assert_eq!(dataset.corpus.len(), 3);
    assert_eq!(dataset.candidates["q0"], dataset.candidates["q1"]);
    let gold = |query: &str| {
        let judged = judged(&dataset);
        let line = judged
            .iter()
            .find(|line| line.starts_with(query))
            .unwrap()
            .clone();
        let id = line.split(' ').nth(1).unwrap().to_owned();
        let key = dataset.corpus.ids().get(&id).unwrap();
        dataset.corpus.record(key).content.parts().to_vec()
    };
    assert!(matches!(&gold("q0")[..], [Part::Text(text)] if text == "a bird"));
    assert!(matches!(&gold("q1")[..], [Part::Text(text)] if text == "a fish"));
}

#[test]
fn browsecomp_plus_takes_the_judgements_of_a_name() {
    let (dataset, notes) = open("browsecomp-plus", Some("evidence"));
    assert_eq!(notes.layout, Layout::TrecFiles);
    assert_eq!(judged(&dataset), ["1 d1 1", "1 d2 1", "2 d3 1"]);
    assert_eq!(shown(&dataset.queries), ["1: otters fish", "2: honey owls"]);
    assert_eq!(dataset.corpus.len(), 3);
    assert_eq!(
        error("browsecomp-plus", None),
        "expected a split 'test'; found evidence, golds"
    );
}

#[test]
fn ms_marco_has_tables_without_headers() {
    let (dataset, notes) = open("ms-marco", None);
    assert_eq!(
        (notes.layout, notes.split.as_str()),
        (Layout::MsMarco, "dev.small")
    );
    assert_eq!(shown(&dataset.corpus)[2], "2: bees make honey");
    assert_eq!(judged(&dataset), ["10 0 1", "11 2 1"]);
}

#[test]
fn trec_files_have_topics_between_tags() {
    let (dataset, notes) = open("trec", None);
    assert_eq!(
        (notes.layout, notes.split.as_str()),
        (Layout::TrecFiles, "qrels")
    );
    assert_eq!(
        shown(&dataset.queries),
        ["301: otters fish", "302: honey owls"]
    );
    assert_eq!(shown(&dataset.corpus), ANIMALS);
    assert_eq!(judged(&dataset), ["301 d1 2", "302 d3 1"]);
}

#[test]
fn a_column_that_is_not_there_is_named_with_those_that_are() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("qrels.txt"), "1 0 d1 1\n").unwrap();
    std::fs::write(folder.path().join("topics.tsv"), "1\tfish\n").unwrap();
    std::fs::write(
        folder.path().join("documents.jsonl"),
        "{\"key\": \"d1\", \"text\": \"t\"}\n",
    )
    .unwrap();
    let error = open_dataset(folder.path(), &DatasetOptions::default()).unwrap_err();
    assert_eq!(
        error.message(),
        "expected 'docid' or 'doc_id' or 'docno' or 'id' or '_id'; found 'key', 'text'"
    );
    assert!(error.to_string().contains("documents.jsonl:1"), "{error}");
}

#[test]
fn a_path_that_leads_out_of_the_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for (name, text) in [
        (
            "cand_pool/local/mbeir_a_task0_cand_pool.jsonl",
            "{\"did\": \"1\", \"img_path\": \"../secret.png\"}\n",
        ),
        (
            "query/test/mbeir_a_task0_test.jsonl",
            "{\"qid\": \"1\", \"query_txt\": \"t\"}\n",
        ),
        ("qrels/test/mbeir_a_task0_test_qrels.txt", "1 0 1 1 0\n"),
    ] {
        std::fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        std::fs::write(root.join(name), text).unwrap();
    }
    let error = open_dataset(root, &DatasetOptions::default()).unwrap_err();
    assert!(
        error.message().contains("the path '../secret.png'"),
        "{error}"
    );
}

#[test]
fn a_file_that_is_not_there_is_named() {
    for (name, split, without, expected) in [
        (
            "m-beir",
            Some("birds_task0/union"),
            "cand_pool/global/mbeir_union_test_cand_pool.jsonl",
            "expected cand_pool/global/mbeir_union_test_cand_pool.jsonl, found no such file",
        ),
        (
            "m-beir",
            None,
            "qrels/test/mbeir_birds_task0_test_qrels.txt",
            "expected qrels/test/mbeir_birds_task0_test_qrels.txt, found no such file",
        ),
        (
            "ms-marco",
            None,
            "queries.dev.small.tsv",
            "expected queries.dev.small.tsv, found no such file",
        ),
        (
            "bright",
            Some("biology/long"),
            "long_documents",
            "expected long_documents/biology-*.parquet, found no such file",
        ),
        (
            "mteb-lines",
            None,
            "queries.jsonl",
            "expected queries.jsonl, found no such file",
        ),
    ] {
        let copied = copied(name);
        let gone = copied.path().join(without);
        match gone.is_dir() {
            true => std::fs::remove_dir_all(&gone).unwrap(),
            false => std::fs::remove_file(&gone).unwrap(),
        }
        let options = DatasetOptions {
            split: split.map(str::to_owned),
            name: None,
        };
        let error = open_dataset(copied.path(), &options).unwrap_err();
        assert_eq!(error.message(), expected, "{name} without {without}");
    }
}
