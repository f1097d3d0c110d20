//! One vector a token, compared by MaxSim (ColBERT).

use mrmr_core::{Content, Error, Modality, Result};

use super::finite;
use super::text_encoder::encoded;
use crate::content_rule::Role;
use crate::embeddings::{EmbeddingKind, Embeddings};
use crate::encoder::{Encoder, Limits};
use crate::folder::{ColbertSettings, ModelFolder};
use crate::options::ModelOptions;
use crate::runtime::Workers;
use crate::text::{Output, TEXT, TextNetwork, TokenRow, Tokens, normalize};

/// A model such as ColBERTv2 or GTE-ModernColBERT, whose network ends with the projection.
///
/// A marker stands after the first token. Queries are filled with mask tokens up to their length, and each of them gives
/// a vector; in documents the tokens of the skip list (punctuation) give none (Khattab & Zaharia 2020; PyLate). Every
/// vector has the length 1.
pub struct LateInteraction {
    name: String,
    query: Side,
    document: Side,
    mask: i32,
    settings: ColbertSettings,
    /// Token ids that give no vector in documents, ascending.
    skipped: Vec<i32>,
    network: TextNetwork,
    dimension: usize,
}

/// What differs between queries and documents.
struct Side {
    tokens: Tokens,
    marker: i32,
}

impl LateInteraction {
    /// Opens a model.
    ///
    /// # Errors
    /// If a file is missing or not what was expected, or the tokenizer lacks a marker or the mask token.
    pub fn open(folder: &ModelFolder, options: &ModelOptions) -> Result<Self> {
        let settings = folder.colbert()?.ok_or_else(|| {
            Error::format("expected query_prefix and document_prefix in config_sentence_transformers.json, or artifact.metadata")
                .at(folder.place(""))
                .hint("these files make a model ColBERT-like; without them it is a text encoder")
        })?;
        let side = |length: usize, marker: &str| {
            // One token of the length is the marker's.
            let limit = options
                .tokens
                .map_or(length, |asked| asked.min(length))
                .saturating_sub(1);
            let tokens = Tokens::open(folder, "tokenizer.json", Some(limit), true)?;
            let marker = known(folder, &tokens, &[marker, marker.trim()], "marker")?;
            Ok::<_, Error>(Side { tokens, marker })
        };
        let query = side(settings.query_length, &settings.query_marker)?;
        let document = side(settings.document_length, &settings.document_marker)?;
        let mask = if settings.expands {
            known(folder, &query.tokens, &["[MASK]", "<mask>"], "mask token")?
        } else {
            0
        };
        let words = settings
            .skipped
            .iter()
            .filter_map(|word| query.tokens.id(word));
        let mut skipped: Vec<i32> = words.collect();
        skipped.sort_unstable();
        let network = TextNetwork::load(
            &folder.network(options.network.as_deref())?,
            options.runtime,
            Workers::new(options.threads),
            Output::Tokens,
            &["output", "token_embeddings", "last_hidden_state"],
        )?;
        let dimension = network.width();
        Ok(LateInteraction {
            name: folder.name().to_owned(),
            query,
            document,
            mask,
            skipped,
            network,
            dimension,
            settings,
        })
    }

    fn read(&self, role: Role, text: &str) -> Result<TokenRow, String> {
        let side = match role {
            Role::Query => &self.query,
            Role::Document => &self.document,
        };
        let mut row = side.tokens.text("", text)?;
        let first = usize::from(!row.ids.is_empty());
        row.ids.insert(first, side.marker);
        row.types.insert(first, 0);
        if role == Role::Query && self.settings.expands {
            let own = row.ids.len();
            let length = side.tokens.limit().unwrap_or(own) + 1;
            row.ids.resize(length.max(own), self.mask);
            row.types.resize(row.ids.len(), 0);
            if !self.settings.attends {
                let mut mask = vec![1; own];
                mask.resize(row.ids.len(), 0);
                row.mask = Some(mask);
            }
        }
        Ok(row)
    }

    fn vectors(&self, role: Role, row: &TokenRow, output: &[f32]) -> Result<Vec<f32>, String> {
        let mut vectors = Vec::with_capacity(output.len());
        for (id, vector) in row.ids.iter().zip(output.chunks_exact(self.dimension)) {
            if role == Role::Query || self.skipped.binary_search(id).is_err() {
                vectors.extend_from_slice(vector);
                let start = vectors.len() - self.dimension;
                normalize(&mut vectors[start..]);
            }
        }
        finite(vectors)
    }
}

impl Encoder for LateInteraction {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn takes(&self) -> Modality {
        TEXT
    }

    fn kind(&self) -> EmbeddingKind {
        EmbeddingKind::Multi
    }

    /// The limit of documents.
    fn limits(&self) -> Limits {
        Limits {
            tokens: self.document.tokens.limit().map(|limit| limit + 1),
            parts: None,
        }
    }

    fn encode(&self, contents: &[Content], role: Role) -> Result<Embeddings> {
        let (rows, notes) = encoded(
            &self.network,
            contents,
            |text| self.read(role, text),
            |row, output| self.vectors(role, row, output),
        )?;
        Ok(Embeddings::multi(self.dimension, rows, notes))
    }
}

fn known(folder: &ModelFolder, tokens: &Tokens, names: &[&str], what: &str) -> Result<i32> {
    names
        .iter()
        .find_map(|name| tokens.id(name))
        .ok_or_else(|| {
            Error::format(format!(
                "expected the {what} '{}' among the tokens, found none",
                names[0]
            ))
            .at(folder.place("tokenizer.json"))
        })
}
