//! Which field of a line is what.

use mrmr_core::{Error, Place, Result};

use super::columns::{self, Group};
use super::fields::Separator;
use super::kind::Kind;
use crate::format::Format;

/// How the lines of one file are split and which field is what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) format: Format,
    pub(super) separator: Separator,
    /// Whether the first record line names the columns.
    pub(super) header: bool,
    /// How many fields a line has.
    pub(super) fields: usize,
    pub(super) query: usize,
    pub(super) document: usize,
    /// The grade or score; where there is none, there is a rank.
    pub(super) value: Option<usize>,
    pub(super) rank: Option<usize>,
    pub(super) tag: Option<usize>,
    /// The subtopic that a judgement is for, where a column may name it.
    pub(super) subtopic: Option<usize>,
}

impl Layout {
    /// A format without a header, where this kind of file has it.
    pub(super) fn positional(kind: Kind, format: Format) -> Option<Layout> {
        let (fields, document, value, rank, tag) = match (kind, format) {
            (Kind::Qrels, Format::Trec) => (4, 2, Some(3), None, None),
            (Kind::Qrels, Format::Msmarco) => (3, 1, Some(2), None, None),
            (Kind::Qrels, Format::Mbeir) => (5, 2, Some(3), None, None),
            (Kind::Run, Format::Trec) => (6, 2, Some(4), Some(3), Some(5)),
            (Kind::Run, Format::Msmarco) => (3, 1, None, Some(2), None),
            _ => return None,
        };
        Some(Layout {
            format,
            separator: Separator::WhiteSpace,
            header: false,
            fields,
            query: 0,
            document,
            value,
            rank,
            tag,
            subtopic: match (kind, format) {
                (Kind::Qrels, Format::Trec) => Some(1),
                _ => None,
            },
        })
    }

    /// The format without a header that has so many fields.
    pub(super) fn of_fields(kind: Kind, fields: usize) -> Option<Layout> {
        [Format::Trec, Format::Msmarco, Format::Mbeir]
            .into_iter()
            .filter_map(|format| Layout::positional(kind, format))
            .find(|layout| layout.fields == fields)
    }

    /// The layout that a header describes.
    pub(super) fn of_header(
        kind: Kind,
        separator: Separator,
        names: &[String],
        place: Place,
    ) -> Result<Layout> {
        let columns = Columns::find(kind, names).map_err(|error| error.at(place))?;
        Ok(Layout {
            format: match separator {
                Separator::Quoted(b',' | b';') => Format::Csv,
                _ => Format::Tsv,
            },
            separator,
            header: true,
            fields: names.len(),
            query: columns.query,
            document: columns.document,
            value: columns.value,
            rank: columns.rank,
            tag: columns.tag,
            subtopic: None,
        })
    }

    /// Whether the fields of a line may hold spaces.
    pub(super) fn is_split_at_tabs(&self, line: &[u8]) -> bool {
        match self.separator {
            Separator::Tabs => line.contains(&b'\t'),
            Separator::WhiteSpace => Separator::of_record(line) == Separator::Tabs,
            Separator::Quoted(_) => false,
        }
    }

    /// What a line has, for hints.
    pub(super) fn describe(&self, kind: Kind) -> Option<&'static str> {
        Some(match (kind, self.format) {
            (Kind::Qrels, Format::Trec) => "TREC judgements have: query iteration document grade",
            (Kind::Qrels, Format::Msmarco) => {
                "judgements in three columns have: query document grade"
            }
            (Kind::Qrels, Format::Mbeir) => "M-BEIR judgements have: query 0 document grade task",
            (Kind::Run, Format::Trec) => "a TREC run has: query Q0 document rank score tag",
            (Kind::Run, Format::Msmarco) => "an MS MARCO run has: query document rank",
            _ => return None,
        })
    }
}

/// Where the columns of a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    pub(super) query: usize,
    pub(super) document: usize,
    pub(super) value: Option<usize>,
    pub(super) rank: Option<usize>,
    pub(super) tag: Option<usize>,
}

impl Columns {
    /// Finds the columns by their names; `value` is there unless a run has a rank instead.
    pub(super) fn find<S: AsRef<str>>(kind: Kind, names: &[S]) -> Result<Columns> {
        let find = |group: &Group| {
            group.find(names).map_err(|pair| {
                Error::format(format!(
                    "columns '{}' and '{}' both name the {}",
                    pair.first, pair.second, group.what
                ))
                .hint("rename or remove one of them")
            })
        };
        let found = || {
            let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
            if names.is_empty() {
                "nothing".to_owned()
            } else {
                names.join(", ")
            }
        };
        let missing = |group: &Group, or: &str| {
            Error::format(format!(
                "no column for the {}; found {}; expected one of {}{or}",
                group.what,
                found(),
                group.list()
            ))
        };
        let query = find(&columns::QUERY)?.ok_or_else(|| missing(&columns::QUERY, ""))?;
        let document = find(&columns::DOCUMENT)?.ok_or_else(|| missing(&columns::DOCUMENT, ""))?;
        let group = kind.value_columns();
        let value = find(group)?;
        let (rank, tag, or) = match kind {
            Kind::Qrels => (None, None, ""),
            Kind::Run => (find(&columns::RANK)?, find(&columns::TAG)?, ", or rank"),
        };
        if value.is_none() && rank.is_none() {
            return Err(missing(group, or));
        }
        Ok(Columns {
            query,
            document,
            value,
            rank,
            tag,
        })
    }
}
