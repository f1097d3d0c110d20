//! The documents that restrictions name, looked for in each block.

use mrmr_core::{DocId, Error, Ids, Interned, Place, Result};

use crate::filter::{Filter, Restriction};
use crate::queries::VectorQueries;

/// Which queries name a document.
#[derive(Default)]
struct Mention {
    /// As a candidate.
    candidate_of: Vec<u32>,
    excluded_of: Vec<u32>,
    seen: bool,
}

/// All documents that are named, each once, so that a block is gone through once for all queries.
pub(super) struct Mentions {
    ids: Ids<DocId>,
    mentions: Vec<Mention>,
    /// For each query whether it names its candidates.
    by_candidates: Vec<bool>,
}

impl Mentions {
    /// None where nothing is restricted.
    pub(super) fn new(restrictions: &[Restriction]) -> Option<Self> {
        let none = Restriction::default();
        if restrictions.iter().all(|restriction| *restriction == none) {
            return None;
        }
        let is_given = |restriction: &Restriction| restriction.candidates.is_some();
        let mut all = Mentions {
            ids: Ids::new(),
            mentions: Vec::new(),
            by_candidates: restrictions.iter().map(is_given).collect(),
        };
        for (query, restriction) in (0..).zip(restrictions) {
            for id in restriction.candidates.iter().flatten() {
                all.mention(id).candidate_of.push(query);
            }
            for id in &restriction.excluded {
                all.mention(id).excluded_of.push(query);
            }
        }
        Some(all)
    }

    fn mention(&mut self, id: &str) -> &mut Mention {
        let (key, is_new) = self.ids.insert(id);
        if is_new {
            self.mentions.push(Mention::default());
        }
        &mut self.mentions[key.index()]
    }

    /// A filter a query for a block of rows with these ids.
    pub(super) fn filters(&mut self, ids: &Ids<DocId>) -> Vec<Filter> {
        let none = || vec![Vec::new(); self.by_candidates.len()];
        let (mut candidates, mut excluded): (Vec<Vec<u32>>, Vec<Vec<u32>>) = (none(), none());
        for (row, id) in (0..).zip(ids.names()) {
            let Some(key) = self.ids.get(id) else {
                continue;
            };
            let mention = &mut self.mentions[key.index()];
            mention.seen = true;
            for query in &mention.candidate_of {
                candidates[*query as usize].push(row);
            }
            for query in &mention.excluded_of {
                excluded[*query as usize].push(row);
            }
        }
        let lists = candidates.into_iter().zip(excluded);
        let filters = self.by_candidates.iter().zip(lists);
        let filter = |(by_candidates, (candidates, excluded)): (&bool, (Vec<u32>, Vec<u32>))| {
            let allowed = match by_candidates {
                true => Filter::only(candidates),
                false => Filter::default(),
            };
            allowed.without(excluded)
        };
        filters.map(filter).collect()
    }

    /// Refuses a candidate that was in no block.
    pub(super) fn refuse_missing(&self, queries: &VectorQueries) -> Result<()> {
        for (query, restriction) in queries.ids().names().zip(queries.restrictions()) {
            for id in restriction.candidates.iter().flatten() {
                let key = self.ids.get(id);
                if !key.is_some_and(|key| self.mentions[key.index()].seen) {
                    return Err(missing(id).at(Place::item("queries", query)));
                }
            }
        }
        Ok(())
    }
}

fn missing(id: &str) -> Error {
    Error::data(format!("candidate '{id}' is not among the documents"))
        .hint("candidates are ids of documents of the same corpus")
}
