//! A benchmark's outcome by task, sub-task and category.

use std::fmt::Write as _;

use mrmr_bench::{Average, BenchOutcome, Benchmark, Slice, TaskOutcome};
use mrmr_measures::MeasureValues;
use serde_json::{Map, Value, json};

use crate::format::Format;
use crate::json;
use crate::number::Numbers;
use crate::score::{cell, coverage_lines};
use crate::table::Table;

/// A benchmark's outcome, ready to be written.
#[derive(Debug)]
pub struct BenchReport<'a> {
    /// The benchmark whose average is meant; none for a data set on its own.
    pub benchmark: Option<&'a Benchmark>,
    /// The outcome.
    pub outcome: &'a BenchOutcome,
    /// Whether the values of single queries are shown (JSON and TSV).
    pub per_query: bool,
    /// How numbers are printed for people.
    pub numbers: Numbers,
}

impl BenchReport<'_> {
    /// The report in a format.
    pub fn write(&self, format: Format) -> String {
        match format {
            Format::Table => self.prose(Table::text, ""),
            Format::Markdown => self.prose(Table::markdown, "### "),
            Format::Json => json::pretty(&self.json()),
            Format::Tsv => self.tsv(),
        }
    }

    fn prose(&self, show: impl Fn(&Table) -> String, heading: &str) -> String {
        let settings = self.outcome.settings.iter();
        let settings: Vec<String> = settings
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        let mut out = format!(
            "{heading}{}: {}\n",
            self.outcome.system,
            settings.join(", ")
        );
        for task in &self.outcome.tasks {
            let facts = &task.facts;
            let _ = writeln!(
                out,
                "\n{heading}{}: {} queries ({} with images), {} documents ({} with images), {} judgements",
                task.spec.name,
                facts.queries,
                facts.queries_with_images,
                facts.documents,
                facts.documents_with_images,
                facts.judgements,
            );
            out.push('\n');
            out += &show(&self.task_table(task));
            if !task.categories.is_empty() {
                out.push('\n');
                out += &show(&self.category_table(task));
            }
            out.push('\n');
            out += &coverage_lines(&task.evaluation);
        }
        if let Some(benchmark) = self.benchmark {
            out.push('\n');
            out += &self.summary(benchmark, &show);
        }
        out
    }

    fn task_table(&self, task: &TaskOutcome) -> Table {
        let mut table = Table::new(self.headers(task, "sub-task"));
        let split = task
            .sub_tasks
            .iter()
            .filter(|slice| !slice.places.is_empty());
        // A task that is its own only sub-task needs no second line for it.
        if task.spec.sub_tasks.len() > 1 {
            for slice in split {
                table.row(self.cells(task, &slice.name, &slice.places));
            }
        }
        let all: Vec<usize> = (0..task.evaluation.queries.len()).collect();
        table.row(self.cells(task, "all queries", &all));
        table
    }

    fn category_table(&self, task: &TaskOutcome) -> Table {
        let mut table = Table::new(self.headers(task, "category"));
        for slice in &task.categories {
            table.row(self.cells(task, &slice.name, &slice.places));
        }
        table
    }

    fn headers(&self, task: &TaskOutcome, first: &str) -> Vec<String> {
        let mut headers = vec![first.to_owned(), "queries".to_owned()];
        for measure in &task.evaluation.measures {
            headers.push(measure.spec.to_string());
            if shows_ties(task, measure) {
                headers.push(format!("{} tie-averaged", measure.spec));
            }
        }
        headers
    }

    fn cells(&self, task: &TaskOutcome, name: &str, places: &[usize]) -> Vec<String> {
        let mut cells = vec![name.to_owned(), places.len().to_string()];
        for measure in &task.evaluation.measures {
            let places = || places.iter().copied();
            cells.push(self.numbers.show(&measure.spec, measure.over(places())));
            if shows_ties(task, measure) {
                let averaged = measure.tie_averaged_over(places());
                cells.push(self.numbers.show(&measure.spec, averaged));
            }
        }
        cells
    }

    fn summary(&self, benchmark: &Benchmark, show: impl Fn(&Table) -> String) -> String {
        let total = benchmark.sub_tasks().count();
        match self.outcome.average(benchmark) {
            Average::Missing(missing) => format!(
                "no average of {}'s {total} sub-tasks: {} {} missing\n",
                benchmark.title,
                missing.join(", "),
                if missing.len() == 1 { "is" } else { "are" },
            ),
            Average::Value(average) => {
                let mut table =
                    Table::new(["sub-task", "task", "measure", "queries", "value"]).text_columns(3);
                let factor = if self.numbers.percent { 100.0 } else { 1.0 };
                let shown = |value: f64| format!("{:.*}", self.numbers.digits, value * factor);
                for score in self.outcome.sub_tasks() {
                    table.row([
                        score.name.to_owned(),
                        score.task.to_owned(),
                        score.measure,
                        score.queries.to_string(),
                        shown(score.value),
                    ]);
                }
                let name = format!("average of {total}");
                table.row([
                    name,
                    String::new(),
                    String::new(),
                    String::new(),
                    shown(average),
                ]);
                show(&table)
            }
        }
    }

    fn tsv(&self) -> String {
        let mut out = String::from("system\ttask\tslice\tname\tmeasure\tvalue\n");
        let system = cell(&self.outcome.system);
        for task in &self.outcome.tasks {
            let mut line = |slice: &str, name: &str, measure: &MeasureValues, value: f64| {
                let _ = writeln!(
                    out,
                    "{system}\t{}\t{slice}\t{}\t{}\t{value}",
                    cell(&task.spec.name),
                    cell(name),
                    measure.spec
                );
            };
            for measure in &task.evaluation.measures {
                line("task", "all", measure, measure.value);
                for (kind, slices) in [
                    ("sub-task", &task.sub_tasks),
                    ("category", &task.categories),
                ] {
                    for slice in slices.iter().filter(|slice| !slice.places.is_empty()) {
                        line(
                            kind,
                            &slice.name,
                            measure,
                            measure.over(slice.places.iter().copied()),
                        );
                    }
                }
                if self.per_query {
                    for (query, value) in task.evaluation.queries.iter().zip(&measure.values) {
                        line("query", query, measure, *value);
                    }
                }
            }
        }
        if let Some(Average::Value(average)) = self.benchmark.map(|b| self.outcome.average(b)) {
            let _ = writeln!(out, "{system}\tall\taverage\tsub-tasks\tmain\t{average}");
        }
        out
    }

    fn json(&self) -> Value {
        let tasks = self.outcome.tasks.iter().map(|task| self.task_json(task));
        let mut out = json!({
            "schema": "mrmr.bench/1",
            "version": env!("CARGO_PKG_VERSION"),
            "benchmark": self.benchmark.map(|benchmark| &benchmark.name),
            "system": {
                "name": self.outcome.system,
                "settings": self.outcome.settings.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
            },
            "policies": self.outcome.tasks.first().map(|task| json::policies(&task.evaluation.policies)),
            "tasks": tasks.collect::<Vec<_>>(),
        });
        if let Some(benchmark) = self.benchmark {
            let (value, missing) = match self.outcome.average(benchmark) {
                Average::Value(value) => (Some(value), Vec::new()),
                Average::Missing(missing) => (None, missing),
            };
            let scores = self.outcome.sub_tasks();
            out["sub_tasks"] = scores
                .iter()
                .map(|score| {
                    json!({
                        "name": score.name, "task": score.task, "measure": score.measure,
                        "queries": score.queries, "value": score.value,
                    })
                })
                .collect();
            out["average"] =
                json!({ "rule": benchmark.average, "value": value, "missing": missing });
        }
        out
    }

    fn task_json(&self, task: &TaskOutcome) -> Value {
        let facts = &task.facts;
        let measures = task.evaluation.measures.iter().map(json::measured);
        let slices =
            |slices: &[Slice]| -> Value {
                let slices = slices.iter().filter(|slice| !slice.places.is_empty());
                slices
                .map(|slice| {
                    let values: Map<String, Value> = task
                        .evaluation
                        .measures
                        .iter()
                        .map(|m| (m.spec.to_string(), json!(m.over(slice.places.iter().copied()))))
                        .collect();
                    json!({ "name": slice.name, "queries": slice.places.len(), "values": values })
                })
                .collect()
            };
        let mut out = json!({
            "name": task.spec.name,
            "hub": task.spec.hub,
            "main_measure": task.main().to_string(),
            "chance": task.spec.chance,
            "data": {
                "queries": facts.queries,
                "documents": facts.documents,
                "judgements": facts.judgements,
                "queries_with_images": facts.queries_with_images,
                "documents_with_images": facts.documents_with_images,
                "orphan_golds": facts.orphan_golds,
                "images_without_caption": facts.without_caption,
                "unknown_categories": facts.unknown_categories.iter()
                    .map(|(query, category)| json!({ "query": query, "category": category }))
                    .collect::<Vec<_>>(),
            },
            "coverage": json::coverage(&task.evaluation),
            "measures": measures.collect::<Vec<_>>(),
            "sub_tasks": slices(&task.sub_tasks),
            "categories": slices(&task.categories),
            "warnings": task.warnings,
        });
        if self.per_query {
            out["queries"] = json::by_query(&task.evaluation);
        }
        out
    }
}

/// Whether a measure is shown tie-averaged beside its value: the main one of a task of candidates.
fn shows_ties(task: &TaskOutcome, measure: &MeasureValues) -> bool {
    task.spec.chance.is_some() && measure.spec == *task.main()
}
