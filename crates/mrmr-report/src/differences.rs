//! Two runs query by query.

use mrmr_measures::{Differences, Moved, QueryDifference, RBO_PERSISTENCE};
use serde_json::{Value, json};

use crate::document::{Block, Cell, Datum, Document, Records, Sheet};
use crate::format::Format;
use crate::json;
use crate::number::Numbers;
use crate::score::{QrelsFacts, RunFacts};

/// Two runs query by query, ready to be written.
#[derive(Clone, Debug)]
pub struct DifferencesReport {
    /// The qrels.
    pub qrels: QrelsFacts,
    /// The two runs.
    pub runs: Vec<RunFacts>,
    /// What was found.
    pub differences: Differences,
    /// How many queries are shown in tables; the others are counted.
    pub top: usize,
    /// How numbers are printed for people.
    pub numbers: Numbers,
}

impl DifferencesReport {
    /// The report in a format.
    pub fn write(&self, format: Format) -> String {
        format.exporter().export(&self.document())
    }

    fn document(&self) -> Document {
        let Differences {
            spec,
            a,
            b,
            left_out,
            queries,
        } = &self.differences;
        let count =
            |keep: &dyn Fn(f64) -> bool| queries.iter().filter(|q| keep(q.difference)).count();
        let mut notes = vec![format!(
            "{spec} of {} queries: {} higher in {b}, {} lower, {} equal",
            queries.len(),
            count(&|difference| difference > 0.0),
            count(&|difference| difference < 0.0),
            count(&|difference| difference == 0.0),
        )];
        if queries.len() > self.top {
            notes.push(format!(
                "the {} that differ most are shown; --top {} shows all",
                self.top,
                queries.len()
            ));
        }
        if !left_out.is_empty() {
            notes.push(format!("{} judged queries left out", left_out.len()));
        }
        notes.push(format!(
            "first: rank of the first relevant document; RBO: overlap of the rankings (p {RBO_PERSISTENCE}); gained and lost: relevant documents{} with their ranks in {a} and {b}",
            spec.cutoff().map_or(String::new(), |k| format!(" of the top {k}")),
        ));
        Document {
            title: format!("{spec} of {b} against {a}"),
            verdicts: Vec::new(),
            blocks: vec![Block::Sheet(self.sheet()), Block::Notes(notes)],
            records: self.records(),
            json: self.json(),
            gates: Vec::new(),
        }
    }

    fn sheet(&self) -> Sheet {
        let Differences {
            spec,
            a,
            b,
            queries,
            ..
        } = &self.differences;
        let headers = [
            "query".to_owned(),
            a.clone(),
            b.clone(),
            "difference".to_owned(),
            "first".to_owned(),
            "RBO".to_owned(),
            "gained".to_owned(),
            "lost".to_owned(),
        ];
        let caption = format!("{spec} query by query, the largest differences first.");
        let mut sheet = Sheet::new(caption, 1, headers);
        sheet.more_text = &[6, 7];
        for found in queries.iter().take(self.top) {
            sheet.row([
                Cell::new(&found.query),
                Cell::new(self.numbers.show(spec, found.a)),
                Cell::new(self.numbers.show(spec, found.b)),
                Cell::new(self.numbers.show_signed(spec, found.difference)),
                Cell::new(format!(
                    "{} → {}",
                    rank(found.first_relevant_a),
                    rank(found.first_relevant_b)
                )),
                Cell::new(format!("{:.2}", found.overlap)),
                Cell::new(moved(&found.gained)),
                Cell::new(moved(&found.lost)),
            ]);
        }
        sheet
    }

    fn records(&self) -> Records {
        let rows = self.differences.queries.iter().map(|found| {
            let rank = |rank: Option<usize>| rank.map_or(Datum::None, Datum::Count);
            vec![
                Datum::text(&found.query),
                Datum::text(self.differences.spec.to_string()),
                Datum::Number(found.a),
                Datum::Number(found.b),
                Datum::Number(found.difference),
                rank(found.first_relevant_a),
                rank(found.first_relevant_b),
                Datum::Number(found.overlap),
                Datum::Count(found.gained.len()),
                Datum::Count(found.lost.len()),
            ]
        });
        Records {
            columns: vec![
                "query",
                "measure",
                "a",
                "b",
                "difference",
                "first_relevant_a",
                "first_relevant_b",
                "rbo",
                "gained",
                "lost",
            ],
            rows: rows.take(self.top).collect(),
        }
    }

    fn json(&self) -> Value {
        let Differences {
            spec,
            a,
            b,
            queries,
            left_out,
        } = &self.differences;
        let shown = queries.iter().take(self.top).map(query_json);
        let first = self.runs.first();
        json!({
            "schema": "mrmr.diff/1",
            "version": env!("CARGO_PKG_VERSION"),
            "qrels": json::qrels(&self.qrels),
            "policies": first.map(|run| json::policies(&run.evaluation.policies)),
            "measure": json::measure(spec),
            "a": a,
            "b": b,
            "rbo_persistence": RBO_PERSISTENCE,
            "runs": crate::compare::runs_json(&self.runs),
            "queries_in_all": queries.len(),
            "left_out": left_out,
            "queries": shown.collect::<Vec<_>>(),
        })
    }
}

/// One query's differences.
pub(crate) fn query_json(found: &QueryDifference) -> Value {
    let moved = |moved: &[Moved]| -> Value {
        let moved = moved.iter();
        moved
            .map(|m| json!({ "document": m.document, "grade": m.grade, "rank_a": m.a, "rank_b": m.b }))
            .collect()
    };
    json!({
        "query": found.query,
        "a": found.a,
        "b": found.b,
        "difference": found.difference,
        "first_relevant_a": found.first_relevant_a,
        "first_relevant_b": found.first_relevant_b,
        "rbo": found.overlap,
        "gained": moved(&found.gained),
        "lost": moved(&found.lost),
    })
}

fn rank(rank: Option<usize>) -> String {
    rank.map_or("-".to_owned(), |rank| rank.to_string())
}

/// How many moved documents a cell names.
const SHOWN: usize = 3;

/// `d7 (- → 3), d9 (12 → 4)`.
fn moved(moved: &[Moved]) -> String {
    let mut texts: Vec<String> = moved
        .iter()
        .take(SHOWN)
        .map(|m| format!("{} ({} → {})", m.document, rank(m.a), rank(m.b)))
        .collect();
    if moved.len() > SHOWN {
        texts.push(format!("{} more", moved.len() - SHOWN));
    }
    texts.join(", ")
}
