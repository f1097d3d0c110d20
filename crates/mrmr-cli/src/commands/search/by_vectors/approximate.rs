//! An index that may miss neighbours: built or opened, and held to exact search where that was asked for.

use mrmr_core::Result;
use mrmr_search::{Retriever as _, VectorQueries};

use super::{Answer, Search};
use crate::commands::search::clock::Start;
use crate::commands::search::effort;
use crate::commands::search::index::{self, Material};
use crate::commands::search::side::Side;
use crate::commands::search::sweep::{self, Reference};
use crate::progress::Progress;
use crate::reading::ReadQrels;

impl Search<'_> {
    /// An approximate index, alone or beside exact search.
    pub(super) fn approximate(
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
            Some(exact) => Answer::Beside(Box::new((run, exact.run)), k),
            None => Answer::Run(Box::new(run)),
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
}
