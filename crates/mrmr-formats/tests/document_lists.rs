//! Lists of documents by query.

#![allow(clippy::unwrap_used)]

use mrmr_formats::Input;
use mrmr_formats::document_lists::{DocumentLists, read_document_lists};

fn read(text: &str) -> mrmr_core::Result<DocumentLists> {
    read_document_lists(&Input::memory("list", text.as_bytes()))
}

#[test]
fn comments_blank_lines_and_a_header_are_no_entries() {
    for header in [
        "query-id\tcorpus-id\n",
        "qid docid\n",
        "Query Document\n",
        "",
    ] {
        let lists = read(&format!(
            "# made by hand\n\n{header}q1 d1\r\n#more\nq1 d2\n"
        ))
        .unwrap();
        assert_eq!(lists.documents("q1").unwrap(), ["d1", "d2"], "{header:?}");
        assert_eq!(lists.len(), 1);
        assert_eq!(lists.has_header(), !header.is_empty());
    }
}

#[test]
fn what_looks_like_a_comment_or_a_header_is_an_entry_where_it_must_be() {
    let lists = read("#1\td1\nq1\td1\nquery\tdoc\n").unwrap();
    assert_eq!(lists.queries().collect::<Vec<_>>(), ["#1", "q1", "query"]);
    assert_eq!(lists.place("query", 0).to_string(), "list:3");
    assert!(!lists.has_header());
}

#[test]
fn a_list_in_json_may_be_empty() {
    let lists = read(r#"{"q1": [], "q2": [7, "d1"]}"#).unwrap();
    assert!(lists.documents("q1").unwrap().is_empty());
    assert_eq!(lists.documents("q2").unwrap(), ["7", "d1"]);
    assert_eq!(lists.documents("q3"), None);
    assert_eq!(lists.place("q2", 1).to_string(), "list: query 'q2'");
}

#[test]
fn another_form_is_an_error_with_its_line() {
    for (text, message) in [
        (
            "q1 d1\nq1 0 d1 1\n",
            "list:2: expected a query and a document, found 4 fields: \"q1 0 d1 1\"",
        ),
        (
            "query-id\tcorpus-id\tscore\n",
            "list:1: expected a query and a document, found 3 fields: \"query-id\\tcorpus-id\\tscore\"",
        ),
        (
            "q1\n",
            "list:1: expected a query and a document, found 1 field: \"q1\"",
        ),
        (
            "q1\t\n",
            "list:1: expected the id of a document, found nothing: \"q1\\t\"",
        ),
        (
            r#"{"q1": "d1"}"#,
            "list: query 'q1': expected a list of document ids, found \"d1\"",
        ),
    ] {
        assert_eq!(read(text).unwrap_err().to_string(), message);
    }
}
