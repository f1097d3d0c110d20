//! The index: postings, ids, and what the settings make of the lengths.

use std::sync::Arc;

use mrmr_core::{DocId, Ids, Result};

use super::builder::Bm25Builder;
use super::corpus::Corpus;
use super::impacts::Impacts;
use super::params::Bm25Params;
use super::postings::{Postings, TermId};
use super::scratch::ScratchPool;
use crate::{Analysis, Analyzer};

/// Ranks documents by BM25, with Lucene's arithmetic to the last bit of the score.
///
/// Of a document with `f` occurrences of a term and a length of `l` (average `a` over the `N` documents
/// that have a term at all, the term in `n` of them), each distinct term of the query that counts `c`
/// times ([`QueryWeighting`]) adds, in 32-bit arithmetic,
///
/// ```text
/// w - w / (1 + f * 1 / (k1 * (1 - b + b * l / a)))        w = c * ln(1 + (N - n + 0.5) / (n + 0.5))
/// ```
///
/// The terms are summed in 64 bits and the sum is rounded to 32 (Lucene 8 and later; the constant factor
/// `k1 + 1` of Robertson & Zaragoza 2009 is left out there).
///
/// [`QueryWeighting`]: crate::QueryWeighting
///
/// ```
/// use mrmr_search::{Analyzer, Bm25Index, Bm25Params, Filter};
/// let mut builder = Bm25Index::builder(Bm25Params::default(), Analyzer::LuceneEnglish);
/// builder.add("d1", "Kraft's inequality bounds the lengths of a prefix code.")?;
/// builder.add("d2", "Huffman coding finds the best prefix code.")?;
/// let index = builder.build();
///
/// let found = index.search("what are prefix codes by Huffman?", 10, &Filter::default())?;
/// let ids: Vec<&str> = found.iter().map(|neighbour| index.id(neighbour.row)).collect();
/// assert_eq!(ids, ["d2", "d1"]);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
pub struct Bm25Index {
    pub(super) params: Bm25Params,
    pub(super) analysis: Analysis,
    pub(super) corpus: Arc<Corpus>,
    /// For each row 1 / (k1 * (1 - b + b * length / average)).
    pub(super) norm_inverse: Vec<f32>,
    pub(super) impacts: Impacts,
    pub(super) scratch: ScratchPool,
}

impl Bm25Index {
    /// Starts an index with no documents; an [`Analyzer`] alone comes with its own stop words.
    pub fn builder(params: Bm25Params, analysis: impl Into<Analysis>) -> Bm25Builder {
        Bm25Builder::new(params, analysis.into())
    }

    pub(super) fn new(
        params: Bm25Params,
        analysis: Analysis,
        ids: Ids<DocId>,
        postings: Postings,
    ) -> Self {
        Bm25Index::of_corpus(params, analysis, Arc::new(Corpus::new(ids, postings)))
    }

    fn of_corpus(params: Bm25Params, analysis: Analysis, corpus: Arc<Corpus>) -> Self {
        let norm_inverse = corpus.norm_inverse(params);
        Bm25Index {
            impacts: Impacts::new(&corpus.postings, &norm_inverse),
            norm_inverse,
            params,
            analysis,
            corpus,
            scratch: ScratchPool::default(),
        }
    }

    /// The same documents under other settings; the postings are shared, not copied.
    ///
    /// # Errors
    /// If the index lies in a file that was changed after it was written.
    pub fn with_params(&self, params: Bm25Params) -> Result<Bm25Index> {
        self.verify()?;
        let corpus = Arc::clone(&self.corpus);
        Ok(Bm25Index::of_corpus(params, self.analysis.clone(), corpus))
    }

    /// Whether the whole index is as it was written; one that was built here always is.
    ///
    /// A file is checked where it is touched, so that this is needed only to know beforehand.
    ///
    /// # Errors
    /// If the index lies in a file that was changed after it was written.
    pub fn verify(&self) -> Result<()> {
        self.corpus.verify()
    }

    /// The settings.
    pub fn params(&self) -> Bm25Params {
        self.params
    }

    /// The analyser of documents and queries.
    pub fn analyzer(&self) -> Analyzer {
        self.analysis.analyzer()
    }

    /// The analyser with its stop words.
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// How many documents there are, those without terms too.
    pub fn len(&self) -> usize {
        self.corpus.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.corpus.names.len() == 0
    }

    /// How many documents have no term: their text is empty, or the analyser leaves nothing of it.
    pub fn documents_without_terms(&self) -> usize {
        self.len() - self.corpus.with_terms as usize
    }

    /// The ids of the documents, in the order of their rows.
    pub fn ids(&self) -> &Ids<DocId> {
        self.corpus.ids()
    }

    /// The id of a row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn id(&self, row: u32) -> &str {
        self.corpus.names.get(row as usize)
    }

    /// Lucene's inverse document frequency.
    pub(super) fn idf(&self, term: TermId) -> f32 {
        let n = self.corpus.with_terms as f64;
        let df = self.corpus.postings.document_frequency(term) as f64;
        (1.0 + (n - df + 0.5) / (df + 0.5)).ln() as f32
    }

    /// The average length of the documents that have a term, as Anserini rounds it.
    pub(super) fn average_length(&self) -> f32 {
        self.corpus.total_terms as f32 / self.corpus.with_terms as f32
    }

    /// What a term of this weight adds to a row that holds it so often.
    #[inline]
    pub(super) fn contribution(&self, weight: f32, frequency: u32, row: u32) -> f32 {
        weight - weight / (1.0 + frequency as f32 * self.norm_inverse[row as usize])
    }
}
