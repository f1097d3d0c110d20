//! The header of a `.npy` file: `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`.
//!
//! Format: NumPy Enhancement Proposal 1, versions 1.0, 2.0 and 3.0.

/// What a header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) descr: String,
    pub(crate) fortran_order: bool,
    pub(crate) shape: Vec<usize>,
}

/// Reads the dictionary of a header; the error says what was expected and found.
pub(super) fn parse(text: &str) -> Result<Header, String> {
    let mut rest = Rest(text.trim());
    let (mut descr, mut fortran_order, mut shape) = (None, None, None);
    rest.expect("{")?;
    while !rest.take("}") {
        let key = rest.text()?;
        rest.expect(":")?;
        match key {
            "descr" => descr = Some(rest.descr()?),
            "fortran_order" => fortran_order = Some(rest.truth()?),
            "shape" => shape = Some(rest.shape()?),
            other => {
                return Err(format!(
                    "expected descr, fortran_order and shape, found '{other}'"
                ));
            }
        }
        if !rest.take(",") {
            rest.expect("}")?;
            break;
        }
    }
    Ok(Header {
        descr: descr.ok_or("expected 'descr' in the header, found none")?,
        fortran_order: fortran_order.ok_or("expected 'fortran_order' in the header, found none")?,
        shape: shape.ok_or("expected 'shape' in the header, found none")?,
    })
}

struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn take(&mut self, token: &str) -> bool {
        self.0 = self.0.trim_start();
        match self.0.strip_prefix(token) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.take(token) {
            return Ok(());
        }
        let found: String = self.0.chars().take(20).collect();
        Err(format!("expected '{token}' in the header, found {found:?}"))
    }

    fn text(&mut self) -> Result<&'a str, String> {
        let quote = if self.take("'") {
            '\''
        } else {
            self.expect("\"")?;
            '"'
        };
        let (text, rest) = self
            .0
            .split_once(quote)
            .ok_or("expected a closing quote in the header")?;
        self.0 = rest;
        Ok(text)
    }

    /// A type's name; that of a record is kept as it stands, up to its closing bracket.
    fn descr(&mut self) -> Result<String, String> {
        self.0 = self.0.trim_start();
        if !self.0.starts_with('[') {
            return self.text().map(str::to_owned);
        }
        let mut depth = 0usize;
        for (at, letter) in self.0.char_indices() {
            match letter {
                '[' | '(' => depth += 1,
                ']' | ')' => depth = depth.saturating_sub(1),
                _ => continue,
            }
            if depth == 0 {
                let (descr, rest) = self.0.split_at(at + 1);
                self.0 = rest;
                return Ok(descr.to_owned());
            }
        }
        Err("expected a closing bracket in the header".to_owned())
    }

    fn truth(&mut self) -> Result<bool, String> {
        if self.take("True") {
            return Ok(true);
        }
        self.expect("False").map(|()| false)
    }

    fn shape(&mut self) -> Result<Vec<usize>, String> {
        self.expect("(")?;
        let mut shape = Vec::new();
        while !self.take(")") {
            self.0 = self.0.trim_start();
            let end = self
                .0
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(self.0.len());
            let (digits, rest) = self.0.split_at(end);
            let size = digits.parse().map_err(|_| {
                let found: String = self.0.chars().take(20).collect();
                format!("expected a size in the header's shape, found {found:?}")
            })?;
            shape.push(size);
            self.0 = rest;
            self.take("L"); // long integers, as Python 2 wrote them
            if !self.take(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read_in_any_order_of_keys() {
        let header = Header {
            descr: "<f4".to_owned(),
            fortran_order: true,
            shape: vec![2, 3],
        };
        for text in [
            "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }   \n",
            "{\"shape\":(2L,3L),'fortran_order':True,'descr':'<f4'}",
        ] {
            assert_eq!(parse(text), Ok(header.clone()), "{text}");
        }
    }

    #[test]
    fn other_numbers_of_axes_and_records_are_understood() {
        let shape = |shape: &str| {
            parse(&format!(
                "{{'descr':'<f4','fortran_order':False,'shape':{shape}}}"
            ))
        };
        assert!(shape("()").unwrap().shape.is_empty());
        assert_eq!(shape("(5,)").unwrap().shape, [5]);
        let records =
            "{'descr': [('x', '<f4'), ('y', '<f4', (2,))], 'fortran_order': False, 'shape': (2,)}";
        assert_eq!(
            parse(records).unwrap().descr,
            "[('x', '<f4'), ('y', '<f4', (2,))]"
        );
    }

    #[test]
    fn a_broken_header_says_what_is_wrong() {
        for (text, message) in [
            ("", "expected '{' in the header, found \"\""),
            (
                "{'descr': '<f4'}",
                "expected 'fortran_order' in the header, found none",
            ),
            ("{'descr': '<f4", "expected a closing quote in the header"),
            (
                "{'shape': (2, x)}",
                "expected a size in the header's shape, found \"x)}\"",
            ),
            (
                "{'shape': (2 3)}",
                "expected ')' in the header, found \"3)}\"",
            ),
            (
                "{'kind': 3}",
                "expected descr, fortran_order and shape, found 'kind'",
            ),
        ] {
            assert_eq!(parse(text).unwrap_err(), message, "{text}");
        }
    }
}
