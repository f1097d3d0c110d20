//! One index searched with several efforts.

use mrmr_core::{Result, Run};
use mrmr_measures::{Evaluator, NeighbourRecall, Policies};
use mrmr_report::{SweepReport, SweepStep};
use mrmr_search::{Index, Retriever as _, VectorQueries};

use super::against;
use super::clock::{Spent, Timed};
use super::index::KeptIndex;
use super::output::SweepForm;
use super::system::System;
use crate::arguments::SearchArguments;
use crate::commands::{inputs, settings};
use crate::printer::Printer;
use crate::progress::Progress;
use crate::reading::ReadQrels;
use crate::words::counted;

/// Queries that are asked once before the clock starts: what is first touched is slow.
const WARM_UP: usize = 256;

/// The exact search that others are held to.
pub(super) struct Reference {
    pub(super) run: Run,
    pub(super) spent: Spent,
}

/// Searches, and times the search alone.
pub(super) fn timed(
    index: &dyn Index,
    name: &str,
    queries: &VectorQueries,
    k: usize,
    printer: Printer,
) -> Result<Reference> {
    let first = queries.vectors().len().min(WARM_UP);
    index.search(&queries.vectors().slice(0..first), k)?;
    let timed = Timed::new(index);
    let run = timed.retrieve(name, queries, k, &Progress::new(printer))?;
    Ok(Reference {
        run,
        spent: timed.spent(),
    })
}

/// A sweep that is about to begin.
pub(super) struct Sweep<'a> {
    pub(super) arguments: &'a SearchArguments,
    pub(super) system: System,
    pub(super) queries: &'a VectorQueries,
    pub(super) k: usize,
    pub(super) exact: &'a Reference,
    pub(super) qrels: Option<&'a ReadQrels>,
    pub(super) printer: Printer,
}

impl Sweep<'_> {
    /// Searches with each effort and writes what came of it.
    pub(super) fn run(
        &self,
        index: &mut dyn KeptIndex,
        efforts: &[usize],
        mut setting: Vec<String>,
    ) -> Result<()> {
        let measures = against::measures(self.arguments)?;
        let evaluator = self
            .qrels
            .map(|read| Evaluator::new(&read.qrels, measures, Policies::default()))
            .transpose()?;
        let step = |reference: &Reference| self.step(reference, evaluator.as_ref());
        let mut steps = Vec::with_capacity(efforts.len());
        for effort in efforts {
            index.set_effort(*effort)?;
            let name = format!("{} {effort}", index.effort_name());
            let reference = timed(&*index, &name, self.queries, self.k, self.printer)?;
            steps.push((*effort, step(&reference)?));
        }
        setting.push(machine(self.queries));
        let report = SweepReport {
            system: self.system.name().to_owned(),
            effort: index.effort_name().to_owned(),
            setting,
            k: self.k,
            documents: index.len(),
            queries: self.queries.ids().len(),
            qrels: self.qrels.map(inputs::qrels_facts),
            exact: step(self.exact)?,
            steps,
            numbers: against::numbers(self.arguments),
        };
        if let Some(file) = &self.arguments.against.svg {
            settings::write_text(file, &report.svg())?;
        }
        let text = match SweepForm::of(self.arguments)? {
            SweepForm::Report(format) => report.write(format),
            SweepForm::Svg => report.svg(),
        };
        settings::deliver(self.printer, self.arguments.output.file.as_deref(), &text)
    }

    fn step(&self, reference: &Reference, evaluator: Option<&Evaluator<'_>>) -> Result<SweepStep> {
        let evaluation = evaluator
            .map(|evaluator| evaluator.evaluate(&reference.run))
            .transpose()?;
        let values = evaluation
            .iter()
            .flat_map(|evaluation| &evaluation.measures);
        Ok(SweepStep {
            recall: NeighbourRecall::new(&self.exact.run, &reference.run, self.k),
            seconds: reference.spent.seconds,
            cpu_seconds: reference.spent.cpu_seconds,
            values: values
                .map(|measure| (measure.spec.clone(), measure.value))
                .collect(),
        })
    }
}

fn machine(queries: &VectorQueries) -> String {
    format!(
        "{} at once, on {}",
        counted(queries.ids().len(), "query", "queries"),
        counted(rayon::current_num_threads(), "thread", "threads")
    )
}
