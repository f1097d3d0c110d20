//! A captioner behind HTTP: a chat completion with the picture in it.

use std::fmt;
use std::num::NonZero;

use mrmr_core::{Content, Error, Image, Part, Result};
use serde::Deserialize;
use serde_json::json;

use super::answers::{Usage, json};
use super::client::{Client, Failed};
use super::convention::Request;
use super::endpoint::Endpoint;
use super::item::Item;
use super::time::Surroundings;
use super::traffic::Traffic;
use crate::captioner::{Captioner, EachCaption};
use crate::runtime::Workers;

/// What a model is asked about a picture unless the user says.
pub const DEFAULT_CAPTION_PROMPT: &str = "Describe this image in one paragraph for somebody who cannot see it. \
     Name what is shown, copy all text, numbers and symbols in it, and say how its parts relate. \
     Answer with the description alone.";

/// Asks an endpoint for captions, one request a picture.
pub struct HttpCaptioner {
    name: String,
    endpoint: Endpoint,
    client: Client,
    path: &'static str,
    prompt: String,
}

#[derive(Deserialize)]
struct Answer {
    choices: Vec<Choice>,
    #[serde(default)]
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    refusal: Option<String>,
}

impl HttpCaptioner {
    /// Sends nothing yet; the prompt is what the model is asked, [`DEFAULT_CAPTION_PROMPT`] unless given.
    ///
    /// # Errors
    /// If the endpoint has no chat, or its key is not set.
    pub fn open(endpoint: &Endpoint, prompt: Option<&str>, around: Surroundings) -> Result<Self> {
        let wire = endpoint.convention().wire();
        let Some(path) = wire.caption else {
            return Err(
                Error::usage(format!("{} describes no pictures", wire.name)).hint(
                    "openai, vllm and ollama do, and what has OpenAI's interface: openai+URL:MODEL",
                ),
            );
        };
        Ok(HttpCaptioner {
            name: endpoint.to_string(),
            client: Client::new(endpoint, around)?,
            path,
            prompt: prompt.unwrap_or(DEFAULT_CAPTION_PROMPT).to_owned(),
            endpoint: endpoint.clone(),
        })
    }

    /// The caption of a picture, or why there is none.
    fn ask(&self, image: &Image) -> Result<Result<String, String>> {
        let content = Content::new([Part::Text(self.prompt.clone()), Part::Image(image.clone())]);
        let item = match Item::new(&content, None) {
            Ok(item) => item,
            Err(reason) => return Ok(Err(reason)),
        };
        let request = Request {
            path: self.path,
            body: json!({
                "model": self.endpoint.model(),
                "messages": [{"role": "user", "content": item.content_parts()}],
            }),
        };
        let body = match self.client.send(&request, item.tokens()) {
            Ok(body) => body,
            Err(Failed::Refused(reason)) => return Ok(Err(reason)),
            Err(Failed::Ended(error)) => return Err(error),
        };
        let answer: Answer = json(&body).map_err(|why| self.client.error(self.path, &why))?;
        self.client
            .count_tokens(answer.usage.unwrap_or_default().tokens());
        let Some(choice) = answer.choices.into_iter().next() else {
            return Ok(Err("expected an answer of the model, found none".to_owned()));
        };
        let text = choice.message.content.unwrap_or_default().trim().to_owned();
        let reason = choice.finish_reason.as_deref();
        Ok(match (choice.message.refusal, reason) {
            (Some(refusal), _) => Err(format!(
                "the model refuses: {}",
                self.client.without_key(&refusal)
            )),
            (None, Some("content_filter")) => {
                Err("the endpoint's filter held the caption back".to_owned())
            }
            (None, Some("length")) => Err("the caption is cut off at the model's limit".to_owned()),
            _ if text.is_empty() => Err("expected a caption, found an empty text".to_owned()),
            _ => Ok(text),
        })
    }
}

impl Captioner for HttpCaptioner {
    fn name(&self) -> &str {
        &self.name
    }

    fn prompt(&self) -> &str {
        &self.prompt
    }

    fn caption(&self, images: &[Image], each: &EachCaption<'_>) -> Result<()> {
        let workers = Workers::new(NonZero::new(self.client.workers().min(images.len())));
        workers.run(images.len(), |_, number| {
            each(number, self.ask(&images[number])?)
        })?;
        Ok(())
    }

    fn traffic(&self) -> Option<Traffic> {
        Some(self.client.traffic())
    }
}

impl fmt::Debug for HttpCaptioner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpCaptioner")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
