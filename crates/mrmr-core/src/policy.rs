//! The assumptions behind a number, each one named.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};
use crate::suggest::closest;

macro_rules! policy {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$vdoc])* $variant),+ }

        impl $name {
            /// Every name of this policy.
            pub const NAMES: &'static [&'static str] = &[$($text),+];
            /// Every value of this policy, in the order of [`Self::NAMES`].
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The name, as it is written on the command line and in files.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl FromStr for $name {
            type Err = Error;
            fn from_str(text: &str) -> Result<Self> {
                match text {
                    $($text => Ok($name::$variant),)+
                    _ => Err(Error::usage(format!(
                        "unknown {} '{text}'; expected {}", $what, Self::NAMES.join(", ")))
                        .hint_maybe(closest(text, Self::NAMES.iter().copied()).map(|n| format!("did you mean {n}?")))),
                }
            }
        }
    };
}

policy!(
    /// How documents with equal scores are ordered.
    TiePolicy, "tie policy" {
        /// The larger document id, byte-wise, comes first (trec_eval).
        #[default]
        Trec = "trec",
        /// The smaller document id, byte-wise, comes first.
        Ascending = "ascending",
        /// The order of the input.
        Input = "input",
        /// The mean of the measure over all orders of the tied documents (McSherry & Najork 2008).
        Expected = "expected",
    }
);

policy!(
    /// The precision in which scores are compared.
    ScorePrecision, "score precision" {
        /// 64-bit, as read (trec_eval 10).
        #[default]
        F64 = "f64",
        /// Rounded to 32-bit first (trec_eval 9, and what is built on it).
        F32 = "f32",
    }
);

policy!(
    /// What a judged query counts that the run lacks.
    MissingPolicy, "policy for missing queries" {
        /// It counts 0 (trec_eval `-c`).
        #[default]
        Zero = "zero",
        /// It is left out of the mean, and counted beside it (trec_eval 9 without `-c`, MTEB).
        Skip = "skip",
        /// It is an error.
        Error = "error",
    }
);

policy!(
    /// What a query counts whose judgements hold no relevant document.
    NoRelevantPolicy, "policy for queries without a relevant document" {
        /// It counts as the measures define it: 0.
        #[default]
        Zero = "zero",
        /// It is left out of the mean, and counted beside it.
        Skip = "skip",
    }
);

policy!(
    /// How a retrieved document without a judgement is read.
    UnjudgedPolicy, "policy for unjudged documents" {
        /// As not relevant.
        #[default]
        NonRelevant = "nonrelevant",
        /// It is taken out of the ranking first (condensed lists; trec_eval `-J`).
        Drop = "drop",
    }
);

policy!(
    /// What a document counts that stands twice in one query's list.
    DuplicatePolicy, "policy for duplicates" {
        /// It is an error.
        #[default]
        Error = "error",
        /// The first one read.
        First = "first",
        /// The one with the highest score.
        Best = "best",
        /// The last one read.
        Last = "last",
    }
);

/// What turns scores into an order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RankingPolicy {
    /// The order of equal scores.
    pub ties: TiePolicy,
    /// When two scores are equal.
    pub precision: ScorePrecision,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for policy in TiePolicy::ALL {
            assert_eq!(policy.to_string().parse::<TiePolicy>().ok(), Some(*policy));
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones_and_suggests() {
        let error = "trek".parse::<TiePolicy>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown tie policy 'trek'; expected trec, ascending, input, expected"
        );
        assert_eq!(error.hints(), ["did you mean trec?"]);
    }
}
