//! Lines as rows: TREC, MS MARCO, M-BEIR, and tables with a header.

use memchr::memchr;
use mrmr_core::Result;

use super::Sink;
use super::faults::record;
use super::fields::Fields;
use super::kind::Kind;
use super::layout::Layout;
use super::lines::Lines;
use crate::findings::Code;
use crate::format::FileNotes;
use crate::input::Text;

/// Reads all lines; without a layout there is no record among them.
pub(super) fn read<S: Sink>(
    text: Text,
    kind: Kind,
    layout: Option<&Layout>,
    sink: &mut S,
    notes: &mut FileNotes,
) -> Result<()> {
    let mut lines = Lines::new(text);
    let mut fields = Fields::default();
    let mut header = layout.is_some_and(|layout| layout.header);
    'records: while lines.advance()? {
        let is_marked = lines.line().starts_with(b"#");
        let Some(layout) = layout else {
            if !is_marked {
                return Err(lines
                    .error("the first record stands behind more than a megabyte of comments")
                    .hint("remove the comments"));
            }
            notes.comments += 1;
            sink.comment(lines.number());
            continue;
        };
        if header && is_marked {
            notes.comments += 1;
            sink.comment(lines.number());
            continue;
        }
        let mut complete = fields.split(lines.line(), layout.separator);
        while !complete && !is_marked {
            let before = lines.line().len();
            if !lines.join()? {
                sink.fault(Code::OpenQuote, || {
                    lines
                        .error("a quote is opened here and never closed")
                        .hint("a quote within a quoted field is written twice: \"\"")
                })?;
                header = false;
                lines.separate();
                continue 'records;
            }
            // Without another quote the first one stays open.
            let is_quoted = memchr(b'"', &lines.line()[before..]).is_some();
            complete = is_quoted && fields.split(lines.line(), layout.separator);
        }
        if std::mem::take(&mut header) {
            continue;
        }
        match record(layout, kind, &fields, lines.line(), lines.number()) {
            Ok(row) if complete => sink.row(row)?,
            Err(fault) if !is_marked => {
                let code = fault.code(kind);
                sink.fault(code, || {
                    fault.explain(kind, layout, lines.line(), lines.place())
                })?;
                // A stray quote may have joined lines that are records of their own.
                if code == Code::FieldCount {
                    lines.separate();
                }
            }
            _ => {
                notes.comments += 1;
                sink.comment(lines.number());
            }
        }
    }
    notes.lines = lines.read();
    notes.blank_lines = lines.blank();
    Ok(())
}
