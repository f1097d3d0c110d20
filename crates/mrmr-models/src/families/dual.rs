//! Models with a network for texts and one for pictures, into one space.

use mrmr_core::{Content, Error, Modality, Part, Result};

use super::finite;
use super::picture_features::preparation;
use super::text_encoder::encoded;
use crate::content_rule::Role;
use crate::embeddings::Embeddings;
use crate::encoder::{Encoder, Limits};
use crate::folder::{ModelConfig, ModelFolder, TokenizerConfig};
use crate::notes::EncodeNotes;
use crate::options::ModelOptions;
use crate::pictures::{PictureNetwork, image_of};
use crate::runtime::Workers;
use crate::text::{Output, TextNetwork, Tokens};

/// CLIP, SigLIP, Jina-CLIP and others of their form: `onnx/text_model.onnx` and `onnx/vision_model.onnx` (or one
/// `onnx/model.onnx` with both, loaded once), `tokenizer.json`, `preprocessor_config.json`.
///
/// A content is one text or one picture; what has both is fused under the content rule `two-stream`. The vectors are
/// the raw projections (`text_embeds`, `image_embeds`; of SigLIP `pooler_output`), not normalised, but for files that
/// hold both networks, which normalise them themselves. Texts are cut at the length that the model states (CLIP: 77
/// tokens); SigLIP's are filled up to theirs, as it was trained. Texts may stand in several parts.
///
/// ```
/// use mrmr_models::{DualEncoder, Encoder, ModelFolder, ModelOptions, Role};
/// let folder = ModelFolder::open(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/tiny-clip"))?;
/// let encoder = DualEncoder::open(&folder, &ModelOptions::default())?;
/// assert_eq!(encoder.takes().to_string(), "image,text");
/// let made = encoder.encode(&["a red circle".into()], Role::Query)?;
/// assert_eq!(made.vector(0).map(<[f32]>::len), Some(encoder.dimension()));
/// # Ok::<(), mrmr_core::Error>(())
/// ```
pub struct DualEncoder {
    name: String,
    tokens: Tokens,
    /// To how many tokens texts are filled up, and with which.
    padding: Option<(usize, i32)>,
    texts: TextNetwork,
    pictures: PictureNetwork,
    query_prompt: String,
    document_prompt: String,
    dimension: usize,
}

impl DualEncoder {
    /// Opens a model.
    ///
    /// # Errors
    /// If a file is missing or not what was expected, the two networks do not end in one space, or fewer dimensions are
    /// asked for than there are.
    pub fn open(folder: &ModelFolder, options: &ModelOptions) -> Result<Self> {
        let (of_texts, of_pictures) = folder.towers(options.network.as_deref())?;
        let workers = Workers::new(options.threads);
        let texts = TextNetwork::load(
            &of_texts,
            options.runtime,
            workers,
            Output::Texts,
            &["text_embeds", "text_embeddings", "pooler_output"],
        )?;
        let network = match of_texts == of_pictures {
            true => texts.network().clone(),
            false => options.runtime.load(&of_pictures, workers)?.into(),
        };
        let pictures = PictureNetwork::of(
            network,
            &of_pictures,
            workers,
            preparation(folder)?,
            &["image_embeds", "image_embeddings", "pooler_output"],
        )?;
        let full = pictures.width();
        if texts.gives_tokens() || texts.width() != full {
            return Err(Error::format(format!(
                "expected texts and pictures in one space, found {} numbers for a text and {full} for a picture",
                texts.width()
            ))
            .at(folder.place(""))
            .hint("two encoders may stand side by side under the content rule two-stream:concat"));
        }
        let dimension = options.dimension.unwrap_or(full);
        if dimension == 0 || dimension > full {
            return Err(Error::usage(format!(
                "expected a dimension of 1 to {full}, found {dimension}"
            ))
            .at(folder.place("")));
        }
        let (tokens, padding) = reading(folder, options.tokens)?;
        Ok(DualEncoder {
            name: folder.name().to_owned(),
            tokens,
            padding,
            texts,
            pictures,
            query_prompt: options.query_prompt.clone().unwrap_or_default(),
            document_prompt: options.document_prompt.clone().unwrap_or_default(),
            dimension,
        })
    }

    fn vector(&self, full: &[f32]) -> Result<Vec<f32>, String> {
        finite(full[..self.dimension].to_vec())
    }
}

impl Encoder for DualEncoder {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn takes(&self) -> Modality {
        Modality {
            text: true,
            image: true,
            audio: false,
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            tokens: self.tokens.limit(),
            parts: Some(1),
        }
    }

    fn encode(&self, contents: &[Content], role: Role) -> Result<Embeddings> {
        let is_text = |content: &Content| {
            content
                .parts()
                .iter()
                .all(|part| matches!(part, Part::Text(_)))
        };
        let texts: Vec<Content> = contents.iter().filter(|c| is_text(c)).cloned().collect();
        let others: Vec<&Content> = contents.iter().filter(|c| !is_text(c)).collect();
        let prompt = match role {
            Role::Query => &self.query_prompt,
            Role::Document => &self.document_prompt,
        };
        let (of_texts, notes): (_, EncodeNotes) = encoded(
            &self.texts,
            &texts,
            |text| {
                let mut row = self.tokens.text(prompt, text)?;
                if let Some((length, token)) = self.padding {
                    row.ids.resize(length, token);
                    row.types.resize(length, 0);
                }
                Ok(row)
            },
            |_, output| self.vector(output),
        )?;
        let of_pictures = self.pictures.workers().run(
            others.len(),
            |worker, item| match image_of(others[item]) {
                Ok(image) => {
                    let vector = self.pictures.vector(worker, image)?;
                    Ok::<_, Error>(vector.and_then(|vector| self.vector(&vector)))
                }
                Err(reason) => Ok(Err(format!(
                    "{reason}; texts and images together are fused by the content rule two-stream"
                ))),
            },
        )?;
        let (mut of_texts, mut of_pictures) = (of_texts.into_iter(), of_pictures.into_iter());
        let rows = contents.iter().map(|content| {
            let next = if is_text(content) {
                of_texts.next()
            } else {
                of_pictures.next()
            };
            next.unwrap_or_else(|| Err("the model gave no vector".to_owned()))
        });
        Ok(Embeddings::single(self.dimension, rows.collect(), notes))
    }
}

/// The tokenizer with the model's limit, and how texts are filled up.
fn reading(folder: &ModelFolder, asked: Option<usize>) -> Result<(Tokens, Option<(usize, i32)>)> {
    let config: ModelConfig = folder.json("config.json")?.unwrap_or_default();
    let tokenizer: TokenizerConfig = folder.json("tokenizer_config.json")?.unwrap_or_default();
    let text = config.text_config.as_deref();
    let is_siglip = config
        .model_type
        .as_deref()
        .unwrap_or_default()
        .starts_with("siglip");
    let usual = match config.model_type.as_deref() {
        Some("siglip" | "siglip2") => Some(64),
        Some("clip") => Some(77),
        _ => None,
    };
    let stated = tokenizer
        .model_max_length
        .filter(|limit| (1.0..1e9).contains(limit))
        .map(|limit| limit as usize);
    let positions = text.and_then(|text| text.max_position_embeddings);
    let full = stated.into_iter().chain(positions).min().or(usual);
    let limit = full.into_iter().chain(asked).min();
    let tokens = Tokens::open(folder, "tokenizer.json", limit, true)?;
    if !is_siglip {
        return Ok((tokens, None));
    }
    let named = tokenizer.padding().and_then(|token| tokens.id(token));
    let token = named
        .or(text.and_then(|text| text.pad_token_id))
        .ok_or_else(|| {
            Error::format("expected the pad_token that SigLIP fills texts up with, found none")
                .at(folder.place("tokenizer_config.json"))
        })?;
    Ok((tokens, full.map(|length| (length, token))))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn opened(model: &str) -> DualEncoder {
        let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures");
        let folder = ModelFolder::open(format!("{fixtures}/{model}")).unwrap();
        DualEncoder::open(&folder, &ModelOptions::default()).unwrap()
    }

    #[test]
    fn a_file_with_both_networks_is_in_memory_once() {
        // Here and in the pictures' network, nowhere else.
        let joint = opened("tiny-clip-joint");
        assert_eq!(Arc::strong_count(joint.texts.network()), 2);
        let apart = opened("tiny-clip");
        assert_eq!(Arc::strong_count(apart.texts.network()), 1);
    }
}
