//! Content to what a system reads.
//!
//! ```
//! use mrmr_core::{Content, Record};
//! use mrmr_models::{ContentRule, NoCaptions, Role};
//! let record = Record::new(Content::from("a red circle"));
//! let rendered = ContentRule::Text.render(Role::Document, "d1", &record, &NoCaptions);
//! assert_eq!(rendered.text, "a red circle");
//! ```

mod content_rule;

pub use content_rule::{CaptionSource, ContentRule, NoCaptions, Rendered, Role};
