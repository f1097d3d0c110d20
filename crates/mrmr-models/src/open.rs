//! From the name of a model to what runs it.

use mrmr_core::{Error, Result};

use crate::encoder::Encoder;
use crate::families::{
    CrossEncoder, DualEncoder, Hashing, LateInteraction, PictureFeatures, Pixels, StaticTable,
    TextEncoder,
};
use crate::folder::{Family, ModelFolder};
use crate::options::ModelOptions;
use crate::reranker::Reranker;

/// The encoder of a name: `hashing`, `pixels`, a folder, or the id of a model in the local Hugging Face cache.
///
/// ```
/// use mrmr_models::{ModelOptions, open_encoder};
/// let encoder = open_encoder("hashing", &ModelOptions::default())?;
/// assert_eq!(encoder.takes().to_string(), "text");
///
/// let error = open_encoder("./no-model", &ModelOptions::default()).err().unwrap();
/// assert!(error.to_string().starts_with("./no-model: expected a folder"));
/// # Ok::<(), mrmr_core::Error>(())
/// ```
///
/// # Errors
/// If there is no such model, or it is not an encoder.
pub fn open_encoder(name: &str, options: &ModelOptions) -> Result<Box<dyn Encoder>> {
    match name {
        "hashing" => {
            return Ok(Box::new(
                options
                    .dimension
                    .map_or_else(Hashing::default, Hashing::new),
            ));
        }
        "pixels" => return Ok(Box::new(Pixels)),
        _ => {}
    }
    let folder = ModelFolder::find(name)?;
    Ok(match folder.family()? {
        Family::Text => Box::new(TextEncoder::open(&folder, options)?),
        Family::Static => Box::new(StaticTable::open(&folder, options)?),
        Family::LateInteraction => Box::new(LateInteraction::open(&folder, options)?),
        Family::Pictures => Box::new(PictureFeatures::open(&folder, options)?),
        Family::Dual => Box::new(DualEncoder::open(&folder, options)?),
        Family::CrossEncoder => {
            return Err(Error::usage("this model scores pairs; it makes no vectors")
                .at(folder.place(""))
                .hint("use it as a reranker"));
        }
    })
}

/// The reranker of a name: a folder, or the id of a model in the local Hugging Face cache.
///
/// # Errors
/// If there is no such model, or it is not a reranker.
pub fn open_reranker(name: &str, options: &ModelOptions) -> Result<Box<dyn Reranker>> {
    let folder = ModelFolder::find(name)?;
    match folder.family()? {
        Family::CrossEncoder => Ok(Box::new(CrossEncoder::open(&folder, options)?)),
        _ => Err(Error::usage("this model makes vectors; it scores no pairs")
            .at(folder.place("config.json"))
            .hint("a reranker has an architecture that ends with ForSequenceClassification")),
    }
}
