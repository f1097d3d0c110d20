//! One error for every crate: what, where, what was expected, and a hint.

use std::fmt;

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What kind of thing went wrong; the binary maps it to an exit code, Python to an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The caller asked for something that does not exist or does not fit together.
    Usage,
    /// A file or a value does not have the form that was expected.
    Format,
    /// The form is right, the content contradicts itself (two grades for one pair, no common ids).
    Data,
    /// Reading or writing failed.
    Io,
    /// Valid, but this build cannot do it.
    Unsupported,
    /// The user stopped the work; what was finished is kept.
    Interrupted,
}

/// Where in a source something stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Position {
    /// A line, counted from 1.
    Line(u64),
    /// A row of a table without lines (Parquet, `.npy`), counted from 0.
    Row(u64),
    /// A named entry (a JSON key, a record id).
    Item(String),
}

/// A source and, where known, the position in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// A path as the user gave it, or a name such as `standard input`.
    pub source: String,
    /// Where in the source.
    pub position: Option<Position>,
}

impl Place {
    /// A whole source.
    pub fn whole(source: impl Into<String>) -> Self {
        Place {
            source: source.into(),
            position: None,
        }
    }

    /// A line of a source, counted from 1.
    pub fn line(source: impl Into<String>, line: u64) -> Self {
        Place {
            source: source.into(),
            position: Some(Position::Line(line)),
        }
    }

    /// A row of a source, counted from 0.
    pub fn row(source: impl Into<String>, row: u64) -> Self {
        Place {
            source: source.into(),
            position: Some(Position::Row(row)),
        }
    }

    /// A named entry of a source.
    pub fn item(source: impl Into<String>, item: impl Into<String>) -> Self {
        Place {
            source: source.into(),
            position: Some(Position::Item(item.into())),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.position {
            None => f.write_str(&self.source),
            Some(Position::Line(n)) => write!(f, "{}:{n}", self.source),
            Some(Position::Row(n)) => write!(f, "{}: row {n}", self.source),
            Some(Position::Item(name)) => write!(f, "{}: {name}", self.source),
        }
    }
}

/// How the entries of a source are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OriginUnit {
    /// Lines, from 1.
    Lines,
    /// Rows, from 0.
    Rows,
}

/// The source of a table under construction: turns an entry's number into a [`Place`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// A path as the user gave it, or a name such as `standard input`.
    pub name: String,
    /// How its entries are counted.
    pub unit: OriginUnit,
}

impl Origin {
    /// A source that is counted in lines.
    pub fn lines(name: impl Into<String>) -> Self {
        Origin {
            name: name.into(),
            unit: OriginUnit::Lines,
        }
    }

    /// A source that is counted in rows.
    pub fn rows(name: impl Into<String>) -> Self {
        Origin {
            name: name.into(),
            unit: OriginUnit::Rows,
        }
    }

    /// Values that were built in memory, counted in rows.
    pub fn memory(name: impl Into<String>) -> Self {
        Origin::rows(name)
    }

    /// The place of one entry.
    pub fn place(&self, number: u64) -> Place {
        match self.unit {
            OriginUnit::Lines => Place::line(&self.name, number),
            OriginUnit::Rows => Place::row(&self.name, number),
        }
    }

    /// `line 17` or `row 16`, for a message that names a second entry of the same source.
    pub fn entry(&self, number: u64) -> String {
        match self.unit {
            OriginUnit::Lines => format!("line {number}"),
            OriginUnit::Rows => format!("row {number}"),
        }
    }
}

/// An error that says what, where, what was expected, and a hint.
///
/// ```
/// use mrmr_core::{Error, Place};
/// let error = Error::format("expected 6 fields, found 5: \"q1 Q0 d1 1 2.5\"")
///     .at(Place::line("run.txt", 17))
///     .hint("a TREC run has: query Q0 document rank score tag");
/// assert_eq!(error.to_string(), "run.txt:17: expected 6 fields, found 5: \"q1 Q0 d1 1 2.5\"");
/// ```
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    message: String,
    place: Option<Place>,
    hints: Vec<String>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// An error of a kind, with what happened and what was expected.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error(Box::new(Inner {
            kind,
            message: message.into(),
            place: None,
            hints: Vec::new(),
            source: None,
        }))
    }

    /// [`ErrorKind::Usage`].
    pub fn usage(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Usage, message)
    }

    /// [`ErrorKind::Format`].
    pub fn format(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Format, message)
    }

    /// [`ErrorKind::Data`].
    pub fn data(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Data, message)
    }

    /// [`ErrorKind::Io`], with the operating system's error.
    pub fn io(error: std::io::Error) -> Self {
        Error::new(ErrorKind::Io, error.to_string()).because(error)
    }

    /// [`ErrorKind::Unsupported`].
    pub fn unsupported(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Unsupported, message)
    }

    /// Names the place, unless a more precise one is known already.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.0.place.get_or_insert(place);
        self
    }

    /// Adds advice, shown last.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hints.push(hint.into());
        self
    }

    /// Adds advice where there is some.
    #[must_use]
    pub fn hint_maybe(self, hint: Option<String>) -> Self {
        match hint {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }

    /// Keeps the error underneath.
    #[must_use]
    pub fn because(mut self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.0.source = Some(Box::new(source));
        self
    }

    /// The kind.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The message without its place.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The place, where known.
    pub fn place(&self) -> Option<&Place> {
        self.0.place.as_ref()
    }

    /// Advice, in the order it was added.
    pub fn hints(&self) -> &[String] {
        &self.0.hints
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.place {
            Some(place) => write!(f, "{place}: {}", self.0.message),
            None => f.write_str(&self.0.message),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.source {
            Some(source) => Some(&**source),
            None => None,
        }
    }
}
