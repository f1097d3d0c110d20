//! A table for people at a terminal.

use super::Exporter;
use crate::document::{Block, Document, Sheet};
use crate::table::Table;

/// Aligned columns.
pub(crate) struct Text;

impl Exporter for Text {
    fn export(&self, document: &Document) -> String {
        let mut parts: Vec<String> = Vec::new();
        for block in &document.blocks {
            let text = match block {
                Block::Heading(text) => super::printable(text) + "\n",
                Block::Sheet(sheet) => {
                    let mut text = table(sheet).text();
                    for line in sheet.legend_lines() {
                        text += &super::printable(&line);
                        text.push('\n');
                    }
                    text
                }
                Block::Notes(lines) => lines
                    .iter()
                    .map(|line| super::printable(line) + "\n")
                    .collect(),
            };
            parts.push(text);
        }
        let verdicts: String = document
            .verdicts
            .iter()
            .map(|verdict| super::printable(verdict) + "\n")
            .collect();
        if !verdicts.is_empty() {
            parts.push(verdicts);
        }
        parts.join("\n")
    }
}

/// The cells as text; marks of a column are as wide as its widest, so that its numbers stay aligned.
fn table(sheet: &Sheet) -> Table {
    let mut table = Table::new(sheet.headers.clone()).text_columns(sheet.text_columns);
    for column in sheet.more_text {
        table = table.text_column(*column);
    }
    let width = |column: usize| {
        let cells = sheet.rows.iter().filter_map(|row| row.get(column));
        let widths = cells.map(|cell| cell.signs().chars().count());
        widths.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..sheet.headers.len()).map(width).collect();
    for row in &sheet.rows {
        table.row(row.iter().enumerate().map(|(column, cell)| {
            let mut text = cell.text.clone();
            if widths[column] > 0 {
                // No-break spaces: alignment to the right keeps them.
                let signs = cell.signs();
                let pad = widths[column] - signs.chars().count();
                text += &format!(" {signs}{}", "\u{a0}".repeat(pad));
            }
            if !cell.behind.is_empty() {
                text += &format!(" {}", cell.behind);
            }
            text
        }));
    }
    table
}
