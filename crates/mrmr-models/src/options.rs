//! How a model is opened.

use std::num::NonZero;

use crate::runtime::Runtime;

/// How a model is opened; the default is what the model's own settings say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelOptions {
    /// How many threads work at once; one for each core unless given.
    pub threads: Option<NonZero<usize>>,
    /// What runs the network.
    pub runtime: Runtime,
    /// Which ONNX file: `int8` for `onnx/model_int8.onnx`.
    pub network: Option<String>,
    /// The first so many numbers of each vector (for models trained for it: Matryoshka), given the length 1 again where
    /// the model does so.
    pub dimension: Option<usize>,
    /// A lower limit of tokens than the model's.
    pub tokens: Option<usize>,
    /// The prompt before queries, instead of the model's.
    pub query_prompt: Option<String>,
    /// The prompt before documents, instead of the model's.
    pub document_prompt: Option<String>,
}
