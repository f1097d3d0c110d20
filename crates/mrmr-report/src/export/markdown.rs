//! Markdown as GitHub reads it: wide tables, the best in bold.

use super::{Exporter, printable};
use crate::document::{Block, Cell, Document, Sheet};

/// Tables with pipes.
pub(crate) struct Markdown;

impl Exporter for Markdown {
    fn export(&self, document: &Document) -> String {
        let mut parts: Vec<String> = Vec::new();
        for block in &document.blocks {
            parts.push(show(block));
        }
        for lines in [document.failed(), document.verdicts.clone()] {
            if !lines.is_empty() {
                parts.push(list(&lines));
            }
        }
        parts.join("\n")
    }
}

/// A part of a report.
pub(super) fn show(block: &Block) -> String {
    match block {
        Block::Heading(text) => format!("### {}\n", escaped(text)),
        Block::Notes(lines) => list(lines),
        Block::Sheet(sheet) => table(sheet),
    }
}

/// Lines as a list.
pub(super) fn list(lines: &[String]) -> String {
    lines
        .iter()
        .map(|line| format!("- {}\n", escaped(line)))
        .collect()
}

/// A table and what its marks mean.
pub(super) fn table(sheet: &Sheet) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut out = line(sheet.headers.iter().map(|cell| escaped(cell)).collect());
    let alignment =
        (0..sheet.headers.len()).map(|at| if sheet.is_text(at) { ":--" } else { "--:" });
    out += &format!("|{}|\n", alignment.collect::<Vec<_>>().join("|"));
    for row in &sheet.rows {
        let cells = (0..sheet.headers.len()).map(|at| row.get(at).map_or(String::new(), cell));
        out += &line(cells.collect());
    }
    if !sheet.legend.is_empty() {
        out += "\n";
        out += &escaped(&sheet.legend_lines().join("; "));
        out += "\n";
    }
    out
}

fn cell(cell: &Cell) -> String {
    let mut text = escaped(&cell.text);
    if cell.best {
        text = format!("**{text}**");
    }
    let signs = cell.signs();
    if !signs.is_empty() {
        text += &format!(" {signs}");
    }
    if !cell.behind.is_empty() {
        text += &format!(" {}", escaped(&cell.behind));
    }
    text
}

/// Text that Markdown shows as it is.
pub(super) fn escaped(text: &str) -> String {
    let text = printable(text);
    let characters: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    for (at, &character) in characters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| characters[at]);
        let after = characters.get(at + 1).copied();
        let inside = [before, after]
            .iter()
            .all(|near| near.is_some_and(char::is_alphanumeric));
        match character {
            '<' => out.push_str("&lt;"),
            '&' if after.is_some_and(|next| next.is_alphanumeric() || next == '#') => {
                out.push_str("&amp;");
            }
            // Within a word an underscore is itself.
            '_' if inside => out.push('_'),
            '\\' | '`' | '*' | '_' | '|' | '~' | '$' => {
                out.push('\\');
                out.push(character);
            }
            '#' | '+' | '-' | '>' if at == 0 && after.is_some_and(|c| c == ' ' || c == '#') => {
                out.push('\\');
                out.push(character);
            }
            // A bracket is a link only before an opening parenthesis or another bracket.
            ']' if after.is_some_and(|next| matches!(next, '(' | '[')) => out.push_str("\\]"),
            _ => out.push(character),
        }
    }
    out
}
