//! What of an index does not depend on its settings.

use std::sync::OnceLock;

use mrmr_core::{DocId, Ids, Result};

use super::file::Checked;
use super::lengths::rounded;
use super::names::Names;
use super::params::{Bm25Params, Norms};
use super::postings::{Postings, TermId};
use super::section::Section;
use crate::top_k::Precedence;

/// Documents and their postings.
pub(super) struct Corpus {
    /// The ids of the documents.
    pub(super) names: Names,
    /// The same to be looked up; made when first asked for.
    ids: OnceLock<Ids<DocId>>,
    pub(super) precedence: Precedence,
    /// The precedence as it lies in a file.
    pub(super) places: Section,
    pub(super) postings: Postings,
    /// Documents that have a term.
    pub(super) with_terms: u64,
    pub(super) total_terms: u64,
    /// What of a file was checked; none where the index was built here.
    checked: Option<Checked>,
}

impl Corpus {
    pub(super) fn new(ids: Ids<DocId>, postings: Postings) -> Self {
        let names = Names::new(ids.names());
        let precedence = ids.byte_order();
        Corpus {
            ids: OnceLock::from(ids),
            checked: None,
            ..Corpus::of(names, Section::of_u32(precedence), postings)
        }
    }

    pub(super) fn of_file(
        names: Names,
        places: Section,
        postings: Postings,
        checked: Checked,
    ) -> Self {
        Corpus {
            checked: Some(checked),
            ..Corpus::of(names, places, postings)
        }
    }

    fn of(names: Names, places: Section, postings: Postings) -> Self {
        let precedence = places
            .numbers()
            .iter()
            .map(|place| u32::from_le_bytes(*place));
        Corpus {
            with_terms: postings.lengths().filter(|length| *length > 0).count() as u64,
            total_terms: postings.lengths().map(u64::from).sum(),
            names,
            ids: OnceLock::new(),
            precedence: Precedence::Ids(precedence.collect()),
            places,
            postings,
            checked: None,
        }
    }

    pub(super) fn ids(&self) -> &Ids<DocId> {
        self.ids.get_or_init(|| self.names.iter().collect())
    }

    /// For each row 1 / (k1 * (1 - b + b * length / average)).
    pub(super) fn norm_inverse(&self, params: Bm25Params) -> Vec<f32> {
        let (k1, b) = (params.k1(), params.b());
        let average = (self.total_terms as f64 / self.with_terms as f64) as f32;
        let norm_inverse = self.postings.lengths().map(|length| {
            let length = match params.norms() {
                Norms::Lucene => rounded(length),
                Norms::Exact => length,
            };
            // The order of the operations is Lucene's; another one rounds otherwise.
            1.0 / (k1 * ((1.0 - b) + b * length as f32 / average))
        });
        norm_inverse.collect()
    }

    /// Checks the postings of a term when they are first touched.
    pub(super) fn check(&self, term: TermId) -> Result<()> {
        match &self.checked {
            Some(checked) => checked.term(&self.postings, term),
            None => Ok(()),
        }
    }

    pub(super) fn verify(&self) -> Result<()> {
        match &self.checked {
            Some(checked) => checked.all(&self.postings),
            None => Ok(()),
        }
    }
}
