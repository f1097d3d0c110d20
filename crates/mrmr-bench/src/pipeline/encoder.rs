//! An encoder that a file names: what tells it from others, and the model once it is needed.

use std::num::NonZero;
use std::sync::{Arc, OnceLock};

use mrmr_core::{Error, Result};
use mrmr_models::{ContentRule, ModelOptions, RecordEncoder, open_encoder};

use super::file::EncoderEntry;
use crate::store::{fingerprint, fonts_fingerprint};

/// An encoder under its rule, not opened yet.
pub(super) struct BoundEncoder {
    rule: ContentRule,
    model: String,
    image_model: Option<String>,
    options: ModelOptions,
    /// What queries are told; none where the file is silent.
    pub(super) instruction: Option<String>,
    /// All that its vectors depend on, beside the records.
    pub(super) identity: Vec<(String, String)>,
    /// How it is described, as (name, value).
    pub(super) settings: Vec<(String, String)>,
    opened: OnceLock<Arc<RecordEncoder>>,
}

impl BoundEncoder {
    /// Binds what was written. The files of the model are hashed; nothing is loaded.
    pub(super) fn new(entry: &EncoderEntry) -> Result<Self> {
        let content = entry.content.as_deref().unwrap_or("text");
        let rule: ContentRule = match (&entry.fusion, content) {
            (None, content) => content.parse()?,
            (Some(fusion), "two-stream") => format!("two-stream:{fusion}").parse()?,
            (Some(_), content) => {
                return Err(Error::usage(format!(
                    "fusion has no effect under content '{content}'; it belongs to two-stream"
                )));
            }
        };
        let options = options(
            entry.tokens,
            entry.network.as_deref(),
            entry.runtime.as_deref(),
        )?;
        let options = ModelOptions {
            dimension: entry.dimension,
            query_prompt: entry.query_prompt.clone(),
            document_prompt: entry.document_prompt.clone(),
            ..options
        };
        let mut identity = vec![("model".to_owned(), fingerprint(&entry.model)?)];
        let mut settings = vec![("model".to_owned(), entry.model.clone())];
        if let Some(images) = &entry.image_model {
            identity.push(("image model".to_owned(), fingerprint(images)?));
            settings.push(("image model".to_owned(), images.clone()));
        }
        settings.push(("content".to_owned(), rule.to_string()));
        identity.extend(fonts_fingerprint(&rule)?.map(|fonts| ("fonts".to_owned(), fonts)));
        let number = |number: Option<usize>| number.map(|number| number.to_string());
        for (name, value) in [
            ("dimension", number(entry.dimension)),
            ("tokens", number(entry.tokens)),
            ("network", entry.network.clone()),
            ("query prompt", entry.query_prompt.clone()),
            ("document prompt", entry.document_prompt.clone()),
            ("runtime", entry.runtime.clone()),
        ] {
            if let Some(value) = value {
                identity.push((name.to_owned(), value.clone()));
                settings.push((name.to_owned(), value));
            }
        }
        Ok(BoundEncoder {
            rule,
            model: entry.model.clone(),
            image_model: entry.image_model.clone(),
            options,
            instruction: entry.instruction.clone(),
            identity,
            settings,
            opened: OnceLock::new(),
        })
    }

    /// The rule.
    pub(super) fn rule(&self) -> &ContentRule {
        &self.rule
    }

    /// The model, loaded at the first call.
    pub(super) fn open(&self) -> Result<Arc<RecordEncoder>> {
        if let Some(opened) = self.opened.get() {
            return Ok(Arc::clone(opened));
        }
        let texts = Arc::from(open_encoder(&self.model, &self.options)?);
        let encoder = match &self.image_model {
            None => RecordEncoder::new(self.rule.clone(), texts)?,
            Some(images) => {
                // Cutting vectors and texts is for the model that it was said for.
                let own = ModelOptions {
                    dimension: None,
                    tokens: None,
                    network: None,
                    ..self.options.clone()
                };
                let images = Arc::from(open_encoder(images, &own)?);
                RecordEncoder::of_two(self.rule.clone(), texts, images)?
            }
        };
        Ok(Arc::clone(self.opened.get_or_init(|| Arc::new(encoder))))
    }
}

/// How a model of a file is opened.
pub(super) fn options(
    tokens: Option<usize>,
    network: Option<&str>,
    runtime: Option<&str>,
) -> Result<ModelOptions> {
    Ok(ModelOptions {
        threads: NonZero::new(rayon::current_num_threads()),
        runtime: match runtime {
            Some(runtime) => runtime.parse()?,
            None => Default::default(),
        },
        network: network.map(str::to_owned),
        tokens,
        ..ModelOptions::default()
    })
}
