//! Several systems over a benchmark, each against the first.

use mrmr_bench::{BenchOutcome, Benchmark};
use mrmr_measures::statistics::Bootstrap;
use serde_json::json;

use crate::bench::BenchReport;
use crate::compare::CompareReport;
use crate::document::{Block, Document, Records};
use crate::format::Format;
use crate::number::Numbers;

/// Several systems over a benchmark, ready to be written.
#[derive(Debug)]
pub struct BenchSystemsReport<'a> {
    /// The benchmark whose average is meant; none for a data set on its own.
    pub benchmark: Option<&'a Benchmark>,
    /// What each system reached; the first is the reference.
    pub outcomes: &'a [BenchOutcome],
    /// The others against the first, a task each, with the task's name.
    pub comparisons: &'a [(String, CompareReport)],
    /// Whether the values of single queries are shown.
    pub per_query: bool,
    /// How intervals are computed; none are shown without.
    pub intervals: Option<Bootstrap>,
    /// How numbers are printed for people.
    pub numbers: Numbers,
}

impl BenchSystemsReport<'_> {
    /// The report in a format.
    pub fn write(&self, format: Format) -> String {
        format.exporter().export(&self.document())
    }

    fn document(&self) -> Document {
        let (mut blocks, mut systems) = (Vec::new(), Vec::new());
        let mut records: Option<Records> = None;
        for outcome in self.outcomes {
            let report = BenchReport {
                benchmark: self.benchmark,
                outcome,
                per_query: self.per_query,
                intervals: self.intervals,
                numbers: self.numbers,
            };
            let document = report.document();
            blocks.extend(document.blocks);
            systems.push(document.json);
            match &mut records {
                Some(records) => records.rows.extend(document.records.rows),
                None => records = Some(document.records),
            }
        }
        let (mut verdicts, mut comparisons) = (Vec::new(), Vec::new());
        for (task, comparison) in self.comparisons {
            let document = comparison.document();
            blocks.push(Block::Heading(format!("{task}: {}", document.title)));
            blocks.extend(document.blocks);
            verdicts.extend(document.verdicts);
            comparisons.push(json!({"task": task, "comparison": document.json}));
        }
        let names: Vec<&str> = self.outcomes.iter().map(|o| o.system.as_str()).collect();
        Document {
            title: names.join(", "),
            verdicts,
            blocks,
            records: records.unwrap_or_else(|| Records {
                columns: Vec::new(),
                rows: Vec::new(),
            }),
            json: json!({
                "schema": "mrmr.bench-systems/1",
                "systems": systems,
                "comparisons": comparisons,
            }),
            gates: Vec::new(),
        }
    }
}
