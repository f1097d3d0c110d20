//! What can be wrong with one line, and how it is said.

use mrmr_core::{Error, Place};

use super::Row;
use super::fields::Fields;
use super::kind::Kind;
use super::layout::Layout;
use super::number;
use super::quoted::quoted;
use crate::findings::Code;

/// Why a line is no record; cheap to make, since a comment is found by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault<'a> {
    /// It has so many fields.
    Fields(usize),
    /// An id (of a query, of a document) is empty.
    EmptyId(&'static str),
    /// An id is not UTF-8.
    NotUtf8(&'static str, &'a [u8]),
    /// This is no grade or score.
    Value(&'a [u8]),
    /// This is no rank, where nothing but a rank is there.
    Rank(&'a [u8]),
}

/// The record of a line that was split.
#[inline]
pub(super) fn record<'a>(
    layout: &Layout,
    kind: Kind,
    fields: &'a Fields,
    line: &'a [u8],
    number: u64,
) -> Result<Row<'a>, Fault<'a>> {
    if fields.len() != layout.fields {
        return Err(Fault::Fields(fields.len()));
    }
    let query = id(fields.get(line, layout.query), "query")?;
    let document = id(fields.get(line, layout.document), "document")?;
    let rank = layout.rank.map(|index| fields.get(line, index));
    let ranked = rank.and_then(number::rank);
    let (value, rank) = match (layout.value, rank) {
        (Some(index), _) => {
            let text = fields.get(line, index);
            (kind.parse_value(text).ok_or(Fault::Value(text))?, ranked)
        }
        (None, rank) => {
            let ranked = ranked.ok_or(Fault::Rank(rank.unwrap_or_default()))?;
            (-(ranked as f64), None)
        }
    };
    Ok(Row {
        query,
        document,
        value,
        from_rank: layout.value.is_none(),
        rank,
        tag: layout.tag.map(|index| fields.get(line, index)),
        subtopic: layout.subtopic.map(|index| fields.get(line, index)),
        number,
    })
}

fn id<'a>(bytes: &'a [u8], what: &'static str) -> Result<&'a str, Fault<'a>> {
    match std::str::from_utf8(bytes) {
        Ok("") => Err(Fault::EmptyId(what)),
        Ok(id) => Ok(id),
        Err(_) => Err(Fault::NotUtf8(what, bytes)),
    }
}

impl Fault<'_> {
    /// The code of its finding.
    pub(super) fn code(self, kind: Kind) -> Code {
        match self {
            Fault::Fields(_) => Code::FieldCount,
            Fault::EmptyId(_) => Code::EmptyId,
            Fault::NotUtf8(..) => Code::NotUtf8,
            Fault::Value(text) => kind.wrong_value(number::is_nan(text)),
            Fault::Rank(_) => Code::BadRank,
        }
    }

    /// The error for people.
    pub(super) fn explain(self, kind: Kind, layout: &Layout, line: &[u8], place: Place) -> Error {
        match self {
            Fault::Fields(found) => Error::format(format!(
                "expected {} fields, found {found}: {}",
                layout.fields,
                quoted(line)
            ))
            .hint_maybe(layout.describe(kind).map(str::to_owned))
            .hint_maybe(fields_hint(kind, layout, found, line)),
            Fault::EmptyId(what) => Error::format(format!(
                "expected the id of a {what}, found nothing: {}",
                quoted(line)
            )),
            Fault::NotUtf8(what, id) => {
                Error::format(format!("the id of the {what} is not UTF-8: {}", quoted(id)))
                    .hint("convert the file, for example: iconv -f LATIN1 -t UTF-8")
            }
            Fault::Value(text) => Error::format(format!(
                "expected {}, found {}",
                kind.expected_value(),
                quoted(text)
            ))
            .hint_maybe(number::hint(text))
            .hint_maybe(mixed_hint(layout, line, text)),
            Fault::Rank(text) => Error::format(format!(
                "expected a rank (a whole number from 0), found {}",
                quoted(text)
            ))
            .hint_maybe(number::score(text).map(|_| {
                "a file of scores in three columns needs a header: query-id, corpus-id, score"
                    .to_owned()
            }))
            .hint_maybe(mixed_hint(layout, line, text)),
        }
        .at(place)
    }
}

const AT_TABS: &str =
    "the line is split at its tabs alone; separate all fields by tabs, or all by spaces";

fn mixed_hint(layout: &Layout, line: &[u8], field: &[u8]) -> Option<String> {
    let is_mixed = layout.is_split_at_tabs(line) && number::trim(field).contains(&b' ');
    is_mixed.then(|| AT_TABS.to_owned())
}

fn fields_hint(kind: Kind, layout: &Layout, found: usize, line: &[u8]) -> Option<String> {
    let hint = if line.contains(&b'\r') {
        "the lines seem to end in CR alone; convert them: tr '\\r' '\\n'"
    } else if kind == Kind::Run && !layout.header && found == 4 {
        "four fields are those of judgements; are the two files swapped?"
    } else if kind == Kind::Qrels && !layout.header && found == 6 {
        "six fields are those of a run; are the two files swapped?"
    } else if !layout.header && layout.is_split_at_tabs(line) {
        AT_TABS
    } else {
        return None;
    };
    Some(hint.to_owned())
}
