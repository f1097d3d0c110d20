//! A fragment of HTML: tables with captions and scopes, no style and no script.

use super::{Exporter, printable};
use crate::document::{Block, Cell, Document, Mark, Sheet};

/// A `section` to put into a page.
pub(crate) struct Html;

impl Exporter for Html {
    fn export(&self, document: &Document) -> String {
        let mut out = format!(
            "<section class=\"mrmr\">\n<h2>{}</h2>\n",
            escaped(&document.title)
        );
        out += &list("failed", &document.failed());
        out += &list("verdicts", &document.verdicts);
        for block in &document.blocks {
            out += &match block {
                Block::Heading(text) => format!("<h3>{}</h3>\n", escaped(text)),
                Block::Notes(lines) => list("notes", lines),
                Block::Sheet(sheet) => table(sheet),
            };
        }
        out + "</section>\n"
    }
}

fn list(class: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let items: String = lines
        .iter()
        .map(|line| format!("<li>{}</li>\n", escaped(line)))
        .collect();
    format!("<ul class=\"{class}\">\n{items}</ul>\n")
}

fn table(sheet: &Sheet) -> String {
    let mut out = format!(
        "<table>\n<caption>{}</caption>\n<thead>\n<tr>",
        escaped(&sheet.caption)
    );
    for header in &sheet.headers {
        out += &format!("<th scope=\"col\">{}</th>", escaped(header));
    }
    out += "</tr>\n</thead>\n<tbody>\n";
    for row in &sheet.rows {
        out += "<tr>";
        for at in 0..sheet.headers.len() {
            let text = row.get(at).map_or(String::new(), cell);
            out += &if at == 0 {
                format!("<th scope=\"row\">{text}</th>")
            } else {
                format!("<td>{text}</td>")
            };
        }
        out += "</tr>\n";
    }
    out += "</tbody>\n</table>\n";
    let legend: Vec<String> = sheet
        .legend
        .iter()
        .map(|(mark, meaning)| format!("<li>{} {}</li>\n", escaped(mark.sign()), escaped(meaning)))
        .collect();
    if !legend.is_empty() {
        out += &format!("<ul class=\"legend\">\n{}</ul>\n", legend.concat());
    }
    out
}

fn cell(cell: &Cell) -> String {
    let mut text = escaped(&cell.text);
    if cell.best {
        text = format!("<strong>{text}</strong>");
    }
    for mark in &cell.marks {
        text += &match mark {
            Mark::Better => " <abbr title=\"better than the reference\">▲</abbr>".to_owned(),
            Mark::Worse => " <abbr title=\"worse than the reference\">▼</abbr>".to_owned(),
            Mark::Letters(letters) => format!("<sup>{}</sup>", escaped(letters)),
        };
    }
    if !cell.behind.is_empty() {
        text += &format!(" <small>{}</small>", escaped(&cell.behind));
    }
    text
}

/// Text that HTML and XML show as it is, in attributes too.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in printable(text).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // No XML can hold these two.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(character),
        }
    }
    out
}
