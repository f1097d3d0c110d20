//! Documents that do not fit into memory: how that is known, and exact search of them block by block.

use mrmr_core::{DocId, Ids, Result, Run};
use mrmr_formats::Input;
use mrmr_formats::vectors::{VectorBlocks, VectorShape, read_ids_of};
use mrmr_search::{ExactScan, Metric, VectorQueries};

use super::Search;
use crate::commands::search::memory::{self, Plan, Task};
use crate::commands::search::output;
use crate::commands::search::side::{Kind, Side};
use crate::commands::search::system::System;
use crate::progress::Progress;
use crate::words::{counted, size};

impl Search<'_> {
    /// Says how much memory it takes; how many rows a block has where it is more than there is.
    pub(super) fn plan(
        &self,
        queries: &VectorQueries,
        shape: VectorShape,
    ) -> Result<Option<usize>> {
        let Some(rows) = shape.rows else {
            return Ok(None);
        };
        let against = &self.arguments.against;
        let exact = against.against_exact || against.sweep.is_some();
        let task = Task {
            rows: rows as u64,
            dimension: shape.dimension as u64,
            queries: queries.ids().len() as u64,
            k: self.arguments.k() as u64,
            pooled: 0,
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
        // A pipe cannot be opened again.
        let documents = Side::of(self.arguments, Kind::Documents);
        if self.system == System::Exact && !documents.vectors.is_file() {
            let error = memory::too_much(plan.total(), available, self.system);
            return Err(error.hint("a file would be searched block by block; a pipe is read once"));
        }
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
    pub(super) fn scan(
        &self,
        queries: VectorQueries,
        documents: &Side<'_>,
        max_rows: usize,
    ) -> Result<Run> {
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
            output::check_ids(self.arguments, queries.ids(), &ids)?;
            self.lists.check(queries.ids(), &ids, self.printer)?;
        }
        let asked = queries.ids().clone();
        let k = self.arguments.k().min(rows).max(1);
        let mut scan = ExactScan::new(self.metric, queries, k)?;
        self.announce(asked.len(), k);
        let progress = Progress::new(self.printer);
        scan.add_file(&mut blocks, max_rows, ids.as_deref(), &progress)?;
        if let (None, Some(ids)) = (&ids, blocks.ids()) {
            self.lists.check(&asked, ids, self.printer)?;
        }
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
}
