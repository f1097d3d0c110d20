//! The rows in their lists.

use super::builder::IvfNotes;
use crate::clusters::centroids::Centroids;
use crate::clusters::groups::Groups;
use crate::exact::codes::{Codes, NO_ROW};
use crate::kernels::ROWS;

pub(super) struct Lists {
    /// For each row its list.
    pub(super) list_of: Vec<u32>,
    pub(super) rows: Groups,
    /// None where there is one list of all rows.
    pub(super) coded: Option<Coded>,
}

/// Lists in 8 bits.
pub(super) struct Coded {
    pub(super) centroids: Centroids,
    /// Of the rows, list after list, each from the start of a group.
    pub(super) codes: Codes,
    /// For each place among the codes its row, or [`NO_ROW`].
    pub(super) places: Vec<u32>,
    /// For each list its first group; the number of groups at the end.
    pub(super) groups: Vec<usize>,
}

impl Lists {
    /// One list of all rows: where there are none, or too many dimensions for codes.
    pub(super) fn single(rows: usize) -> Self {
        let list_of = vec![0; rows];
        Lists {
            rows: Groups::new(1, &list_of),
            list_of,
            coded: None,
        }
    }

    /// Lists given the list of each row; `codes` are those of all rows, in their order.
    pub(super) fn coded(list_of: Vec<u32>, centroids: Centroids, codes: &Codes) -> Self {
        let rows = Groups::new(centroids.len(), &list_of);
        let (mut places, mut groups) = (Vec::new(), vec![0]);
        for list in 0..rows.len() {
            places.extend(rows.of(list));
            places.resize(places.len().next_multiple_of(ROWS), NO_ROW);
            groups.push(places.len() / ROWS);
        }
        let coded = Coded {
            codes: codes.gathered(&places),
            centroids,
            places,
            groups,
        };
        Lists {
            list_of,
            rows,
            coded: Some(coded),
        }
    }

    pub(super) fn size(&self, list: u32) -> usize {
        self.rows.of(list as usize).len()
    }

    pub(super) fn notes(&self) -> IvfNotes {
        let sizes = || (0..self.rows.len()).map(|list| self.rows.of(list).len());
        let squares: f64 = sizes().map(|size| (size as f64) * (size as f64)).sum();
        let rows = self.list_of.len().max(1) as f64;
        IvfNotes {
            lists: self.rows.len(),
            empty_lists: sizes().filter(|size| *size == 0).count(),
            largest_list: sizes().max().unwrap_or(0),
            imbalance: self.rows.len() as f64 * squares / (rows * rows),
        }
    }
}
