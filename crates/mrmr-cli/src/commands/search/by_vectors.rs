//! Search by vectors.

use mrmr_core::{DocId, Error, Ids, Result, Run};
use mrmr_formats::Input;
use mrmr_formats::vectors::{VectorBlocks, VectorShape, read_ids_of};
use mrmr_search::{
    ExactIndex, ExactNotes, ExactScan, Metric, Restriction, Retriever as _, VectorQueries,
};

use super::clock::Start;
use super::effort;
use super::index::{self, Material};
use super::lists::Lists;
use super::memory::{self, Plan, Task};
use super::side::{Kind, Side};
use super::sweep::{self, Reference};
use super::system::System;
use crate::arguments::SearchArguments;
use crate::printer::Printer;
use crate::progress::Progress;
use crate::reading::ReadQrels;
use crate::words::{counted, size};

/// What a search over vectors gives.
pub(super) enum Answer {
    Run(Run),
    /// A run, that of exact search, and how many documents of a query were asked for.
    Beside(Run, Run, usize),
    /// The sweep is written.
    Swept,
}

/// A search over vectors that is about to begin.
pub(super) struct Search<'a> {
    arguments: &'a SearchArguments,
    system: System,
    metric: Metric,
    lists: &'a Lists,
    name: &'a str,
    printer: Printer,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        arguments: &'a SearchArguments,
        system: System,
        lists: &'a Lists,
        name: &'a str,
        printer: Printer,
    ) -> Result<Self> {
        let metric = match &arguments.vectors.metric {
            Some(metric) => metric.parse()?,
            None => Metric::default(),
        };
        Ok(Search {
            arguments,
            system,
            metric,
            lists,
            name,
            printer,
        })
    }

    pub(super) fn run(&self, qrels: Option<&ReadQrels>) -> Result<Answer> {
        let queries = self.queries()?;
        let documents = Side::of(self.arguments, Kind::Documents);
        let mut in_blocks = None;
        let read = documents.read(self.printer, &mut |shape| {
            self.check_dimension(&queries, shape)?;
            in_blocks = self.plan(&queries, shape)?;
            match in_blocks {
                // Nothing is read yet: the file is opened again.
                Some(_) => Err(Error::unsupported("the documents do not fit")),
                None => Ok(()),
            }
        });
        if let Some(max_rows) = in_blocks {
            return self.scan(queries, &documents, max_rows).map(Answer::Run);
        }
        let (ids, vectors) = read?;
        let ids: Ids<DocId> = ids.iter().collect();
        self.lists.check(queries.ids(), &ids, self.printer)?;
        let k = self.arguments.k.min(ids.len()).max(1);
        let material = Material {
            metric: self.metric,
            vectors,
            ids,
        };
        match self.system {
            System::Exact => {
                let index = self.exact(material, &documents)?;
                self.announce(queries.ids().len(), k);
                let progress = Progress::new(self.printer);
                index
                    .retrieve(self.name, &queries, k, &progress)
                    .map(Answer::Run)
            }
            _ => self.approximate(&queries, material, &documents, k, qrels),
        }
    }

    fn queries(&self) -> Result<VectorQueries> {
        let side = Side::of(self.arguments, Kind::Queries);
        let (ids, vectors) = side.read(self.printer, &mut |_| Ok(()))?;
        let restrictions: Vec<Restriction> = ids
            .iter()
            .map(|id| self.lists.restriction(id))
            .collect::<Result<_>>()?;
        let queries = VectorQueries::new(ids.iter().collect(), vectors)?;
        match self.lists.restrict() {
            true => queries.with_restrictions(restrictions),
            false => Ok(queries),
        }
    }

    fn check_dimension(&self, queries: &VectorQueries, shape: VectorShape) -> Result<()> {
        let dimension = queries.vectors().dimension();
        // A file without rows has no dimension to compare; that it is empty is told later.
        if shape.dimension == dimension || shape.rows == Some(0) {
            return Ok(());
        }
        Err(Error::data(format!(
            "the vectors of {} have {}, those of {} have {}; expected the same",
            Side::of(self.arguments, Kind::Queries).name(),
            counted(dimension, "number", "numbers"),
            Side::of(self.arguments, Kind::Documents).name(),
            shape.dimension
        ))
        .hint("queries and documents must come from the same encoder"))
    }

    /// Says how much memory it takes; how many rows a block has where it is more than there is.
    fn plan(&self, queries: &VectorQueries, shape: VectorShape) -> Result<Option<usize>> {
        let Some(rows) = shape.rows else {
            return Ok(None);
        };
        let against = &self.arguments.against;
        let exact = against.against_exact || against.sweep.is_some();
        let task = Task {
            rows: rows as u64,
            dimension: shape.dimension as u64,
            queries: queries.ids().len() as u64,
            k: self.arguments.k as u64,
        };
        let plan = Plan::new(task, self.system, &self.arguments.index, exact);
        plan.say(self.printer);
        let Some(available) = memory::available(self.arguments)? else {
            return Ok(None);
        };
        if plan.total() <= available {
            return Ok(None);
        }
        // Two blocks are in memory, one of them with its codes.
        let row = task.dimension * 9 + 128;
        let max_rows = available.saturating_sub(plan.results()) / row;
        if self.system != System::Exact || max_rows == 0 {
            return Err(memory::does_not_fit(plan.total(), available, self.system));
        }
        self.printer.say(&format!(
            "{} are there: the documents are searched {} at a time",
            size(available),
            counted(max_rows as usize, "row", "rows")
        ));
        Ok(Some(max_rows as usize))
    }

    /// Exact search of documents that do not fit into memory.
    fn scan(&self, queries: VectorQueries, documents: &Side<'_>, max_rows: usize) -> Result<Run> {
        let mut blocks = VectorBlocks::open(documents.vectors, &documents.options)?;
        let rows = blocks.shape().rows.unwrap_or(0);
        let ids = match documents.ids {
            Some(path) => Some(read_ids_of(&Input::new(path), rows)?),
            None if blocks.has_ids() => None,
            None => {
                documents.say_row_numbers(self.printer);
                Some((0..rows).map(|row| row.to_string()).collect())
            }
        };
        if let Some(ids) = &ids {
            let ids: Ids<DocId> = ids.iter().collect();
            self.lists.check(queries.ids(), &ids, self.printer)?;
        }
        let count = queries.ids().len();
        let k = self.arguments.k.min(rows).max(1);
        let mut scan = ExactScan::new(self.metric, queries, k)?;
        self.announce(count, k);
        let progress = Progress::new(self.printer);
        scan.add_file(&mut blocks, max_rows, ids.as_deref(), &progress)?;
        documents.warn_of_rounding(blocks.rounded(), self.printer);
        let found = scan.finish()?;
        let notes = found.notes();
        if notes.zero_rows > 0 && self.metric != Metric::Euclidean {
            let first = notes.first_zero_row.unwrap_or(0);
            documents.warn_of_zero_rows(notes.zero_rows, first, self.printer);
        }
        self.warn(notes, documents);
        found.run(self.name)
    }

    /// An approximate index, alone or beside exact search.
    fn approximate(
        &self,
        queries: &VectorQueries,
        mut material: Material,
        documents: &Side<'_>,
        k: usize,
        qrels: Option<&ReadQrels>,
    ) -> Result<Answer> {
        let against = &self.arguments.against;
        let mut exact = None;
        if against.against_exact || against.sweep.is_some() {
            let (reference, back) = self.reference(material, queries, documents, k)?;
            exact = Some(reference);
            material = back;
        }
        let progress = Progress::new(self.printer);
        let start = Start::now();
        let corpus = documents.name();
        let mut index = index::make(
            self.system,
            &self.arguments.index,
            material,
            &corpus,
            self.printer,
            &progress,
        )?;
        let built = start.spent();
        let setting = format!(
            "{} by {}: {}",
            self.system.name(),
            self.metric,
            index.setting()
        );
        if let (Some(text), Some(exact)) = (&against.sweep, &exact) {
            let efforts = effort::parse(text, index.effort_name())?;
            let mut lines = vec![setting];
            if let Some(seconds) = built.cpu_seconds {
                let did = match self.arguments.index.index {
                    Some(_) => "opened",
                    None => "built",
                };
                lines.push(format!("{did} in {seconds:.1} CPU seconds"));
            }
            let sweep = sweep::Sweep {
                arguments: self.arguments,
                system: self.system,
                queries,
                k,
                exact,
                qrels,
                printer: self.printer,
            };
            sweep.run(index.as_mut(), &efforts, lines)?;
            return Ok(Answer::Swept);
        }
        self.printer.say(&format!(
            "{setting}, {} {}",
            index.effort_name(),
            index.effort()
        ));
        let run = index.retrieve(self.name, queries, k, &progress)?;
        Ok(match exact {
            Some(exact) => Answer::Beside(run, exact.run, k),
            None => Answer::Run(run),
        })
    }

    /// Exact search, timed; what it is made of comes back.
    fn reference(
        &self,
        material: Material,
        queries: &VectorQueries,
        documents: &Side<'_>,
        k: usize,
    ) -> Result<(Reference, Material)> {
        let ids = material.ids.clone();
        let index = self.exact(material, documents)?;
        self.announce(queries.ids().len(), k);
        let reference = sweep::timed(&index, "exact", queries, k, self.printer)?;
        let back = Material {
            metric: self.metric,
            vectors: index.into_vectors(),
            ids,
        };
        Ok((reference, back))
    }

    fn exact(&self, material: Material, documents: &Side<'_>) -> Result<ExactIndex> {
        let Material {
            metric,
            vectors,
            ids,
        } = material;
        let (index, notes) = ExactIndex::builder(metric, vectors).ids(ids).build()?;
        self.warn(notes, documents);
        Ok(index)
    }

    /// Zero vectors are told where they are read.
    fn warn(&self, notes: ExactNotes, documents: &Side<'_>) {
        let notes = ExactNotes {
            zero_rows: 0,
            first_zero_row: None,
            ..notes
        };
        for warning in notes.warnings() {
            self.printer
                .warning(&format!("{}: {warning}", documents.name()));
        }
    }

    fn announce(&self, queries: usize, k: usize) {
        self.printer.say(&format!(
            "exact search by {}: {} x {}",
            self.metric,
            counted(queries, "query", "queries"),
            counted(k, "result", "results")
        ));
    }
}
