//! The kinds of findings: one table, from which names, severities and docs come.

use std::fmt;
use std::str::FromStr;

use mrmr_core::{Error, RepeatedJudgement, Result, closest};

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A reader refuses the file, or its numbers would mean nothing.
    Error,
    /// It can be read, and probably is not what was meant, or numbers depend on it.
    Warning,
    /// Worth knowing; nothing is wrong.
    Note,
}

impl Severity {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Code {
    /// That of a judgement of a pair that was judged already.
    pub(crate) fn repeated(repeated: &RepeatedJudgement<'_>) -> Code {
        match repeated.is_identical() {
            true => Code::IdenticalRows,
            false => Code::ConflictingGrades,
        }
    }
}

macro_rules! codes {
    ($($code:ident = $name:literal, $severity:ident, $meaning:literal;)+) => {
        /// The kind of a finding; errors come first, then by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code { $(#[doc = concat!("`", $name, "`: ", $meaning, ".")] $code),+ }

        impl Code {
            /// Every code, errors first, then by name.
            pub const ALL: &'static [Code] = &[$(Code::$code),+];
            /// Every name, in the order of [`Self::ALL`].
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// The stable name.
            pub fn name(self) -> &'static str {
                match self { $(Code::$code => $name),+ }
            }

            /// How much it weighs.
            pub fn severity(self) -> Severity {
                match self { $(Code::$code => Severity::$severity),+ }
            }

            /// What was found, of many: `lines have another number of fields than the format`.
            pub fn meaning(self) -> &'static str {
                match self { $(Code::$code => $meaning),+ }
            }
        }
    };
}

codes! {
    BadEntry = "bad-entry", Error, "entries of a JSON file are nested otherwise than query, document, value";
    BadGrade = "bad-grade", Error, "grades are no finite decimal numbers";
    BadRank = "bad-rank", Error, "ranks are no whole numbers, where nothing else gives the order";
    BadRecord = "bad-record", Error, "records of a data set are not as they must be";
    BadScore = "bad-score", Error, "scores are no numbers";
    BrokenFile = "broken-file", Error, "files cannot be read to their end";
    BrokenJson = "broken-json", Error, "texts are no JSON";
    ConflictingGrades = "conflicting-grades", Error, "judgements give a pair another grade than an earlier line";
    DuplicateDocument = "duplicate-document", Error, "answers repeat a document of the same query";
    DuplicateId = "duplicate-id", Error, "records have the id of an earlier one";
    EmptyId = "empty-id", Error, "ids are empty or missing";
    FieldCount = "field-count", Error, "lines have another number of fields than the format";
    MissingColumn = "missing-column", Error, "tables or records lack a column, or have it twice";
    MissingPart = "missing-part", Error, "parts of a data set are missing";
    NanScore = "nan-score", Error, "scores are NaN";
    NoCommonQuery = "no-common-query", Error, "runs have no query in common with the judgements";
    NoJudgements = "no-judgements", Error, "files of judgements hold none";
    NotUtf8 = "not-utf8", Error, "ids or files are not UTF-8";
    OpenQuote = "open-quote", Error, "quotes are opened and never closed";
    UnknownFormat = "unknown-format", Error, "files have no known format";

    AllScoresEqual = "all-scores-equal", Warning, "queries have one score for all their documents";
    EmptyList = "empty-list", Warning, "queries have an empty list";
    EmptyRecord = "empty-record", Warning, "records have neither text nor image";
    EmptyRun = "empty-run", Warning, "runs hold no answer";
    ExtraQuery = "extra-query", Warning, "queries of the run are not judged";
    IdenticalRows = "identical-rows", Warning, "judgements repeat an earlier one";
    MissingImage = "missing-image", Warning, "records name an image that is not there";
    MissingQuery = "missing-query", Warning, "judged queries are missing from the run";
    MissingSound = "missing-sound", Warning, "records name a sound that is not there";
    ModalityMismatch = "modality-mismatch", Warning, "records have another modality than their column says";
    NoRelevant = "no-relevant", Warning, "queries have no relevant document";
    NothingJudged = "nothing-judged", Warning, "runs hold no document that is judged for its query";
    OrphanGold = "orphan-gold", Warning, "relevant documents are missing from the corpus";
    QueryScattered = "query-scattered", Warning, "queries of a run have lines that do not stand together";
    RankAgainstScore = "rank-against-score", Warning, "queries have ranks that contradict their scores";
    ScorePrecision = "score-precision", Warning, "queries have scores that differ in 64 bits and not in 32";
    SeveralTags = "several-tags", Warning, "runs are named differently from line to line";
    TiesAtCutoff = "ties-at-cutoff", Warning, "queries have equal scores on both sides of rank 10 or 100";
    UnjudgedQuery = "unjudged-query", Warning, "queries of the data set have no judgement";
    UnknownQuery = "unknown-query", Warning, "judged queries are not among the queries";

    Bom = "bom", Note, "files begin with a byte order mark, which is skipped";
    CommentSkipped = "comment-skipped", Note, "lines are comments, which are skipped";
    IgnoredColumn = "ignored-column", Note, "columns of a data set are not read";
    PrefixesStripped = "prefixes-stripped", Note, "files have the prefixes query-test- and corpus-test- before all ids, which are taken off";
    ScoresFromRanks = "scores-from-ranks", Note, "runs have no scores: the ranks give the order";
    SelfRetrieved = "self-retrieved", Note, "answers are the query's own id";
    UnjudgedTop10 = "unjudged-top10", Note, "queries have unjudged documents among the first 10";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Code {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = Code::ALL.iter().find(|code| code.name() == text);
        found.copied().ok_or_else(|| {
            let near = closest(text, Code::NAMES.iter().copied());
            Error::usage(format!("unknown code '{text}'"))
                .hint_maybe(near.map(|near| format!("did you mean {near}?")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_stand_by_severity_then_name() {
        let keys: Vec<(Severity, &str)> = Code::ALL
            .iter()
            .map(|code| (code.severity(), code.name()))
            .collect();
        assert!(keys.is_sorted());
        assert!(Code::ALL.is_sorted());
    }

    #[test]
    fn names_round_trip() {
        for code in Code::ALL {
            assert_eq!(code.to_string().parse::<Code>().ok(), Some(*code));
            let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(code.name().chars().all(is_plain), "{code}");
        }
        assert_eq!(
            "bad-scroe".parse::<Code>().unwrap_err().hints(),
            ["did you mean bad-score?"]
        );
    }
}
