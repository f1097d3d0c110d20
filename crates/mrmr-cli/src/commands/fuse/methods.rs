//! The list of methods.

use mrmr_search::fusion::{Normalization, definitions};

/// A method a paragraph, then the normalizations.
pub(super) fn list() -> String {
    let mut out = String::new();
    for definition in definitions() {
        let trained = if definition.is_trained() {
            ", learns from --qrels"
        } else {
            ""
        };
        out += &format!("{}: {}{trained}\n", definition.name, definition.summary);
        for parameter in definition.parameters {
            out += &format!("    {}: {}\n", parameter.describe(), parameter.summary);
        }
        if !definition.aliases.is_empty() {
            out += &format!("    also: {}\n", definition.aliases.join(", "));
        }
        out += &format!("    source: {}\n", definition.source);
    }
    out += &format!("\nnormalizations: {}\n", Normalization::NAMES.join(", "));
    out
}
