//! A reranker behind HTTP.

use std::fmt;

use mrmr_core::{Content, Error, Modality, Result};

use super::answers::{placed, scores};
use super::batches::{Outcome, Plan, run};
use super::client::{Client, Failed, Sizes};
use super::convention::{Ask, Rerank, Room};
use super::encoder::taken;
use super::endpoint::Endpoint;
use super::item::Item;
use super::time::Surroundings;
use super::traffic::Traffic;
use crate::content_rule::Role;
use crate::notes::{EncodeNotes, ItemFailure};
use crate::options::ModelOptions;
use crate::reranker::{Reranker, Scores};

/// Asks an endpoint for scores.
pub struct HttpReranker {
    name: String,
    endpoint: Endpoint,
    client: Client,
    rerank: &'static Rerank,
    sizes: Sizes,
    prompts: [Option<String>; 2],
}

impl HttpReranker {
    /// Sends nothing yet.
    ///
    /// # Errors
    /// If the endpoint scores no pairs, or its key is not set.
    pub fn open(endpoint: &Endpoint, options: &ModelOptions, around: Surroundings) -> Result<Self> {
        let wire = endpoint.convention().wire();
        let Some(rerank) = &wire.rerank else {
            return Err(Error::usage(format!("{} scores no pairs", wire.name))
                .hint("tei, vllm, cohere, jina, voyage and infinity do"));
        };
        Ok(HttpReranker {
            name: endpoint.to_string(),
            client: Client::new(endpoint, around)?,
            rerank,
            sizes: Sizes::new(endpoint, wire),
            prompts: [
                options.query_prompt.clone(),
                options.document_prompt.clone(),
            ],
            endpoint: endpoint.clone(),
        })
    }

    fn ask(&self) -> Ask<'_> {
        Ask {
            model: self.endpoint.model(),
            role: Role::Query,
            role_name: None,
            dimension: None,
            truncate: self.endpoint.is_on("truncate"),
            encoding: None,
        }
    }

    fn room(&self) -> Room {
        (self.rerank.room)(&self.ask())
    }

    fn item(&self, content: &Content, role: Role) -> Outcome<Item> {
        let prompt = &self.prompts[usize::from(role == Role::Document)];
        let item = Item::new(content, prompt.as_deref())?;
        taken(self.room(), self.endpoint.convention().name(), item)
    }

    /// One request: an outcome a document.
    fn exchange(
        &self,
        query: &Item,
        documents: &[&Item],
        tokens: usize,
    ) -> Result<Vec<Outcome<f32>>, Failed> {
        let request = (self.rerank.request)(&self.ask(), query, documents);
        let body = self.client.send(&request, tokens)?;
        let wrong = |why: String| Failed::Ended(self.client.error(request.path, &why));
        let (rows, counted) = scores(&body).map_err(wrong)?;
        self.client.count_tokens(counted);
        let rows = placed(rows, documents.len(), "scores").map_err(wrong)?;
        let outcomes = rows.into_iter().map(|score| match score {
            Some(score) if score.is_finite() => Ok(score),
            _ => Err("expected a number as the score, found none".to_owned()),
        });
        Ok(outcomes.collect())
    }
}

impl Reranker for HttpReranker {
    fn name(&self) -> &str {
        &self.name
    }

    fn takes(&self) -> Modality {
        Modality {
            text: true,
            image: self.room().images > 0,
            audio: false,
        }
    }

    fn score(&self, query: &Content, documents: &[Content]) -> Result<Scores> {
        let query = self
            .item(query, Role::Query)
            .map_err(|reason| Error::data(format!("the query: {reason}")))?;
        let mut made = Scores {
            scores: vec![None; documents.len()],
            ..Scores::default()
        };
        let before = self.client.traffic().tokens;
        let mut items = Vec::with_capacity(documents.len());
        for (number, document) in documents.iter().enumerate() {
            match self.item(document, Role::Document) {
                Ok(item) => items.push((number, item)),
                Err(reason) => made.failures.push(ItemFailure {
                    item: number,
                    reason,
                }),
            }
        }
        let plan = Plan {
            room: self.room(),
            mixes_kinds: true,
            sizes: self.sizes,
            tokens_before: query.tokens(),
        };
        let outcomes = run(&self.client, &items, plan, |documents, tokens| {
            self.exchange(&query, documents, tokens)
        })?;
        for (number, outcome) in outcomes {
            match outcome {
                Ok(score) => made.scores[number] = Some(score),
                Err(reason) => made.failures.push(ItemFailure {
                    item: number,
                    reason,
                }),
            }
        }
        made.failures.sort_by_key(|failure| failure.item);
        made.notes = EncodeNotes {
            items: documents.len() - made.failures.len(),
            tokens: self.client.traffic().tokens - before,
            ..EncodeNotes::default()
        };
        Ok(made)
    }

    fn traffic(&self) -> Option<Traffic> {
        Some(self.client.traffic())
    }
}

impl fmt::Debug for HttpReranker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpReranker")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
