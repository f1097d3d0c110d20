//! Tab-separated lines, long: one value a line, quoted as in CSV.

use super::Exporter;
use super::csv::separated;
use crate::document::Document;

/// Lines with tabs.
pub(crate) struct Tsv;

impl Exporter for Tsv {
    fn export(&self, document: &Document) -> String {
        separated(&document.records, '\t')
    }
}
