//! A table of text cells, for people and for Markdown.

use comfy_table::{CellAlignment, ContentArrangement, presets};

/// Headers and rows; the first column is text, the others are numbers unless said.
#[derive(Clone, Debug, Default)]
pub struct Table {
    headers: Vec<String>,
    rows: Vec<Vec<String>>,
    text_columns: usize,
}

impl Table {
    /// An empty table with one column of text, then numbers.
    pub fn new(headers: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Table {
            headers: headers.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
            text_columns: 1,
        }
    }

    /// The first `count` columns are text: aligned to the left.
    #[must_use]
    pub fn text_columns(mut self, count: usize) -> Self {
        self.text_columns = count;
        self
    }

    /// Adds a row; missing cells stay empty.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        let mut row: Vec<String> = cells.into_iter().map(Into::into).collect();
        row.resize(self.headers.len(), String::new());
        self.rows.push(row);
    }

    /// The table for a terminal, columns aligned, a line under the headers; ends with a line end.
    pub fn text(&self) -> String {
        let mut table = comfy_table::Table::new();
        table
            .load_style(presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Disabled)
            .set_header(self.headers.iter().map(|cell| printable(cell)))
            .add_rows(
                self.rows
                    .iter()
                    .map(|row| row.iter().map(|cell| printable(cell))),
            );
        for (at, column) in table.column_iter_mut().enumerate() {
            column.set_padding((0, 2));
            if at >= self.text_columns {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let mut lines: Vec<String> = table
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect();
        let width = table
            .lines()
            .map(|line| line.trim_end().chars().count())
            .max();
        if !lines.is_empty() {
            lines.insert(1, "─".repeat(width.unwrap_or(0)));
        }
        lines.join("\n") + "\n"
    }

    /// The table in Markdown; ends with a line end.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells
                .iter()
                .map(|cell| printable(cell).replace('|', "\\|"))
                .collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut out = line(&self.headers);
        let alignment =
            (0..self.headers.len()).map(|at| if at < self.text_columns { ":--" } else { "--:" });
        out += &format!("|{}|\n", alignment.collect::<Vec<_>>().join("|"));
        for row in &self.rows {
            out += &line(row);
        }
        out
    }
}

/// Control characters as escapes, so that an id cannot break a line or steer a terminal.
fn printable(cell: &str) -> String {
    if !cell.chars().any(char::is_control) {
        return cell.to_owned();
    }
    let mut out = String::new();
    for c in cell.chars() {
        if c.is_control() {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}
