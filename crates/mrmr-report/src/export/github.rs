//! A step summary of GitHub Actions: the verdict, the main table, the rest folded away.

use mrmr_measures::GateOutcome;

use super::Exporter;
use super::html::escaped;
use super::markdown;
use crate::document::{Block, Document, gate_count};

/// Markdown for `$GITHUB_STEP_SUMMARY`.
pub(crate) struct Github;

impl Exporter for Github {
    fn export(&self, document: &Document) -> String {
        let mut parts = vec![format!("## {}\n", markdown::escaped(&document.title))];
        if !document.gates.is_empty() {
            parts.push(markdown::list(&gates(&document.gates)));
        }
        if !document.verdicts.is_empty() {
            parts.push(markdown::list(&document.verdicts));
        }
        let is_sheet = |block: &&Block| matches!(block, Block::Sheet(_));
        let main = document.blocks.iter().find(is_sheet);
        parts.extend(main.map(markdown::show));
        let mut seen_main = false;
        let rest: Vec<String> = document
            .blocks
            .iter()
            .filter(|block| {
                let is_main = is_sheet(block) && !seen_main;
                seen_main |= is_main;
                !is_main
            })
            .map(markdown::show)
            .collect();
        if !rest.is_empty() {
            parts.push(format!(
                "<details>\n<summary>{}</summary>\n\n{}\n</details>\n",
                escaped("Details"),
                rest.join("\n")
            ));
        }
        parts.join("\n")
    }
}

/// How many gates were passed, and which failed.
fn gates(gates: &[GateOutcome]) -> Vec<String> {
    let failed: Vec<&GateOutcome> = gates.iter().filter(|gate| !gate.passed).collect();
    let sign = if failed.is_empty() { "✅" } else { "❌" };
    let count = gate_count(gates).into_iter();
    let mut lines: Vec<String> = count.map(|count| format!("{sign} {count}")).collect();
    lines.extend(
        failed
            .iter()
            .map(|gate| format!("❌ failed: {}", gate.sentence)),
    );
    lines
}
