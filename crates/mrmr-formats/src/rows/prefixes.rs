//! The prefixes that MRMR's authors put before the ids of their prediction files.

/// Before the id of each query.
pub(crate) const QUERY_PREFIX: &str = "query-test-";
/// Before the id of each document.
pub(crate) const DOCUMENT_PREFIX: &str = "corpus-test-";

/// Whether every id seen so far has its prefix, and more than that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PrefixWatch {
    some: bool,
    not_all: bool,
}

impl PrefixWatch {
    #[inline]
    pub(crate) fn row(&mut self, query: &str, document: &str) {
        if !self.not_all {
            self.query(query);
            self.not_all |= !is_prefixed(document, DOCUMENT_PREFIX);
        }
    }

    pub(crate) fn query(&mut self, query: &str) {
        self.some = true;
        self.not_all |= !is_prefixed(query, QUERY_PREFIX);
    }

    /// Whether the prefixes are to be taken off.
    pub(crate) fn all(self) -> bool {
        self.some && !self.not_all
    }
}

fn is_prefixed(id: &str, prefix: &str) -> bool {
    id.len() > prefix.len() && id.starts_with(prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_count_only_where_every_id_has_one() {
        let mut watch = PrefixWatch::default();
        assert!(!watch.all());
        watch.row("query-test-1", "corpus-test-1");
        watch.query("query-test-2");
        assert!(watch.all());
        let mut other = watch;
        watch.row("query-test-3", "x");
        other.row("query-test-", "corpus-test-1");
        assert!(!watch.all() && !other.all());
    }
}
