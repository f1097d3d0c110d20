//! How much each term of a query counts.

use std::fmt;
use std::str::FromStr;

use mrmr_core::{Error, Result};

use super::params::Bm25Params;

/// How much each distinct term of a query counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum QueryWeighting {
    /// `bag`: as often as it occurs, which is what Lucene does with a bag of words.
    #[default]
    Bag,
    /// `bm25qs`, query-side BM25: the query is weighted as if it were a document of the collection. A term
    /// that occurs `c` times in a query of `l` terms, those that no document has among them, counts
    /// `idf * c / (c + k1 * (1 - b + b * l / a))` times, with the k1 and b of the documents and their
    /// exact average length `a`: the inverse document frequency is in the score twice.
    ///
    /// This is the baseline of BRIGHT (Su et al. 2024, <https://arxiv.org/abs/2407.12883>, whose code puts
    /// queries through gensim's `LuceneBM25Model`), with the arithmetic of Anserini's
    /// `QuerySideBm25QueryGenerator` (<https://arxiv.org/abs/2509.02558>). BRIGHT's own code leaves terms
    /// that no document has out of `l`, and keeps document lengths exactly ([`Norms::Exact`]).
    ///
    /// [`Norms::Exact`]: crate::Norms::Exact
    Bm25qs,
}

impl QueryWeighting {
    /// Every name, in the order of [`QueryWeighting::ALL`].
    pub const NAMES: &'static [&'static str] = &["bag", "bm25qs"];
    /// Every value.
    pub const ALL: &'static [QueryWeighting] = &[QueryWeighting::Bag, QueryWeighting::Bm25qs];

    /// The name, as it is written on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            QueryWeighting::Bag => "bag",
            QueryWeighting::Bm25qs => "bm25qs",
        }
    }
}

impl fmt::Display for QueryWeighting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for QueryWeighting {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        crate::names::parse("query weighting", text, Self::NAMES, Self::ALL)
    }
}

impl Bm25Params {
    /// How much a term counts that occurs `count` times in a query of `length` terms.
    pub(super) fn query_weight(self, count: u32, length: usize, average: f32, idf: f32) -> f32 {
        let count = count as f32;
        match self.query() {
            QueryWeighting::Bag => count,
            QueryWeighting::Bm25qs => {
                let (k1, b) = (self.k1(), self.b());
                // The order of the operations is Anserini's; another one rounds otherwise.
                idf * (count / (count + k1 * ((1.0 - b) + b * (length as f32 / average))))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for weighting in QueryWeighting::ALL {
            assert_eq!(
                weighting.to_string().parse::<QueryWeighting>().ok(),
                Some(*weighting)
            );
        }
    }
}
