//! How many bits a component of a written vector has.

use std::fmt;
use std::str::FromStr;

use mrmr_core::{Error, Result, closest};

/// The type of the numbers of a file of vectors.
///
/// ```
/// use mrmr_formats::vectors::Dtype;
/// let dtype: Dtype = "bf16".parse()?;
/// assert_eq!((dtype.to_string().as_str(), dtype.bytes()), ("bf16", 2));
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dtype {
    /// 32 bits: what encoders give.
    #[default]
    F32,
    /// 16 bits of IEEE 754, rounded to the nearest.
    F16,
    /// The upper 16 bits of 32, rounded to the nearest.
    Bf16,
    /// 8 bits and one scale of 32 bits a row: a component is code times scale, the scale the largest component by size
    /// divided by 127. A component is off by half a scale at most.
    Int8,
}

impl Dtype {
    /// Every type.
    pub const ALL: &'static [Dtype] = &[Dtype::F32, Dtype::F16, Dtype::Bf16, Dtype::Int8];
    /// Every name, in the order of [`Self::ALL`].
    pub const NAMES: &'static [&'static str] = &["f32", "f16", "bf16", "int8"];

    /// The name, as it is written on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Dtype::F32 => "f32",
            Dtype::F16 => "f16",
            Dtype::Bf16 => "bf16",
            Dtype::Int8 => "int8",
        }
    }

    /// Bytes a component.
    pub fn bytes(self) -> usize {
        match self {
            Dtype::F32 => 4,
            Dtype::F16 | Dtype::Bf16 => 2,
            Dtype::Int8 => 1,
        }
    }
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Dtype {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let found = Dtype::ALL.iter().find(|dtype| dtype.name() == text);
        found.copied().ok_or_else(|| {
            Error::usage(format!(
                "unknown type of numbers '{text}'; expected {}",
                Dtype::NAMES.join(", ")
            ))
            .hint_maybe(
                closest(text, Dtype::NAMES.iter().copied())
                    .map(|name| format!("did you mean {name}?")),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for (dtype, name) in Dtype::ALL.iter().zip(Dtype::NAMES) {
            assert_eq!(dtype.to_string(), *name);
            assert_eq!(name.parse::<Dtype>().unwrap(), *dtype);
        }
        assert!("fp16".parse::<Dtype>().unwrap_err().hints()[0].contains("f16"));
    }
}
