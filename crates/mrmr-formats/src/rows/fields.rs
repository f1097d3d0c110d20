//! A line in fields.

use std::ops::Range;

/// What separates the fields of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    /// Tabs; a field may hold spaces. A line without any tab is split at white space.
    Tabs,
    /// Runs of spaces, tabs and carriage returns; other Unicode white space is part of a field. A line with
    /// two tabs or more is split at tabs: a field that holds a space must not shift those behind it.
    WhiteSpace,
    /// This byte, with quotes as in RFC 4180.
    Quoted(u8),
}

/// The fields of one line; kept from line to line for its memory.
#[derive(Debug, Default)]
pub(super) struct Fields {
    ranges: Vec<Range<usize>>,
    unquoted: Vec<u8>,
    is_unquoted: bool,
}

impl Separator {
    /// What separates the lines of a file without a header, by its first record.
    pub(super) fn of_record(line: &[u8]) -> Separator {
        if has_two_tabs(line) {
            Separator::Tabs
        } else {
            Separator::WhiteSpace
        }
    }
}

fn has_two_tabs(line: &[u8]) -> bool {
    line.iter()
        .map(|byte| usize::from(*byte == b'\t'))
        .sum::<usize>()
        > 1
}

impl Fields {
    /// Splits a line; false where a quote is still open at its end, so that the next line belongs to it.
    pub(super) fn split(&mut self, line: &[u8], separator: Separator) -> bool {
        self.ranges.clear();
        self.is_unquoted = false;
        match separator {
            Separator::Tabs if line.contains(&b'\t') => self.split_tabs(line),
            Separator::WhiteSpace if has_two_tabs(line) => self.split_tabs(line),
            Separator::Tabs | Separator::WhiteSpace => self.split_white_space(line),
            Separator::Quoted(delimiter) => return self.split_quoted(line, delimiter),
        }
        true
    }

    /// How many fields there are.
    pub(super) fn len(&self) -> usize {
        self.ranges.len()
    }

    /// A field of the line that was split last; empty where there is none.
    #[inline]
    pub(super) fn get<'a>(&'a self, line: &'a [u8], index: usize) -> &'a [u8] {
        match self.ranges.get(index) {
            Some(range) if self.is_unquoted => &self.unquoted[range.clone()],
            Some(range) => &line[range.clone()],
            None => &[],
        }
    }

    fn split_tabs(&mut self, line: &[u8]) {
        let mut start = 0;
        for (at, byte) in line.iter().enumerate() {
            if *byte == b'\t' {
                self.ranges.push(start..at);
                start = at + 1;
            }
        }
        self.ranges.push(start..line.len());
    }

    fn split_white_space(&mut self, line: &[u8]) {
        let mut start = None;
        for (at, byte) in line.iter().enumerate() {
            if matches!(byte, b' ' | b'\t' | b'\r') {
                if let Some(start) = start.take() {
                    self.ranges.push(start..at);
                }
            } else if start.is_none() {
                start = Some(at);
            }
        }
        if let Some(start) = start {
            self.ranges.push(start..line.len());
        }
    }

    fn split_quoted(&mut self, line: &[u8], delimiter: u8) -> bool {
        self.unquoted.clear();
        self.is_unquoted = true;
        let (mut start, mut open) = (0, false);
        let (mut at, mut field_start) = (0, true);
        while at < line.len() {
            let byte = line[at];
            if open {
                match (byte, line.get(at + 1)) {
                    (b'"', Some(b'"')) => {
                        self.unquoted.push(b'"');
                        at += 1;
                    }
                    (b'"', _) => open = false,
                    _ => self.unquoted.push(byte),
                }
            } else if byte == delimiter {
                self.ranges.push(start..self.unquoted.len());
                start = self.unquoted.len();
                field_start = true;
                at += 1;
                continue;
            } else if byte == b'"' && field_start {
                open = true;
            } else {
                self.unquoted.push(byte);
            }
            field_start = false;
            at += 1;
        }
        self.ranges.push(start..self.unquoted.len());
        !open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str, separator: Separator) -> (Vec<String>, bool) {
        let mut fields = Fields::default();
        let complete = fields.split(line.as_bytes(), separator);
        let text = |i| String::from_utf8(fields.get(line.as_bytes(), i).to_vec()).unwrap();
        ((0..fields.len()).map(text).collect(), complete)
    }

    #[test]
    fn white_space_is_space_tab_and_carriage_return_alone() {
        let (fields, _) = split("  a\u{a0}b \t c\rd\u{2003}e ", Separator::WhiteSpace);
        assert_eq!(fields, ["a\u{a0}b", "c", "d\u{2003}e"]);
    }

    #[test]
    fn two_tabs_or_more_separate_alone() {
        assert_eq!(split("a\tb c", Separator::WhiteSpace).0, ["a", "b", "c"]);
        assert_eq!(
            split("a\tb c\td", Separator::WhiteSpace).0,
            ["a", "b c", "d"]
        );
    }

    #[test]
    fn tabs_keep_the_spaces_and_the_empty_fields() {
        assert_eq!(split("a b\t\t c", Separator::Tabs).0, ["a b", "", " c"]);
        assert_eq!(split("a b c", Separator::Tabs).0, ["a", "b", "c"]);
    }

    #[test]
    fn quotes_follow_rfc_4180() {
        let comma = Separator::Quoted(b',');
        assert_eq!(
            split(r#"a,"b,""c""",,d"e"#, comma),
            (
                vec!["a".into(), r#"b,"c""#.into(), "".into(), r#"d"e"#.into()],
                true
            )
        );
        assert_eq!(split("\"a\nb\",c", comma).0, ["a\nb", "c"]);
        assert!(!split("a,\"b", comma).1);
    }
}
