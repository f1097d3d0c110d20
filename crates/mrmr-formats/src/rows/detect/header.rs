//! Whether a line is the header of a table.

use crate::rows::columns::{self, Group};
use crate::rows::fields::{Fields, Separator};
use crate::rows::kind::Kind;
use crate::rows::number;

/// The separator and the names of a header; a table's ending makes one known name enough.
pub(super) fn header(kind: Kind, line: &[u8], is_table: bool) -> Option<(Separator, Vec<String>)> {
    let candidates = [
        // Where the names are quoted, the ids may be.
        if line.starts_with(b"\"") {
            Separator::Quoted(b'\t')
        } else {
            Separator::Tabs
        },
        Separator::Quoted(b','),
        Separator::Quoted(b';'),
        Separator::WhiteSpace,
    ];
    let mut best: Option<(usize, Separator, Vec<String>)> = None;
    for separator in candidates {
        let names = names(line, separator);
        let groups = [
            &columns::QUERY,
            &columns::DOCUMENT,
            kind.value_columns(),
            &columns::RANK,
        ];
        let known = |group: &&&Group| names.iter().any(|name| group.clarity(name).is_some());
        let count = groups.iter().filter(known).count();
        let needed = if is_table { 1 } else { 2 };
        if names.len() > 1
            && count >= needed
            && groups[..2].iter().any(|group| known(&group))
            && best.as_ref().is_none_or(|(most, ..)| count > *most)
        {
            best = Some((count, separator, names));
        }
    }
    best.map(|(_, separator, names)| (separator, names))
}

/// The fields of a line as names, without the white space around them.
pub(super) fn names(line: &[u8], separator: Separator) -> Vec<String> {
    let mut fields = Fields::default();
    fields.split(line, separator);
    let name = |index| String::from_utf8_lossy(number::trim(fields.get(line, index))).into_owned();
    (0..fields.len()).map(name).collect()
}
