//! Content to what a system reads: content rules, encoders and rerankers.
//!
//! ```
//! use mrmr_core::{Content, Record};
//! use mrmr_models::{ContentRule, NoCaptions, Role};
//! let record = Record::new(Content::from("a red circle"));
//! let rendered = ContentRule::Text.render(Role::Document, "d1", &record, &NoCaptions);
//! assert_eq!(rendered.text, "a red circle");
//!
//! use mrmr_models::{ModelOptions, open_encoder};
//! let encoder = open_encoder("hashing", &ModelOptions::default())?;
//! let embeddings = encoder.encode(&[rendered.text.into()], Role::Document)?;
//! assert_eq!(embeddings.vector(0).map(<[f32]>::len), Some(encoder.dimension()));
//! # Ok::<(), mrmr_core::Error>(())
//! ```
//!
//! # Contents
//!
//! - what a system reads: [`ContentRule`] with its [`Fusion`], [`Rendered`]; [`RecordEncoder`] encodes records under one;
//! - what it makes: [`Encoder`] and its [`Embeddings`], [`Reranker`] and its [`Scores`], with [`EncodeNotes`] and each
//!   [`ItemFailure`];
//! - where models are: [`ModelFolder`], [`HubCache`], [`ModelOptions`], [`Runtime`]; [`open_encoder`] and
//!   [`open_reranker`] take a name;
//! - the families: [`TextEncoder`], [`StaticTable`], [`LateInteraction`], [`CrossEncoder`], [`PictureFeatures`], [`DualEncoder`], and two that need no model,
//!   [`Hashing`] and [`Pixels`].

mod content_rule;
mod embeddings;
mod encoder;
mod families;
mod folder;
mod fusion;
mod notes;
mod open;
mod options;
mod pictures;
mod record_encoder;
mod reranker;
mod runtime;
mod text;

pub use content_rule::{CaptionSource, ContentRule, NoCaptions, Rendered, Role};
pub use embeddings::{EmbeddingKind, Embeddings};
pub use encoder::{Encoder, Limits};
pub use families::{
    CrossEncoder, DualEncoder, Hashing, LateInteraction, PictureFeatures, Pixels, StaticTable,
    TextEncoder,
};
pub use folder::{Family, HubCache, ModelFolder};
pub use fusion::{Fusion, Weight};
pub use notes::{EncodeNotes, ItemFailure};
pub use open::{open_encoder, open_reranker};
pub use options::ModelOptions;
pub use record_encoder::RecordEncoder;
pub use reranker::{Reranker, Scores};
pub use runtime::Runtime;
