//! JSON texts and their escapes.

use std::io::BufRead;

use mrmr_core::{Error, Result};

use super::JsonReader;
use crate::rows::quoted::quoted;

impl<R: BufRead> JsonReader<R> {
    /// Takes a text, of which the quote is next, into the buffer.
    pub(super) fn string(&mut self, text: &mut Vec<u8>) -> Result<()> {
        text.clear();
        self.take(1);
        loop {
            let block = self.block()?;
            let is_plain = |byte: &u8| !matches!(byte, b'"' | b'\\' | 0..=0x1f);
            let plain = block
                .iter()
                .position(|byte| !is_plain(byte))
                .unwrap_or(block.len());
            text.extend_from_slice(&block[..plain]);
            let next = block.get(plain).copied();
            let at_end = block.is_empty();
            self.take(plain);
            match next {
                Some(b'"') => {
                    self.take(1);
                    if std::str::from_utf8(text).is_err() {
                        return Err(Error::format(format!(
                            "a text is not UTF-8: {}",
                            quoted(text)
                        ))
                        .at(self.place())
                        .hint("convert the file, for example: iconv -f LATIN1 -t UTF-8"));
                    }
                    return Ok(());
                }
                Some(b'\\') => self.escape(text)?,
                Some(control) => return Err(self.unexpected("the end of a text", Some(control))),
                None if at_end => return Err(self.unexpected("the end of a text", None)),
                None => {}
            }
        }
    }

    fn escape(&mut self, text: &mut Vec<u8>) -> Result<()> {
        self.take(1);
        let found = self.peek()?;
        let plain = match found {
            Some(byte @ (b'"' | b'\\' | b'/')) => byte,
            Some(b'b') => 0x08,
            Some(b'f') => 0x0c,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => return self.unicode_escape(text),
            found => return Err(self.unexpected("an escape", found)),
        };
        self.take(1);
        text.push(plain);
        Ok(())
    }

    fn unicode_escape(&mut self, text: &mut Vec<u8>) -> Result<()> {
        let mut unit = self.hexadecimal()?;
        if (0xd800..0xdc00).contains(&unit) {
            // The second half of a pair, for characters beyond U+FFFF.
            let found = self.peek()?;
            if found != Some(b'\\') {
                return Err(self.unexpected("the second half of a surrogate pair", found));
            }
            self.take(1);
            let low = self.hexadecimal()?;
            if !(0xdc00..0xe000).contains(&low) {
                return Err(self.half_a_pair());
            }
            unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        }
        let character = char::from_u32(unit).ok_or_else(|| self.half_a_pair())?;
        text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }

    fn half_a_pair(&self) -> Error {
        Error::format("broken JSON: half a surrogate pair").at(self.place())
    }

    /// Takes `u` and four hexadecimal digits.
    fn hexadecimal(&mut self) -> Result<u32> {
        let found = self.peek()?;
        if found != Some(b'u') {
            return Err(self.unexpected("'u'", found));
        }
        self.take(1);
        let mut unit = 0;
        for _ in 0..4 {
            let found = self.peek()?;
            let digit = found.and_then(|byte| (byte as char).to_digit(16));
            let Some(digit) = digit else {
                return Err(self.unexpected("a hexadecimal digit", found));
            };
            unit = unit * 16 + digit;
            self.take(1);
        }
        Ok(unit)
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::super::{JsonReader, Value};

    fn read(json: &str) -> Result<String, String> {
        // A block of one byte: every text and every escape is cut wherever it can be.
        let mut reader = JsonReader::new("x", BufReader::with_capacity(1, json.as_bytes()));
        let mut text = Vec::new();
        match reader.value(&mut text) {
            Ok(Value::String) => Ok(String::from_utf8(text).unwrap()),
            Ok(other) => Err(format!("{other:?}")),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn escapes_are_read() {
        let text = r#""a\"b\\c\/d\b\f\n\r\t\u00e9\ud83d\ude00ü""#;
        assert_eq!(read(text).unwrap(), "a\"b\\c/d\u{8}\u{c}\n\r\té😀ü");
    }

    #[test]
    fn broken_texts_are_told() {
        for (text, told) in [
            (
                r#""a"#,
                "x:1: the JSON ends too early; expected the end of a text",
            ),
            (
                "\"a\nb\"",
                r"x:1: broken JSON at column 3: expected the end of a text, found '\n'",
            ),
            (
                r#""\x""#,
                "x:1: broken JSON at column 3: expected an escape, found 'x'",
            ),
            (
                r#""\u12g4""#,
                "x:1: broken JSON at column 6: expected a hexadecimal digit, found 'g'",
            ),
            (
                r#""\ud800\u0041""#,
                "x:1: broken JSON: half a surrogate pair",
            ),
            (r#""\ude00""#, "x:1: broken JSON: half a surrogate pair"),
        ] {
            assert_eq!(read(text).unwrap_err(), told);
        }
    }
}
