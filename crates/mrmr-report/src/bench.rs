//! A benchmark's outcome by task, sub-task and category.

use mrmr_bench::{Average, BenchOutcome, Benchmark, Slice, TaskOutcome};
use mrmr_core::counted;
use mrmr_measures::MeasureValues;
use mrmr_measures::statistics::{Bootstrap, Interval};
use serde_json::{Map, Value, json};

use crate::document::{Block, Cell, Datum, Document, Records, Sheet};
use crate::format::Format;
use crate::number::Numbers;
use crate::score::coverage_notes;
use crate::{interval, json};

/// A benchmark's outcome, ready to be written.
#[derive(Debug)]
pub struct BenchReport<'a> {
    /// The benchmark whose average is meant; none for a data set on its own.
    pub benchmark: Option<&'a Benchmark>,
    /// The outcome.
    pub outcome: &'a BenchOutcome,
    /// Whether the values of single queries are shown.
    pub per_query: bool,
    /// How intervals are computed; none are shown without.
    pub intervals: Option<Bootstrap>,
    /// How numbers are printed for people.
    pub numbers: Numbers,
}

impl BenchReport<'_> {
    /// The report in a format.
    pub fn write(&self, format: Format) -> String {
        format.exporter().export(&self.document())
    }

    pub(crate) fn document(&self) -> Document {
        let settings = self.outcome.settings.iter();
        let settings: Vec<String> = settings
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        let title = format!("{}: {}", self.outcome.system, settings.join(", "));
        let mut blocks = vec![Block::Heading(title.clone())];
        for task in &self.outcome.tasks {
            let facts = &task.facts;
            blocks.push(Block::Heading(format!(
                "{}: {} ({} with images), {} ({} with images), {}",
                task.spec.name,
                counted(facts.queries, "query", "queries"),
                facts.queries_with_images,
                counted(facts.documents, "document", "documents"),
                facts.documents_with_images,
                counted(facts.judgements, "judgement", "judgements"),
            )));
            blocks.push(Block::Sheet(self.task_sheet(task)));
            if !task.categories.is_empty() {
                blocks.push(Block::Sheet(self.category_sheet(task)));
            }
            if self.per_query {
                blocks.push(Block::Sheet(self.query_sheet(task)));
            }
            let mut notes = task.incomplete.clone();
            notes.extend(coverage_notes(&task.evaluation));
            notes.extend(self.intervals.as_ref().map(interval::note));
            blocks.push(Block::Notes(notes));
        }
        blocks.extend(self.benchmark.map(|benchmark| self.summary(benchmark)));
        Document {
            title,
            verdicts: Vec::new(),
            blocks,
            records: self.records(),
            json: self.json(),
            gates: Vec::new(),
        }
    }

    fn task_sheet(&self, task: &TaskOutcome) -> Sheet {
        let caption = format!("{} by sub-task.", task.spec.name);
        let mut sheet = Sheet::new(caption, 1, self.headers(task, "sub-task"));
        let split = task
            .sub_tasks
            .iter()
            .filter(|slice| !slice.places.is_empty());
        // A task that is its own only sub-task needs no second line for it.
        if task.spec.sub_tasks.len() > 1 {
            for slice in split {
                sheet.row(self.cells(task, &slice.name, &slice.places));
            }
        }
        let all: Vec<usize> = (0..task.evaluation.queries.len()).collect();
        sheet.row(self.cells(task, "all queries", &all));
        sheet
    }

    fn category_sheet(&self, task: &TaskOutcome) -> Sheet {
        let caption = format!("{} by category.", task.spec.name);
        let mut sheet = Sheet::new(caption, 1, self.headers(task, "category"));
        for slice in &task.categories {
            sheet.row(self.cells(task, &slice.name, &slice.places));
        }
        sheet
    }

    fn query_sheet(&self, task: &TaskOutcome) -> Sheet {
        let mut headers = vec!["query".to_owned()];
        headers.extend(task.evaluation.measures.iter().map(|m| m.spec.to_string()));
        let mut sheet = Sheet::new(format!("{} by query.", task.spec.name), 1, headers);
        for (at, query) in task.evaluation.queries.iter().enumerate() {
            let measures = task.evaluation.measures.iter();
            let values = measures.map(|m| self.numbers.show(&m.spec, m.values[at]));
            sheet.row(std::iter::once(query.clone()).chain(values));
        }
        sheet
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

    fn cells(&self, task: &TaskOutcome, name: &str, places: &[usize]) -> Vec<Cell> {
        let mut cells = vec![Cell::new(name), Cell::new(places.len().to_string())];
        for measure in &task.evaluation.measures {
            let over = || places.iter().copied();
            let mut cell = Cell::new(self.numbers.show(&measure.spec, measure.over(over())));
            // There is room for one interval a row: that of the main measure.
            if measure.spec == *task.main()
                && let Some(found) = self.interval(measure, places)
            {
                cell.behind = interval::show(&self.numbers, &measure.spec, &found);
            }
            cells.push(cell);
            if shows_ties(task, measure) {
                let averaged = measure.tie_averaged_over(over());
                cells.push(Cell::new(self.numbers.show(&measure.spec, averaged)));
            }
        }
        cells
    }

    fn interval(&self, measure: &MeasureValues, places: &[usize]) -> Option<Interval> {
        interval::of(measure, Some(places), self.intervals.as_ref()?)
    }

    fn summary(&self, benchmark: &Benchmark) -> Block {
        let total = benchmark.sub_tasks().count();
        match self.outcome.average(benchmark) {
            Average::Missing(missing) => Block::Notes(vec![format!(
                "no average of {}'s {total} sub-tasks: {} {} missing",
                benchmark.title,
                missing.join(", "),
                if missing.len() == 1 { "is" } else { "are" },
            )]),
            Average::Value(average) => {
                let caption = format!("{}: the average of its sub-tasks.", benchmark.title);
                let headers = ["sub-task", "task", "measure", "queries", "value"];
                let mut sheet = Sheet::new(caption, 3, headers);
                let factor = if self.numbers.percent { 100.0 } else { 1.0 };
                let shown = |value: f64| format!("{:.*}", self.numbers.digits, value * factor);
                for score in self.outcome.sub_tasks() {
                    sheet.row([
                        score.name.to_owned(),
                        score.task.to_owned(),
                        score.measure,
                        score.queries.to_string(),
                        shown(score.value),
                    ]);
                }
                let name = format!("average of {total}");
                let empty = String::new;
                sheet.row([name, empty(), empty(), empty(), shown(average)]);
                Block::Sheet(sheet)
            }
        }
    }

    fn records(&self) -> Records {
        let mut rows = Vec::new();
        let system = || Datum::text(&self.outcome.system);
        for task in &self.outcome.tasks {
            let mut add = |slice: &str, name: &str, measure: &MeasureValues, value: f64| {
                rows.push(vec![
                    system(),
                    Datum::text(&task.spec.name),
                    Datum::text(slice),
                    Datum::text(name),
                    Datum::text(measure.spec.to_string()),
                    Datum::Number(value),
                ]);
            };
            for measure in &task.evaluation.measures {
                add("task", "all", measure, measure.value);
                for (kind, slices) in [
                    ("sub-task", &task.sub_tasks),
                    ("category", &task.categories),
                ] {
                    for slice in slices.iter().filter(|slice| !slice.places.is_empty()) {
                        let value = measure.over(slice.places.iter().copied());
                        add(kind, &slice.name, measure, value);
                    }
                }
                if self.per_query {
                    for (query, value) in task.evaluation.queries.iter().zip(&measure.values) {
                        add("query", query, measure, *value);
                    }
                }
            }
        }
        if let Some(Average::Value(average)) = self.benchmark.map(|b| self.outcome.average(b)) {
            rows.push(vec![
                system(),
                Datum::text("all"),
                Datum::text("average"),
                Datum::text("sub-tasks"),
                Datum::text("main"),
                Datum::Number(average),
            ]);
        }
        Records {
            columns: vec!["system", "task", "slice", "name", "measure", "value"],
            rows,
        }
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
        let measures = task.evaluation.measures.iter().map(|measure| {
            let mut out = json::measured(measure);
            if let Some(bootstrap) = &self.intervals {
                let interval = interval::of(measure, None, bootstrap);
                out["interval"] = json!(interval.as_ref().map(interval::value));
            }
            out
        });
        let slices = |slices: &[Slice]| -> Value {
            let slices = slices.iter().filter(|slice| !slice.places.is_empty());
            slices
                .map(|slice| {
                    let values: Map<String, Value> = task
                        .evaluation
                        .measures
                        .iter()
                        .map(|m| (m.spec.to_string(), json!(m.over(slice.places.iter().copied()))))
                        .collect();
                    let mut out = json!({ "name": slice.name, "queries": slice.places.len(), "values": values });
                    if self.intervals.is_some() {
                        let intervals: Map<String, Value> = task.evaluation.measures.iter().map(|m| {
                            let interval = self.interval(m, &slice.places);
                            (m.spec.to_string(), json!(interval.as_ref().map(interval::value)))
                        }).collect();
                        out["intervals"] = Value::Object(intervals);
                    }
                    out
                })
                .collect()
        };
        let mut out = json!({
            "name": task.spec.name,
            "hub": task.spec.hub,
            "main_measure": task.main().to_string(),
            "chance": task.spec.chance,
            "source": {
                "path": task.source.path,
                "split": task.source.split,
                "files": task.source.files,
            },
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
