//! Why two sets of ids have nothing in common.

use mrmr_core::{Error, Ids, Interned};

use crate::warning::quoted;

/// How many ids a message shows of each side.
const SHOWN: usize = 3;

/// The first ids of a table, for a message.
pub(crate) fn sample<K: Interned>(ids: &Ids<K>) -> Vec<String> {
    ids.names().take(SHOWN).map(str::to_owned).collect()
}

/// An error for a run and qrels without a common query.
pub(crate) fn no_common_query(run: &[String], qrels: &[String], guess: Option<String>) -> Error {
    Error::data(format!(
        "the run and the qrels have no query in common: the run has {}; the qrels have {}",
        quoted(run),
        quoted(qrels)
    ))
    .hint_maybe(guess)
}

type Rewrite = (&'static str, fn(&str) -> Option<String>);

/// What could make an id of one side that of the other.
const REWRITES: &[Rewrite] = &[
    ("a byte order mark", |id| {
        id.strip_prefix('\u{feff}').map(str::to_owned)
    }),
    ("a suffix '.0', as of ids read as decimal numbers", |id| {
        id.strip_suffix(".0").map(str::to_owned)
    }),
    ("zero padding", |id| {
        let short = id.trim_start_matches('0');
        let digits = !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit());
        (digits && short.len() < id.len())
            .then(|| if short.is_empty() { "0" } else { short }.to_owned())
    }),
    ("white space around the ids", |id| {
        let short = id.trim();
        (short.len() < id.len()).then(|| short.to_owned())
    }),
    ("a file ending", |id| {
        let (stem, ending) = id.rsplit_once('.')?;
        let plain = !stem.is_empty() && (1..=5).contains(&ending.len());
        (plain && ending.bytes().all(|b| b.is_ascii_alphanumeric())).then(|| stem.to_owned())
    }),
    ("upper and lower case", |id| {
        let lower = id.to_lowercase();
        (lower != id).then_some(lower)
    }),
];

/// A sentence that names the likely reason, where one fits.
pub(crate) fn guess<K: Interned>(run: &Ids<K>, qrels: &Ids<K>) -> Option<String> {
    for (what, rewrite) in REWRITES {
        for (side, from, to) in [("run", run, qrels), ("qrels", qrels, run)] {
            let fits = |id: &str| {
                rewrite(id).is_some_and(|new| {
                    to.get(&new).is_some()
                        || (*what == "upper and lower case"
                            && to
                                .names()
                                .take(1000)
                                .any(|other| other.to_lowercase() == new))
                })
            };
            if from.names().take(1000).any(fits) {
                return Some(match *what {
                    "upper and lower case" => "the ids differ in upper and lower case".to_owned(),
                    _ => format!("the ids of the {side} seem to have {what}"),
                });
            }
        }
    }
    affix(run, qrels, "run").or_else(|| affix(qrels, run, "qrels"))
}

/// A prefix or suffix that all ids of one side have before or behind an id of the other.
fn affix<K: Interned>(from: &Ids<K>, to: &Ids<K>, side: &str) -> Option<String> {
    let first = from.names().next()?;
    let cuts = first.char_indices().map(|(at, _)| at).skip(1);
    for at in cuts {
        let (head, tail) = first.split_at(at);
        if to.get(tail).is_some() && from.names().all(|id| id.starts_with(head)) {
            return Some(format!(
                "the ids of the {side} seem to have the prefix '{head}'"
            ));
        }
        if to.get(head).is_some() && from.names().all(|id| id.ends_with(tail)) {
            return Some(format!(
                "the ids of the {side} seem to have the suffix '{tail}'"
            ));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use mrmr_core::QueryId;

    fn guessed(run: &[&str], qrels: &[&str]) -> Option<String> {
        let ids = |names: &[&str]| names.iter().collect::<Ids<QueryId>>();
        guess(&ids(run), &ids(qrels))
    }

    #[test]
    fn the_likely_reason_is_named() {
        for (run, qrels, reason) in [
            (
                &["q1.0"][..],
                &["q1"][..],
                "the ids of the run seem to have a suffix '.0', as of ids read as decimal numbers",
            ),
            (
                &["1"],
                &["001"],
                "the ids of the qrels seem to have zero padding",
            ),
            (
                &["\u{feff}q1"],
                &["q1"],
                "the ids of the run seem to have a byte order mark",
            ),
            (
                &["q1.png", "q2.png"],
                &["q1"],
                "the ids of the run seem to have a file ending",
            ),
            (&["Q1"], &["q1"], "the ids differ in upper and lower case"),
            (
                &["query-test-1", "query-test-2"],
                &["2", "1"],
                "the ids of the run seem to have the prefix 'query-test-'",
            ),
            (
                &["1"],
                &["1-fr", "7-fr"],
                "the ids of the qrels seem to have the suffix '-fr'",
            ),
            (
                &[" q1"],
                &["q1"],
                "the ids of the run seem to have white space around the ids",
            ),
        ] {
            assert_eq!(guessed(run, qrels).as_deref(), Some(reason));
        }
        assert_eq!(guessed(&["a"], &["b"]), None);
    }
}
