//! Runs as JSON.

use std::io::Write;

use mrmr_core::{Error, RankingPolicy, Result, Run};

use super::score::shortest;

/// Writes a run as `{query: {document: score}}`, one query a line, best documents first.
///
/// ```
/// use mrmr_core::{Origin, RankingPolicy, Run};
/// use mrmr_formats::output::write_run_json;
/// let mut answers = Run::builder("bm25", Origin::memory("answers"));
/// answers.add("q1", "d 1", 0.5, 0)?;
/// answers.add("q1", "d2", 2.0, 1)?;
/// answers.add_empty("q2");
/// let (run, _) = answers.finish(Default::default())?;
/// let mut out = Vec::new();
/// write_run_json(&run, RankingPolicy::default(), &mut out)?;
/// assert_eq!(String::from_utf8_lossy(&out), "{\n\"q1\": {\"d2\": 2, \"d 1\": 0.5},\n\"q2\": {}\n}\n");
/// # Ok::<(), mrmr_core::Error>(())
/// ```
///
/// Any id can be written, and queries with an empty list stay. The name of the run is not written. An infinite
/// score is written as `Infinity` or `-Infinity`, as Python does, which a strict reader of JSON refuses.
///
/// # Errors
/// If writing fails.
pub fn write_run_json(run: &Run, policy: RankingPolicy, out: &mut dyn Write) -> Result<()> {
    write(run, policy, out).map_err(Error::io)
}

fn write(run: &Run, policy: RankingPolicy, out: &mut dyn Write) -> std::io::Result<()> {
    let mut number = String::new();
    out.write_all(b"{")?;
    for (place, query) in run.queries().keys().enumerate() {
        out.write_all(if place == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, run.queries().name(query))?;
        out.write_all(b": {")?;
        for (place, entry) in run.ranking(query, policy).entries().iter().enumerate() {
            if place > 0 {
                out.write_all(b", ")?;
            }
            serde_json::to_writer(&mut *out, run.documents().name(entry.document))?;
            out.write_all(b": ")?;
            if entry.score.is_infinite() {
                let infinite = if entry.score > 0.0 {
                    "Infinity"
                } else {
                    "-Infinity"
                };
                out.write_all(infinite.as_bytes())?;
            } else {
                shortest(entry.score, &mut number);
                out.write_all(number.as_bytes())?;
            }
        }
        out.write_all(b"}")?;
    }
    out.write_all(if run.queries().is_empty() {
        b"}\n"
    } else {
        b"\n}\n"
    })
}
