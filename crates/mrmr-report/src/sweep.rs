//! What an approximate index finds, and how fast, for each effort.

use mrmr_measures::{MeasureSpec, NeighbourRecall};
use serde_json::{Map, Value, json};

use crate::document::{Block, Cell, Datum, Document, Records, Sheet};
use crate::format::Format;
use crate::json;
use crate::number::Numbers;
use crate::score::QrelsFacts;
use crate::svg::{Axis, LineChart, Point, Scale, Series};

/// The share of the nearest documents that the last sentence asks for.
const GOOD: f64 = 0.99;

/// A sweep over efforts, ready to be written.
#[derive(Clone, Debug)]
pub struct SweepReport {
    /// The name of the system.
    pub system: String,
    /// What its effort is called.
    pub effort: String,
    /// Its settings and the machine's, a line each.
    pub setting: Vec<String>,
    /// How many documents of a query count for recall.
    pub k: usize,
    /// How many documents there are.
    pub documents: usize,
    /// How many queries there are.
    pub queries: usize,
    /// The judgements, where there are some.
    pub qrels: Option<QrelsFacts>,
    /// Exact search.
    pub exact: SweepStep,
    /// The index, by effort.
    pub steps: Vec<(usize, SweepStep)>,
    /// How numbers are printed for people.
    pub numbers: Numbers,
}

/// One search for all queries.
#[derive(Clone, Debug)]
pub struct SweepStep {
    /// What it found of the nearest documents.
    pub recall: NeighbourRecall,
    /// Seconds that passed.
    pub seconds: f64,
    /// Seconds that all processors together worked for it, where the system counts them.
    pub cpu_seconds: Option<f64>,
    /// The means of measures.
    pub values: Vec<(MeasureSpec, f64)>,
}

impl SweepReport {
    /// The report in a format.
    pub fn write(&self, format: Format) -> String {
        format.exporter().export(&self.document())
    }

    /// Recall against queries a second, as an SVG file.
    pub fn svg(&self) -> String {
        let point = |label: String, name: &str, step: &SweepStep| Point {
            x: self.speed(step),
            y: step.recall.mean,
            said: format!(
                "{name}: {} queries per second, recall {:.4}",
                rate(self.speed(step)),
                step.recall.mean
            ),
            label,
        };
        let points = self.steps.iter().map(|(effort, step)| {
            let name = format!("{} {effort}", self.effort);
            point(effort.to_string(), &name, step)
        });
        let points: Vec<Point> = points.collect();
        let exact = point("exact".to_owned(), "exact search", &self.exact);
        let said = points
            .iter()
            .chain([&exact])
            .map(|point| point.said.as_str());
        let said: Vec<&str> = said.collect();
        let chart = LineChart {
            title: format!("{}: recall@{} and speed", self.system, self.k),
            description: format!(
                "{} documents, {} queries. {}.",
                self.documents,
                self.queries,
                said.join(". ")
            ),
            x: Axis {
                label: "queries per second (logarithmic)".to_owned(),
                scale: Scale::Logarithmic,
            },
            y: Axis {
                label: format!("recall@{} against exact search", self.k),
                scale: Scale::Linear,
            },
            series: vec![
                Series {
                    name: format!("{}, labelled with {}", self.system, self.effort),
                    points,
                },
                Series {
                    name: "exact search".to_owned(),
                    points: vec![exact],
                },
            ],
        };
        chart.svg()
    }

    /// Queries a second.
    fn speed(&self, step: &SweepStep) -> f64 {
        // A clock that has not moved would make it infinite.
        self.queries as f64 / step.seconds.max(1e-9)
    }

    fn cpu_per_thousand(&self, step: &SweepStep) -> Option<f64> {
        let queries = self.queries.max(1) as f64;
        step.cpu_seconds.map(|seconds| seconds * 1000.0 / queries)
    }

    fn all(&self) -> impl Iterator<Item = (Option<usize>, &SweepStep)> {
        let steps = self.steps.iter();
        let steps = steps.map(|(effort, step)| (Some(*effort), step));
        std::iter::once((None, &self.exact)).chain(steps)
    }

    fn document(&self) -> Document {
        Document {
            title: format!("{} against exact search, by {}", self.system, self.effort),
            verdicts: vec![self.verdict()],
            blocks: vec![
                Block::Notes(self.setting.clone()),
                Block::Sheet(self.sheet()),
                Block::Notes(self.notes()),
            ],
            records: self.records(),
            json: self.json(),
            gates: Vec::new(),
        }
    }

    fn sheet(&self) -> Sheet {
        let mut headers = vec![
            self.effort.clone(),
            format!("recall@{}", self.k),
            "lowest".to_owned(),
            "incomplete".to_owned(),
            "queries/s".to_owned(),
            "CPU-s/1,000".to_owned(),
        ];
        let specs = self.exact.values.iter().map(|(spec, _)| spec.to_string());
        headers.extend(specs);
        let caption = format!(
            "{} by {}, {} documents, {} queries.",
            self.system, self.effort, self.documents, self.queries
        );
        let mut sheet = Sheet::new(caption, 1, headers);
        for (effort, step) in self.all() {
            let cpu = self.cpu_per_thousand(step);
            let mut row = vec![
                effort.map_or("exact".to_owned(), |effort| effort.to_string()),
                share(&self.numbers, step.recall.mean),
                share(&self.numbers, step.recall.lowest()),
                step.recall.incomplete().to_string(),
                rate(self.speed(step)),
                cpu.map_or(String::new(), |seconds| format!("{seconds:.3}")),
            ];
            let values = step.values.iter();
            row.extend(values.map(|(spec, value)| self.numbers.show(spec, *value)));
            sheet.row(row.into_iter().map(Cell::new));
        }
        sheet
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = vec![format!(
            "recall@{}: the mean share of the true nearest documents that were found, ties at the last counting alike; lowest: of any query; incomplete: queries that lack one",
            self.k
        )];
        notes.push(
            "queries/s: of the search alone, by the clock; CPU-s/1,000: seconds of all processors for 1,000 queries"
                .to_owned(),
        );
        if let Some(qrels) = &self.qrels {
            notes.push(format!("judgements: {}", qrels.source));
        }
        notes
    }

    fn verdict(&self) -> String {
        let good = |(_, step): &&(usize, SweepStep)| step.recall.mean >= GOOD;
        let by_effort = self.steps.iter().filter(good);
        match by_effort.min_by_key(|(effort, _)| *effort) {
            Some((effort, step)) => {
                let times = self.speed(step) / self.speed(&self.exact);
                format!(
                    "{} {effort} is the least of these that reaches recall@{} {GOOD}: {} queries/s, {times:.1} times exact search",
                    self.effort,
                    self.k,
                    rate(self.speed(step))
                )
            }
            None => format!("none of these reaches recall@{} {GOOD}", self.k),
        }
    }

    fn records(&self) -> Records {
        let mut rows = Vec::new();
        for (effort, step) in self.all() {
            let system = effort.map_or("exact", |_| self.system.as_str());
            let mut add = |quantity: String, value: Datum| {
                rows.push(vec![
                    Datum::text(system),
                    effort.map_or(Datum::None, Datum::Count),
                    Datum::text(quantity),
                    value,
                ]);
            };
            add(
                format!("recall@{}", self.k),
                Datum::Number(step.recall.mean),
            );
            add(
                "lowest recall".to_owned(),
                Datum::Number(step.recall.lowest()),
            );
            add(
                "incomplete queries".to_owned(),
                Datum::Count(step.recall.incomplete()),
            );
            add(
                "queries per second".to_owned(),
                Datum::Number(self.speed(step)),
            );
            add(
                "CPU seconds per 1000 queries".to_owned(),
                Datum::maybe(self.cpu_per_thousand(step)),
            );
            for (spec, value) in &step.values {
                add(spec.to_string(), Datum::Number(*value));
            }
        }
        Records {
            columns: vec!["system", "effort", "quantity", "value"],
            rows,
        }
    }

    fn json(&self) -> Value {
        let steps = self.all().map(|(effort, step)| {
            let values: Map<String, Value> = step
                .values
                .iter()
                .map(|(spec, value)| (spec.to_string(), json!(value)))
                .collect();
            json!({
                "effort": effort,
                "recall": step.recall.mean,
                "lowest_recall": step.recall.lowest(),
                "incomplete_queries": step.recall.incomplete(),
                "seconds": step.seconds,
                "queries_per_second": self.speed(step),
                "cpu_seconds_per_1000_queries": self.cpu_per_thousand(step),
                "measures": values,
            })
        });
        json!({
            "schema": "mrmr.sweep/1",
            "version": env!("CARGO_PKG_VERSION"),
            "system": self.system,
            "effort": self.effort,
            "setting": self.setting,
            "k": self.k,
            "documents": self.documents,
            "queries": self.queries,
            "qrels": self.qrels.as_ref().map(json::qrels),
            "steps": steps.collect::<Vec<_>>(),
        })
    }
}

/// A share in the digits of a table.
pub(crate) fn share(numbers: &Numbers, value: f64) -> String {
    let factor = if numbers.percent { 100.0 } else { 1.0 };
    format!("{:.*}", numbers.digits, value * factor)
}

/// A number a second: three digits at least.
fn rate(value: f64) -> String {
    match value {
        value if value < 10.0 => format!("{value:.2}"),
        value if value < 100.0 => format!("{value:.1}"),
        value => format!("{value:.0}"),
    }
}
