//! The settings files of a model, as far as they are heeded.

use std::collections::BTreeMap;

use mrmr_core::{Error, Result};
use serde::Deserialize;
use serde_json::Value;

use super::ModelFolder;

/// `config.json`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ModelConfig {
    pub(crate) architectures: Option<Vec<String>>,
    pub(crate) model_type: Option<String>,
    pub(crate) hidden_size: Option<usize>,
    pub(crate) max_position_embeddings: Option<usize>,
    pub(crate) pad_token_id: Option<i32>,
    /// The settings of the texts' side, where a model has two.
    pub(crate) text_config: Option<Box<ModelConfig>>,
    pub(crate) num_labels: Option<usize>,
    pub(crate) id2label: Option<BTreeMap<String, Value>>,
    /// What a cross-encoder does to its logit, in the older and the newer place.
    pub(crate) sbert_ce_default_activation_function: Option<String>,
    pub(crate) sentence_transformers: Option<BTreeMap<String, Value>>,
}

impl ModelConfig {
    pub(crate) fn classifies(&self) -> bool {
        let mut names = self.architectures.iter().flatten();
        names.any(|name| name.ends_with("ForSequenceClassification"))
    }

    /// How many classes a classifier tells apart.
    pub(crate) fn classes(&self) -> Option<usize> {
        self.num_labels
            .or(self.id2label.as_ref().map(BTreeMap::len))
    }

    /// The path of the class that a cross-encoder applies to its logit.
    pub(crate) fn activation(&self) -> Option<&str> {
        let newer = self
            .sentence_transformers
            .as_ref()
            .and_then(|of| of.get("activation_fn"));
        newer
            .and_then(Value::as_str)
            .or(self.sbert_ce_default_activation_function.as_deref())
    }
}

/// A step of `modules.json`.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Module {
    pub(crate) path: String,
    #[serde(rename = "type")]
    pub(crate) class: String,
}

impl Module {
    /// The name of the class without its package.
    pub(crate) fn kind(&self) -> &str {
        self.class.rsplit('.').next().unwrap_or_default()
    }

    /// A file of the step, as the folder has it.
    pub(crate) fn file(&self, name: &str) -> String {
        match self.path.trim_end_matches('/') {
            "" => name.to_owned(),
            path => format!("{path}/{name}"),
        }
    }
}

/// `1_Pooling/config.json`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PoolingConfig {
    pub(crate) pooling_mode_cls_token: bool,
    pub(crate) pooling_mode_max_tokens: bool,
    pub(crate) pooling_mode_mean_tokens: bool,
    pub(crate) pooling_mode_mean_sqrt_len_tokens: bool,
    pub(crate) pooling_mode_weightedmean_tokens: bool,
    pub(crate) pooling_mode_lasttoken: bool,
    /// The newer form: one name or several.
    pub(crate) pooling_mode: Option<Value>,
    pub(crate) include_prompt: Option<bool>,
}

/// `sentence_bert_config.json`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TransformerConfig {
    pub(crate) max_seq_length: Option<usize>,
    pub(crate) do_lower_case: bool,
}

/// `tokenizer_config.json`; the largest length is a number as large as 1e30 where there is none.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TokenizerConfig {
    pub(crate) model_max_length: Option<f64>,
    pad_token: Option<Value>,
}

impl TokenizerConfig {
    /// The token that fills up, written as a text or as the settings of a token.
    pub(crate) fn padding(&self) -> Option<&str> {
        let token = self.pad_token.as_ref()?;
        token.as_str().or(token.get("content")?.as_str())
    }
}

/// `config_sentence_transformers.json`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct SentenceConfig {
    pub(crate) prompts: BTreeMap<String, Option<String>>,
    pub(crate) default_prompt_name: Option<String>,
    pub(crate) similarity_fn_name: Option<String>,
    #[serde(flatten)]
    colbert: PylateConfig,
}

/// What PyLate adds to `config_sentence_transformers.json`, and `onnx_config.json` has by itself.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct PylateConfig {
    query_prefix: Option<String>,
    document_prefix: Option<String>,
    query_length: Option<usize>,
    document_length: Option<usize>,
    attend_to_expansion_tokens: Option<bool>,
    do_query_expansion: Option<bool>,
    skiplist_words: Option<Vec<String>>,
}

/// `artifact.metadata` of the first ColBERT.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct ArtifactMetadata {
    query_token_id: Option<String>,
    doc_token_id: Option<String>,
    query_maxlen: Option<usize>,
    doc_maxlen: Option<usize>,
    attend_to_mask_tokens: Option<bool>,
    mask_punctuation: Option<bool>,
}

/// `config.json` of model2vec.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct StaticConfig {
    pub(crate) normalize: Option<bool>,
}

/// How a ColBERT-like model marks, lengthens and thins its tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ColbertSettings {
    pub(crate) query_marker: String,
    pub(crate) document_marker: String,
    pub(crate) query_length: usize,
    pub(crate) document_length: usize,
    /// Whether queries are filled up to their length with mask tokens.
    pub(crate) expands: bool,
    /// Whether tokens look at those mask tokens.
    pub(crate) attends: bool,
    /// Words whose tokens do not count in documents.
    pub(crate) skipped: Vec<String>,
}

impl ColbertSettings {
    /// From `onnx_config.json`, `config_sentence_transformers.json` or `artifact.metadata`, whichever speaks of it.
    pub(super) fn of(folder: &ModelFolder) -> Result<Option<Self>> {
        let sentence: SentenceConfig = folder
            .json("config_sentence_transformers.json")?
            .unwrap_or_default();
        let exported: Option<PylateConfig> = folder.json("onnx_config.json")?;
        for (file, config) in [
            ("onnx_config.json", exported),
            ("config_sentence_transformers.json", Some(sentence.colbert)),
        ] {
            if let Some(config) = config.filter(PylateConfig::is_colbert) {
                return config
                    .settings()
                    .map(Some)
                    .map_err(|error| error.at(folder.place(file)));
            }
        }
        if sentence.similarity_fn_name.as_deref() == Some("MaxSim") {
            return Err(Error::format(
                "expected query_prefix and document_prefix beside MaxSim, found neither",
            )
            .at(folder.place("config_sentence_transformers.json")));
        }
        let metadata: Option<ArtifactMetadata> = folder.json("artifact.metadata")?;
        Ok(metadata.map(ArtifactMetadata::settings))
    }
}

impl PylateConfig {
    fn is_colbert(&self) -> bool {
        self.query_prefix.is_some() || self.document_prefix.is_some()
    }

    fn settings(self) -> Result<ColbertSettings> {
        let (Some(query_marker), Some(document_marker)) = (self.query_prefix, self.document_prefix)
        else {
            return Err(Error::format(
                "expected both query_prefix and document_prefix, found one of them",
            ));
        };
        Ok(ColbertSettings {
            query_marker,
            document_marker,
            query_length: self.query_length.unwrap_or(32),
            document_length: self.document_length.unwrap_or(180),
            expands: self.do_query_expansion.unwrap_or(true),
            attends: self.attend_to_expansion_tokens.unwrap_or(false),
            skipped: self.skiplist_words.unwrap_or_else(punctuation),
        })
    }
}

impl ArtifactMetadata {
    fn settings(self) -> ColbertSettings {
        ColbertSettings {
            query_marker: self
                .query_token_id
                .unwrap_or_else(|| "[unused0]".to_owned()),
            document_marker: self.doc_token_id.unwrap_or_else(|| "[unused1]".to_owned()),
            query_length: self.query_maxlen.unwrap_or(32),
            document_length: self.doc_maxlen.unwrap_or(220),
            expands: true,
            attends: self.attend_to_mask_tokens.unwrap_or(false),
            skipped: match self.mask_punctuation {
                Some(false) => Vec::new(),
                _ => punctuation(),
            },
        }
    }
}

/// Python's `string.punctuation`.
fn punctuation() -> Vec<String> {
    (33u8..127)
        .filter(u8::is_ascii_punctuation)
        .map(|byte| char::from(byte).to_string())
        .collect()
}
