//! Search by vectors.

mod approximate;
mod blocks;

use mrmr_core::{DocId, Error, Ids, Result, Run};
use mrmr_formats::vectors::VectorShape;
use mrmr_search::{ExactIndex, ExactNotes, Metric, Restriction, Retriever as _, VectorQueries};

use super::index::Material;
use super::lists::Lists;
use super::output;
use super::side::{Kind, Side};
use super::system::System;
use crate::arguments::SearchArguments;
use crate::printer::Printer;
use crate::progress::Progress;
use crate::reading::ReadQrels;
use crate::words::counted;

/// What a search over vectors gives.
pub(super) enum Answer {
    Run(Box<Run>),
    /// A run, that of exact search, and how many documents of a query were asked for.
    Beside(Box<(Run, Run)>, usize),
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
            let run = self.scan(queries, &documents, max_rows)?;
            return Ok(Answer::Run(Box::new(run)));
        }
        let (ids, vectors) = read?;
        let ids: Ids<DocId> = ids.iter().collect();
        output::check_ids(self.arguments, queries.ids(), &ids)?;
        self.lists.check(queries.ids(), &ids, self.printer)?;
        let k = self.arguments.k().min(ids.len()).max(1);
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
                let run = index.retrieve(self.name, &queries, k, &progress)?;
                Ok(Answer::Run(Box::new(run)))
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
