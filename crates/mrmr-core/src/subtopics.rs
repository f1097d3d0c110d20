//! Judgements by subtopic: what a document is worth to one meaning of a query.

use crate::id::{Ids, Interned, SubtopicId};

/// The grade of a document for one subtopic of a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SubtopicGrade {
    /// The subtopic, in `Qrels::subtopics`.
    pub subtopic: SubtopicId,
    /// Its grade; finite.
    pub grade: f64,
}

/// The grades by subtopic of all judgements, in their order.
#[derive(Clone, Debug)]
pub(crate) struct Subtopics {
    pub(crate) names: Ids<SubtopicId>,
    starts: Vec<usize>,
    grades: Vec<SubtopicGrade>,
}

impl Subtopics {
    pub(crate) fn new(names: Ids<SubtopicId>, grades: usize) -> Self {
        Subtopics {
            names,
            starts: vec![0],
            grades: Vec::with_capacity(grades),
        }
    }

    /// Adds the grades of the next judgement, and gives the highest.
    pub(crate) fn push(&mut self, grades: impl Iterator<Item = SubtopicGrade>) -> f64 {
        let start = self.grades.len();
        self.grades.extend(grades);
        self.starts.push(self.grades.len());
        let own = self.grades[start..].iter();
        own.map(|grade| grade.grade)
            .fold(f64::NEG_INFINITY, f64::max)
    }

    pub(crate) fn of(&self, judgement: usize) -> &[SubtopicGrade] {
        &self.grades[self.starts[judgement]..self.starts[judgement + 1]]
    }
}

/// The subtopic of each row; nothing is kept a row while all have the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column {
    names: Ids<SubtopicId>,
    last: Option<SubtopicId>,
    keys: Vec<SubtopicId>,
}

impl Column {
    /// Adds the subtopic of the row at this place.
    #[inline]
    pub(crate) fn push(&mut self, name: &str, row: usize) {
        if let Some(last) = self.last
            && self.names.name(last) == name
        {
            if !self.keys.is_empty() {
                self.keys.push(last);
            }
            return;
        }
        self.change(name, row);
    }

    #[cold]
    fn change(&mut self, name: &str, row: usize) {
        let key = self.names.intern(name);
        if let (Some(last), true) = (self.last, self.keys.is_empty()) {
            self.keys.resize(row, last);
        }
        if self.last.is_some() {
            self.keys.push(key);
        }
        self.last = Some(key);
    }

    /// The subtopics by their bytes, and that of each row; no row where all have the same.
    pub(crate) fn finish(self) -> (Ids<SubtopicId>, Vec<SubtopicId>) {
        let order = self.names.byte_order();
        let mut keys = self.keys;
        for key in &mut keys {
            *key = SubtopicId::from_index(order[key.index()] as usize);
        }
        let sorted = self.names.sorted_keys().into_iter();
        let names = sorted.map(|key| self.names.name(key)).collect();
        (names, keys)
    }
}
