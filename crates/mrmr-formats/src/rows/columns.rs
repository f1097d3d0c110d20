//! The names under which columns go.

/// The names of one column.
#[derive(Debug)]
pub(super) struct Group {
    /// What the column holds, for messages.
    pub(super) what: &'static str,
    /// Names that mean this and nothing else.
    clear: &'static [&'static str],
    /// Names that mean this where no clear one is there: a column `query` beside `qid` is a text.
    vague: &'static [&'static str],
}

pub(super) const QUERY: Group = Group {
    what: "query",
    clear: &["query-id", "query_id", "qid"],
    vague: &["query", "topic"],
};

pub(super) const DOCUMENT: Group = Group {
    what: "document",
    clear: &["corpus-id", "corpus_id", "docid", "doc_id", "docno", "pid"],
    vague: &["doc", "document"],
};

pub(super) const GRADE: Group = Group {
    what: "grade",
    clear: &["score", "grade", "relevance", "rel"],
    vague: &["label"],
};

pub(super) const SCORE: Group = Group {
    what: "score",
    clear: &["score", "sim", "similarity"],
    vague: &[],
};

pub(super) const RANK: Group = Group {
    what: "rank",
    clear: &["rank"],
    vague: &[],
};

pub(super) const TAG: Group = Group {
    what: "tag",
    clear: &["tag"],
    vague: &[],
};

/// How clearly a name means a column; more is clearer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Clarity {
    Vague,
    Clear,
}

/// Two columns that both claim to be the same.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ambiguous {
    pub(super) first: String,
    pub(super) second: String,
}

impl Group {
    /// Whether a name, in any case and with white space around it, is one of this column.
    pub(super) fn clarity(&self, name: &str) -> Option<Clarity> {
        let name = name.trim_matches([' ', '\t', '\r']);
        let is = |alias: &&str| alias.eq_ignore_ascii_case(name);
        if self.clear.iter().any(&is) {
            Some(Clarity::Clear)
        } else if self.vague.iter().any(is) {
            Some(Clarity::Vague)
        } else {
            None
        }
    }

    /// Which of these names is the column.
    pub(super) fn find<S: AsRef<str>>(&self, names: &[S]) -> Result<Option<usize>, Ambiguous> {
        let mut best: Option<(Clarity, usize)> = None;
        for (index, name) in names.iter().enumerate() {
            let Some(clarity) = self.clarity(name.as_ref()) else {
                continue;
            };
            match best {
                Some((known, first)) if known == clarity => {
                    // Two vague names do not matter yet: a clear one may follow.
                    if clarity == Clarity::Clear || !self.has_clear(names) {
                        return Err(Ambiguous {
                            first: names[first].as_ref().to_owned(),
                            second: name.as_ref().to_owned(),
                        });
                    }
                }
                Some((known, _)) if known > clarity => {}
                _ => best = Some((clarity, index)),
            }
        }
        Ok(best.map(|(_, index)| index))
    }

    fn has_clear<S: AsRef<str>>(&self, names: &[S]) -> bool {
        names
            .iter()
            .any(|name| self.clarity(name.as_ref()) == Some(Clarity::Clear))
    }

    /// The names, for messages.
    pub(super) fn list(&self) -> String {
        [self.clear, self.vague].concat().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_in_any_case() {
        assert_eq!(QUERY.find(&["Corpus-ID", " Query-ID "]), Ok(Some(1)));
        assert_eq!(DOCUMENT.find(&["passage"]), Ok(None));
    }

    #[test]
    fn a_clear_name_wins_over_a_vague_one() {
        assert_eq!(QUERY.find(&["query", "topic", "qid"]), Ok(Some(2)));
        assert_eq!(DOCUMENT.find(&["docid", "doc"]), Ok(Some(0)));
    }

    #[test]
    fn two_equally_clear_names_are_ambiguous() {
        let pair = |first: &str, second: &str| {
            Err(Ambiguous {
                first: first.into(),
                second: second.into(),
            })
        };
        assert_eq!(
            DOCUMENT.find(&["docid", "x", "docno"]),
            pair("docid", "docno")
        );
        assert_eq!(QUERY.find(&["query", "topic"]), pair("query", "topic"));
    }
}
