//! The systems of a file.

use std::path::Path;

use mrmr_bench::diagnosis::{chance, slicings};
use mrmr_bench::mteb;
use mrmr_bench::pipeline::{Action, BenchFile, Plan, PlanInputs, StepState, SystemOutcome};
use mrmr_bench::store::{Store, hash};
use mrmr_bench::{BenchOutcome, Benchmark, Task, TaskOutcome};
use mrmr_core::{Error, Place, Result};
use mrmr_formats::captions::{Captions, read_captions};
use mrmr_formats::input::Input;
use mrmr_measures::MeasureSpec;
use mrmr_report::{Format, SystemsReport, SystemsTask};

use super::comparison::comparison;
use super::dense::opened;
use super::{
    COMPANIONS, bm25_options, file_name, find_tasks, make_folder, refuse, settings, vector_options,
    write_runs,
};
use serde_json::{Value, json};

use crate::Ending;
use crate::arguments::BenchArguments;
use crate::interruption;
use crate::printer::Printer;
use crate::progress::Progress;
use crate::reading::FileCaptions;
use crate::words::counted;

pub(super) fn run(
    arguments: &BenchArguments,
    mrmr: &Benchmark,
    printer: Printer,
) -> Result<Ending> {
    let others = [
        ("--run", !arguments.runs.is_empty()),
        ("--encoder", arguments.encoder.encoder.is_some()),
        ("--task", !arguments.tasks.is_empty()),
        ("--split", arguments.split.is_some()),
        ("--depth", arguments.depth.is_some()),
        ("--drop-self", arguments.drop_self),
    ];
    let (words, vectors) = (bm25_options(arguments), vector_options(arguments));
    refuse(
        &[&words, &vectors, &others],
        "a file of systems: write it there",
    )?;
    let source = arguments.path.display().to_string();
    let file = BenchFile::read(&arguments.path)?;
    let given = match arguments.measures.measures.is_empty() {
        true => &file.measures,
        false => &arguments.measures.measures,
    };
    let measures = settings::measures(given, COMPANIONS)?;
    let policies = settings::policies(&arguments.policies)?;
    let format = settings::format(&arguments.output.form, None)?;
    let intervals = settings::intervals(&arguments.intervals)?;
    let captions = FileCaptions(match &file.dataset.captions {
        Some(path) => read_captions(&Input::new(path))?,
        None => Captions::new(),
    });
    let store = Store::open(settings::store_folder(arguments.encoding.store.as_deref()))?;
    if let (Some(folder), false) = (&arguments.folder, arguments.plan.dry_run) {
        make_folder(folder)?;
    }
    interruption::keep(Some(format!(
        "interrupted; what is done is kept in {}: the same command goes on there",
        store.folder().display()
    )));
    let tasks = find_tasks(&file.dataset.path, &file.dataset.tasks, mrmr)?;
    let of_mrmr = tasks.iter().all(|(spec, _)| spec.hub.is_some());
    let mut done_tasks: Vec<SystemsTask> = Vec::new();
    let (mut cards, mut of_mteb) = (Vec::new(), Vec::new());
    for (spec, folder) in tasks {
        let task = opened(file.dataset.split.as_deref(), spec, &folder)?;
        printer.say(&format!("{}: {}", task.spec.name, folder.display()));
        let inputs = PlanInputs {
            task: &task,
            captions: &captions,
            store: &store,
            only: &arguments.systems,
            force: &arguments.plan.force,
        };
        let at = |error: Error| match error.place() {
            Some(_) => error,
            None => error.at(Place::whole(source.clone())),
        };
        let plan = Plan::new(&file, inputs).map_err(at)?;
        if arguments.plan.dry_run {
            printer.data(&shown(&plan.steps()))?;
            continue;
        }
        let states = plan.steps();
        let to_run = |state: &&StepState| matches!(state.action, Action::Run(..));
        let reused = states.iter().filter(|state| state.action == Action::Reuse);
        printer.say(&format!(
            "{}: {} to run, {} kept in {}",
            task.spec.name,
            counted(states.iter().filter(to_run).count(), "step", "steps"),
            reused.count(),
            store.folder().display()
        ));
        let done = plan
            .run(&measures, policies, &Progress::new(printer))
            .map_err(at)?;
        warn(&task, &done.systems, printer);
        let mut compared = None;
        if done.systems.len() > 1 {
            let outcomes: Vec<&TaskOutcome> = done.systems.iter().map(|s| &s.outcome).collect();
            let reference = reference(&file, &done.systems);
            compared = Some(comparison(arguments, &outcomes, reference, &folder)?);
        }
        if arguments.folder.is_some() {
            cards.push(done.card(&task));
            for system in &done.systems {
                let name = file_name(&task.spec.name);
                let folder = Path::new("mteb").join(file_name(&system.name));
                let result = mteb::result(&task, &system.outcome.run)?;
                of_mteb.push((folder.join(format!("{name}.json")), result));
            }
        }
        let evaluation = done
            .systems
            .first()
            .map(|system| &system.outcome.evaluation);
        done_tasks.push(SystemsTask {
            slicings: evaluation.map_or_else(Vec::new, |found| slicings(&task, found)),
            chance: chance(&task, &task.spec.measure, policies)?,
            remarks: remarks(&task, &measures),
            systems: done.systems,
            comparison: compared,
        });
    }
    interruption::keep(None);
    if arguments.plan.dry_run {
        return Ok(Ending::Done);
    }
    let report = SystemsReport {
        benchmark: of_mrmr.then_some(mrmr),
        tasks: &done_tasks,
        per_query: arguments.output.per_query,
        intervals,
        numbers: settings::numbers(&arguments.output.form),
    };
    printer.data(&report.write(format))?;
    if let Some(folder) = &arguments.folder {
        let everything = SystemsReport {
            per_query: true,
            ..report
        };
        let path = folder.join("results.json");
        settings::write_text(&path, &everything.write(Format::Json))?;
        let source = std::fs::read(&arguments.path).map_err(Error::io)?;
        let card = json!({"file": arguments.path, "blake3": hash(&source), "tasks": cards});
        write_json(&folder.join("card.json"), &card)?;
        for (path, result) in &of_mteb {
            let path = folder.join(path);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent).map_err(Error::io)?;
            }
            write_json(&path, result)?;
        }
        for system in done_tasks.iter().flat_map(|task| &task.systems) {
            let outcome = BenchOutcome {
                system: system.name.clone(),
                settings: system.settings.clone(),
                tasks: vec![system.outcome.clone()],
            };
            write_runs(folder, &outcome, policies.ranking, printer)?;
        }
        printer.say(&format!("results written to {}", folder.display()));
    }
    Ok(Ending::Done)
}

fn write_json(path: &Path, value: &Value) -> Result<()> {
    settings::write_text(path, &format!("{value:#}\n"))
}

/// Where the system stands that others are compared with.
fn reference(file: &BenchFile, systems: &[SystemOutcome]) -> usize {
    let named = file.baseline.as_deref();
    let found = systems
        .iter()
        .position(|system| Some(system.name.as_str()) == named);
    found.unwrap_or(0)
}

/// What people should know, once for the data and once for each system.
fn warn(task: &Task, systems: &[SystemOutcome], printer: Printer) {
    let name = &task.spec.name;
    let everywhere = |warning: &String| {
        systems.len() > 1
            && systems
                .iter()
                .all(|system| system.outcome.warnings.contains(warning))
    };
    for system in systems.iter().take(1) {
        let shared = system
            .outcome
            .warnings
            .iter()
            .filter(|text| everywhere(text));
        shared.for_each(|warning| printer.warning(&format!("{name}: {warning}")));
    }
    for system in systems {
        let own = system
            .outcome
            .warnings
            .iter()
            .filter(|text| !everywhere(text));
        own.for_each(|warning| {
            printer.warning(&format!("{name}: {}: {warning}", system.name));
        });
    }
}

/// What the measures do not see of these judgements.
fn remarks(task: &Task, measures: &[MeasureSpec]) -> Vec<String> {
    let qrels = &task.dataset.qrels;
    let reads_first = |spec: &MeasureSpec| matches!(spec.definition().name, "RR" | "Success");
    let of_first: Vec<String> = std::iter::once(&task.spec.measure)
        .chain(measures)
        .filter(|spec| reads_first(spec))
        .map(ToString::to_string)
        .collect();
    let mut grades: Vec<f64> = Vec::new();
    let mut several = 0;
    for query in qrels.queries().keys() {
        let positive = qrels.judgements(query).iter().filter(|j| j.grade > 0.0);
        let own: Vec<f64> = positive.map(|judgement| judgement.grade).collect();
        several += usize::from(own.len() > 1);
        for grade in own {
            if !grades.contains(&grade) {
                grades.push(grade);
            }
        }
    }
    let mut remarks = Vec::new();
    if of_first.is_empty() {
        return remarks;
    }
    let names = of_first.join(", ");
    if grades.len() > 1 {
        remarks.push(format!(
            "relevance is graded ({} grades above 0): {names} ignore grades, nDCG does not",
            grades.len()
        ));
    }
    if several > 0 {
        remarks.push(format!(
            "{several} of {} queries have several relevant documents: {names} see the first one alone, recall and nDCG all",
            qrels.queries().len()
        ));
    }
    remarks
}

/// The steps, one a line: what is done, its name, its key.
fn shown(steps: &[StepState]) -> String {
    let width = steps.iter().map(|step| step.name.chars().count()).max();
    let width = width.unwrap_or(0);
    let mut text = String::new();
    for step in steps {
        let action = match step.action {
            Action::Reuse => "reuse".to_owned(),
            Action::Skip => "skip".to_owned(),
            Action::Run(0, _) => "run".to_owned(),
            Action::Run(some, of) => format!("run ({some} of {of} kept)"),
        };
        let (name, key) = (&step.name, &step.key[..12]);
        text += &format!("{name:width$}  {key}  {action}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_is_a_line() {
        let step = |name: &str, action| StepState {
            name: name.to_owned(),
            key: "0123456789abcdef".to_owned(),
            needs: Vec::new(),
            action,
        };
        let steps = [
            step("bm25/bm25", Action::Reuse),
            step("dense/encode queries", Action::Run(1, 3)),
        ];
        assert_eq!(
            shown(&steps),
            "bm25/bm25             0123456789ab  reuse\ndense/encode queries  0123456789ab  run (1 of 3 kept)\n"
        );
    }
}
