//! A vector a token from a table, and their mean (model2vec, StaticEmbedding).

use half::{bf16, f16};
use mrmr_core::{Content, Error, Modality, Result};
use rayon::prelude::*;
use safetensors::{Dtype, SafeTensors, tensor::TensorView};

use super::finite;
use crate::content_rule::Role;
use crate::embeddings::Embeddings;
use crate::encoder::{Encoder, Limits};
use crate::folder::{ModelFolder, StaticConfig};
use crate::notes::EncodeNotes;
use crate::options::ModelOptions;
use crate::text::{TEXT, TokenRow, Tokens, normalize, text_of};

/// The tokens that model2vec reads of a text.
const TOKENS: usize = 512;

/// A table of token vectors: no network, thousands of texts a second.
///
/// Two layouts are read: that of model2vec (`model.safetensors` with `embeddings`, and `weights` and `mapping` where
/// there are some; unknown tokens do not count) and that of sentence-transformers (`0_StaticEmbedding` with
/// `embedding.weight`). A text without a token has the vector 0, and is counted as empty.
pub struct StaticTable {
    name: String,
    tokens: Tokens,
    table: Vec<f32>,
    weights: Option<Vec<f32>>,
    mapping: Option<Vec<usize>>,
    /// The token that does not count.
    unknown: Option<i32>,
    normalized: bool,
    width: usize,
    dimension: usize,
}

impl StaticTable {
    /// Opens a model.
    ///
    /// # Errors
    /// If a file is missing or not what was expected.
    pub fn open(folder: &ModelFolder, options: &ModelOptions) -> Result<Self> {
        let modules = folder.modules()?;
        let step = modules
            .iter()
            .find(|module| module.kind() == "StaticEmbedding");
        let in_step = |name| step.map_or_else(|| name_of(name), |step| step.file(name));
        let config: StaticConfig = folder.json("config.json")?.unwrap_or_default();
        let file = in_step("model.safetensors");
        let path = folder.required(&file, "a static model keeps its table there")?;
        let bytes =
            std::fs::read(path).map_err(|error| Error::io(error).at(folder.place(&file)))?;
        let about = |error: Error| error.at(folder.place(&file));
        let tensors = SafeTensors::deserialize(&bytes)
            .map_err(|error| about(Error::format(format!("expected safetensors: {error}"))))?;
        let name = ["embeddings", "embedding.weight"]
            .into_iter()
            .find(|name| tensors.tensor(name).is_ok());
        let name = name.ok_or_else(|| {
            let found: Vec<&str> = tensors.names().into_iter().collect();
            about(Error::format(format!(
                "expected a tensor 'embeddings' or 'embedding.weight', found {}",
                found.join(", ")
            )))
        })?;
        let (shape, table) = floats(&tensors, name).map_err(about)?.unwrap_or_default();
        let [rows, width] = shape[..] else {
            return Err(about(Error::format(format!(
                "tensor '{name}': expected two axes, tokens and numbers; found the shape {shape:?}"
            ))));
        };
        let weights = floats(&tensors, "weights")
            .map_err(about)?
            .map(|found| found.1);
        let mapping = mapping(&tensors, rows).map_err(about)?;
        let dimension = options.dimension.unwrap_or(width);
        if dimension == 0 || dimension > width {
            return Err(about(Error::usage(format!(
                "expected a dimension of 1 to {width}, found {dimension}"
            ))));
        }
        let pieces = in_step("tokenizer.json");
        // sentence-transformers cuts nothing, and counts unknown tokens.
        let limit = step
            .is_none()
            .then_some(TOKENS)
            .into_iter()
            .chain(options.tokens)
            .min();
        let tokens = Tokens::open(folder, &pieces, limit, false)?;
        let unknown = ["[UNK]", "<unk>"]
            .into_iter()
            .find_map(|token| tokens.id(token));
        let normalizes = modules.iter().any(|module| module.kind() == "Normalize");
        Ok(StaticTable {
            name: folder.name().to_owned(),
            tokens,
            table,
            weights,
            mapping,
            unknown: unknown.filter(|_| step.is_none()),
            normalized: if modules.is_empty() {
                config.normalize.unwrap_or(false)
            } else {
                normalizes
            },
            width,
            dimension,
        })
    }

    fn vector(&self, row: &TokenRow) -> Result<Vec<f32>, String> {
        let counted = row.ids.iter().filter(|id| Some(**id) != self.unknown);
        let (mut sums, mut count) = (vec![0f64; self.width], 0f64);
        for id in counted.map(|id| *id as usize) {
            let place = self
                .mapping
                .as_ref()
                .map_or(Some(id), |mapping| mapping.get(id).copied());
            let vector = place.and_then(|place| self.table.chunks_exact(self.width).nth(place));
            let vector =
                vector.ok_or_else(|| format!("the table has no vector for the token {id}"))?;
            let weight = self
                .weights
                .as_ref()
                .map_or(1.0, |weights| weights.get(id).copied().unwrap_or(1.0));
            count += 1.0;
            for (sum, number) in sums.iter_mut().zip(vector) {
                *sum += f64::from(*number) * f64::from(weight);
            }
        }
        let mean = sums.iter().map(|sum| (sum / f64::max(count, 1.0)) as f32);
        let mut vector: Vec<f32> = mean.take(self.dimension).collect();
        if self.normalized {
            normalize(&mut vector);
        }
        finite(vector)
    }
}

impl Encoder for StaticTable {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn takes(&self) -> Modality {
        TEXT
    }

    fn limits(&self) -> Limits {
        Limits {
            tokens: self.tokens.limit(),
            parts: None,
        }
    }

    fn encode(&self, contents: &[Content], _: Role) -> Result<Embeddings> {
        let made: Vec<_> = contents
            .par_iter()
            .map(|content| {
                let row = text_of(content).and_then(|text| self.tokens.text("", &text))?;
                let notes = EncodeNotes {
                    items: 1,
                    tokens: row.ids.len(),
                    truncated: usize::from(row.truncated),
                    empty: usize::from(row.ids.iter().all(|id| Some(*id) == self.unknown)),
                    ..EncodeNotes::default()
                };
                Ok((self.vector(&row)?, notes))
            })
            .collect();
        let mut notes = EncodeNotes::default();
        let rows = made.into_iter().map(|made: Result<_, String>| {
            made.map(|(vector, counted)| {
                notes.add(counted);
                vector
            })
        });
        let rows = rows.collect();
        Ok(Embeddings::single(self.dimension, rows, notes))
    }
}

fn name_of(name: &str) -> String {
    name.to_owned()
}

/// A tensor of any numbers as f32, with its shape; nothing where there is none of this name.
fn floats(tensors: &SafeTensors<'_>, name: &str) -> Result<Option<(Vec<usize>, Vec<f32>)>> {
    let Ok(tensor) = tensors.tensor(name) else {
        return Ok(None);
    };
    let numbers = match tensor.dtype() {
        Dtype::F32 => each(&tensor, f32::from_le_bytes),
        Dtype::F64 => each(&tensor, |bytes| f64::from_le_bytes(bytes) as f32),
        Dtype::F16 => each(&tensor, |bytes| f16::from_le_bytes(bytes).to_f32()),
        Dtype::BF16 => each(&tensor, |bytes| bf16::from_le_bytes(bytes).to_f32()),
        Dtype::I8 => each(&tensor, |bytes| f32::from(i8::from_le_bytes(bytes))),
        other => {
            return Err(Error::unsupported(format!(
                "tensor '{name}': expected F32, F64, F16, BF16 or I8, found {other:?}"
            )));
        }
    };
    Ok(Some((tensor.shape().to_vec(), numbers)))
}

/// Which row of the table stands for a token, where several share one.
fn mapping(tensors: &SafeTensors<'_>, rows: usize) -> Result<Option<Vec<usize>>> {
    let Ok(tensor) = tensors.tensor("mapping") else {
        return Ok(None);
    };
    let places: Vec<i64> = match tensor.dtype() {
        Dtype::I64 => each(&tensor, i64::from_le_bytes),
        Dtype::I32 => each(&tensor, |bytes| i64::from(i32::from_le_bytes(bytes))),
        other => {
            return Err(Error::unsupported(format!(
                "tensor 'mapping': expected I64 or I32, found {other:?}"
            )));
        }
    };
    let checked = places
        .iter()
        .map(|place| usize::try_from(*place).ok().filter(|place| *place < rows));
    let checked: Option<Vec<usize>> = checked.collect();
    checked.map(Some).ok_or_else(|| {
        Error::format(format!(
            "tensor 'mapping': expected rows of the table, 0 to {}, found others",
            rows.saturating_sub(1)
        ))
    })
}

fn each<const N: usize, T>(tensor: &TensorView<'_>, number: impl Fn([u8; N]) -> T) -> Vec<T> {
    tensor
        .data()
        .as_chunks::<N>()
        .0
        .iter()
        .map(|bytes| number(*bytes))
        .collect()
}
