//! JSON with everything in it.

use super::Exporter;
use crate::document::Document;

/// One JSON object.
pub(crate) struct Json;

impl Exporter for Json {
    fn export(&self, document: &Document) -> String {
        crate::json::pretty(&document.json)
    }
}
