//! Several systems over the tasks of a benchmark: side by side, by slices, and what each loses on the way.

use mrmr_bench::diagnosis::{BINS, Slicing};
use mrmr_bench::pipeline::SystemOutcome;
use mrmr_bench::{BenchOutcome, Benchmark, Slice, TaskOutcome};
use mrmr_core::counted;
use mrmr_measures::statistics::Bootstrap;
use mrmr_measures::{MeasureValues, Waterfall};
use serde_json::{Value, json};

use crate::bench::BenchReport;
use crate::compare::CompareReport;
use crate::document::{Block, Cell, Document, Records, Sheet};
use crate::format::Format;
use crate::interval;
use crate::number::Numbers;
use crate::score::{QrelsFacts, coverage_notes};
use crate::waterfall::WaterfallReport;

/// Systems over one task.
#[derive(Debug)]
pub struct SystemsTask {
    /// What each reached, in the order of the file.
    pub systems: Vec<SystemOutcome>,
    /// All against the reference, where there are several.
    pub comparison: Option<CompareReport>,
    /// Queries by what they are like.
    pub slicings: Vec<Slicing>,
    /// The main measure of a system that knows nothing, where that can be computed.
    pub chance: Option<f64>,
    /// Remarks on what is measured.
    pub remarks: Vec<String>,
}

/// Systems over the tasks of a benchmark, ready to be written.
#[derive(Debug)]
pub struct SystemsReport<'a> {
    /// The benchmark whose average is meant; none for a data set on its own.
    pub benchmark: Option<&'a Benchmark>,
    /// The tasks.
    pub tasks: &'a [SystemsTask],
    /// Whether the values of single queries are in the machines' forms.
    pub per_query: bool,
    /// How intervals are computed; none are shown without.
    pub intervals: Option<Bootstrap>,
    /// How numbers are printed for people.
    pub numbers: Numbers,
}

impl SystemsReport<'_> {
    /// The report in a format.
    pub fn write(&self, format: Format) -> String {
        format.exporter().export(&self.document())
    }

    fn document(&self) -> Document {
        let (mut blocks, mut verdicts, mut comparisons) = (Vec::new(), Vec::new(), Vec::new());
        let mut diagnoses = Vec::new();
        for task in self.tasks {
            let Some(first) = task.systems.first() else {
                continue;
            };
            let name = &first.outcome.spec.name;
            let facts = &first.outcome.facts;
            blocks.push(Block::Heading(format!(
                "{name}: {} ({} with images), {} ({} with images), {}",
                counted(facts.queries, "query", "queries"),
                facts.queries_with_images,
                counted(facts.documents, "document", "documents"),
                facts.documents_with_images,
                counted(facts.judgements, "judgement", "judgements"),
            )));
            blocks.push(Block::Sheet(self.side_by_side(task)));
            blocks.push(Block::Notes(self.notes(task)));
            blocks.push(Block::Sheet(first_relevant(task)));
            blocks.extend(self.slices(task).into_iter().map(Block::Sheet));
            for system in &task.systems {
                if let Some(waterfall) = &system.diagnosis.waterfall {
                    let document = self.waterfall(&system.name, &first.outcome, waterfall);
                    blocks.push(Block::Heading(format!("{name}: {}", system.name)));
                    blocks.extend(document.blocks);
                    let told = document.verdicts.into_iter();
                    verdicts.extend(told.map(|verdict| format!("{}: {verdict}", system.name)));
                }
            }
            blocks.extend(outranking(task).map(Block::Sheet));
            if let Some(comparison) = &task.comparison {
                let document = comparison.document();
                blocks.push(Block::Heading(format!("{name}: {}", document.title)));
                blocks.extend(document.blocks);
                verdicts.extend(document.verdicts);
                comparisons.push(json!({"task": name, "comparison": document.json}));
            }
            diagnoses.push(self.diagnosis(name, task));
        }
        let (mut systems, mut records) = (Vec::new(), Vec::<Records>::new());
        let outcomes = self.outcomes();
        for outcome in &outcomes {
            let report = BenchReport {
                benchmark: self.benchmark,
                outcome,
                per_query: self.per_query,
                intervals: self.intervals,
                numbers: self.numbers,
            };
            let document = report.document();
            systems.push(document.json);
            records.push(document.records);
        }
        let names: Vec<&str> = outcomes.iter().map(|outcome| &*outcome.system).collect();
        let columns = records.first().map(|first| first.columns.clone());
        Document {
            title: names.join(", "),
            verdicts,
            blocks,
            records: Records {
                columns: columns.unwrap_or_default(),
                rows: records.into_iter().flat_map(|one| one.rows).collect(),
            },
            json: json!({
                "schema": "mrmr.bench-systems/1",
                "systems": systems,
                "comparisons": comparisons,
                "diagnoses": diagnoses,
            }),
            gates: Vec::new(),
        }
    }

    /// What each system reached, over all tasks.
    fn outcomes(&self) -> Vec<BenchOutcome> {
        let mut outcomes: Vec<BenchOutcome> = Vec::new();
        for system in self.tasks.iter().flat_map(|task| &task.systems) {
            let known = outcomes.iter().position(|one| one.system == system.name);
            let at = known.unwrap_or_else(|| {
                outcomes.push(BenchOutcome {
                    system: system.name.clone(),
                    settings: system.settings.clone(),
                    tasks: Vec::new(),
                });
                outcomes.len() - 1
            });
            outcomes[at].tasks.push(system.outcome.clone());
        }
        outcomes
    }

    /// A system a row, a measure a column.
    fn side_by_side(&self, task: &SystemsTask) -> Sheet {
        let outcome = &task.systems[0].outcome;
        let mut headers = vec!["system".to_owned()];
        let measures = &outcome.evaluation.measures;
        headers.extend(measures.iter().map(|measure| measure.spec.to_string()));
        let caption = format!("The systems over {}.", outcome.spec.name);
        let mut sheet = Sheet::new(caption, 1, headers);
        for system in &task.systems {
            let mut row = vec![Cell::new(marked(system))];
            for (at, measure) in system.outcome.evaluation.measures.iter().enumerate() {
                let mut cell = Cell::new(self.numbers.show(&measure.spec, measure.value));
                cell.best = task.systems.len() > 1 && is_best(task, at, measure);
                if at == 0
                    && let Some(bootstrap) = &self.intervals
                    && let Some(found) = interval::of(measure, None, bootstrap)
                {
                    cell.behind = interval::show(&self.numbers, &measure.spec, &found);
                }
                row.push(cell);
            }
            sheet.row(row);
        }
        sheet
    }

    /// The main measure by slices: a slice a row, a system a column.
    fn slices(&self, task: &SystemsTask) -> Vec<Sheet> {
        let first = &task.systems[0].outcome;
        let mut slicings: Vec<(&str, &[Slice])> = Vec::new();
        if first.spec.sub_tasks.len() > 1 {
            slicings.push(("sub-task", &first.sub_tasks));
        }
        if first.categories.len() > 1 {
            slicings.push(("category", &first.categories));
        }
        let own = task.slicings.iter();
        slicings.extend(own.map(|slicing| (slicing.name, slicing.slices.as_slice())));
        slicings
            .into_iter()
            .map(|(name, slices)| {
                let mut headers = vec![name.to_owned(), "queries".to_owned()];
                headers.extend(task.systems.iter().map(|system| system.name.clone()));
                let caption = format!("{} by {name}.", first.main());
                let mut sheet = Sheet::new(caption, 1, headers);
                for slice in slices.iter().filter(|slice| !slice.places.is_empty()) {
                    let mut row = vec![
                        Cell::new(slice.name.clone()),
                        Cell::new(slice.places.len().to_string()),
                    ];
                    let values: Vec<f64> = task
                        .systems
                        .iter()
                        .map(|system| over(&system.outcome, slice))
                        .collect();
                    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                    row.extend(values.iter().map(|value| Cell {
                        best: task.systems.len() > 1 && *value == best,
                        ..Cell::new(self.numbers.show(first.main(), *value))
                    }));
                    sheet.row(row);
                }
                sheet
            })
            .collect()
    }

    fn notes(&self, task: &SystemsTask) -> Vec<String> {
        let mut notes = Vec::new();
        for system in &task.systems {
            let settings = system.settings.iter().chain(&system.outcome.found);
            let settings: Vec<String> = settings
                .map(|(name, value)| format!("{name} {value}"))
                .collect();
            notes.push(format!("{}: {}", system.name, settings.join(", ")));
            notes.extend(
                coverage_notes(&system.outcome.evaluation)
                    .into_iter()
                    .map(|note| format!("  {note}")),
            );
            let incomplete = system.outcome.incomplete.iter();
            notes.extend(incomplete.map(|missing| format!("  {missing}")));
        }
        let main = task.systems[0].outcome.main();
        notes.extend(task.chance.map(|chance| {
            format!(
                "chance: {main} is {} where all documents have one score, averaged over all orders",
                self.numbers.show(main, chance)
            )
        }));
        notes.extend(task.remarks.iter().cloned());
        notes.extend(self.intervals.as_ref().map(interval::note));
        notes
    }

    fn waterfall(&self, system: &str, outcome: &TaskOutcome, waterfall: &Waterfall) -> Document {
        let report = WaterfallReport {
            qrels: QrelsFacts {
                source: format!("{} ({system})", outcome.spec.name),
                hash: None,
                notes: Vec::new(),
            },
            runs: Vec::new(),
            policies: outcome.evaluation.policies,
            waterfalls: vec![waterfall.clone()],
            numbers: self.numbers,
        };
        report.document()
    }

    fn diagnosis(&self, name: &str, task: &SystemsTask) -> Value {
        let bins: Vec<&str> = BINS
            .iter()
            .map(|(name, ..)| *name)
            .chain(["none"])
            .collect();
        let systems: Vec<Value> = task
            .systems
            .iter()
            .map(|system| {
                let histogram = system.diagnosis.first_relevant.histogram();
                let bars: serde_json::Map<String, Value> = bins
                    .iter()
                    .zip(histogram)
                    .map(|(bin, count)| ((*bin).to_owned(), json!(count)))
                    .collect();
                let above: Vec<Value> = system
                    .diagnosis
                    .outranking
                    .iter()
                    .map(|one| {
                        json!({
                            "query": one.query,
                            "relevant": one.relevant,
                            "queries": one.queries,
                            "above": one.above,
                        })
                    })
                    .collect();
                let waterfall = system.diagnosis.waterfall.as_ref();
                json!({
                    "system": system.name,
                    "incomplete": system.outcome.incomplete,
                    "first_relevant": bars,
                    "outranking": above,
                    "waterfall": waterfall.map(|found| self.waterfall(&system.name, &system.outcome, found).json),
                })
            })
            .collect();
        let slices: Vec<Value> = task
            .slicings
            .iter()
            .map(|slicing| {
                let slices: Vec<Value> = slicing
                    .slices
                    .iter()
                    .map(|slice| {
                        let values: serde_json::Map<String, Value> = task
                            .systems
                            .iter()
                            .map(|system| {
                                (system.name.clone(), json!(over(&system.outcome, slice)))
                            })
                            .collect();
                        json!({"slice": slice.name, "queries": slice.places.len(), "values": values})
                    })
                    .collect();
                json!({"by": slicing.name, "slices": slices})
            })
            .collect();
        json!({
            "task": name,
            "chance": task.chance,
            "remarks": task.remarks,
            "slices": slices,
            "systems": systems,
        })
    }
}

/// The name of a system, and whether its answers are incomplete.
fn marked(system: &SystemOutcome) -> String {
    match system.outcome.incomplete.is_empty() {
        true => system.name.clone(),
        false => format!("{} (incomplete)", system.name),
    }
}

fn is_best(task: &SystemsTask, at: usize, measure: &MeasureValues) -> bool {
    let others = task.systems.iter();
    let mut values = others.map(|system| system.outcome.evaluation.measures[at].value);
    values.all(|value| value <= measure.value)
}

/// The main measure over a slice.
fn over(outcome: &TaskOutcome, slice: &Slice) -> f64 {
    let main = outcome.evaluation.measure(outcome.main());
    main.map_or(0.0, |measure| measure.over(slice.places.iter().copied()))
}

/// How many queries have their first relevant document at which ranks.
fn first_relevant(task: &SystemsTask) -> Sheet {
    let bins = BINS.iter().map(|(name, ..)| format!("rank {name}"));
    let headers = std::iter::once("first relevant at".to_owned())
        .chain(bins)
        .chain(["nowhere".to_owned()]);
    let mut sheet = Sheet::new(
        "Queries by the rank of the first relevant document.",
        1,
        headers,
    );
    for system in &task.systems {
        let histogram = system.diagnosis.first_relevant.histogram();
        let counts = histogram.iter().map(|count| Cell::new(count.to_string()));
        sheet.row(std::iter::once(Cell::new(marked(system))).chain(counts));
    }
    sheet
}

/// What stands above the right answers, by modality.
fn outranking(task: &SystemsTask) -> Option<Sheet> {
    let first = task
        .systems
        .iter()
        .find_map(|system| system.diagnosis.outranking.first())?;
    let kinds: Vec<&String> = first.above.keys().collect();
    let mut headers = vec![
        "system".to_owned(),
        "query".to_owned(),
        "relevant".to_owned(),
        "queries".to_owned(),
    ];
    headers.extend(kinds.iter().map(|kind| format!("outranked by {kind}")));
    let caption = "Documents above the first relevant one within the first ten, by modality.";
    let mut sheet = Sheet::new(caption, 3, headers);
    for system in &task.systems {
        for one in &system.diagnosis.outranking {
            let mut row = vec![
                system.name.clone(),
                one.query.clone(),
                one.relevant.clone(),
                one.queries.to_string(),
            ];
            let counts = kinds.iter().map(|kind| one.above.get(*kind).unwrap_or(&0));
            row.extend(counts.map(ToString::to_string));
            sheet.row(row);
        }
    }
    Some(sheet)
}
