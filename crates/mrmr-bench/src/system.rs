//! A system as someone described it.

use mrmr_core::{Collection, Error, Ids, Observer, QueryId, Result, Run, counted};
use mrmr_models::{CaptionSource, ContentRule, Role};
use mrmr_search::{
    Analysis, Bm25Index, Bm25Params, MaxSimIndex, Metric, MultiVectorQueries, MultiVectors,
    Restriction, Retriever as _, TextQueries, VectorQueries, Vectors,
};

use crate::candidates::Candidates;
use crate::index_spec::IndexSpec;
use crate::store::{AnswerNotes, Answers};
use crate::task::Task;

/// BM25 over the text of records.
#[derive(Clone, Debug)]
pub struct Bm25System {
    /// k1, b, the kind of length norms, the weighting of queries.
    pub params: Bm25Params,
    /// How text becomes terms.
    pub analysis: Analysis,
    /// How a record becomes text.
    pub content: ContentRule,
}

impl Bm25System {
    fn described(&self) -> [(&'static str, String); 8] {
        [
            ("retrieval", "bm25".to_owned()),
            ("k1", self.params.k1().to_string()),
            ("b", self.params.b().to_string()),
            ("norms", self.params.norms().to_string()),
            ("query weighting", self.params.query().to_string()),
            ("analyzer", self.analysis.analyzer().to_string()),
            ("stop words", self.analysis.stop_words().to_string()),
            ("content", self.content.to_string()),
        ]
    }

    /// How it is set up, as (name, value), for reports.
    pub fn settings(&self) -> Vec<(String, String)> {
        let described = self.described().into_iter();
        described
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}

/// Vectors of one side, with their ids.
#[derive(Clone, Debug)]
pub struct VectorTable {
    /// The ids, one an item.
    pub ids: Vec<String>,
    /// The vectors: one an item, unless `is_multi`.
    pub vectors: MultiVectors,
    /// Whether an item has several vectors, compared by MaxSim.
    pub is_multi: bool,
    /// Records that could not be encoded, with the reason.
    pub failures: Vec<(String, String)>,
}

impl VectorTable {
    /// One vector an id, without failures.
    pub fn new(ids: Vec<String>, vectors: Vectors) -> Self {
        VectorTable {
            ids,
            vectors: MultiVectors::singles(vectors),
            is_multi: false,
            failures: Vec::new(),
        }
    }
}

/// Search over vectors.
#[derive(Clone, Debug)]
pub struct VectorSystem {
    /// How similar two vectors are.
    pub metric: Metric,
    /// The queries.
    pub queries: VectorTable,
    /// The documents.
    pub documents: VectorTable,
    /// How the vectors were made, as (name, value), for reports.
    pub settings: Vec<(String, String)>,
    /// How neighbours are found.
    pub index: IndexSpec,
}

/// A run that a system left in a file.
#[derive(Clone, Debug)]
pub struct RunFile {
    /// The file as the user named it.
    pub source: String,
    /// BLAKE3 of its bytes, in hexadecimal, where it can be read twice.
    pub hash: Option<String>,
    /// What is in it.
    pub run: Run,
}

/// How a system finds documents.
#[derive(Clone, Debug)]
pub enum Retrieval {
    /// By words.
    Bm25(Bm25System),
    /// By vectors.
    Exact(Box<VectorSystem>),
    /// It has answered already.
    Run(Box<RunFile>),
}

/// A system: how it finds documents, and how many.
#[derive(Clone, Debug)]
pub struct SystemSpec {
    /// Its name.
    pub name: String,
    /// How it finds documents.
    pub retrieval: Retrieval,
    /// How many documents it returns for a query.
    pub depth: usize,
    /// Whether a document with the id of the query is left out (ArguAna, Quora).
    pub drop_self: bool,
}

impl SystemSpec {
    /// How it is set up, as (name, value), for reports.
    pub fn settings(&self) -> Vec<(String, String)> {
        let mut settings: Vec<(&str, String)> = Vec::new();
        match &self.retrieval {
            Retrieval::Bm25(bm25) => {
                settings.extend(bm25.described());
                settings.push(("depth", self.depth.to_string()));
            }
            Retrieval::Exact(exact) => {
                let kind = match exact.documents.is_multi {
                    true => "maxsim".to_owned(),
                    false => exact.index.to_string(),
                };
                settings.push(("retrieval", kind));
                let made = exact.settings.iter();
                settings.extend(made.map(|(name, value)| (name.as_str(), value.clone())));
                settings.extend([
                    ("metric", exact.metric.to_string()),
                    ("dimension", exact.documents.vectors.dimension().to_string()),
                    ("depth", self.depth.to_string()),
                ]);
            }
            Retrieval::Run(file) => {
                settings.extend([
                    ("retrieval", "run file".to_owned()),
                    ("file", file.source.clone()),
                ]);
                settings.extend(file.hash.clone().map(|hash| ("blake3", hash)));
            }
        }
        if self.drop_self {
            settings.push(("drop self", "yes".to_owned()));
        }
        settings
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }

    /// Answers the queries of a task.
    pub(crate) fn answer(
        &self,
        task: &Task,
        candidates: Option<&Candidates>,
        captions: &dyn CaptionSource,
        observer: &dyn Observer,
    ) -> Result<Answers> {
        match &self.retrieval {
            Retrieval::Bm25(bm25) => {
                let queries = &task.dataset.queries;
                self.answer_bm25(bm25, task, queries, candidates, captions, observer)
            }
            Retrieval::Exact(exact) => self.answer_exact(exact, task, candidates, observer),
            Retrieval::Run(file) => {
                let mut answers = Answers {
                    run: file.run.clone().renamed(&self.name),
                    notes: AnswerNotes::default(),
                };
                if let Some(candidates) = candidates {
                    let (restricted, left_out) = candidates.restrict(answers.run);
                    if left_out > 0 {
                        answers.notes.warnings.push(format!(
                            "{left_out} answers of the run are not among the candidates of their query and were left out"
                        ));
                    }
                    answers.run = restricted;
                    let incomplete = candidates.incomplete(&answers.run);
                    if incomplete > 0 {
                        answers.notes.warnings.push(format!(
                            "the run has no score for some candidates of {}: they rank behind the others",
                            counted(incomplete, "query", "queries")
                        ));
                    }
                }
                let excluded = &task.dataset.excluded;
                let (kept, dropped) = answers.run.retain(|query, document| {
                    let never = excluded.get(query);
                    never.is_none_or(|never| never.iter().all(|other| other != document))
                });
                answers.run = kept;
                if dropped > 0 {
                    answers.notes.warnings.push(format!(
                        "{dropped} answers of the run that the data set excludes for their query were left out"
                    ));
                }
                if self.drop_self {
                    let (kept, dropped) = answers.run.retain(|query, document| query != document);
                    answers.run = kept;
                    answers.notes.warnings.push(format!(
                        "{} with the id of {} query left out",
                        counted(dropped, "document", "documents"),
                        if dropped == 1 { "its" } else { "their" }
                    ));
                }
                Ok(answers)
            }
        }
    }

    /// What a query may return.
    fn restriction(
        &self,
        task: &Task,
        candidates: Option<&Candidates>,
        query: &str,
    ) -> Restriction {
        let never = task.dataset.excluded.get(query);
        let mut excluded = never.cloned().unwrap_or_default();
        excluded.extend(self.drop_self.then(|| query.to_owned()));
        Restriction {
            candidates: candidates.and_then(|candidates| candidates.get(query).cloned()),
            excluded,
        }
    }

    /// BM25 over the documents of a task, for its queries or what became of them.
    pub(crate) fn answer_bm25(
        &self,
        bm25: &Bm25System,
        task: &Task,
        queries: &Collection<QueryId>,
        candidates: Option<&Candidates>,
        captions: &dyn CaptionSource,
        observer: &dyn Observer,
    ) -> Result<Answers> {
        let mut notes = AnswerNotes::default();
        let without_caption = &mut notes.without_caption;
        let mut builder = Bm25Index::builder(bm25.params, bm25.analysis.clone());
        for (_, id, record) in task.dataset.corpus.iter() {
            let rendered = bm25.content.render(Role::Document, id, record, captions);
            let missing = rendered.without_caption.iter();
            without_caption.extend(missing.map(|label| format!("document {id}: {label}")));
            builder.add(id, rendered.text)?;
        }
        let index = builder.build();
        let mut asked = TextQueries::new();
        for (_, id, record) in queries.iter() {
            let rendered = bm25.content.render(Role::Query, id, record, captions);
            let missing = rendered.without_caption.iter();
            without_caption.extend(missing.map(|label| format!("query {id}: {label}")));
            asked.push_restricted(id, rendered.text, self.restriction(task, candidates, id))?;
        }
        let silent = index.documents_without_terms();
        if silent == index.len() {
            return Err(Error::data(format!(
                "no document has a word under the content rule '{}': BM25 can find nothing",
                bm25.content
            ))
            .hint("where the documents are pictures, search their captions: --content captions --captions FILE"));
        }
        if silent > 0 {
            notes.warnings.push(format!(
                "{silent} of {} {} no words under the content rule '{}': BM25 cannot find {}",
                counted(index.len(), "document", "documents"),
                if silent == 1 { "has" } else { "have" },
                bm25.content,
                if silent == 1 { "it" } else { "them" }
            ));
        }
        Ok(Answers {
            run: index.retrieve(&self.name, &asked, self.depth, observer)?,
            notes,
        })
    }

    pub(crate) fn answer_exact(
        &self,
        exact: &VectorSystem,
        task: &Task,
        candidates: Option<&Candidates>,
        observer: &dyn Observer,
    ) -> Result<Answers> {
        same_ids("document", &exact.documents, task.dataset.corpus.ids())?;
        same_ids("query", &exact.queries, task.dataset.queries.ids())?;
        let mut notes = AnswerNotes::default();
        let failures = [
            failed("query", "queries", &exact.queries, "no answer"),
            failed("document", "documents", &exact.documents, "never found"),
        ];
        notes.incomplete.extend(failures.into_iter().flatten());
        let restrictions = exact
            .queries
            .ids
            .iter()
            .map(|id| self.restriction(task, candidates, id))
            .collect();
        let (query_ids, document_ids) = (&exact.queries.ids, &exact.documents.ids);
        let run = if exact.documents.is_multi {
            let (index, built) = MaxSimIndex::builder(exact.documents.vectors.clone())
                .metric(exact.metric)
                .ids(document_ids.iter().collect())
                .build()?;
            notes.warnings.extend(built.warnings());
            let vectors = exact.queries.vectors.clone();
            let queries = MultiVectorQueries::new(query_ids.iter().collect(), vectors)?
                .with_restrictions(restrictions)?;
            index.retrieve(&self.name, &queries, self.depth, observer)?
        } else {
            let documents = exact.documents.vectors.vectors().clone();
            let ids = document_ids.iter().collect();
            let (index, built) = exact.index.build(exact.metric, documents, ids, observer)?;
            notes.warnings.extend(built);
            let vectors = exact.queries.vectors.vectors().clone();
            let queries = VectorQueries::new(query_ids.iter().collect(), vectors)?
                .with_restrictions(restrictions)?;
            index.retrieve(&self.name, &queries, self.depth, observer)?
        };
        Ok(Answers { run, notes })
    }
}

/// A warning of records that could not be encoded, with the first of them.
fn failed(one: &str, many: &str, table: &VectorTable, so: &str) -> Option<String> {
    let (id, reason) = table.failures.first()?;
    let count = table.failures.len();
    Some(match count {
        1 => format!(
            "the result is incomplete: the {one} '{id}' could not be encoded ({reason}): {so}"
        ),
        count => format!(
            "the result is incomplete: {count} {many} could not be encoded ('{id}': {reason}): {so}"
        ),
    })
}

/// Refuses vectors of unknown records, and records without a vector.
fn same_ids<K: mrmr_core::Interned>(
    kind: &str,
    table: &VectorTable,
    records: &Ids<K>,
) -> Result<()> {
    let failures = table.failures.iter().map(|(id, _)| id);
    let ids: Ids<K> = table.ids.iter().chain(failures).collect();
    if let Some(unknown) = table.ids.iter().find(|id| records.get(id).is_none()) {
        return Err(Error::data(format!(
            "the vectors have a {kind} '{unknown}' that the data set does not have"
        ))
        .hint("are these the vectors of this data set, with its ids?"));
    }
    if let Some(missing) = records.names().find(|id| ids.get(id).is_none()) {
        let count = records.names().filter(|id| ids.get(id).is_none()).count();
        return Err(Error::data(format!(
            "{count} {kind} ids of the data set have no vector, '{missing}' among them; expected one each"
        ))
        .hint("a record that could not be encoded must not vanish: encode it again"));
    }
    Ok(())
}
