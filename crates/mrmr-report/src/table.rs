//! A table of text cells, for people and for Markdown.

use comfy_table::{CellAlignment, ContentArrangement, presets};

use crate::export::printable;

/// Headers and rows; the first column is text, the others are numbers unless said.
#[derive(Clone, Debug, Default)]
pub struct Table {
    headers: Vec<String>,
    rows: Vec<Vec<String>>,
    text_columns: usize,
    more_text: Vec<usize>,
}

impl Table {
    /// An empty table with one column of text, then numbers.
    pub fn new(headers: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Table {
            headers: headers.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
            text_columns: 1,
            more_text: Vec::new(),
        }
    }

    /// The first `count` columns are text: aligned to the left.
    #[must_use]
    pub fn text_columns(mut self, count: usize) -> Self {
        self.text_columns = count;
        self
    }

    /// This column is text as well, counted from 0.
    #[must_use]
    pub fn text_column(mut self, column: usize) -> Self {
        self.more_text.push(column);
        self
    }

    fn is_text(&self, column: usize) -> bool {
        column < self.text_columns || self.more_text.contains(&column)
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
            if !self.is_text(at) {
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
            (0..self.headers.len()).map(|at| if self.is_text(at) { ":--" } else { "--:" });
        out += &format!("|{}|\n", alignment.collect::<Vec<_>>().join("|"));
        for row in &self.rows {
            out += &line(row);
        }
        out
    }
}
