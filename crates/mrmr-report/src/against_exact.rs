//! What an approximate search misses, and what that costs.

use mrmr_measures::{Change, NeighbourRecall, QueryChange, Waterfall};
use serde_json::{Value, json};

use crate::compare::CompareReport;
use crate::document::{Block, Cell, Datum, Document, Records, Sheet};
use crate::format::Format;
use crate::number::Numbers;
use crate::sweep::share;

/// How many queries are named.
const SHOWN: usize = 5;

/// An approximate search beside the exact one, ready to be written.
#[derive(Clone, Debug)]
pub struct AgainstExactReport {
    /// The name of the approximate run.
    pub run: String,
    /// What it found of the nearest documents.
    pub recall: NeighbourRecall,
    /// Its measures beside those of the exact run, where there are judgements.
    pub compared: Option<CompareReport>,
    /// From exact to approximate search, for measures that a query can lose some of.
    pub losses: Vec<Waterfall>,
    /// How numbers are printed for people.
    pub numbers: Numbers,
}

impl AgainstExactReport {
    /// The report in a format.
    pub fn write(&self, format: Format) -> String {
        format.exporter().export(&self.document())
    }

    fn document(&self) -> Document {
        let mut blocks = vec![Block::Sheet(self.sheet()), Block::Notes(self.notes())];
        let mut verdicts = Vec::new();
        if let Some(compared) = &self.compared {
            let document = compared.document();
            blocks.extend(document.blocks);
            verdicts = document.verdicts;
        }
        if let Some(sheet) = self.behind_the_loss() {
            blocks.push(Block::Heading(sheet.caption.clone()));
            blocks.push(Block::Sheet(sheet));
        }
        Document {
            title: format!("{} against exact search", self.run),
            verdicts,
            blocks,
            records: self.records(),
            json: self.json(),
            gates: Vec::new(),
        }
    }

    fn sheet(&self) -> Sheet {
        let recall = &self.recall;
        let headers = [
            "run".to_owned(),
            format!("recall@{}", recall.k),
            "lowest".to_owned(),
            "incomplete".to_owned(),
            "queries".to_owned(),
        ];
        let caption = format!("What {} found of exact search.", self.run);
        let mut sheet = Sheet::new(caption, 1, headers);
        sheet.row([
            Cell::new(&self.run),
            Cell::new(share(&self.numbers, recall.mean)),
            Cell::new(share(&self.numbers, recall.lowest())),
            Cell::new(recall.incomplete().to_string()),
            Cell::new(recall.values.len().to_string()),
        ]);
        sheet
    }

    fn notes(&self) -> Vec<String> {
        let recall = &self.recall;
        let mut notes = vec![format!(
            "recall@{}: the mean share of the true nearest documents that were found, ties at the last counting alike; lowest: of any query; incomplete: queries that lack one",
            recall.k
        )];
        let worst = recall.worst();
        if !worst.is_empty() {
            let more = if worst.len() > SHOWN { ", ..." } else { "" };
            let named: Vec<String> = worst
                .iter()
                .take(SHOWN)
                .map(|(query, value)| format!("{query} ({})", share(&self.numbers, *value)))
                .collect();
            notes.push(format!("lowest: {}{more}", named.join(", ")));
        }
        if recall.without_documents > 0 {
            notes.push(format!(
                "{} without any document left out",
                queries(recall.without_documents)
            ));
        }
        notes
    }

    /// The queries that lost most, by measure.
    fn behind_the_loss(&self) -> Option<Sheet> {
        let headers = [
            "measure",
            "query",
            "exact",
            self.run.as_str(),
            "change",
            "first relevant at",
        ];
        let mut sheet = Sheet::new("Queries behind the loss", 2, headers);
        sheet.more_text = &[5];
        for waterfall in &self.losses {
            let Some(change) = step(waterfall) else {
                continue;
            };
            let spec = &waterfall.spec;
            for query in change.lower.iter().take(SHOWN) {
                sheet.row([
                    Cell::new(spec.to_string()),
                    Cell::new(&query.query),
                    Cell::new(self.numbers.show(spec, query.before)),
                    Cell::new(self.numbers.show(spec, query.after)),
                    Cell::new(self.numbers.show_signed(spec, query.difference())),
                    Cell::new(moved(query)),
                ]);
            }
        }
        (!sheet.rows.is_empty()).then_some(sheet)
    }

    fn records(&self) -> Records {
        let mut rows = Vec::new();
        let recall = format!("recall@{}", self.recall.k);
        rows.push(vec![
            Datum::text(&recall),
            Datum::All,
            Datum::Number(1.0),
            Datum::Number(self.recall.mean),
        ]);
        for (query, value) in self.recall.queries.iter().zip(&self.recall.values) {
            rows.push(vec![
                Datum::text(&recall),
                Datum::text(query),
                Datum::Number(1.0),
                Datum::Number(*value),
            ]);
        }
        for run in self.compared.iter().take(1) {
            let [exact, found] = run.runs.as_slice() else {
                continue;
            };
            let (exact, found) = (&exact.evaluation, &found.evaluation);
            for (before, after) in exact.measures.iter().zip(&found.measures) {
                let measure = before.spec.to_string();
                rows.push(vec![
                    Datum::text(&measure),
                    Datum::All,
                    Datum::Number(before.value),
                    Datum::Number(after.value),
                ]);
                for (at, query) in exact.queries.iter().enumerate() {
                    let other = found.queries.binary_search(query).ok();
                    rows.push(vec![
                        Datum::text(&measure),
                        Datum::text(query),
                        Datum::Number(before.values[at]),
                        Datum::maybe(other.map(|at| after.values[at])),
                    ]);
                }
            }
        }
        Records {
            columns: vec!["measure", "query", "exact", "approximate"],
            rows,
        }
    }

    fn json(&self) -> Value {
        let recall = &self.recall;
        let by_query = recall.queries.iter().zip(&recall.values);
        let by_query: Vec<Value> = by_query
            .map(|(query, value)| json!({ "query": query, "recall": value }))
            .collect();
        let losses = self.losses.iter().filter_map(|waterfall| {
            let change = step(waterfall)?;
            let lower = change.lower.iter().map(|query| {
                json!({
                    "query": query.query,
                    "exact": query.before,
                    "approximate": query.after,
                    "first_relevant_exact": query.first_relevant_before,
                    "first_relevant_approximate": query.first_relevant_after,
                    "lost_documents": query.lost_documents,
                })
            });
            Some(json!({
                "measure": waterfall.spec.to_string(),
                "lost": change.lost,
                "gained": change.gained,
                "queries": lower.collect::<Vec<_>>(),
            }))
        });
        json!({
            "schema": "mrmr.against_exact/1",
            "version": env!("CARGO_PKG_VERSION"),
            "run": self.run,
            "k": recall.k,
            "recall": recall.mean,
            "lowest_recall": recall.lowest(),
            "incomplete_queries": recall.incomplete(),
            "queries_without_documents": recall.without_documents,
            "by_query": by_query,
            "comparison": self.compared.as_ref().map(CompareReport::json),
            "losses": losses.collect::<Vec<_>>(),
        })
    }
}

/// The change from exact search to the approximate one.
fn step(waterfall: &Waterfall) -> Option<&Change> {
    waterfall.stages.get(1)?.change.as_ref()
}

fn moved(query: &QueryChange) -> String {
    let place = |rank: Option<usize>| rank.map_or("none".to_owned(), |rank| rank.to_string());
    format!(
        "{} -> {}",
        place(query.first_relevant_before),
        place(query.first_relevant_after)
    )
}

fn queries(count: usize) -> String {
    match count {
        1 => "1 query".to_owned(),
        count => format!("{count} queries"),
    }
}
