//! Rows with ids that stand apart from them, and a factor each where the numbers are codes.

use mrmr_core::Result;

use super::source::{Cells, Source};

pub(super) struct NamedRows {
    pub(super) rows: Box<dyn Source>,
    pub(super) ids: std::vec::IntoIter<String>,
    /// What each row is multiplied by; empty where there is nothing to multiply.
    pub(super) scales: Vec<f32>,
    pub(super) dimension: usize,
    pub(super) next_row: usize,
}

impl Source for NamedRows {
    fn append(&mut self, most: usize, cells: &mut Cells) -> Result<usize> {
        let start = cells.data.len();
        let rows = self.rows.append(most, cells)?;
        cells.ids.extend(self.ids.by_ref().take(rows));
        if let Some(scales) = self.scales.get(self.next_row..self.next_row + rows) {
            let read = cells.data[start..].chunks_exact_mut(self.dimension.max(1));
            for (row, scale) in read.zip(scales) {
                row.iter_mut().for_each(|code| *code *= scale);
            }
        }
        self.next_row += rows;
        Ok(rows)
    }
}
