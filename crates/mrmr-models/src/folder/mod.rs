//! A model as a folder, in the layout of sentence-transformers and the Hub.

mod hub;
mod network_file;
mod settings;
mod towers;

use std::path::{Path, PathBuf};

use mrmr_core::{Error, Place, Result};
use serde::de::DeserializeOwned;

use crate::pictures::PreprocessorConfig;

pub use hub::HubCache;
pub(crate) use settings::{
    ColbertSettings, ModelConfig, Module, PoolingConfig, SentenceConfig, StaticConfig,
    TokenizerConfig, TransformerConfig,
};

/// What kind of model a folder holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Family {
    /// A transformer whose tokens are pooled to one vector.
    Text,
    /// A table of word vectors.
    Static,
    /// One vector a token, compared by MaxSim.
    LateInteraction,
    /// A score for a pair of texts.
    CrossEncoder,
    /// Pictures alone.
    Pictures,
    /// Texts and pictures, each by a network of its own, into one space.
    Dual,
}

/// A folder that holds a model.
///
/// ```
/// use mrmr_models::{Family, ModelFolder};
/// let folder = ModelFolder::open(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/tiny-bert"))?;
/// assert_eq!(folder.family()?, Family::Text);
///
/// let error = ModelFolder::open("no/such/folder").unwrap_err();
/// assert_eq!(error.to_string(), "no/such/folder: expected a folder that holds a model; there is none");
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFolder {
    name: String,
    path: PathBuf,
}

impl ModelFolder {
    /// A folder that is there.
    ///
    /// # Errors
    /// If it is not there, is no folder, or is empty of everything that a model has.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let place = || Place::whole(path.display().to_string());
        if !path.is_dir() {
            let found = if path.exists() {
                "this is a file"
            } else {
                "there is none"
            };
            return Err(
                Error::usage(format!("expected a folder that holds a model; {found}"))
                    .at(place())
                    .hint("a model is a folder, the id of a model in the local Hugging Face cache, hashing, or pixels"),
            );
        }
        let known = [
            "config.json",
            "modules.json",
            "tokenizer.json",
            "onnx",
            "model.onnx",
            "model.safetensors",
            "preprocessor_config.json",
        ];
        if !known.iter().any(|name| path.join(name).exists()) {
            return Err(Error::format(format!(
                "expected a model: one of {} in the folder",
                known.join(", ")
            ))
            .at(place())
            .hint("give the folder in which config.json and tokenizer.json lie (in a cache: snapshots/REVISION)"));
        }
        Ok(ModelFolder {
            name: path.display().to_string(),
            path: path.to_owned(),
        })
    }

    /// A folder by its path, else by its id in the local Hugging Face cache (`organisation/model`, or
    /// `organisation/model@revision`). Nothing is fetched.
    ///
    /// # Errors
    /// If there is no such folder, and no such model in the cache; the hint says how to get it there.
    pub fn find(name: &str) -> Result<Self> {
        let looks_like_path =
            name.starts_with(['.', '/', '~', '\\']) || name.matches('/').count() > 1;
        if looks_like_path || Path::new(name).exists() {
            return ModelFolder::open(name);
        }
        ModelFolder::in_cache(name, &HubCache::of_user()?)
    }

    /// A model of a cache, by its id.
    ///
    /// # Errors
    /// If it is not there; the hint says how to get it there.
    pub fn in_cache(id: &str, cache: &HubCache) -> Result<Self> {
        let path = cache.find(id)?;
        let mut folder = ModelFolder::open(path)?;
        folder.name = id.to_owned();
        Ok(folder)
    }

    /// Its name, as the user gave it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What kind of model it holds.
    ///
    /// # Errors
    /// If a settings file cannot be read, or it is of a kind that there is no encoder for.
    pub fn family(&self) -> Result<Family> {
        let config: ModelConfig = self.json("config.json")?.unwrap_or_default();
        let modules = self.modules()?;
        let is_static = modules
            .iter()
            .any(|module| module.kind() == "StaticEmbedding");
        if is_static || config.model_type.as_deref() == Some("model2vec") {
            return Ok(Family::Static);
        }
        if self.colbert()?.is_some() {
            return Ok(Family::LateInteraction);
        }
        if config.classifies() {
            return Ok(Family::CrossEncoder);
        }
        if let Some(config) = self.json::<PreprocessorConfig>("preprocessor_config.json")? {
            if config.is_of_sounds() {
                return Err(Error::unsupported(
                    "this model reads sounds; there is no encoder for them yet",
                )
                .at(self.place("preprocessor_config.json")));
            }
            return Ok(if self.has("tokenizer.json") {
                Family::Dual
            } else {
                Family::Pictures
            });
        }
        Ok(Family::Text)
    }

    /// The steps of the model, in order; none where the folder does not list them.
    pub(crate) fn modules(&self) -> Result<Vec<Module>> {
        Ok(self.json("modules.json")?.unwrap_or_default())
    }

    /// What a ColBERT-like model says of its tokens, where the folder is one.
    pub(crate) fn colbert(&self) -> Result<Option<ColbertSettings>> {
        ColbertSettings::of(self)
    }

    /// Whether there is such a file.
    pub(crate) fn has(&self, file: &str) -> bool {
        self.path.join(file).is_file()
    }

    /// The place of a file, for messages.
    pub(crate) fn place(&self, file: &str) -> Place {
        Place::whole(self.path.join(file).display().to_string())
    }

    /// A file that the model cannot do without.
    pub(crate) fn required(&self, file: &str, hint: &str) -> Result<PathBuf> {
        if self.has(file) {
            return Ok(self.path.join(file));
        }
        Err(
            Error::format(format!("expected the file {file}, found none"))
                .at(self.place(""))
                .hint(hint),
        )
    }

    /// A settings file, where there is one.
    pub(crate) fn json<T: DeserializeOwned>(&self, file: &str) -> Result<Option<T>> {
        if !self.has(file) {
            return Ok(None);
        }
        let bytes = std::fs::read(self.path.join(file))
            .map_err(|error| Error::io(error).at(self.place(file)))?;
        serde_json::from_slice(&bytes).map(Some).map_err(|error| {
            Error::format(format!("expected the settings of a model as JSON: {error}"))
                .at(self.place(file))
                .hint("the file may be cut off, or a Git LFS pointer: get it again")
                .because(error)
        })
    }
}
