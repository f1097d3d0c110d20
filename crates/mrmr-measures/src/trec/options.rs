//! What is asked of trec_eval, and how it refuses.

use mrmr_core::ScorePrecision;

/// Which trec_eval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// 9.0.4 to 9.0.8: scores are compared in 32 bits, missing queries are left out.
    V9,
    /// 10.0: scores are compared in 64 bits, missing queries are an error unless [`Options::complete`].
    #[default]
    V10,
}

impl Version {
    /// How scores are compared.
    pub(super) fn precision(self) -> ScorePrecision {
        match self {
            Version::V9 => ScorePrecision::F32,
            Version::V10 => ScorePrecision::F64,
        }
    }
}

/// The options of trec_eval's command line, except the measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The version.
    pub version: Version,
    /// `-q`: print the values of each query too.
    pub per_query: bool,
    /// Without `-n`: print the summary.
    pub summary: bool,
    /// `-c`: average over all judged queries.
    pub complete: bool,
    /// `-l`: the lowest grade of a relevant document.
    pub level: i64,
    /// `-M`: only so many documents of each query count.
    pub depth: Option<usize>,
    /// `-J`: documents without a judgement are taken out first.
    pub judged_only: bool,
    /// `-N`: the documents in the collection.
    pub collection: i64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            version: Version::default(),
            per_query: false,
            summary: true,
            complete: false,
            level: 1,
            depth: None,
            judged_only: false,
            collection: 0,
        }
    }
}

/// How trec_eval ends where it cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The exit code.
    pub code: u8,
    /// What goes to standard error, without the last line break.
    pub message: String,
    /// What helps, which trec_eval does not say.
    pub hint: Option<String>,
}

impl Failure {
    pub(super) fn new(code: u8, message: impl Into<String>) -> Self {
        Failure {
            code,
            message: message.into(),
            hint: None,
        }
    }

    pub(super) fn hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }
}
