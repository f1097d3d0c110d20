//! Which layout most lines have.

use super::{Flaw, Kind, Layout, records};
use crate::findings::Code;
use crate::input::Text;

/// How far to look, in bytes.
const HEAD: usize = 64 * 1024;

/// The layout of most of the first lines, if more are of it than have `known` fields; of several the first.
pub(super) fn elected(text: &mut Text, kind: Kind, known: usize) -> Result<Option<Layout>, Flaw> {
    let head = text.peek(HEAD);
    let head = head.map_err(|error| Flaw::new(Code::UnknownFormat, error))?;
    let mut votes: Vec<(usize, Layout)> = Vec::new();
    for line in head.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let Some(layout) = records(kind, line) else {
            continue;
        };
        match votes
            .iter_mut()
            .find(|(_, other)| other.fields == layout.fields)
        {
            Some((count, _)) => *count += 1,
            None => votes.push((1, layout)),
        }
    }
    let of_known = votes.iter().find(|(_, layout)| layout.fields == known);
    let needed = of_known.map_or(0, |(count, _)| *count);
    let mut best: Option<(usize, Layout)> = None;
    for (count, layout) in votes {
        if count > best.as_ref().map_or(needed, |(most, _)| *most) {
            best = Some((count, layout));
        }
    }
    Ok(best.map(|(_, layout)| layout))
}
