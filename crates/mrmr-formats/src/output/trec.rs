//! Runs and judgements as TREC lines.

use std::io::Write;

use mrmr_core::{Error, Ids, Interned, Qrels, RankingPolicy, Result, Run};

use super::score::shortest;

/// Writes a run as TREC lines: `query Q0 document rank score tag`.
///
/// ```
/// use mrmr_core::{Origin, RankingPolicy, Run};
/// use mrmr_formats::output::write_run_trec;
/// let mut answers = Run::builder("my run", Origin::memory("answers"));
/// answers.add("q1", "d1", 0.5, 0)?;
/// answers.add("q1", "d2", 2.0, 1)?;
/// let (run, _) = answers.finish(Default::default())?;
/// let mut out = Vec::new();
/// write_run_trec(&run, RankingPolicy::default(), &mut out)?;
/// assert_eq!(String::from_utf8_lossy(&out), "q1 Q0 d2 1 2 my_run\nq1 Q0 d1 2 0.5 my_run\n");
/// # Ok::<(), mrmr_core::Error>(())
/// ```
///
/// Queries are in the order of the run, documents in that of the policy, ranks from 1. A score has the
/// shortest form that reads back to the same bits. The tag is the run's name, white space in it replaced by
/// `_`. If an id holds a space, tabs separate the fields of all lines: a file with tabs is split at tabs. A query with an
/// empty list has no line.
///
/// # Errors
/// If an id is empty or holds a tab or a line end, or if writing fails.
pub fn write_run_trec(run: &Run, policy: RankingPolicy, out: &mut dyn Write) -> Result<()> {
    let separator = separator(run.queries(), run.documents())?;
    let tag = tag(run.name());
    let mut number = String::new();
    let mut write = || -> std::io::Result<()> {
        let mut start = mark(run.queries());
        for query in run.queries().keys() {
            let name = run.queries().name(query);
            for (place, entry) in run.ranking(query, policy).entries().iter().enumerate() {
                let document = run.documents().name(entry.document);
                let rank = place + 1;
                shortest(entry.score, &mut number);
                writeln!(
                    out,
                    "{start}{name}{separator}Q0{separator}{document}{separator}{rank}{separator}{number}{separator}{tag}"
                )?;
                start = "";
            }
        }
        Ok(())
    };
    write().map_err(Error::io)
}

/// Writes judgements as TREC lines: `query 0 document grade`, or `query subtopic document grade` where the
/// judgements are by subtopic.
///
/// ```
/// use mrmr_core::{Origin, Qrels};
/// use mrmr_formats::output::write_qrels_trec;
/// let mut judged = Qrels::builder(Origin::memory("judged"));
/// judged.add("q1", "d1", 1.0, 0)?;
/// let mut out = Vec::new();
/// write_qrels_trec(&judged.finish()?.0, &mut out)?;
/// assert_eq!(String::from_utf8_lossy(&out), "q1 0 d1 1\n");
/// # Ok::<(), mrmr_core::Error>(())
/// ```
///
/// Ids are treated as by [`write_run_trec`].
///
/// # Errors
/// If an id is empty or holds a tab or a line end, or if writing fails.
pub fn write_qrels_trec(qrels: &Qrels, out: &mut dyn Write) -> Result<()> {
    let subtopics: Vec<&str> = qrels.subtopics().map(|(_, name)| name).collect();
    let mut separator = separator(qrels.queries(), qrels.documents())?;
    for subtopic in &subtopics {
        if breaks_lines(subtopic) {
            return Err(unwritable("subtopic", subtopic));
        }
        if subtopic.is_empty() || subtopic.contains(' ') {
            separator = '\t';
        }
    }
    let mut number = String::new();
    let mut write = || -> std::io::Result<()> {
        let mut start = mark(qrels.queries());
        for query in qrels.queries().keys() {
            let name = qrels.queries().name(query);
            for (at, judgement) in qrels.judgements(query).iter().enumerate() {
                let document = qrels.documents().name(judgement.document);
                let by_subtopic = qrels.subtopic_grades(query, at).iter();
                let by_subtopic =
                    by_subtopic.map(|grade| (subtopics[grade.subtopic.index()], grade.grade));
                let whole = (!qrels.has_subtopics()).then_some(("0", judgement.grade));
                for (subtopic, grade) in by_subtopic.chain(whole) {
                    shortest(grade, &mut number);
                    writeln!(
                        out,
                        "{start}{name}{separator}{subtopic}{separator}{document}{separator}{number}"
                    )?;
                    start = "";
                }
            }
        }
        Ok(())
    };
    write().map_err(Error::io)
}

/// A byte order mark, where the first id starts with one: the reader takes one away.
fn mark<K: Interned>(queries: &Ids<K>) -> &'static str {
    let is_marked = queries
        .names()
        .next()
        .is_some_and(|name| name.starts_with('\u{feff}'));
    if is_marked { "\u{feff}" } else { "" }
}

/// Refuses ids that TREC lines cannot hold, before the work whose result they would end.
///
/// ```
/// use mrmr_formats::output::check_trec_ids;
/// check_trec_ids("document", ["d1", "d 2"])?;
/// assert!(check_trec_ids("document", ["d1", "d\t2"]).is_err());
/// # Ok::<(), mrmr_core::Error>(())
/// ```
///
/// # Errors
/// If an id is empty or holds a tab or a line end; `what` says whose it is.
pub fn check_trec_ids<'a>(what: &str, ids: impl IntoIterator<Item = &'a str>) -> Result<()> {
    for id in ids {
        if id.is_empty() {
            return Err(Error::data(format!(
                "the id of a {what} is empty, which TREC lines cannot hold"
            ))
            .hint("write JSON"));
        }
        if breaks_lines(id) {
            return Err(unwritable(what, id).hint("write JSON"));
        }
    }
    Ok(())
}

/// A tab where an id holds a space, else a space.
fn separator<Q: Interned, D: Interned>(queries: &Ids<Q>, documents: &Ids<D>) -> Result<char> {
    check_trec_ids("query", queries.names())?;
    check_trec_ids("document", documents.names())?;
    let mut ids = queries.names().chain(documents.names());
    Ok(match ids.any(|id| id.contains(' ')) {
        true => '\t',
        false => ' ',
    })
}

fn breaks_lines(id: &str) -> bool {
    id.contains(['\t', '\r', '\n'])
}

fn unwritable(what: &str, id: &str) -> Error {
    Error::data(format!(
        "the id of a {what} holds a tab or a line end, which TREC lines cannot hold: {id:?}"
    ))
}

fn tag(name: &str) -> String {
    let tag: String = name
        .chars()
        .map(|character| {
            if character.is_whitespace() {
                '_'
            } else {
                character
            }
        })
        .collect();
    if tag.is_empty() {
        "run".to_owned()
    } else {
        tag
    }
}
