//! The first documents of a run, scored anew.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use mrmr_core::{Content, DocId, Event, Ids, Origin, RankingPolicy, Record, Result, Run};
use mrmr_models::{ContentRule, ItemFailure, ModelOptions, Reranker, Role, Scores, open_reranker};
use mrmr_search::{
    ExactIndex, MaxSimIndex, Metric, MultiVectorQueries, Restriction, Retriever as _, VectorQueries,
};

use super::super::encoder::BoundEncoder;
use super::super::keys;
use super::super::step::{self, Answering, Context, Product};
use crate::dense::table;
use crate::encoding::EncodingJob;
use crate::rerank::{Below, rerank};
use crate::store::{AnswerNotes, Answers, Key};
use crate::system::VectorTable;

/// Queries that are kept at once: what a crash costs at most.
const BLOCK: usize = 16;
/// How many failures are told one by one.
const SHOWN: usize = 3;

/// What gives the new scores.
pub(in super::super) enum Scoring {
    /// A model that reads query and document together.
    Pairs {
        model: String,
        fingerprint: String,
        rule: ContentRule,
        options: Box<ModelOptions>,
    },
    /// An encoder: the cosine of the vectors, or MaxSim.
    Vectors(Arc<BoundEncoder>),
}

/// A reranker, with how far it reads.
pub(in super::super) struct RerankWork {
    pub(in super::super) scoring: Scoring,
    pub(in super::super) depth: usize,
    pub(in super::super) below: Below,
}

impl RerankWork {
    /// The key, of the run of a step.
    pub(in super::super) fn key(&self, context: &Context<'_>, run: &Key) -> Key {
        let dataset = &context.task.dataset;
        Key::of("rerank", |hash| {
            hash.bytes(run.as_bytes());
            hash.text(&format!("{} {}", self.depth, self.below));
            match &self.scoring {
                Scoring::Pairs {
                    fingerprint,
                    rule,
                    options,
                    ..
                } => {
                    hash.text("pairs");
                    hash.text(fingerprint);
                    hash.text(&format!(
                        "{rule} {:?} {:?} {}",
                        options.tokens, options.network, options.runtime
                    ));
                    let queries = dataset.queries.iter();
                    keys::texts(hash, rule, Role::Query, queries, context.captions);
                    let documents = dataset.corpus.iter();
                    keys::texts(hash, rule, Role::Document, documents, context.captions);
                }
                Scoring::Vectors(encoder) => {
                    hash.text("vectors");
                    for role in [Role::Query, Role::Document] {
                        let dependence = crate::encoding::Dependence {
                            rule: encoder.rule(),
                            role,
                            instruction: encoder.instruction.as_deref(),
                            captions: context.captions,
                            identity: &encoder.identity,
                        };
                        let records: Vec<(&str, &Record)> = match role {
                            Role::Query => {
                                let records = dataset.queries.iter();
                                records.map(|(_, id, record)| (id, record)).collect()
                            }
                            Role::Document => {
                                let records = dataset.corpus.iter();
                                records.map(|(_, id, record)| (id, record)).collect()
                            }
                        };
                        // Which document is which: shards know what records hold, not whose it is.
                        records.iter().for_each(|(id, _)| hash.text(id));
                        for key in dependence.keys(&records, usize::MAX) {
                            hash.bytes(key.as_bytes());
                        }
                    }
                }
            }
        })
    }
}

impl Answering for RerankWork {
    fn answer(
        &self,
        key: &Key,
        needs: &[Product],
        context: &Context<'_>,
        afresh: bool,
    ) -> Result<Answers> {
        let first = step::answers(needs.first())?;
        match &self.scoring {
            Scoring::Pairs {
                model,
                rule,
                options,
                ..
            } => {
                let model = open_reranker(model, options)?;
                let pairs = Pairs {
                    model: &*model,
                    rule,
                    context,
                };
                let scorer = |query: &str, documents: &[&str]| pairs.scores(query, documents);
                self.in_blocks(Some(key), first, context, afresh, &scorer)
            }
            Scoring::Vectors(encoder) => {
                let scored = self.by_vectors(encoder, &first.run, context, afresh)?;
                let scorer = |query: &str, documents: &[&str]| Ok(scored.scores(query, documents));
                self.in_blocks(None, first, context, afresh, &scorer)
            }
        }
    }
}

struct Pairs<'a> {
    model: &'a dyn Reranker,
    rule: &'a ContentRule,
    context: &'a Context<'a>,
}

impl Pairs<'_> {
    fn scores(&self, query: &str, documents: &[&str]) -> Result<Scores> {
        let dataset = &self.context.task.dataset;
        let content = |role, id: &str, record: &Record| -> Content {
            let rendered = self.rule.render(role, id, record, self.context.captions);
            rendered.text.into()
        };
        let corpus = &dataset.corpus;
        // A run may have documents that the corpus lacks: they have no text.
        let contents: Vec<Content> = documents
            .iter()
            .map(|id| match corpus.ids().get(id) {
                Some(key) => content(Role::Document, id, corpus.record(key)),
                None => Content::default(),
            })
            .collect();
        let asked = match dataset.queries.ids().get(query) {
            Some(key) => content(Role::Query, query, dataset.queries.record(key)),
            None => Content::default(),
        };
        self.model.score(&asked, &contents)
    }
}

impl RerankWork {
    /// Reranks some queries at a time, each block kept under the key as it is done, where there is one: what is quickly
    /// made again is not.
    fn in_blocks(
        &self,
        key: Option<&Key>,
        first: &Answers,
        context: &Context<'_>,
        afresh: bool,
        scorer: &dyn Fn(&str, &[&str]) -> Result<Scores>,
    ) -> Result<Answers> {
        let queries = first.run.queries().len();
        let mut notes = first.notes.clone();
        let mut all = Run::builder("reranked", Origin::memory("reranked"));
        let mut failures = Vec::new();
        context.observer.observe(Event::StepStarted {
            number: 1,
            of: 1,
            name: "rerank",
            total: Some(queries as u64),
            unit: "queries",
        });
        for start in (0..queries).step_by(BLOCK) {
            let block = start..queries.min(start + BLOCK);
            let own = key.map(|key| {
                Key::of("rerank block", |hash| {
                    hash.bytes(key.as_bytes());
                    hash.text(&block.start.to_string());
                })
            });
            let kept = match &own {
                Some(own) if !afresh => context.store.answers(own)?,
                _ => None,
            };
            let answers = match kept {
                Some(kept) => kept,
                None => {
                    let made = self.block(&first.run, block.clone(), scorer)?;
                    if let Some(own) = &own {
                        context.store.put_answers(own, &made)?;
                    }
                    made
                }
            };
            for query in answers.run.queries().keys() {
                let name = answers.run.queries().name(query);
                all.add_empty(name);
                for (number, entry) in answers.run.entries(query).iter().enumerate() {
                    let document = answers.run.documents().name(entry.document);
                    all.add(name, document, entry.score, number as u64)?;
                }
            }
            failures.extend(answers.notes.incomplete);
            context
                .observer
                .observe(Event::Advanced(block.len() as u64));
        }
        context.observer.observe(Event::StepFinished);
        if !failures.is_empty() {
            let shown = failures[..failures.len().min(SHOWN)].join("; ");
            notes.incomplete.push(format!(
                "the result is incomplete: {} pairs have no new score ({shown}): those documents rank below the others",
                failures.len()
            ));
        }
        let (run, _) = all.finish(Default::default())?;
        Ok(Answers { run, notes })
    }

    /// One block, with its failures as what is incomplete.
    fn block(
        &self,
        run: &Run,
        block: Range<usize>,
        scorer: &dyn Fn(&str, &[&str]) -> Result<Scores>,
    ) -> Result<Answers> {
        let part = part_of(run, block)?;
        let reranked = rerank(&part, "reranked", self.depth, self.below, &scorer, &())?;
        let failures = reranked.failures.iter();
        let told = failures.map(|failure| {
            format!(
                "'{}' for '{}': {}",
                failure.document, failure.query, failure.reason
            )
        });
        Ok(Answers {
            notes: AnswerNotes {
                incomplete: told.collect(),
                ..AnswerNotes::default()
            },
            run: reranked.run,
        })
    }

    /// The similarity of each query and its first documents.
    fn by_vectors(
        &self,
        encoder: &BoundEncoder,
        run: &Run,
        context: &Context<'_>,
        afresh: bool,
    ) -> Result<Scored> {
        let opened = encoder.open()?;
        let dataset = &context.task.dataset;
        let mut first: BTreeSet<&str> = BTreeSet::new();
        let mut wanted: Vec<(&str, Vec<&str>)> = Vec::new();
        for query in run.queries().keys() {
            let ranking = run.ranking(query, RankingPolicy::default());
            let entries = ranking.entries().iter().take(self.depth);
            let documents = entries.map(|entry| run.documents().name(entry.document));
            let documents: Vec<&str> = documents.collect();
            first.extend(&documents);
            wanted.push((run.queries().name(query), documents));
        }
        let side = |role: Role, records: Vec<(&str, &Record)>| -> Result<VectorTable> {
            let job = EncodingJob {
                instruction: encoder.instruction.as_deref(),
                identity: &encoder.identity,
                ..EncodingJob::new(&opened, role, context.captions)
            };
            let mut plan = job.plan(&records, context.store)?;
            if afresh {
                plan.forget();
            }
            table(&plan.run(context.observer)?)
        };
        let queries = dataset.queries.iter().map(|(_, id, record)| (id, record));
        let queries = side(Role::Query, queries.collect())?;
        let documents = dataset.corpus.iter().map(|(_, id, record)| (id, record));
        let documents = side(
            Role::Document,
            documents.filter(|(id, _)| first.contains(id)).collect(),
        )?;
        Scored::new(wanted, queries, documents, self.depth)
    }
}

/// The queries of a range, with their answers.
fn part_of(run: &Run, block: Range<usize>) -> Result<Run> {
    let mut part = Run::builder(run.name(), Origin::memory("part of a run"));
    for query in run.queries().keys().skip(block.start).take(block.len()) {
        let name = run.queries().name(query);
        part.add_empty(name);
        for (number, entry) in run.entries(query).iter().enumerate() {
            let document = run.documents().name(entry.document);
            part.add(name, document, entry.score, number as u64)?;
        }
    }
    Ok(part.finish(Default::default())?.0)
}

/// Similarities, as a run, and why some are missing.
struct Scored {
    run: Run,
    queries: Vec<(String, String)>,
    documents: Vec<(String, String)>,
}

impl Scored {
    fn new(
        wanted: Vec<(&str, Vec<&str>)>,
        queries: VectorTable,
        documents: VectorTable,
        depth: usize,
    ) -> Result<Self> {
        let ids: Ids<DocId> = documents.ids.iter().collect();
        let restrictions: std::collections::HashMap<&str, Restriction> = wanted
            .into_iter()
            .map(|(query, documents)| {
                let there = documents.into_iter().filter(|id| ids.get(id).is_some());
                let restriction = Restriction {
                    candidates: Some(there.map(str::to_owned).collect()),
                    excluded: Vec::new(),
                };
                (query, restriction)
            })
            .collect();
        let of_queries = queries.ids.iter().map(|id| {
            restrictions
                .get(id.as_str())
                .cloned()
                .unwrap_or_else(|| Restriction {
                    candidates: Some(Vec::new()),
                    excluded: Vec::new(),
                })
        });
        let of_queries: Vec<Restriction> = of_queries.collect();
        let names = queries.ids.iter().collect();
        let run = match documents.is_multi {
            true => {
                let builder = MaxSimIndex::builder(documents.vectors);
                let (index, _) = builder.metric(Metric::Cosine).ids(ids).build()?;
                let queries = MultiVectorQueries::new(names, queries.vectors)?;
                let queries = queries.with_restrictions(of_queries)?;
                index.retrieve("similarity", &queries, depth, &())?
            }
            false => {
                let vectors = documents.vectors.vectors().clone();
                let (index, _) = ExactIndex::builder(Metric::Cosine, vectors)
                    .ids(ids)
                    .build()?;
                let vectors = queries.vectors.vectors().clone();
                let queries = VectorQueries::new(names, vectors)?.with_restrictions(of_queries)?;
                index.retrieve("similarity", &queries, depth, &())?
            }
        };
        Ok(Scored {
            run,
            queries: queries.failures,
            documents: documents.failures,
        })
    }

    fn scores(&self, query: &str, documents: &[&str]) -> Scores {
        let mut scores = Scores::default();
        let key = self.run.queries().get(query);
        let found: std::collections::HashMap<&str, f64> = key
            .map(|key| self.run.entries(key))
            .into_iter()
            .flatten()
            .map(|entry| (self.run.documents().name(entry.document), entry.score))
            .collect();
        for (item, document) in documents.iter().enumerate() {
            let score = found.get(document).map(|score| *score as f32);
            if score.is_none() {
                let failed = self.queries.iter().filter(|(id, _)| id == query);
                let failed = failed.chain(self.documents.iter().filter(|(id, _)| id == document));
                let reason = failed.map(|(_, reason)| reason.clone()).next();
                scores.failures.push(ItemFailure {
                    item,
                    reason: reason.unwrap_or_else(|| "it is not in the corpus".to_owned()),
                });
            }
            scores.scores.push(score);
        }
        scores
    }
}
