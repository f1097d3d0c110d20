//! `mrmr search`: what queries may return, and what is said of lists that do not fit.

#![allow(clippy::unwrap_used)]

mod support;

use support::{Said, mrmr, vectors};

const VECTORS: &str =
    "--corpus-vectors d.npy --corpus-ids d.txt --query-vectors q.npy --query-ids q.txt";

fn search(list: &str, content: &str, options: &str) -> Said {
    let folder = vectors();
    std::fs::write(folder.path().join(list), content).unwrap();
    mrmr(
        folder.path(),
        &format!("search {VECTORS} --memory 1G --format json {options} {list}"),
    )
}

#[test]
fn excluded_documents_that_are_not_there_are_told() {
    let content = "# from the crawl\nquery-id\tcorpus-id\nq1\teast\nq1\twest\nq2\tsouth\nq3\tup\n";
    insta::assert_snapshot!(search("not.tsv", content, "-k 1 --exclude"), @r#"
    exit code 0
    --- stdout
    {
    "q1": {"slope": 0.6},
    "q2": {"north": 1}
    }
    --- stderr
    note: not.tsv: the first line names the columns
    q.npy: 2 queries x 2 numbers x 4 bytes, 16 bytes in memory
    d.npy: 4 documents x 2 numbers x 4 bytes, 32 bytes in memory
    memory: about 488 bytes (vectors 48 bytes, rows 128 bytes, ids 192 bytes, codes 8 bytes, results 112 bytes)
    warning: d.npy: the zero vector of row 2 has similarity 0 to every query
    warning: not.tsv: 1 of 3 queries is not asked, 'q3' among them
    warning: not.tsv: 2 of 3 excluded documents are not in the corpus, 'south' among them
    exact search by cosine: 2 queries x 1 result
    search: 2 queries
    2 documents for 2 queries
    "#);
}

#[test]
fn an_empty_list_of_candidates_returns_nothing() {
    let said = search("only.json", r#"{"q1": [], "q2": ["east"]}"#, "--candidates");
    assert_eq!(said.code, Some(0));
    assert_eq!(said.stdout, "{\n\"q1\": {},\n\"q2\": {\"east\": 0}\n}\n");
    for part in [
        "warning: only.json: 1 query has an empty list of candidates and returns nothing\n",
        "warning: 1 of 2 queries found no document\n",
        "1 document for 2 queries\n",
    ] {
        assert!(said.stderr.contains(part), "{said}");
    }
}

#[test]
fn a_candidate_that_is_not_there_is_an_error_with_its_line() {
    for (list, content, message) in [
        (
            "only.tsv",
            "# mine\nq1 east\nq2 north\nq2 west\n",
            "only.tsv:4: candidate 'west' of query 'q2' is not among the documents",
        ),
        (
            "only.json",
            r#"{"q1": ["east"], "q2": ["west"]}"#,
            "only.json: query 'q2': candidate 'west' of query 'q2' is not among the documents",
        ),
        (
            "only.tsv",
            "q1 east\n",
            "only.tsv: query 'q2' has no candidates; expected a list for each",
        ),
    ] {
        let said = search(list, content, "--candidates");
        assert_eq!(said.code, Some(2));
        assert!(
            said.stderr.contains(&format!("error: {message}\n")),
            "{said}"
        );
    }
}
