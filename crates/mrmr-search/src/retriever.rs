//! Queries to a run.

use std::ops::Range;

use mrmr_core::{
    DocId, DuplicatePolicy, Error, Event, Ids, Observer, Origin, Place, QueryId, Result, Run,
    RunBuilder,
};

use crate::bm25::Bm25Index;
use crate::filter::{Filter, Restriction};
use crate::index::Index;
use crate::maxsim::{MultiVectorIndex, MultiVectorQueries};
use crate::queries::{TextQueries, VectorQueries};
use crate::top_k::{Neighbour, id_of};

/// Queries between two signs of progress.
const BATCH: usize = 256;

/// Answers queries of the kind `Q` with a run.
///
/// ```
/// use mrmr_search::{Analyzer, Bm25Index, Bm25Params, Retriever, TextQueries};
/// let mut builder = Bm25Index::builder(Bm25Params::default(), Analyzer::LuceneEnglish);
/// builder.add("d1", "prefix codes")?;
/// let index = builder.build();
///
/// let mut queries = TextQueries::new();
/// queries.push("q1", "a prefix")?;
/// queries.push("q2", "nothing of that")?;
/// let run = index.retrieve("bm25", &queries, 100, &())?;
/// assert_eq!((run.queries().len(), run.len()), (2, 1));
/// # Ok::<(), mrmr_core::Error>(())
/// ```
pub trait Retriever<Q: ?Sized> {
    /// For each query the best `depth` documents; a query without any is in the run all the same.
    ///
    /// # Errors
    /// If `depth` is 0, or queries and index do not fit together; the message names the query.
    fn retrieve(
        &self,
        name: &str,
        queries: &Q,
        depth: usize,
        observer: &dyn Observer,
    ) -> Result<Run>;
}

impl Retriever<TextQueries> for Bm25Index {
    fn retrieve(
        &self,
        name: &str,
        queries: &TextQueries,
        depth: usize,
        observer: &dyn Observer,
    ) -> Result<Run> {
        let filters = bind(queries.ids(), queries.restrictions(), self.ids())?;
        let search = |batch: Range<usize>| {
            let texts = &queries.texts()[batch.clone()];
            self.search_all(texts, depth, filters.get(batch).unwrap_or(&[]))
        };
        run(name, queries.ids(), self.ids(), observer, search)
    }
}

impl<I: Index + ?Sized> Retriever<VectorQueries> for I {
    fn retrieve(
        &self,
        name: &str,
        queries: &VectorQueries,
        depth: usize,
        observer: &dyn Observer,
    ) -> Result<Run> {
        let ids = self.ids().ok_or_else(|| {
            Error::usage("the index has rows without ids; a run needs document ids")
                .hint("give the ids when the index is built")
        })?;
        let zero = |vector: &&[f32]| vector.iter().all(|x| *x == 0.0);
        let zeros = queries.vectors().rows().filter(zero).count();
        if zeros > 0 {
            let (queries, their) = match zeros {
                1 => ("1 query is a zero vector".to_owned(), "its"),
                _ => (format!("{zeros} queries are zero vectors"), "their"),
            };
            observer.observe(Event::Warning(&format!(
                "{queries}: nothing tells {their} documents apart by direction"
            )));
        }
        let filters = bind(queries.ids(), queries.restrictions(), ids)?;
        let search = |batch: Range<usize>| {
            let vectors = queries.vectors().slice(batch.clone());
            self.search_filtered(&vectors, depth, filters.get(batch).unwrap_or(&[]))
        };
        run(name, queries.ids(), ids, observer, search)
    }
}

impl<I: MultiVectorIndex + ?Sized> Retriever<MultiVectorQueries> for I {
    fn retrieve(
        &self,
        name: &str,
        queries: &MultiVectorQueries,
        depth: usize,
        observer: &dyn Observer,
    ) -> Result<Run> {
        let ids = self.ids().ok_or_else(|| {
            Error::usage("the index has documents without ids; a run needs document ids")
                .hint("give the ids when the index is built")
        })?;
        let empty = queries.vectors().items().filter(|item| item.is_empty());
        let empty = empty.count();
        if empty > 0 {
            observer.observe(Event::Warning(&format!(
                "{empty} queries have no vectors: every document scores 0 for them"
            )));
        }
        let filters = bind(queries.ids(), queries.restrictions(), ids)?;
        let search = |batch: Range<usize>| {
            let vectors = queries.vectors().slice(batch.clone());
            self.search_filtered(&vectors, depth, filters.get(batch).unwrap_or(&[]))
        };
        run(name, queries.ids(), ids, observer, search)
    }
}

/// Filters for an index with these ids; none where nothing is restricted.
fn bind(
    queries: &Ids<QueryId>,
    restrictions: &[Restriction],
    documents: &Ids<DocId>,
) -> Result<Vec<Filter>> {
    if restrictions
        .iter()
        .all(|restriction| *restriction == Restriction::default())
    {
        return Ok(Vec::new());
    }
    let filters = queries
        .names()
        .zip(restrictions)
        .map(|(query, restriction)| {
            let filter = restriction.bind(documents);
            filter.map_err(|error| error.at(Place::item("queries", query)))
        });
    filters.collect()
}

fn run(
    name: &str,
    queries: &Ids<QueryId>,
    documents: &Ids<DocId>,
    observer: &dyn Observer,
    search: impl Fn(Range<usize>) -> Result<Vec<Vec<Neighbour>>>,
) -> Result<Run> {
    observer.observe(Event::StepStarted {
        number: 1,
        of: 1,
        name: "search",
        total: Some(queries.len() as u64),
        unit: "queries",
    });
    let mut builder = Run::builder(name, Origin::memory(name));
    let names: Vec<&str> = queries.names().collect();
    // A search for no queries checks its settings as well.
    for start in (0..names.len().max(1)).step_by(BATCH) {
        let batch = start..names.len().min(start + BATCH);
        let found = search(batch.clone())?;
        for (query, neighbours) in names[batch.clone()].iter().zip(found) {
            add(&mut builder, query, &neighbours, documents)?;
        }
        observer.observe(Event::Advanced(batch.len() as u64));
    }
    observer.observe(Event::StepFinished);
    Ok(builder.finish(DuplicatePolicy::Error)?.0)
}

fn add(
    builder: &mut RunBuilder,
    query: &str,
    neighbours: &[Neighbour],
    documents: &Ids<DocId>,
) -> Result<()> {
    builder.add_empty(query);
    for neighbour in neighbours {
        let number = builder.len() as u64;
        builder.add(
            query,
            id_of(documents, neighbour.row),
            neighbour.score,
            number,
        )?;
    }
    Ok(())
}
