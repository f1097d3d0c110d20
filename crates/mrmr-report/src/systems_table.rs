//! Several systems in one table, the first with its details, the others compared with it.

use mrmr_bench::{BenchOutcome, TaskOutcome};
use mrmr_measures::statistics::Bootstrap;
use serde_json::json;

use crate::bench::BenchReport;
use crate::compare::CompareReport;
use crate::document::{Block, Cell, Document, Records, Sheet};
use crate::format::Format;
use crate::interval;
use crate::number::Numbers;

/// One task and the systems that did it; the first is the reference.
#[derive(Debug)]
pub struct SystemsTable {
    /// What each system reached in the one task.
    pub outcomes: Vec<BenchOutcome>,
    /// The others against the first.
    pub comparison: CompareReport,
}

/// Tables of systems, ready to be written.
#[derive(Debug)]
pub struct SystemsTableReport<'a> {
    /// A task each.
    pub tables: &'a [SystemsTable],
    /// Whether the values of single queries are shown.
    pub per_query: bool,
    /// How intervals are computed; none are shown without.
    pub intervals: Option<Bootstrap>,
    /// How numbers are printed for people.
    pub numbers: Numbers,
}

impl SystemsTableReport<'_> {
    /// The report in a format.
    pub fn write(&self, format: Format) -> String {
        format.exporter().export(&self.document())
    }

    fn document(&self) -> Document {
        let (mut blocks, mut verdicts, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        let (mut columns, mut tables) = (Vec::new(), Vec::new());
        for table in self.tables {
            blocks.extend(self.sheet(table));
            let mut systems = Vec::new();
            for (place, outcome) in table.outcomes.iter().enumerate() {
                let report = BenchReport {
                    benchmark: None,
                    outcome,
                    per_query: self.per_query,
                    intervals: self.intervals,
                    numbers: self.numbers,
                };
                let document = report.document();
                // What the others rest on is in the JSON: one system's details are enough to read.
                if place == 0 || self.per_query {
                    blocks.extend(document.blocks);
                }
                systems.push(document.json);
                columns = document.records.columns;
                rows.extend(document.records.rows);
            }
            let compared = table.comparison.document();
            blocks.push(Block::Heading(compared.title.clone()));
            blocks.extend(compared.blocks);
            verdicts.extend(compared.verdicts);
            tables.push(json!({ "systems": systems, "comparison": compared.json }));
        }
        Document {
            title: "demo".to_owned(),
            verdicts,
            blocks,
            records: Records { columns, rows },
            json: json!({ "schema": "mrmr.systems-table/1", "tables": tables }),
            gates: Vec::new(),
        }
    }

    fn sheet(&self, table: &SystemsTable) -> Vec<Block> {
        let first = table.outcomes.first();
        let Some(first) = first.and_then(|outcome| outcome.tasks.first()) else {
            return Vec::new();
        };
        let mut headers = vec!["system".to_owned(), "content".to_owned()];
        for measure in &first.evaluation.measures {
            headers.push(measure.spec.to_string());
            if measure.spec == *first.main() {
                headers.push(format!("{} tie-averaged", measure.spec));
            }
        }
        let caption = format!("{}: systems.", first.spec.name);
        let mut sheet = Sheet::new(caption, 2, headers);
        let mut notes = Vec::new();
        for outcome in &table.outcomes {
            let Some(task) = outcome.tasks.first() else {
                continue;
            };
            sheet.row(self.cells(outcome, task));
            notes.extend(self.at_chance(outcome, task));
        }
        notes.extend(self.intervals.as_ref().map(interval::note));
        let heading = format!("{}: {} queries", first.spec.name, first.facts.queries);
        let heading = format!("{heading}, {} documents", first.facts.documents);
        vec![
            Block::Heading(heading),
            Block::Sheet(sheet),
            Block::Notes(notes),
        ]
    }

    fn cells(&self, outcome: &BenchOutcome, task: &TaskOutcome) -> Vec<Cell> {
        let content = outcome.settings.iter().find(|(name, _)| name == "content");
        let content = content.map_or("", |(_, value)| value);
        let mut cells = vec![Cell::new(outcome.system.clone()), Cell::new(content)];
        for measure in &task.evaluation.measures {
            let mut cell = Cell::new(self.numbers.show(&measure.spec, measure.value));
            let is_main = measure.spec == *task.main();
            let found = self.intervals.as_ref().filter(|_| is_main);
            if let Some(found) = found.and_then(|how| interval::of(measure, None, how)) {
                cell.behind = interval::show(&self.numbers, &measure.spec, &found);
            }
            cells.push(cell);
            if is_main {
                cells.push(Cell::new(
                    self.numbers.show(&measure.spec, measure.tie_averaged),
                ));
            }
        }
        cells
    }

    /// What is said of a system that does no better than without knowledge, over all orders of equal scores.
    fn at_chance(&self, outcome: &BenchOutcome, task: &TaskOutcome) -> Option<String> {
        let chance = task.spec.chance?;
        let main = task.evaluation.measure(task.main())?;
        // Sums in another order differ in the last digits.
        if main.tie_averaged > chance * (1.0 + 1e-9) {
            return None;
        }
        let shown = |value: f64| self.numbers.show(&main.spec, value);
        Some(format!(
            "{} is at chance: tie-averaged {} {}, chance {}; the {} beside it is made by the order of equal scores",
            outcome.system,
            main.spec,
            shown(main.tie_averaged),
            shown(chance),
            shown(main.value),
        ))
    }
}
