//! Slices of queries from files.

#![allow(clippy::unwrap_used)]

use mrmr_formats::Input;
use mrmr_formats::slices::read_slices;

fn read(text: &str, field: Option<&str>) -> Result<Vec<(String, String)>, String> {
    let input = Input::memory("slices", text.as_bytes());
    match read_slices(&input, field) {
        Ok(slices) => Ok(slices.into_iter().collect()),
        Err(error) => Err(error.to_string()),
    }
}

fn pairs(pairs: &[(&str, &str)]) -> Result<Vec<(String, String)>, String> {
    let owned = pairs
        .iter()
        .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()));
    Ok(owned.collect())
}

#[test]
fn every_form_gives_the_same_slices() {
    let expected = pairs(&[("q1", "Physics"), ("q2", "Math, pure")]);
    for text in [
        "q1\tPhysics\nq2\tMath, pure\n",
        "query-id\tslice\r\nq1\tPhysics\r\nq2\tMath, pure\r\n\r\n",
        "category,qid\nPhysics,q1\n\"Math, pure\",q2\n",
        "q1,Physics\nq2,\"Math, pure\"",
        "{\"q1\": \"Physics\",\n \"q2\": \"Math, pure\"}",
        "{\"_id\": \"q1\", \"text\": \"x\", \"metadata\": {\"category\": \"Physics\"}}\n{\"_id\": \"q2\", \"text\": \"y\", \"metadata\": {\"category\": \"Math, pure\"}}\n",
    ] {
        assert_eq!(read(text, None), expected, "{text}");
    }
}

#[test]
fn a_field_can_be_named() {
    let lines = "qid\tlanguage\thard\nq1\tde\tyes\nq2\ten\tno\n";
    assert_eq!(
        read(lines, Some("hard")),
        pairs(&[("q1", "yes"), ("q2", "no")])
    );
    let objects = "{\"qid\": 1, \"hops\": 2}\n{\"qid\": 2, \"hops\": 1}\n";
    assert_eq!(
        read(objects, Some("hops")),
        pairs(&[("1", "2"), ("2", "1")])
    );
    assert_eq!(
        read(lines, Some("langauge")).unwrap_err(),
        "slices:1: there is no column 'langauge'; there are qid, language, hard"
    );
}

#[test]
fn a_query_without_a_value_is_in_no_slice() {
    assert_eq!(read("q1\t\nq2\tMath\n", None), pairs(&[("q2", "Math")]));
}

#[test]
fn a_query_in_two_slices_names_both_lines() {
    assert_eq!(
        read("q1\ta\nq2\ta\nq1\tb\n", None).unwrap_err(),
        "slices:3: query 'q1' is in the slice 'b' here, and in 'a' at line 1; a query is in one"
    );
}

#[test]
fn what_has_another_form_is_refused() {
    for (text, message) in [
        (
            "q1 Physics\n",
            "slices:1: expected a query and its slice with a tab or comma between, found 1 field",
        ),
        (
            "{\"q1\": [1]}",
            "slices: 'q1': expected the name of a slice, found [1]",
        ),
        (
            "{\"qid\": \"q1\", \"slice\": \"a\"}\n{\"qid\": \"q2\"}\n",
            "slices:2: expected a query (query-id, query_id, qid, query, topic, _id, id) and its slice (slice, category, class, group, type), found the keys qid",
        ),
    ] {
        assert_eq!(read(text, None).unwrap_err(), message);
    }
}
