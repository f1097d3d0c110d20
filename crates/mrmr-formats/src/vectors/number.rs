//! The numbers of a file: floats of 2, 4 or 8 bytes, and small integers.

use mrmr_core::{Error, Result};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Half,
    Brain,
    Single,
    Double,
    Int8,
    Byte,
    Int32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    kind: Kind,
    big_endian: bool,
}

impl Number {
    pub(super) const SINGLE: Number = Number::little(Kind::Single);
    pub(super) const BYTE: Number = Number::little(Kind::Byte);
    pub(super) const INT32: Number = Number::little(Kind::Int32);

    const fn little(kind: Kind) -> Self {
        Number {
            kind,
            big_endian: false,
        }
    }

    /// The type that safetensors calls so.
    pub(crate) fn of_tensor(dtype: &str) -> Result<Self> {
        let kind = match dtype {
            "F16" => Kind::Half,
            "BF16" => Kind::Brain,
            "F32" => Kind::Single,
            "F64" => Kind::Double,
            "I8" => Kind::Int8,
            "U8" => Kind::Byte,
            other => {
                return Err(Error::unsupported(format!(
                    "expected numbers of the type F16, BF16, F32, F64, I8 or U8, found {other}"
                ))
                .hint("save the tensor as F32"));
            }
        };
        Ok(Number::little(kind))
    }

    /// The type with a name such as `<f4`.
    pub(crate) fn named(descr: &str) -> Result<Self> {
        let kind = match descr.get(1..) {
            Some("i1") => Some(Kind::Int8),
            Some("u1") => Some(Kind::Byte),
            Some("f2") => Some(Kind::Half),
            Some("f4") => Some(Kind::Single),
            Some("f8") => Some(Kind::Double),
            _ => None,
        };
        match (descr.bytes().next(), kind) {
            (Some(b'|'), Some(kind @ (Kind::Int8 | Kind::Byte))) => Ok(Number::little(kind)),
            (Some(order @ (b'<' | b'>')), Some(kind)) => Ok(Number {
                kind,
                big_endian: order == b'>',
            }),
            _ => {
                let error = Error::format(format!(
                    "expected floats of 2, 4 or 8 bytes ('<f2', '<f4', '<f8') or integers of 1 ('|i1', '|u1'), found '{descr}'"
                ));
                Err(if descr.ends_with('O') {
                    error.hint(
                        "these are pickled Python objects, which can run programs when they are read; save \
                         numpy.stack(vectors).astype('float32')",
                    )
                } else if descr.ends_with("V2") {
                    error.hint("bfloat16 arrays lose their type in .npy; save vectors.astype('float32'), or safetensors")
                } else {
                    error.hint("save vectors.astype('float32')")
                })
            }
        }
    }

    /// Bytes a number.
    pub(crate) fn width(self) -> usize {
        match self.kind {
            Kind::Int8 | Kind::Byte => 1,
            Kind::Half | Kind::Brain => 2,
            Kind::Single | Kind::Int32 => 4,
            Kind::Double => 8,
        }
    }

    /// Appends the numbers of a block of whole numbers, rounded to 32 bits, and counts those that this changes;
    /// gives a number that is not 0 and would become 0, where there is one.
    pub(super) fn append(
        self,
        block: &[u8],
        data: &mut Vec<f32>,
        rounded: &mut u64,
    ) -> Option<f64> {
        let mut vanished = None;
        data.reserve(block.len() / self.width());
        match self.kind {
            Kind::Half => data.extend(
                self.values(block)
                    .map(|bytes| half(u16::from_le_bytes(bytes))),
            ),
            Kind::Brain => data.extend(
                self.values(block)
                    .map(|bytes| f32::from_bits(u32::from(u16::from_le_bytes(bytes)) << 16)),
            ),
            Kind::Single => data.extend(self.values(block).map(f32::from_le_bytes)),
            Kind::Double => data.extend(self.values(block).map(|bytes| {
                let wide = f64::from_le_bytes(bytes);
                let narrow = narrow(wide).unwrap_or_else(|| {
                    vanished = Some(wide);
                    0.0
                });
                *rounded += u64::from(f64::from(narrow) != wide);
                narrow
            })),
            Kind::Int8 => data.extend(block.iter().map(|byte| f32::from(*byte as i8))),
            Kind::Byte => data.extend(block.iter().map(|byte| f32::from(*byte))),
            Kind::Int32 => data.extend(
                self.values(block)
                    .map(|bytes| i32::from_le_bytes(bytes) as f32),
            ),
        }
        vanished
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

/// A number rounded to 32 bits; none where it is not 0 and would become 0.
pub(crate) fn narrow(wide: f64) -> Option<f32> {
    let narrow = wide as f32;
    (narrow != 0.0 || wide == 0.0).then_some(narrow)
}

/// An error for a number that [`narrow`] has nothing for.
pub(crate) fn vanished(wide: f64) -> Error {
    Error::data(format!(
        "the number {wide:e} is too small for 4 bytes: it would become 0"
    ))
    .hint("multiply the vectors by a constant and save them as float32")
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
    fn types_that_32_bits_may_not_hold_are_refused_with_advice() {
        for descr in [
            "<i8",
            "<u2",
            "|f4",
            "|V2",
            "<c8",
            "<f16",
            "|O",
            "",
            "é",
            "[('x', '<f4')]",
        ] {
            assert!(Number::named(descr).is_err(), "{descr}");
        }
        let error = Number::named("|O").unwrap_err();
        assert!(error.hints()[0].contains("pickled"));
    }
}
