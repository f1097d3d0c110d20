//! Judgements or a run: what differs between the two when they are read.

use super::columns::Group;
use super::{columns, number};
use crate::findings::Code;

/// What a file is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Qrels,
    Run,
}

impl Kind {
    /// With its article, for messages.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Kind::Qrels => "judgements",
            Kind::Run => "a run",
        }
    }

    /// What a value is called.
    pub(crate) fn value_noun(self) -> &'static str {
        match self {
            Kind::Qrels => "grade",
            Kind::Run => "score",
        }
    }

    /// What is expected where a value stands.
    pub(super) fn expected_value(self) -> &'static str {
        match self {
            Kind::Qrels => "a grade",
            Kind::Run => "a number as score",
        }
    }

    pub(super) fn value_columns(self) -> &'static Group {
        match self {
            Kind::Qrels => &columns::GRADE,
            Kind::Run => &columns::SCORE,
        }
    }

    pub(super) fn parse_value(self, text: &[u8]) -> Option<f64> {
        match self {
            Kind::Qrels => number::grade(text),
            Kind::Run => number::score(text),
        }
    }

    /// The code of a value that is none.
    pub(super) fn wrong_value(self, is_nan: bool) -> Code {
        match self {
            Kind::Qrels => Code::BadGrade,
            Kind::Run if is_nan => Code::NanScore,
            Kind::Run => Code::BadScore,
        }
    }

    /// Whether a number can be a value.
    pub(super) fn accepts(self, value: f64) -> bool {
        match self {
            Kind::Qrels => value.is_finite(),
            Kind::Run => !value.is_nan(),
        }
    }

    /// The formats, as a hint shows them.
    pub(super) fn formats(self) -> &'static str {
        match self {
            Kind::Qrels => {
                "known are: TREC (query iteration document grade); three columns (query document grade); \
                 M-BEIR (query 0 document grade task); TSV or CSV with a header (query-id, corpus-id, score); \
                 JSON {query: {document: grade}}; JSONL; Parquet"
            }
            Kind::Run => {
                "known are: TREC (query Q0 document rank score tag); MS MARCO (query document rank); \
                 TSV or CSV with a header (query-id, corpus-id, score); JSON {query: {document: score}}; \
                 JSONL; Parquet"
            }
        }
    }
}
