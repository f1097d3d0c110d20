//! The findings of one kind, of which the first are kept.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::{Finding, Findings};

/// How many there are, and the first of them.
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    pub(super) count: u64,
    /// The last of those that are kept is on top.
    kept: BinaryHeap<Kept>,
}

#[derive(Clone, Debug)]
struct Kept {
    /// The line or row, then the order in which they came.
    order: (u64, u64),
    finding: Finding,
}

impl List {
    pub(super) fn add(&mut self, number: u64, finding: impl FnOnce() -> Finding) {
        let order = (number, self.count);
        self.count += 1;
        if self.kept.len() >= Findings::LISTED {
            if self.kept.peek().is_some_and(|last| last.order < order) {
                return;
            }
            self.kept.pop();
        }
        self.kept.push(Kept {
            order,
            finding: finding(),
        });
    }

    pub(super) fn in_order(&self) -> Vec<Finding> {
        let kept = self.kept.clone().into_sorted_vec().into_iter();
        kept.map(|kept| kept.finding).collect()
    }
}

impl Ord for Kept {
    fn cmp(&self, other: &Self) -> Ordering {
        self.order.cmp(&other.order)
    }
}

impl PartialOrd for Kept {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Kept {
    fn eq(&self, other: &Self) -> bool {
        self.order == other.order
    }
}

impl Eq for Kept {}

#[cfg(test)]
mod tests {
    use mrmr_core::Place;

    use super::*;
    use crate::findings::Code;

    #[test]
    fn the_first_of_the_file_are_kept_in_whatever_order_they_come() {
        let mut list = List::default();
        let lines = 3 * Findings::LISTED as u64;
        let mut made = 0;
        for step in 0..lines {
            // 7919 is prime to the number of lines: every line comes once.
            let line = step * 7919 % lines;
            list.add(line, || {
                made += 1;
                Finding {
                    code: Code::FieldCount,
                    place: Place::line("x", line),
                    message: String::new(),
                    hints: Vec::new(),
                }
            });
        }
        assert_eq!(list.count, lines);
        assert!(made < lines);
        let places: Vec<Place> = list.in_order().into_iter().map(|f| f.place).collect();
        let expected: Vec<Place> = (0..Findings::LISTED as u64)
            .map(|line| Place::line("x", line))
            .collect();
        assert_eq!(places, expected);
    }
}
