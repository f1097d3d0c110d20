//! The numbers of an array: floats of 2, 4 or 8 bytes in either byte order.

use mrmr_core::{Error, Result};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    Half,
    Single,
    Double,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    width: Width,
    big_endian: bool,
}

impl Number {
    /// The type with a name such as `<f4`.
    pub(super) fn named(descr: &str) -> Result<Self> {
        let width = match descr.get(1..) {
            Some("f2") => Some(Width::Half),
            Some("f4") => Some(Width::Single),
            Some("f8") => Some(Width::Double),
            _ => None,
        };
        match (descr.bytes().next(), width) {
            (Some(order @ (b'<' | b'>')), Some(width)) => Ok(Number {
                width,
                big_endian: order == b'>',
            }),
            _ => {
                let error = Error::format(format!(
                    "expected floats of 2, 4 or 8 bytes ('<f2', '<f4', '<f8'), found '{descr}'"
                ));
                Err(if descr.ends_with('O') {
                    error.hint(
                        "these are pickled Python objects, which can run programs when they are read; save \
                         numpy.stack(vectors).astype('float32')",
                    )
                } else {
                    error.hint("save vectors.astype('float32')")
                })
            }
        }
    }

    /// Bytes a number.
    pub(super) fn width(self) -> usize {
        match self.width {
            Width::Half => 2,
            Width::Single => 4,
            Width::Double => 8,
        }
    }

    /// Appends the numbers of a block of whole numbers.
    pub(super) fn append(self, block: &[u8], data: &mut Vec<f32>) {
        data.reserve(block.len() / self.width());
        match self.width {
            Width::Half => data.extend(
                self.values(block)
                    .map(|bytes| half(u16::from_le_bytes(bytes))),
            ),
            Width::Single => data.extend(self.values(block).map(f32::from_le_bytes)),
            Width::Double => data.extend(
                self.values(block)
                    .map(|bytes| f64::from_le_bytes(bytes) as f32),
            ),
        }
    }

    /// The numbers' bytes, the lowest first.
    fn values<const N: usize>(self, block: &[u8]) -> impl Iterator<Item = [u8; N]> {
        let (values, _) = block.as_chunks::<N>();
        values.iter().map(move |bytes| {
            let mut bytes = *bytes;
            if self.big_endian {
                bytes.reverse();
            }
            bytes
        })
    }
}

/// The value of an IEEE 754 binary16; exact.
fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from(bits >> 10 & 0x1f);
    let fraction = f32::from(bits & 0x3ff);
    sign * match exponent {
        0 => fraction * 2f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1024.0 + fraction) * 2f32.powi(exponent - 25),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_floats_have_their_exact_values() {
        for (bits, value) in [
            (0x0000, 0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0001, 5.960_464_5e-8),
            (0x03ff, 6.097_555e-5),
            (0x0400, 6.103_515_6e-5),
            (0x3555, 0.333_251_95),
            (0xfc00, f32::NEG_INFINITY),
        ] {
            assert_eq!(half(bits), value, "{bits:#06x}");
        }
        assert!(half(0x8000).is_sign_negative());
        assert!(half(0x7e00).is_nan());
    }

    #[test]
    fn types_that_are_no_floats_are_refused_with_advice() {
        for descr in ["<i8", "|u1", "<c8", "<f16", "|O", "", "é", "[('x', '<f4')]"] {
            assert!(Number::named(descr).is_err(), "{descr}");
        }
        let error = Number::named("|O").unwrap_err();
        assert!(error.hints()[0].contains("pickled"));
    }
}
