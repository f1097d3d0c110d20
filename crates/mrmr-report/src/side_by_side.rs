//! Two rankings of one query beside each other.

use std::collections::HashMap;

use mrmr_measures::{ExplainedRank, Explanation, QueryDifference};
use serde_json::{Value, json};

use crate::document::{Block, Cell, Datum, Document, Records, Sheet};
use crate::format::Format;
use crate::json;
use crate::number::Numbers;
use crate::score::QrelsFacts;

/// Two rankings of one query, ready to be written.
#[derive(Clone, Debug)]
pub struct SideBySideReport {
    /// The qrels.
    pub qrels: QrelsFacts,
    /// The first run's value, taken apart.
    pub a: Explanation,
    /// The second run's value, taken apart.
    pub b: Explanation,
    /// What the two differ in.
    pub difference: QueryDifference,
    /// How many ranks are shown in tables.
    pub top: usize,
    /// How numbers are printed for people.
    pub numbers: Numbers,
}

impl SideBySideReport {
    /// The report in a format.
    pub fn write(&self, format: Format) -> String {
        format.exporter().export(&self.document())
    }

    fn document(&self) -> Document {
        let (a, b) = (&self.a, &self.b);
        let spec = &a.spec;
        let mut blocks = vec![
            Block::Notes(vec![format!(
                "query {}: {spec} {} in {}, {} in {}, difference {}; RBO {:.2}",
                a.query,
                self.numbers.show(spec, a.value),
                a.run,
                self.numbers.show(spec, b.value),
                b.run,
                self.numbers.show_signed(spec, self.difference.difference),
                self.difference.overlap,
            )]),
            Block::Sheet(self.sheet()),
        ];
        let relevant = self.relevant();
        if !relevant.rows.is_empty() {
            blocks.push(Block::Heading("relevant documents".to_owned()));
            blocks.push(Block::Sheet(relevant));
        }
        Document {
            title: format!("Query {}: {} against {}", a.query, b.run, a.run),
            verdicts: vec![
                format!("{}: {a}", a.run),
                format!("{}: {b}", b.run),
                self.nobody(),
            ],
            blocks,
            records: self.records(),
            json: self.json(),
            gates: Vec::new(),
        }
    }

    fn nobody(&self) -> String {
        let unfound: Vec<&str> = self.unfound().collect();
        match unfound.as_slice() {
            [] => "every relevant document was retrieved by one of them at least".to_owned(),
            [one] => format!("neither run retrieved the relevant document '{one}'"),
            many => format!(
                "neither run retrieved {} relevant documents: {}",
                many.len(),
                many.iter()
                    .take(5)
                    .map(|id| format!("'{id}'"))
                    .collect::<Vec<_>>()
                    .join(", ")
                    + if many.len() > 5 { ", ..." } else { "" }
            ),
        }
    }

    /// Relevant documents that neither run has.
    fn unfound(&self) -> impl Iterator<Item = &str> {
        self.a
            .relevant()
            .filter(|judged| judged.rank.is_none() && self.b.rank_of(&judged.document).is_none())
            .map(|judged| judged.document.as_str())
    }

    fn sheet(&self) -> Sheet {
        let (a, b) = (&self.a, &self.b);
        let headers = [
            "rank".to_owned(),
            a.run.clone(),
            "grade".to_owned(),
            format!("in {}", b.run),
            b.run.clone(),
            "grade".to_owned(),
            "moved".to_owned(),
        ];
        let caption = format!("The rankings of query {}.", a.query);
        let mut sheet = Sheet::new(caption, headers.len(), headers);
        let (in_a, in_b) = (places(a), places(b));
        let rows = a.ranks.len().max(b.ranks.len()).min(self.top);
        for at in 0..rows {
            let mut cells = vec![Cell::new((at + 1).to_string())];
            cells.extend(side(a.ranks.get(at), |ranked| {
                match in_b.get(ranked.document.as_str()) {
                    Some(rank) => rank.to_string(),
                    None => "-".to_owned(),
                }
            }));
            cells.extend(side(b.ranks.get(at), |ranked| {
                movement(in_a.get(ranked.document.as_str()).copied(), ranked.rank)
            }));
            sheet.row(cells);
        }
        sheet
    }

    fn relevant(&self) -> Sheet {
        let headers = [
            "document".to_owned(),
            "grade".to_owned(),
            self.a.run.clone(),
            self.b.run.clone(),
        ];
        let caption = format!("Ranks of the relevant documents of query {}.", self.a.query);
        let mut sheet = Sheet::new(caption, 1, headers);
        for judged in self.a.relevant().take(self.top.max(20)) {
            let rank = |rank: Option<usize>| rank.map_or("-".to_owned(), |rank| rank.to_string());
            sheet.row([
                judged.document.clone(),
                judged.grade.to_string(),
                rank(judged.rank),
                rank(self.b.rank_of(&judged.document)),
            ]);
        }
        sheet
    }

    fn records(&self) -> Records {
        let mut rows = Vec::new();
        for (own, other) in [(&self.a, places(&self.b)), (&self.b, places(&self.a))] {
            for ranked in own.ranks.iter().take(self.top) {
                let elsewhere = other.get(ranked.document.as_str());
                rows.push(vec![
                    Datum::text(&own.run),
                    Datum::text(&own.query),
                    Datum::Count(ranked.rank),
                    Datum::text(&ranked.document),
                    Datum::Score(ranked.score),
                    Datum::maybe(ranked.grade),
                    elsewhere.map_or(Datum::None, |rank| Datum::Count(*rank)),
                ]);
            }
        }
        Records {
            columns: vec![
                "run",
                "query",
                "rank",
                "document",
                "score",
                "grade",
                "rank_in_other",
            ],
            rows,
        }
    }

    fn json(&self) -> Value {
        let ranking = |own: &Explanation, other: HashMap<&str, usize>| -> Value {
            let ranks = own.ranks.iter().take(self.top).map(|ranked| {
                json!({
                    "rank": ranked.rank,
                    "document": ranked.document,
                    "score": json::score(ranked.score),
                    "grade": ranked.grade,
                    "rank_in_other": other.get(ranked.document.as_str()),
                })
            });
            ranks.collect()
        };
        json!({
            "schema": "mrmr.query-diff/1",
            "version": env!("CARGO_PKG_VERSION"),
            "qrels": json::qrels(&self.qrels),
            "policies": json::policies(&self.a.policies),
            "measure": json::measure(&self.a.spec),
            "a": { "run": self.a.run, "reason": self.a.to_string(), "ranking": ranking(&self.a, places(&self.b)) },
            "b": { "run": self.b.run, "reason": self.b.to_string(), "ranking": ranking(&self.b, places(&self.a)) },
            "difference": crate::differences::query_json(&self.difference),
            "found_by_neither": self.unfound().collect::<Vec<_>>(),
        })
    }
}

fn places(explanation: &Explanation) -> HashMap<&str, usize> {
    let ranks = explanation.ranks.iter();
    ranks
        .map(|ranked| (ranked.document.as_str(), ranked.rank))
        .collect()
}

fn side(ranked: Option<&ExplainedRank>, last: impl Fn(&ExplainedRank) -> String) -> [Cell; 3] {
    match ranked {
        None => [Cell::default(), Cell::default(), Cell::default()],
        Some(ranked) => [
            Cell::new(&ranked.document),
            Cell::new(
                ranked
                    .grade
                    .map_or("-".to_owned(), |grade| grade.to_string()),
            ),
            Cell::new(last(ranked)),
        ],
    }
}

/// `▲3` three ranks up, `▼2` two down, `=` the same, `new`.
fn movement(before: Option<usize>, now: usize) -> String {
    match before {
        None => "new".to_owned(),
        Some(before) if before > now => format!("▲{}", before - now),
        Some(before) if before < now => format!("▼{}", now - before),
        Some(_) => "=".to_owned(),
    }
}
