//! Transformers that read a query and a document together and give one number.

use mrmr_core::{Content, Error, Modality, Result};

use crate::folder::{ModelConfig, ModelFolder};
use crate::notes::{EncodeNotes, ItemFailure};
use crate::options::ModelOptions;
use crate::reranker::{Reranker, Scores};
use crate::runtime::Workers;
use crate::text::{Output, TEXT, TextNetwork, Tokens, WINDOW, text_of};

/// A classifier of pairs with one class, such as the MS MARCO cross-encoders, BGE rerankers or GTE rerankers.
///
/// The score is the logit, or its sigmoid where the model's settings say so, or say nothing (the default of
/// sentence-transformers for one class).
pub struct CrossEncoder {
    name: String,
    tokens: Tokens,
    network: TextNetwork,
    sigmoid: bool,
}

impl CrossEncoder {
    /// Opens a model.
    ///
    /// # Errors
    /// If a file is missing or not what was expected, or the model has more classes than one.
    pub fn open(folder: &ModelFolder, options: &ModelOptions) -> Result<Self> {
        let config: ModelConfig = folder.json("config.json")?.unwrap_or_default();
        let about = |error: Error| error.at(folder.place("config.json"));
        if let Some(classes) = config.classes().filter(|classes| *classes != 1) {
            return Err(about(
                Error::unsupported(format!("expected a model of one class, found {classes}")).hint(
                    "a reranker gives one number for a pair; a classifier of several has no order",
                ),
            ));
        }
        let sigmoid = match config
            .activation()
            .map(|path| path.rsplit('.').next().unwrap_or(path))
        {
            None | Some("Sigmoid") => true,
            Some("Identity") => false,
            Some(other) => {
                return Err(about(Error::unsupported(format!(
                    "unknown activation '{other}'; expected Sigmoid or Identity"
                ))));
            }
        };
        let network = TextNetwork::load(
            &folder.network(options.network.as_deref())?,
            options.runtime,
            Workers::new(options.threads),
            Output::Texts,
            &["logits"],
        )?;
        let width = network.width();
        if width != 1 {
            return Err(about(Error::unsupported(format!(
                "expected one number for a pair, found {width}"
            ))));
        }
        Ok(CrossEncoder {
            name: folder.name().to_owned(),
            tokens: Tokens::of_transformer(folder, options.tokens)?,
            network,
            sigmoid,
        })
    }

    fn number(&self, output: &[f32]) -> Result<f32, String> {
        let logit = output[0];
        if !logit.is_finite() {
            return Err(format!(
                "expected a finite number from the model, found {logit}"
            ));
        }
        Ok(if self.sigmoid {
            (1.0 / (1.0 + (-f64::from(logit)).exp())) as f32
        } else {
            logit
        })
    }
}

impl Reranker for CrossEncoder {
    fn name(&self) -> &str {
        &self.name
    }

    fn takes(&self) -> Modality {
        TEXT
    }

    fn score(&self, query: &Content, documents: &[Content]) -> Result<Scores> {
        let query = text_of(query).map_err(|reason| Error::data(format!("the query: {reason}")))?;
        let mut scores = Scores::default();
        let mut notes = EncodeNotes::default();
        for (window, contents) in documents.chunks(WINDOW).enumerate() {
            let rows = self.network.workers().run(contents.len(), |_, item| {
                Ok::<_, Error>(
                    text_of(&contents[item]).and_then(|text| self.tokens.pair(&query, &text)),
                )
            })?;
            let readable: Vec<_> = rows.iter().flatten().collect();
            for row in &readable {
                notes.tokens += row.ids.len();
                notes.truncated += usize::from(row.truncated);
                notes.empty += usize::from(row.own == 0);
            }
            let mut numbers = self
                .network
                .run(&readable, |_, output| self.number(output))?
                .into_iter();
            for (item, row) in rows.into_iter().enumerate() {
                let read = row.map(|_| numbers.next());
                match read.and_then(|number| {
                    number.unwrap_or_else(|| Err("the model gave no number".to_owned()))
                }) {
                    Ok(number) => {
                        notes.items += 1;
                        scores.scores.push(Some(number));
                    }
                    Err(reason) => {
                        scores.scores.push(None);
                        let item = window * WINDOW + item;
                        scores.failures.push(ItemFailure { item, reason });
                    }
                }
            }
        }
        scores.notes = notes;
        Ok(scores)
    }
}
