//! `mrmr bench`: a system over a benchmark's data, measured.

use std::path::{Path, PathBuf};

use mrmr_bench::{
    BenchOutcome, Benchmark, Bm25System, Retrieval, SystemSpec, Task, TaskInputs, TaskOutcome,
    TaskSpec, VectorSystem,
};
use mrmr_core::{DuplicatePolicy, Error, Place, RankingPolicy, Result};
use mrmr_formats::captions::{Captions, read_captions};
use mrmr_formats::dataset::{DatasetOptions, is_dataset, open_dataset};
use mrmr_formats::input::Input;
use mrmr_formats::output::{write_atomically, write_run_json, write_run_trec};
use mrmr_formats::vectors::{read_ids, read_vectors};
use mrmr_models::ContentRule;
use mrmr_report::{BenchReport, Format};
use mrmr_search::{Analyzer, Bm25Params, Vectors};

use super::settings;
use crate::Ending;
use crate::arguments::BenchArguments;
use crate::printer::Printer;
use crate::progress::Progress;
use crate::reading::{self, FileCaptions};

/// What is measured beside a task's main measure.
const COMPANIONS: &[&str] = &["nDCG@10", "RR@10", "Hit@1", "R@10", "R@100"];

pub(crate) fn run(arguments: &BenchArguments, printer: Printer) -> Result<Ending> {
    let mrmr = mrmr_bench::mrmr()?;
    let tasks = find_tasks(arguments, mrmr)?;
    let policies = settings::policies(&arguments.policies)?;
    let measures = settings::measures(&arguments.measures.measures, COMPANIONS)?;
    let format = settings::format(&arguments.output, None)?;
    let captions = FileCaptions(match &arguments.bm25.captions {
        Some(path) => read_captions(&Input::new(path))?,
        None => Captions::new(),
    });
    let systems = tasks
        .iter()
        .map(|(spec, _)| system(arguments, spec, tasks.len()))
        .collect::<Result<Vec<SystemSpec>>>()?;
    let progress = Progress::new(printer);

    let mut outcome = BenchOutcome {
        system: systems[0].name.clone(),
        settings: systems[0].settings(),
        tasks: Vec::new(),
    };
    let of_mrmr = tasks.iter().all(|(spec, _)| spec.hub.is_some());
    for ((spec, folder), system) in tasks.into_iter().zip(&systems) {
        let options = DatasetOptions {
            split: arguments.split.clone(),
            name: Some(spec.name.clone()),
        };
        let (dataset, _) = open_dataset(&folder, &options)?;
        printer.say(&format!("{}: {}", spec.name, folder.display()));
        let inputs = TaskInputs {
            measures: &measures,
            policies,
            captions: &captions,
            observer: &progress,
        };
        let task = Task { spec, dataset };
        let place = || Place::whole(folder.display().to_string());
        let done = task
            .run(system, inputs)
            .map_err(|error| error.at(place()))?;
        for warning in &done.warnings {
            printer.warning(&format!("{}: {warning}", done.spec.name));
        }
        outcome.tasks.push(done);
    }

    let report = BenchReport {
        benchmark: of_mrmr.then_some(mrmr),
        outcome: &outcome,
        per_query: arguments.output.per_query,
        intervals: settings::intervals(&arguments.intervals)?,
        numbers: settings::numbers(&arguments.output),
    };
    if let Some(folder) = &arguments.folder {
        write_folder(folder, &outcome, &report, policies.ranking)?;
        printer.say(&format!("results written to {}", folder.display()));
    }
    printer.data(&report.write(format))?;
    Ok(Ending::Done)
}

/// The tasks with their folders: those that were named, else all that are there.
fn find_tasks(arguments: &BenchArguments, mrmr: &Benchmark) -> Result<Vec<(TaskSpec, PathBuf)>> {
    let root = &arguments.path;
    let named = arguments
        .tasks
        .iter()
        .map(|name| mrmr.task(name))
        .collect::<Result<Vec<&TaskSpec>>>()?;
    if is_dataset(root) {
        let spec = match named.as_slice() {
            [] => TaskSpec::custom(folder_name(root))?,
            [one] => (*one).clone(),
            _ => {
                return Err(Error::usage(format!(
                    "{} is the data set of one task, but {} tasks were named",
                    root.display(),
                    named.len()
                ))
                .hint("name one --task, or the folder that holds a folder for each task"));
            }
        };
        return Ok(vec![(spec, root.clone())]);
    }
    let folder = |spec: &TaskSpec| root.join(&spec.name);
    if named.is_empty() {
        let there = mrmr.tasks.iter().filter(|spec| is_dataset(folder(spec)));
        let found: Vec<_> = there.map(|spec| (spec.clone(), folder(spec))).collect();
        if !found.is_empty() {
            return Ok(found);
        }
    }
    if named.is_empty() || !root.is_dir() {
        // Opening it says what is missing.
        open_dataset(root, &DatasetOptions::default())?;
    }
    Ok(named
        .into_iter()
        .map(|spec| (spec.clone(), folder(spec)))
        .collect())
}

fn folder_name(path: &Path) -> String {
    let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = full
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| "data".to_owned())
}

fn system(arguments: &BenchArguments, spec: &TaskSpec, tasks: usize) -> Result<SystemSpec> {
    let depth = arguments.depth.get();
    if !arguments.runs.is_empty() {
        let path = run_file(&arguments.runs, &spec.name, tasks)?;
        let read = reading::run(Path::new(&path), DuplicatePolicy::Error)?;
        return Ok(SystemSpec {
            name: read.run.name().to_owned(),
            retrieval: Retrieval::Run(Box::new(read.run)),
            depth,
            drop_self: arguments.drop_self,
        });
    }
    if arguments.system == "exact" {
        return Ok(SystemSpec {
            name: "exact".to_owned(),
            retrieval: Retrieval::Exact(Box::new(vectors(arguments)?)),
            depth,
            drop_self: arguments.drop_self,
        });
    }
    let content: ContentRule = arguments.bm25.content.parse()?;
    match (content, &arguments.bm25.captions) {
        (ContentRule::Captions, None) => {
            return Err(Error::usage("--content captions needs --captions FILE"));
        }
        (ContentRule::Text, Some(_)) => {
            return Err(
                Error::usage("--captions has no effect under --content text")
                    .hint("add --content captions"),
            );
        }
        _ => {}
    }
    let params = Bm25Params::new(
        arguments.bm25.k1,
        arguments.bm25.b,
        arguments.bm25.norms.parse()?,
    )?;
    Ok(SystemSpec {
        name: "bm25".to_owned(),
        retrieval: Retrieval::Bm25(Bm25System {
            params,
            analyzer: Analyzer::LuceneEnglish,
            content,
        }),
        depth,
        drop_self: arguments.drop_self,
    })
}

/// The file of a task among `TASK=FILE` arguments; a bare `FILE` serves a single task.
fn run_file(runs: &[String], task: &str, tasks: usize) -> Result<String> {
    let prefix = format!("{task}=");
    if let Some(named) = runs.iter().find_map(|run| run.strip_prefix(&prefix)) {
        return Ok(named.to_owned());
    }
    match runs {
        [one] if tasks == 1 => Ok(one.clone()),
        _ => Err(Error::usage(format!("no run is given for the task {task}"))
            .hint(format!("--run {task}=FILE"))),
    }
}

fn vectors(arguments: &BenchArguments) -> Result<VectorSystem> {
    let given = &arguments.vectors;
    let (Some(queries), Some(query_ids), Some(corpus), Some(corpus_ids)) = (
        &given.query_vectors,
        &given.query_ids,
        &given.corpus_vectors,
        &given.corpus_ids,
    ) else {
        return Err(Error::usage(
            "--system exact needs --query-vectors, --query-ids, --corpus-vectors and --corpus-ids",
        ));
    };
    let read = |vectors: &Path, ids: &Path| -> Result<(Vectors, Vec<String>)> {
        let file = read_vectors(vectors)?;
        let ids = read_ids(&Input::new(ids), &file)?;
        let place = Place::whole(vectors.display().to_string());
        let rows = Vectors::new(file.dimension, file.data).map_err(|error| error.at(place))?;
        Ok((rows, ids))
    };
    let (queries, query_ids) = read(queries, query_ids)?;
    let (documents, document_ids) = read(corpus, corpus_ids)?;
    Ok(VectorSystem {
        metric: given.metric.parse()?,
        query_ids,
        queries,
        document_ids,
        documents,
    })
}

/// `results.json`, and for each task its run as TREC and as JSON.
fn write_folder(
    folder: &Path,
    outcome: &BenchOutcome,
    report: &BenchReport<'_>,
    ranking: RankingPolicy,
) -> Result<()> {
    let place = || Place::whole(folder.display().to_string());
    fs_err::create_dir_all(folder).map_err(|error| Error::io(error).at(place()))?;
    for task in &outcome.tasks {
        write_runs(folder, task, ranking)?;
    }
    let everything = BenchReport {
        per_query: true,
        ..*report
    };
    settings::write_text(
        &folder.join("results.json"),
        &everything.write(Format::Json),
    )
}

fn write_runs(folder: &Path, task: &TaskOutcome, ranking: RankingPolicy) -> Result<()> {
    let name = format!("{}.{}", task.spec.name, file_name(task.run.name()));
    write_atomically(&folder.join(format!("{name}.trec")), |out| {
        write_run_trec(&task.run, ranking, out)
    })?;
    write_atomically(&folder.join(format!("{name}.json")), |out| {
        write_run_json(&task.run, ranking, out)
    })
}

/// A name with nothing in it that a file name cannot hold.
fn file_name(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    name.chars()
        .map(|c| if plain(c) { c } else { '_' })
        .collect()
}
