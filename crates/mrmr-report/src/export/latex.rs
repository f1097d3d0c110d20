//! LaTeX with booktabs: the main table, the best in bold, marks with a footnote.

use super::{Exporter, printable};
use crate::document::{Block, Cell, Document, Mark, Sheet};

/// A `table` environment; its document needs `\usepackage{booktabs}` and UTF-8.
pub(crate) struct Latex;

impl Exporter for Latex {
    fn export(&self, document: &Document) -> String {
        let mut out = comment(&document.title);
        let sheets = document.blocks.iter().filter_map(|block| match block {
            Block::Sheet(sheet) => Some(sheet),
            _ => None,
        });
        if let Some(sheet) = sheets.into_iter().next() {
            out += &table(sheet);
        }
        for block in &document.blocks {
            if let Block::Notes(lines) = block {
                out += &lines.iter().map(|line| comment(line)).collect::<String>();
            }
        }
        out + &document
            .verdicts
            .iter()
            .map(|line| comment(line))
            .collect::<String>()
    }
}

fn comment(text: &str) -> String {
    format!("% {}\n", printable(text))
}

fn table(sheet: &Sheet) -> String {
    let columns: String = (0..sheet.headers.len())
        .map(|at| if sheet.is_text(at) { 'l' } else { 'r' })
        .collect();
    let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
    let mut out = format!(
        "\\begin{{table}}\n\\centering\n\\caption{{{}}}\n\\begin{{tabular}}{{{columns}}}\n\\toprule\n",
        escaped(&sheet.caption)
    );
    out += &line(sheet.headers.iter().map(|cell| escaped(cell)).collect());
    out += "\\midrule\n";
    for row in &sheet.rows {
        let cells = (0..sheet.headers.len()).map(|at| row.get(at).map_or(String::new(), cell));
        out += &line(cells.collect());
    }
    out += "\\bottomrule\n";
    for (mark, meaning) in &sheet.legend {
        out += &format!(
            "\\multicolumn{{{}}}{{l}}{{\\footnotesize {} {}}} \\\\\n",
            sheet.headers.len(),
            sign(mark),
            escaped(meaning)
        );
    }
    out + "\\end{tabular}\n\\end{table}\n"
}

fn cell(cell: &Cell) -> String {
    let mut text = escaped(&cell.text);
    if cell.best {
        text = format!("\\textbf{{{text}}}");
    }
    text += &cell.marks.iter().map(sign).collect::<String>();
    if !cell.behind.is_empty() {
        text += &format!(" {{\\scriptsize {}}}", escaped(&cell.behind));
    }
    text
}

fn sign(mark: &Mark) -> String {
    match mark {
        Mark::Better => "\\textsuperscript{\\dag}".to_owned(),
        Mark::Worse => "\\textsuperscript{\\ddag}".to_owned(),
        Mark::Letters(letters) => format!("\\textsuperscript{{{}}}", escaped(letters)),
    }
}

/// Text that LaTeX sets as it is.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for character in printable(text).chars() {
        match character {
            '\\' => out.push_str("\\textbackslash{}"),
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => {
                out.push('\\');
                out.push(character);
            }
            '^' => out.push_str("\\textasciicircum{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            '"' => out.push_str("\\textquotedbl{}"),
            // Two in a row would become a dash, an accent or a quotation mark.
            '-' | '`' | '\'' | ',' if before == character => {
                out.push_str("{}");
                out.push(character);
            }
            '[' if out.is_empty() => out.push_str("{[}"),
            '*' if out.is_empty() => out.push_str("{*}"),
            _ => out.push(character),
        }
        before = character;
    }
    out
}
