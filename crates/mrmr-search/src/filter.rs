//! Which rows a query may return.

use mrmr_core::{DocId, Error, Ids, Interned, Result};

/// Which rows a query may return: all, or candidates alone; less those that are excluded.
///
/// ```
/// use mrmr_search::Filter;
/// let filter = Filter::only([7, 3, 3]).without([7]);
/// assert_eq!(filter.candidates(), Some(&[3][..]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    candidates: Option<Vec<u32>>,
    excluded: Vec<u32>,
}

impl Filter {
    /// These rows alone, in any order.
    pub fn only(rows: impl IntoIterator<Item = u32>) -> Self {
        Filter {
            candidates: Some(sorted(rows)),
            excluded: Vec::new(),
        }
    }

    /// The same, less these rows.
    #[must_use]
    pub fn without(mut self, rows: impl IntoIterator<Item = u32>) -> Self {
        self.excluded = sorted(rows.into_iter().chain(self.excluded));
        if let Some(candidates) = &mut self.candidates {
            candidates.retain(|row| self.excluded.binary_search(row).is_err());
        }
        self
    }

    /// The rows that compete, ascending, where the filter names them; excluded rows are not among them.
    pub fn candidates(&self) -> Option<&[u32]> {
        self.candidates.as_deref()
    }

    /// The excluded rows, ascending.
    pub fn excluded(&self) -> &[u32] {
        &self.excluded
    }

    /// Whether a row is excluded by name.
    pub fn excludes(&self, row: u32) -> bool {
        !self.excluded.is_empty() && self.excluded.binary_search(&row).is_ok()
    }

    /// Refuses candidates that are not rows of an index of `rows` rows.
    pub(crate) fn check(&self, rows: usize) -> Result<()> {
        match self.candidates().and_then(|candidates| candidates.last()) {
            Some(&row) if row as usize >= rows => Err(Error::usage(format!(
                "a filter has row {row} as a candidate; the index has {rows} rows, counted from 0"
            ))),
            _ => Ok(()),
        }
    }

    /// Refuses filters unless there is none or a good one for each query.
    pub(crate) fn check_all(filters: &[Filter], queries: usize, rows: usize) -> Result<()> {
        if !filters.is_empty() && filters.len() != queries {
            return Err(Error::usage(format!(
                "there are {} filters for {queries} queries; expected none or one a query",
                filters.len()
            )));
        }
        filters.iter().try_for_each(|filter| filter.check(rows))
    }
}

/// Which documents a query may return, by their ids; against an index it becomes a [`Filter`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restriction {
    /// These alone, where given: every one must be in the index.
    pub candidates: Option<Vec<String>>,
    /// Never these; ids that are not in the index do no harm.
    pub excluded: Vec<String>,
}

impl Restriction {
    /// The filter for an index with these ids.
    ///
    /// # Errors
    /// If a candidate is not in the index.
    pub fn bind(&self, ids: &Ids<DocId>) -> Result<Filter> {
        let row = |id: &String| ids.get(id).map(|document| document.index() as u32);
        let filter = match &self.candidates {
            None => Filter::default(),
            Some(candidates) => {
                let rows = candidates.iter().map(|id| {
                    row(id).ok_or_else(|| {
                        Error::data(format!("candidate '{id}' is not among the documents"))
                            .hint("candidates are ids of documents of the same corpus")
                    })
                });
                Filter::only(rows.collect::<Result<Vec<u32>>>()?)
            }
        };
        Ok(filter.without(self.excluded.iter().filter_map(row)))
    }
}

fn sorted(rows: impl IntoIterator<Item = u32>) -> Vec<u32> {
    let mut rows: Vec<u32> = rows.into_iter().collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}
