//! Which format a text has, by its first record line.

mod first;
mod header;
mod votes;

use mrmr_core::{Error, Place};

use super::Flaw;
use super::faults::record;
use super::fields::{Fields, Separator};
use super::json_lexer::JsonReader;
use super::kind::Kind;
use super::layout::Layout;
use super::quoted::quoted;
use crate::findings::Code;
use crate::format::Format;
use crate::input::Text;
use first::{First, LONGEST_LINE, first};
use header::{header, names};

/// How a text is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    Lines(Layout),
    Json,
    Jsonl,
}

impl Plan {
    pub(super) fn format(&self) -> Format {
        match self {
            Plan::Lines(layout) => layout.format,
            Plan::Json => Format::Json,
            Plan::Jsonl => Format::Jsonl,
        }
    }
}

/// Finds the format and layout; none where the text holds blank lines and comments alone.
pub(super) fn plan(
    text: &mut Text,
    kind: Kind,
    format: Option<Format>,
    ending: Option<&str>,
) -> Result<Option<Plan>, Flaw> {
    let unknown_format = |error| Flaw::new(Code::UnknownFormat, error);
    let name = text.name().to_owned();
    match format {
        Some(Format::Json) => return Ok(Some(Plan::Json)),
        Some(Format::Jsonl) => return Ok(Some(Plan::Jsonl)),
        Some(Format::Parquet) => {
            let error = Error::format("expected a Parquet file, found text");
            return Err(unknown_format(error.at(Place::whole(name))));
        }
        _ => {}
    }
    let is_record = |line: &[u8]| records(kind, line).is_some();
    let Some(first) = first(text, is_record).map_err(unknown_format)? else {
        return Ok(None);
    };
    let place = Place::line(&name, first.number);
    if let Some(format) = format {
        return explicit(kind, format, &first.line, place).map(|layout| Some(Plan::Lines(layout)));
    }
    if first.complete
        && let Some(layout) = records(kind, &first.line)
        && !(is_json(&first.line) && layout.fields != 6)
    {
        return Ok(Some(Plan::Lines(layout)));
    }
    if is_json(&first.line) {
        let head = text.peek(LONGEST_LINE).map_err(unknown_format)?;
        let head = &head[first.start..];
        return Ok(Some(json_plan(head, &first)));
    }
    if !first.complete {
        return Err(unknown_format(unknown(kind, &first.line, place)));
    }
    let is_table = matches!(ending, Some("csv" | "tsv"));
    if let Some((separator, names)) = header(kind, &first.line, is_table) {
        let layout = Layout::of_header(kind, separator, &names, place)
            .map_err(|error| Flaw::new(Code::MissingColumn, error))?;
        return Ok(Some(Plan::Lines(layout)));
    }
    match nearest(kind, &first.line) {
        Some(layout) => Ok(Some(Plan::Lines(layout))),
        None => Err(unknown_format(unknown(kind, &first.line, place))),
    }
}

/// As [`plan`], but where the first line is no record, the lines behind it say what it should have been.
pub(super) fn lenient_plan(
    text: &mut Text,
    kind: Kind,
    format: Option<Format>,
    ending: Option<&str>,
) -> Result<Option<Plan>, Flaw> {
    let plan = plan(text, kind, format, ending);
    let known = match &plan {
        Ok(Some(Plan::Lines(layout))) if !layout.header => layout.fields,
        Err(flaw) if flaw.code == Code::UnknownFormat => 0,
        _ => return plan,
    };
    match votes::elected(text, kind, known)? {
        Some(layout) => Ok(Some(Plan::Lines(layout))),
        None => plan,
    }
}

/// The layout without a header under which a line is a record.
fn records(kind: Kind, line: &[u8]) -> Option<Layout> {
    let (fields, layout) = positional(kind, line);
    let layout = layout?;
    record(&layout, kind, &fields, line, 0)
        .is_ok()
        .then_some(layout)
}

/// The fields of a line without a header, and the layout of so many fields.
fn positional(kind: Kind, line: &[u8]) -> (Fields, Option<Layout>) {
    let separator = Separator::of_record(line);
    let mut fields = Fields::default();
    fields.split(line, separator);
    let layout = Layout::of_fields(kind, fields.len());
    let layout = layout.map(|layout| Layout {
        separator,
        ..layout
    });
    (fields, layout)
}

/// Whether a line begins as JSON does: an object of names, or an array of objects.
fn is_json(line: &[u8]) -> bool {
    let mut bytes = line.iter().filter(|byte| !byte.is_ascii_whitespace());
    match bytes.next() {
        Some(b'{') => matches!(bytes.next(), None | Some(b'"' | b'}')),
        Some(b'[') => matches!(bytes.next(), None | Some(b'{' | b']')),
        _ => false,
    }
}

/// JSONL where the first line is one record and whole; an object of objects is JSON on any number of lines.
fn json_plan(head: &[u8], first: &First) -> Plan {
    let opening = |head: &[u8]| -> mrmr_core::Result<bool> {
        let mut json = JsonReader::new("", head);
        let mut key = Vec::new();
        if json.significant()? != Some(b'{') || !json.open(b'{')? {
            return Ok(false);
        }
        json.key(&mut key)?;
        Ok(json.significant()? != Some(b'{'))
    };
    let is_record = opening(head).unwrap_or(false);
    let mut json = JsonReader::new("", first.line.as_slice());
    let is_whole = json
        .skip()
        .and_then(|()| json.significant())
        .is_ok_and(|rest| rest.is_none());
    if is_record && is_whole {
        Plan::Jsonl
    } else {
        Plan::Json
    }
}

/// The layout that a line comes near enough for its fault to be told.
fn nearest(kind: Kind, line: &[u8]) -> Option<Layout> {
    let (fields, layout) = positional(kind, line);
    layout.or_else(|| {
        let layout = Layout::positional(kind, Format::Trec).filter(|_| fields.len() > 3)?;
        let separator = Separator::of_record(line);
        Some(Layout {
            separator,
            ..layout
        })
    })
}

/// The layout of a format that was asked for.
fn explicit(kind: Kind, format: Format, line: &[u8], place: Place) -> Result<Layout, Flaw> {
    if let Some(layout) = Layout::positional(kind, format) {
        let separator = Separator::of_record(line);
        return Ok(Layout {
            separator,
            ..layout
        });
    }
    let separator = match format {
        Format::Tsv if line.starts_with(b"\"") => Separator::Quoted(b'\t'),
        Format::Tsv => Separator::Tabs,
        Format::Csv => {
            let count = |byte| names(line, Separator::Quoted(byte)).len();
            Separator::Quoted(if count(b';') > count(b',') {
                b';'
            } else {
                b','
            })
        }
        _ => {
            let error = Error::usage(format!("{} cannot have the format {format}", kind.noun()))
                .at(Place::whole(place.source))
                .hint(kind.formats());
            return Err(Flaw::new(Code::UnknownFormat, error));
        }
    };
    Layout::of_header(kind, separator, &names(line, separator), place)
        .map_err(|error| Flaw::new(Code::MissingColumn, error))
}

fn unknown(kind: Kind, line: &[u8], place: Place) -> Error {
    let commas = names(line, Separator::Quoted(b',')).len() > 1;
    let header = "a table with commas needs a header: query-id,corpus-id,score".to_owned();
    Error::format(format!(
        "expected {} in a known format, found {}",
        kind.noun(),
        quoted(line)
    ))
    .at(place)
    .hint(format!(
        "the first line that is no comment decides; {}",
        kind.formats()
    ))
    .hint_maybe(commas.then_some(header))
}
