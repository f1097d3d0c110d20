//! A file that was opened, with the way in which it is read.

use mrmr_core::{Error, Origin, Place, Result};

use super::detect::{self, Plan};
use super::{Flaw, Kind, Sink, json, parquet, text};
use crate::findings::Code;
use crate::format::{FileNotes, Format};
use crate::input::{Input, Opened, ParquetSource, Text};

/// A file of rows of which none was read yet.
pub(crate) struct Source {
    name: String,
    kind: Kind,
    body: Body,
}

enum Body {
    Parquet(ParquetSource),
    /// Without a plan there is no record in it.
    Text(Text, Option<Plan>),
}

impl Source {
    /// The format is found by the first record, unless it is given.
    pub(crate) fn new(
        input: &Input,
        opened: Opened,
        kind: Kind,
        format: Option<Format>,
    ) -> Result<Source, Flaw> {
        Source::with(input, opened, kind, format, detect::plan)
    }

    /// The format is found by the first lines: the first one of all may be faulty.
    pub(crate) fn lenient(input: &Input, opened: Opened, kind: Kind) -> Result<Source, Flaw> {
        Source::with(input, opened, kind, None, detect::lenient_plan)
    }

    fn with(
        input: &Input,
        opened: Opened,
        kind: Kind,
        format: Option<Format>,
        plan: impl FnOnce(&mut Text, Kind, Option<Format>, Option<&str>) -> Result<Option<Plan>, Flaw>,
    ) -> Result<Source, Flaw> {
        let name = input.name();
        let body = match (opened, format) {
            (Opened::Text(mut text), _) => {
                let plan = plan(&mut text, kind, format, input.ending().as_deref())?;
                Body::Text(text, plan)
            }
            (Opened::Parquet(source), None | Some(Format::Parquet)) => Body::Parquet(source),
            (Opened::Parquet(_), Some(format)) => {
                let error = Error::format(format!(
                    "expected the format {format}, found a Parquet file"
                ));
                return Err(Flaw::new(Code::UnknownFormat, error.at(Place::whole(name))));
            }
        };
        Ok(Source { name, kind, body })
    }

    /// How its entries are counted.
    pub(crate) fn origin(&self) -> Origin {
        match self.body {
            Body::Parquet(_) | Body::Text(_, Some(Plan::Json)) => Origin::rows(&self.name),
            Body::Text(..) => Origin::lines(&self.name),
        }
    }

    /// What is known before it is read.
    pub(crate) fn notes(&self) -> FileNotes {
        let (format, bom_stripped) = match &self.body {
            Body::Parquet(_) => (Some(Format::Parquet), false),
            Body::Text(text, plan) => (plan.as_ref().map(Plan::format), text.bom_stripped()),
        };
        FileNotes {
            format,
            bom_stripped,
            ..FileNotes::default()
        }
    }

    /// Reads all rows.
    ///
    /// # Errors
    /// Those of the sink, and what makes the rest of the file unreadable.
    pub(crate) fn read<S: Sink>(self, sink: &mut S, notes: &mut FileNotes) -> Result<(), Flaw> {
        match self.body {
            Body::Parquet(source) => parquet::read(&self.name, source, self.kind, sink),
            Body::Text(text, Some(Plan::Json)) => json::read_document(text, self.kind, sink),
            Body::Text(text, Some(Plan::Jsonl)) => json::read_lines(text, self.kind, sink, notes)
                .map_err(|error| Flaw::new(Code::BrokenJson, error)),
            Body::Text(text, plan) => {
                let layout = match &plan {
                    Some(Plan::Lines(layout)) => Some(layout),
                    _ => None,
                };
                text::read(text, self.kind, layout, sink, notes)
                    .map_err(|error| Flaw::new(Code::UnknownFormat, error))
            }
        }
    }
}
