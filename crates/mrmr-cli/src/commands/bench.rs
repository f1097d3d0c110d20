//! `mrmr bench`: a system over a benchmark's data, measured.

mod comparison;
mod dense;
mod file;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use mrmr_bench::{
    BenchOutcome, Benchmark, Bm25System, Retrieval, RunFile, Source, SystemSpec, Task, TaskInputs,
    TaskSpec, VectorSystem, VectorTable,
};
use mrmr_core::{DuplicatePolicy, Error, ErrorKind, Place, RankingPolicy, Result, closest};
use mrmr_formats::captions::{Captions, read_captions};
use mrmr_formats::dataset::{DatasetOptions, is_dataset, open_dataset};
use mrmr_formats::input::Input;
use mrmr_formats::output::{write_atomically, write_run_json, write_run_trec};
use mrmr_formats::vectors::{VectorOptions, read_ids, read_vectors};
use mrmr_models::ContentRule;
use mrmr_report::{BenchReport, Format};
use mrmr_search::{Analysis, Analyzer, Bm25Params, Metric, StopWords, Vectors};

use super::settings;
use crate::Ending;
use crate::arguments::{BenchArguments, Bm25Arguments};
use crate::printer::Printer;
use crate::progress::Progress;
use crate::reading::{self, FileCaptions};

/// How many documents are returned for a query unless it is said.
const DEPTH: usize = 1000;

/// What is measured beside a task's main measure.
const COMPANIONS: &[&str] = &["nDCG@10", "RR@10", "Hit@1", "R@10", "R@100"];

pub(crate) fn run(arguments: &BenchArguments, printer: Printer) -> Result<Ending> {
    let mrmr = mrmr_bench::mrmr()?;
    if arguments
        .path
        .extension()
        .is_some_and(|ending| ending == "toml")
    {
        return file::run(arguments, mrmr, printer);
    }
    refuse(&[&plan_options(arguments)], "a folder")?;
    let system = named_system(&arguments.systems)?;
    let tasks = find_tasks(&arguments.path, &arguments.tasks, mrmr)?;
    if arguments.encoder.encoder.is_some() {
        return dense::run(arguments, system, mrmr, tasks, printer);
    }
    let policies = settings::policies(&arguments.policies)?;
    let measures = settings::measures(&arguments.measures.measures, COMPANIONS)?;
    let format = settings::format(&arguments.output.form, None)?;
    let captions = FileCaptions(match &arguments.bm25.captions {
        Some(path) => read_captions(&Input::new(path))?,
        None => Captions::new(),
    });
    let systems = tasks
        .iter()
        .map(|(spec, _)| system_of(arguments, system, spec, tasks.len()))
        .collect::<Result<Vec<SystemSpec>>>()?;
    refuse_other_tasks(&arguments.runs, &tasks, mrmr)?;
    if let Some(folder) = &arguments.folder {
        make_folder(folder)?;
    }
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
        let (dataset, notes) = open_dataset(&folder, &options)?;
        let source = Source {
            path: folder.display().to_string(),
            split: notes.split,
            files: notes
                .files
                .iter()
                .map(|file| file.display().to_string())
                .collect(),
        };
        printer.say(&format!("{}: {}", spec.name, folder.display()));
        let inputs = TaskInputs {
            measures: &measures,
            policies,
            captions: &captions,
            observer: &progress,
        };
        let task = Task {
            spec,
            dataset,
            source,
        };
        let place = || match &system.retrieval {
            Retrieval::Run(file) => Place::whole(file.source.clone()),
            _ => Place::whole(folder.display().to_string()),
        };
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
        numbers: settings::numbers(&arguments.output.form),
    };
    printer.data(&report.write(format))?;
    if let Some(folder) = &arguments.folder {
        write_folder(folder, &outcome, &report, policies.ranking, printer)?;
        printer.say(&format!("results written to {}", folder.display()));
    }
    Ok(Ending::Done)
}

/// The tasks with their folders: those that were named, else all that are there.
fn find_tasks(root: &Path, tasks: &[String], mrmr: &Benchmark) -> Result<Vec<(TaskSpec, PathBuf)>> {
    let named = tasks
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
        return Ok(vec![(spec, root.to_owned())]);
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

fn system_of(
    arguments: &BenchArguments,
    system: &str,
    spec: &TaskSpec,
    tasks: usize,
) -> Result<SystemSpec> {
    let depth = arguments.depth.map_or(DEPTH, NonZeroUsize::get);
    let (name, retrieval) = if !arguments.runs.is_empty() {
        refuse(
            &[
                &bm25_options(arguments),
                &vector_options(arguments),
                &[("--depth", arguments.depth.is_some())],
            ],
            "--run",
        )?;
        let path = run_file(&arguments.runs, &spec.name, tasks)?;
        let read = reading::run(Path::new(&path), DuplicatePolicy::Error)?;
        let name = read.run.name().to_owned();
        let file = RunFile {
            source: read.source,
            hash: read.hash,
            run: read.run,
        };
        (name, Retrieval::Run(Box::new(file)))
    } else if system == "exact" {
        refuse(&[&bm25_options(arguments)], "--system exact")?;
        (
            "exact".to_owned(),
            Retrieval::Exact(Box::new(vectors(arguments)?)),
        )
    } else {
        refuse(&[&vector_options(arguments)], "--system bm25")?;
        ("bm25".to_owned(), Retrieval::Bm25(bm25(&arguments.bm25)?))
    };
    Ok(SystemSpec {
        name,
        retrieval,
        depth,
        drop_self: arguments.drop_self,
    })
}

/// The one system of a folder.
fn named_system(systems: &[String]) -> Result<&str> {
    const KNOWN: [&str; 2] = ["bm25", "exact"];
    match systems {
        [] => Ok("bm25"),
        [one] if KNOWN.contains(&one.as_str()) => Ok(one),
        [one] => Err(
            Error::usage(format!("unknown system '{one}'; expected bm25 or exact"))
                .hint_maybe(closest(one, KNOWN).map(|name| format!("did you mean {name}?")))
                .hint("a file of systems (.toml) names systems of its own"),
        ),
        _ => Err(
            Error::usage("several systems are named; a folder is measured with one")
                .hint("a file of systems (.toml) has as many as wanted"),
        ),
    }
}

/// The options of a file of systems, and whether each was given.
fn plan_options(arguments: &BenchArguments) -> [(&'static str, bool); 2] {
    let given = &arguments.plan;
    [
        ("--dry-run", given.dry_run),
        ("--force", !given.force.is_empty()),
    ]
}

/// The options of BM25, and whether each was given.
fn bm25_options(arguments: &BenchArguments) -> [(&'static str, bool); 8] {
    let given = &arguments.bm25;
    [
        ("--k1", given.k1.is_some()),
        ("--b", given.b.is_some()),
        ("--norms", given.norms.is_some()),
        ("--analyzer", given.analyzer.is_some()),
        ("--stop-words", given.stop_words.is_some()),
        ("--query-weighting", given.query_weighting.is_some()),
        ("--content", given.content.is_some()),
        ("--captions", given.captions.is_some()),
    ]
}

/// The options of vectors, and whether each was given.
fn vector_options(arguments: &BenchArguments) -> [(&'static str, bool); 5] {
    let given = &arguments.vectors;
    [
        ("--query-vectors", given.query_vectors.is_some()),
        ("--query-ids", given.query_ids.is_some()),
        ("--corpus-vectors", given.corpus_vectors.is_some()),
        ("--corpus-ids", given.corpus_ids.is_some()),
        ("--metric", given.metric.is_some()),
    ]
}

/// Refuses options that would be read and not heeded.
fn refuse(options: &[&[(&str, bool)]], with: &str) -> Result<()> {
    match options.iter().copied().flatten().find(|(_, given)| *given) {
        Some((option, _)) => Err(Error::usage(format!("{option} has no effect with {with}"))),
        None => Ok(()),
    }
}

pub(super) fn bm25(given: &Bm25Arguments) -> Result<Bm25System> {
    let content: ContentRule = match &given.content {
        Some(rule) => rule.parse()?,
        None => ContentRule::default(),
    };
    if !matches!(content, ContentRule::Text | ContentRule::Captions) {
        return Err(Error::usage(format!(
            "BM25 reads words: expected --content text or captions, found {content}"
        ))
        .hint("--encoder names a model that reads images"));
    }
    match (&content, &given.captions) {
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
    bm25_under(given, content)
}

/// BM25 under a content rule, with the parameters that were given.
fn bm25_under(given: &Bm25Arguments, content: ContentRule) -> Result<Bm25System> {
    let default = Bm25Params::default();
    let norms = match &given.norms {
        Some(norms) => norms.parse()?,
        None => default.norms(),
    };
    let (k1, b) = (
        given.k1.unwrap_or(default.k1()),
        given.b.unwrap_or(default.b()),
    );
    let query = match &given.query_weighting {
        Some(weighting) => weighting.parse()?,
        None => default.query(),
    };
    let analyzer: Analyzer = match &given.analyzer {
        Some(analyzer) => analyzer.parse()?,
        None => Analyzer::default(),
    };
    let analysis = match &given.stop_words {
        Some(list) => Analysis::new(analyzer, StopWords::named_or_file(list)?),
        None => analyzer.into(),
    };
    Ok(Bm25System {
        params: Bm25Params::new(k1, b, norms)?.with_query(query),
        analysis,
        content,
    })
}

/// The file of a task among `TASK=FILE` arguments; a bare `FILE` serves a single task.
fn run_file(runs: &[String], task: &str, tasks: usize) -> Result<String> {
    let prefix = format!("{task}=");
    let named: Vec<&str> = runs
        .iter()
        .filter_map(|run| run.strip_prefix(&prefix))
        .collect();
    match (named.as_slice(), runs) {
        ([one], _) => Ok((*one).to_owned()),
        ([_, _, ..], _) => Err(Error::usage(format!(
            "two runs are given for the task {task}"
        ))),
        ([], [one]) if tasks == 1 => Ok(one.clone()),
        ([], _) if tasks == 1 => Err(Error::usage(format!(
            "{} runs are given for one task; bench measures one at a time",
            runs.len()
        ))
        .hint("mrmr score and mrmr compare take several runs")),
        ([], _) => Err(Error::usage(format!("no run is given for the task {task}"))
            .hint(format!("--run {task}=FILE"))),
    }
}

/// Refuses runs of tasks that are not measured.
fn refuse_other_tasks(
    runs: &[String],
    tasks: &[(TaskSpec, PathBuf)],
    mrmr: &Benchmark,
) -> Result<()> {
    for (name, _) in runs.iter().filter_map(|run| run.split_once('=')) {
        let measured = tasks.iter().any(|(spec, _)| spec.name == name);
        if !measured && mrmr.tasks.iter().any(|spec| spec.name == name) {
            return Err(
                Error::usage(format!("a run is given for {name}, which is not measured"))
                    .hint(format!("add --task {name}, or leave the run out")),
            );
        }
    }
    Ok(())
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
        let file = read_vectors(vectors, &VectorOptions::default())?;
        let ids = read_ids(&Input::new(ids), &file)?;
        let place = Place::whole(vectors.display().to_string());
        let rows = Vectors::new(file.dimension, file.data).map_err(|error| error.at(place))?;
        Ok((rows, ids))
    };
    let (query_vectors, query_names) = read(queries, query_ids)?;
    let (documents, document_ids) = read(corpus, corpus_ids)?;
    if query_vectors.dimension() != documents.dimension() {
        return Err(Error::data(format!(
            "the queries have {} dimensions, the documents {}: expected the same",
            query_vectors.dimension(),
            documents.dimension()
        ))
        .at(Place::whole(queries.display().to_string())));
    }
    Ok(VectorSystem {
        metric: match &given.metric {
            Some(metric) => metric.parse()?,
            None => Metric::default(),
        },
        queries: VectorTable::new(query_names, query_vectors),
        documents: VectorTable::new(document_ids, documents),
        settings: Vec::new(),
        index: Default::default(),
    })
}

/// The folder for results, made before the work begins.
fn make_folder(folder: &Path) -> Result<()> {
    let place = || Place::whole(folder.display().to_string());
    if folder.exists() && !folder.is_dir() {
        return Err(Error::usage("expected a folder for the results, found a file").at(place()));
    }
    std::fs::create_dir_all(folder).map_err(|error| Error::io(error).at(place()))?;
    // Whether it can be written to shows here, not after the work.
    let probe = tempfile::NamedTempFile::new_in(folder);
    probe
        .map(|_| ())
        .map_err(|error| Error::io(error).at(place()))
}

/// `results.json`, and for each task its run as JSON and, where TREC can hold its ids, as TREC.
fn write_folder(
    folder: &Path,
    outcome: &BenchOutcome,
    report: &BenchReport<'_>,
    ranking: RankingPolicy,
    printer: Printer,
) -> Result<()> {
    let everything = BenchReport {
        per_query: true,
        ..*report
    };
    settings::write_text(
        &folder.join("results.json"),
        &everything.write(Format::Json),
    )?;
    write_runs(folder, outcome, ranking, printer)
}

/// The run of each task.
fn write_runs(
    folder: &Path,
    outcome: &BenchOutcome,
    ranking: RankingPolicy,
    printer: Printer,
) -> Result<()> {
    for task in &outcome.tasks {
        let name = format!("{}.{}", task.spec.name, file_name(task.run.name()));
        write_atomically(&folder.join(format!("{name}.json")), |out| {
            write_run_json(&task.run, ranking, out)
        })?;
        let trec = write_atomically(&folder.join(format!("{name}.trec")), |out| {
            write_run_trec(&task.run, ranking, out)
        });
        match trec {
            Err(error) if error.kind() != ErrorKind::Io => {
                printer.warning(&format!("{error}; the run is there as JSON alone"));
            }
            other => other?,
        }
    }
    Ok(())
}

/// A name with nothing in it that a file name cannot hold.
fn file_name(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    name.chars()
        .map(|c| if plain(c) { c } else { '_' })
        .collect()
}
