//! An encoder beside BM25.

use std::path::{Path, PathBuf};

use mrmr_bench::store::Store;
use mrmr_bench::{
    BenchOutcome, Benchmark, DenseSystem, Retrieval, Source, SystemSpec, Task, TaskInputs,
    TaskOutcome, TaskSpec,
};
use mrmr_core::{ErrorKind, Place, Result};
use mrmr_formats::dataset::{DatasetOptions, open_dataset};
use mrmr_measures::MeasureSpec;
use mrmr_models::ContentRule;
use mrmr_report::{BenchSystemsReport, Format};
use mrmr_search::Metric;

use super::super::models::{self, OpenEncoder, Prompts};
use super::comparison::comparison;
use super::{
    COMPANIONS, DEPTH, bm25_under, make_folder, refuse, settings, vector_options, write_runs,
};
use crate::Ending;
use crate::arguments::BenchArguments;
use crate::interruption;
use crate::printer::Printer;
use crate::progress::Progress;
use crate::reading::FileCaptions;
use crate::words::counted;

pub(super) fn run(
    arguments: &BenchArguments,
    system: &str,
    mrmr: &Benchmark,
    tasks: Vec<(TaskSpec, PathBuf)>,
    printer: Printer,
) -> Result<Ending> {
    let others = [
        ("--run", !arguments.runs.is_empty()),
        ("--system exact", system == "exact"),
    ];
    // A metric is one of vectors, wherever they come from.
    let vectors = vector_options(arguments);
    refuse(&[&vectors[..4], &others], "--encoder")?;
    let rule: ContentRule = match &arguments.bm25.content {
        Some(rule) => rule.parse()?,
        None => ContentRule::default(),
    };
    let captions = models::captions(&rule, arguments.bm25.captions.as_deref())?;
    let policies = settings::policies(&arguments.policies)?;
    let measures = settings::measures(&arguments.measures.measures, COMPANIONS)?;
    let format = settings::format(&arguments.output.form, None)?;
    let intervals = settings::intervals(&arguments.intervals)?;
    let metric: Metric = match &arguments.vectors.metric {
        Some(metric) => metric.parse()?,
        None => Metric::default(),
    };
    if let Some(folder) = &arguments.folder {
        make_folder(folder)?;
    }
    let open = models::open(&arguments.encoder, rule.clone(), Prompts::default())?;
    let store = Store::open(settings::store_folder(arguments.encoding.store.as_deref()))?;
    interruption::keep(Some(format!(
        "interrupted; the shards that are done are kept in {}: the same command goes on there",
        store.folder().display()
    )));
    let of_mrmr = tasks.iter().all(|(spec, _)| spec.hub.is_some());
    let mut outcomes: [Vec<TaskOutcome>; 2] = [Vec::new(), Vec::new()];
    let mut described: [Vec<(String, String)>; 2] = [Vec::new(), Vec::new()];
    let mut comparisons = Vec::new();
    for (spec, folder) in tasks {
        let task = opened(arguments.split.as_deref(), spec, &folder)?;
        printer.say(&format!("{}: {}", task.spec.name, folder.display()));
        let bench = Bench {
            arguments,
            measures: &measures,
            captions: &captions,
            printer,
        };
        let words = bench.words(&rule)?;
        let words_done = bench
            .measured(&task, &words)
            .map_err(|error| error.at(place(&folder)));
        let dense = bench.dense(&task, &open, &store, metric)?;
        let dense_done = bench
            .measured(&task, &dense)
            .map_err(|error| error.at(place(&folder)))?;
        described[1] = dense.settings();
        match words_done {
            Ok(words_done) => {
                described[0] = words.settings();
                comparisons.push((
                    task.spec.name.clone(),
                    comparison(arguments, &[&words_done, &dense_done], 0, &folder)?,
                ));
                outcomes[0].push(words_done);
            }
            Err(error) if error.kind() == ErrorKind::Data => {
                printer.warning(&format!("bm25 is left out: {error}"));
            }
            Err(error) => return Err(error),
        }
        outcomes[1].push(dense_done);
    }
    interruption::keep(None);
    let [words, dense] = outcomes;
    let [of_words, of_dense] = described;
    let mut outcomes = Vec::new();
    if !words.is_empty() {
        outcomes.push(BenchOutcome {
            system: "bm25".to_owned(),
            settings: of_words,
            tasks: words,
        });
    }
    outcomes.push(BenchOutcome {
        system: open.name.clone(),
        settings: of_dense,
        tasks: dense,
    });
    let report = BenchSystemsReport {
        benchmark: of_mrmr.then_some(mrmr),
        outcomes: &outcomes,
        comparisons: &comparisons,
        per_query: arguments.output.per_query,
        intervals,
        numbers: settings::numbers(&arguments.output.form),
    };
    printer.data(&report.write(format))?;
    if let Some(folder) = &arguments.folder {
        let everything = BenchSystemsReport {
            per_query: true,
            ..report
        };
        settings::write_text(
            &folder.join("results.json"),
            &everything.write(Format::Json),
        )?;
        for outcome in &outcomes {
            write_runs(folder, outcome, policies.ranking, printer)?;
        }
        printer.say(&format!("results written to {}", folder.display()));
    }
    Ok(Ending::Done)
}

fn place(folder: &Path) -> Place {
    Place::whole(folder.display().to_string())
}

pub(super) fn opened(split: Option<&str>, spec: TaskSpec, folder: &Path) -> Result<Task> {
    let options = DatasetOptions {
        split: split.map(str::to_owned),
        name: Some(spec.name.clone()),
    };
    let (dataset, notes) = open_dataset(folder, &options)?;
    let files = notes.files.iter();
    Ok(Task {
        spec,
        dataset,
        source: Source {
            path: folder.display().to_string(),
            split: notes.split,
            files: files.map(|file| file.display().to_string()).collect(),
        },
    })
}

struct Bench<'a> {
    arguments: &'a BenchArguments,
    measures: &'a [MeasureSpec],
    captions: &'a FileCaptions,
    printer: Printer,
}

impl Bench<'_> {
    fn system(&self, name: &str, retrieval: Retrieval) -> SystemSpec {
        SystemSpec {
            name: name.to_owned(),
            retrieval,
            depth: self.arguments.depth.map_or(DEPTH, usize::from),
            drop_self: self.arguments.drop_self,
        }
    }

    /// BM25 over the words that the rule has.
    fn words(&self, rule: &ContentRule) -> Result<SystemSpec> {
        let content = match rule {
            ContentRule::Captions => ContentRule::Captions,
            _ => ContentRule::Text,
        };
        let bm25 = bm25_under(&self.arguments.bm25, content)?;
        Ok(self.system("bm25", Retrieval::Bm25(bm25)))
    }

    /// The encoder, with the vectors of the task.
    fn dense(
        &self,
        task: &Task,
        open: &OpenEncoder,
        store: &Store,
        metric: Metric,
    ) -> Result<SystemSpec> {
        let encoding = &self.arguments.encoding;
        let told = task.spec.instruction_under(open.encoder.rule());
        let instruction = match encoding.no_instruction {
            true => None,
            false => encoding.instruction.as_deref().or(told),
        };
        let mut described = open.settings.clone();
        described.extend(instruction.map(|text| ("instruction".to_owned(), format!("'{text}'"))));
        let system = DenseSystem {
            encoder: &open.encoder,
            instruction,
            captions: self.captions,
            identity: &open.identity,
            settings: &described,
            metric,
        };
        let (retrieval, notes) = system.retrieval(task, store, &Progress::new(self.printer))?;
        let name = &task.spec.name;
        if notes.damaged > 0 {
            let count = counted(notes.damaged, "damaged shard", "damaged shards");
            self.printer
                .warning(&format!("{name}: {count} of the store, encoded again"));
        }
        self.printer.say(&format!(
            "{name}: reuse {} of {} in {}{}",
            notes.reused,
            counted(notes.shards, "shard", "shards"),
            store.folder().display(),
            if notes.reused == notes.shards {
                ": nothing is encoded"
            } else {
                ""
            }
        ));
        for (count, one, many) in [
            (notes.notes.truncated, "text was cut", "texts were cut"),
            (
                notes.notes.missing_images,
                "image is missing",
                "images are missing",
            ),
            (
                notes.notes.missing_captions,
                "image has no caption",
                "images have no caption",
            ),
        ] {
            if count > 0 {
                let told = counted(count, one, many);
                self.printer
                    .warning(&format!("{name}: {}: {told}", open.name));
            }
        }
        Ok(self.system(&open.name, retrieval))
    }

    fn measured(&self, task: &Task, system: &SystemSpec) -> Result<TaskOutcome> {
        let inputs = TaskInputs {
            measures: self.measures,
            policies: settings::policies(&self.arguments.policies)?,
            captions: self.captions,
            observer: &Progress::new(self.printer),
        };
        let done = task.run(system, inputs)?;
        for warning in &done.warnings {
            let (task, system) = (&task.spec.name, &system.name);
            self.printer
                .warning(&format!("{task}: {system}: {warning}"));
        }
        Ok(done)
    }
}
