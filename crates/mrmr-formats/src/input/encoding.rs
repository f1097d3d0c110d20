//! What the first bytes of a file say about it.

use mrmr_core::{Error, Place, Result};

/// How many bytes [`Lead::of`] wants to see.
pub(super) const LEAD: usize = 16;

/// What a file is, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lead {
    Gzip,
    Zstd,
    Parquet,
    /// Text, after a UTF-8 byte order mark.
    MarkedText,
    /// Anything else.
    Text,
}

impl Lead {
    /// Reads the first [`LEAD`] bytes, fewer only where the file is shorter.
    pub(super) fn of(bytes: &[u8], name: &str) -> Result<Lead> {
        if bytes.starts_with(&[0x1f, 0x8b]) {
            return Ok(Lead::Gzip);
        }
        // A zstd file may begin with a skippable frame, as pzstd writes them.
        if bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd])
            || (bytes.len() > 4 && bytes[0] & 0xf0 == 0x50 && bytes[1..4] == [0x2a, 0x4d, 0x18])
        {
            return Ok(Lead::Zstd);
        }
        // A query may be called PAR1; what follows the mark of a Parquet file is a binary header.
        if bytes.starts_with(b"PAR1") && bytes.get(4).is_some_and(|byte| is_binary(*byte)) {
            return Ok(Lead::Parquet);
        }
        if let Some(encoding) = wide_encoding(bytes) {
            return Err(
                Error::format(format!("the text is {encoding}; expected UTF-8"))
                    .at(Place::whole(name))
                    .hint(format!("convert it: iconv -f {encoding} -t UTF-8")),
            );
        }
        if let Some((what, tool)) = unknown_compression(bytes) {
            return Err(Error::unsupported(format!(
                "the file is compressed with {what}; gzip and zstd can be read"
            ))
            .at(Place::whole(name))
            .hint(format!("decompress it first: {tool}")));
        }
        Ok(if bytes.starts_with(b"\xef\xbb\xbf") {
            Lead::MarkedText
        } else {
            Lead::Text
        })
    }
}

fn is_binary(byte: u8) -> bool {
    byte < b' ' && !matches!(byte, b'\t' | b'\r' | b'\n')
}

/// UTF-16 and UTF-32, by a byte order mark or by the zeros between Latin letters.
fn wide_encoding(bytes: &[u8]) -> Option<&'static str> {
    let zeros: Vec<bool> = bytes.iter().take(4).map(|byte| *byte == 0).collect();
    match (bytes, zeros.as_slice()) {
        ([0xff, 0xfe, 0, 0, ..], _) | (_, [false, true, true, true]) => Some("UTF-32LE"),
        ([0, 0, 0xfe, 0xff, ..], _) | (_, [true, true, true, false]) => Some("UTF-32BE"),
        ([0xff, 0xfe, ..], _) | (_, [false, true, false, true]) => Some("UTF-16LE"),
        ([0xfe, 0xff, ..], _) | (_, [true, false, true, false]) => Some("UTF-16BE"),
        _ => None,
    }
}

fn unknown_compression(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let known: [(&[u8], _, _); 4] = [
        (b"BZh", "bzip2", "bunzip2"),
        (&[0xfd, b'7', b'z', b'X', b'Z', 0], "xz", "unxz"),
        (b"PK\x03\x04", "zip", "unzip"),
        (&[0x04, 0x22, 0x4d, 0x18], "lz4", "unlz4"),
    ];
    let found = known
        .into_iter()
        .find(|(lead, _, _)| bytes.starts_with(lead))?;
    // A query may be called BZh9; bzip2's blocks begin with the digits of pi.
    let is_text = found.1 == "bzip2" && bytes.get(4..10) != Some(b"1AY&SY");
    (!is_text).then_some((found.1, found.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_tell_the_kinds_apart() {
        for (bytes, lead) in [
            (&b"\x1f\x8b\x08\x00"[..], Lead::Gzip),
            (b"\x28\xb5\x2f\xfd\x24", Lead::Zstd),
            (b"\x50\x2a\x4d\x18\x04", Lead::Zstd),
            (b"PAR1\x15\x04", Lead::Parquet),
            (b"PAR1 Q0 d1 1 2.5 x", Lead::Text),
            (b"BZh9 Q0 d1 1 2.5 x", Lead::Text),
            (b"\xef\xbb\xbfq1 Q0", Lead::MarkedText),
            (b"q1", Lead::Text),
            (b"", Lead::Text),
        ] {
            assert_eq!(Lead::of(bytes, "x").unwrap(), lead, "{bytes:?}");
        }
    }

    #[test]
    fn wide_text_is_refused_with_the_command_that_converts_it() {
        for (bytes, encoding) in [
            (&b"\xff\xfeq\x001\x00"[..], "UTF-16LE"),
            (b"\xfe\xff\x00q\x001", "UTF-16BE"),
            (b"q\x001\x00", "UTF-16LE"),
            (b"\x00q\x001", "UTF-16BE"),
            (b"\xff\xfe\x00\x00q\x00\x00\x00", "UTF-32LE"),
            (b"q\x00\x00\x001\x00\x00\x00", "UTF-32LE"),
        ] {
            let error = Lead::of(bytes, "run.txt").unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("run.txt: the text is {encoding}; expected UTF-8")
            );
            assert_eq!(
                error.hints(),
                [format!("convert it: iconv -f {encoding} -t UTF-8")]
            );
        }
    }

    #[test]
    fn other_compression_is_refused_by_name() {
        let error = Lead::of(b"\xfd7zXZ\x00\x00\x04", "run.xz").unwrap_err();
        assert_eq!(
            error.to_string(),
            "run.xz: the file is compressed with xz; gzip and zstd can be read"
        );
        assert_eq!(error.hints(), ["decompress it first: unxz"]);
    }
}
