//! How the vectors of a text and of a picture become one.

use std::fmt;
use std::str::FromStr;

use mrmr_core::{Error, Result, closest};

use crate::text::normalize;

/// How the vector t of a text and the vector i of a picture become one. A record of one kind alone has that vector.
///
/// ```
/// use mrmr_models::Fusion;
/// let fusion: Fusion = "weighted:0.3".parse()?;
/// assert_eq!(fusion.to_string(), "weighted:0.3");
/// assert_eq!(fusion.fuse(Some(&[1.0]), Some(&[2.0]), (1, 1)), [0.3 + 1.4]);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fusion {
    /// t + i of the raw outputs (MRMR's set-up IT2IT).
    #[default]
    Sum,
    /// (t + i) / 2 of the raw outputs.
    Mean,
    /// t / |t| + i / |i|.
    NormalizedSum,
    /// t, then i; zeros for the one that is not there.
    Concat,
    /// w t + (1 - w) i of the raw outputs.
    Weighted(Weight),
}

/// A share from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Weight(u64);

impl Weight {
    /// A share.
    ///
    /// # Errors
    /// If it is not from 0 to 1.
    pub fn new(share: f64) -> Result<Self> {
        if (0.0..=1.0).contains(&share) {
            // 0 and -0 are one share.
            return Ok(Weight((share + 0.0).to_bits()));
        }
        Err(Error::usage(format!(
            "expected a weight of the text from 0 to 1, found {share}"
        )))
    }

    /// As a number.
    pub fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}

impl Fusion {
    /// Every name of a fusion; `weighted` stands before a number, as in `weighted:0.3`.
    pub const NAMES: &'static [&'static str] =
        &["sum", "mean", "normalized-sum", "concat", "weighted"];

    /// How many numbers come of vectors of so many for a text and a picture.
    ///
    /// # Errors
    /// If vectors of these sizes cannot be fused so.
    pub fn dimension(self, text: usize, picture: usize) -> Result<usize> {
        match self {
            Fusion::Concat => Ok(text + picture),
            _ if text == picture => Ok(text),
            _ => Err(Error::usage(format!(
                "the fusion '{self}' needs vectors of one size; a text has {text} numbers, a picture {picture}"
            ))
            .hint("two-stream:concat puts one after the other; a dual encoder (CLIP) has one space for both")),
        }
    }

    /// The vector of a record whose text has `text` and whose picture has `picture`; `sizes` are those of texts and of
    /// pictures.
    pub fn fuse(
        self,
        text: Option<&[f32]>,
        picture: Option<&[f32]>,
        sizes: (usize, usize),
    ) -> Vec<f32> {
        if self == Fusion::Concat {
            let text = text.map_or_else(|| vec![0.0; sizes.0], <[f32]>::to_vec);
            let picture = picture.map_or_else(|| vec![0.0; sizes.1], <[f32]>::to_vec);
            return [text, picture].concat();
        }
        let prepared = |vector: &[f32]| {
            let mut vector = vector.to_vec();
            if self == Fusion::NormalizedSum {
                normalize(&mut vector);
            }
            vector
        };
        let (text, picture) = match (text.map(prepared), picture.map(prepared)) {
            (Some(text), Some(picture)) => (text, picture),
            (Some(only), None) | (None, Some(only)) => return only,
            (None, None) => return vec![0.0; sizes.0],
        };
        let (of_text, of_picture) = match self {
            Fusion::Sum | Fusion::NormalizedSum | Fusion::Concat => (1.0, 1.0),
            Fusion::Mean => (0.5, 0.5),
            Fusion::Weighted(weight) => (weight.get(), 1.0 - weight.get()),
        };
        let pairs = text.iter().zip(&picture);
        pairs
            .map(|(t, i)| (of_text * f64::from(*t) + of_picture * f64::from(*i)) as f32)
            .collect()
    }
}

impl fmt::Display for Fusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fusion::Sum => f.pad("sum"),
            Fusion::Mean => f.pad("mean"),
            Fusion::NormalizedSum => f.pad("normalized-sum"),
            Fusion::Concat => f.pad("concat"),
            Fusion::Weighted(weight) => f.pad(&format!("weighted:{}", weight.get())),
        }
    }
}

impl FromStr for Fusion {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let (name, share) = match text.split_once(':') {
            Some((name, share)) => (name, Some(share)),
            None => (text, None),
        };
        match (name, share) {
            ("sum", None) => Ok(Fusion::Sum),
            ("mean", None) => Ok(Fusion::Mean),
            ("normalized-sum", None) => Ok(Fusion::NormalizedSum),
            ("concat", None) => Ok(Fusion::Concat),
            ("weighted", share) => {
                let share = share.unwrap_or_default();
                let weight = share.parse().map_err(|_| {
                    Error::usage(format!(
                        "expected a weight of the text from 0 to 1 behind 'weighted:', found '{share}'"
                    ))
                    .hint("weighted:0.3 is 0.3 of the text and 0.7 of the picture")
                })?;
                Ok(Fusion::Weighted(Weight::new(weight)?))
            }
            (_, Some(share)) if Self::NAMES.contains(&name) => Err(Error::usage(format!(
                "the fusion '{name}' takes no number; found '{share}'"
            ))),
            _ => Err(Error::usage(format!(
                "unknown fusion '{text}'; expected {}",
                Self::NAMES.join(", ")
            ))
            .hint_maybe(
                closest(name, Self::NAMES.iter().copied())
                    .map(|name| format!("did you mean {name}?")),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: Option<&[f32]> = Some(&[3.0, 4.0]);
    const PICTURE: Option<&[f32]> = Some(&[0.0, -2.0]);

    fn fused(name: &str, text: Option<&[f32]>, picture: Option<&[f32]>) -> Vec<f32> {
        name.parse::<Fusion>().unwrap().fuse(text, picture, (2, 2))
    }

    #[test]
    fn each_fusion_is_what_its_name_says() {
        assert_eq!(fused("sum", TEXT, PICTURE), [3.0, 2.0]);
        assert_eq!(fused("mean", TEXT, PICTURE), [1.5, 1.0]);
        assert_eq!(fused("normalized-sum", TEXT, PICTURE), [0.6, -0.19999999]);
        assert_eq!(fused("concat", TEXT, PICTURE), [3.0, 4.0, 0.0, -2.0]);
        assert_eq!(fused("weighted:0.75", TEXT, PICTURE), [2.25, 2.5]);
    }

    #[test]
    fn one_kind_alone_has_its_own_vector() {
        for name in ["sum", "mean", "weighted:0.2"] {
            assert_eq!(fused(name, TEXT, None), [3.0, 4.0]);
            assert_eq!(fused(name, None, PICTURE), [0.0, -2.0]);
        }
        assert_eq!(fused("normalized-sum", TEXT, None), [0.6, 0.8]);
        assert_eq!(fused("concat", None, PICTURE), [0.0, 0.0, 0.0, -2.0]);
    }

    #[test]
    fn names_round_trip_and_sizes_are_heeded() {
        for name in [
            "sum",
            "mean",
            "normalized-sum",
            "concat",
            "weighted:0.3",
            "weighted:1",
        ] {
            assert_eq!(name.parse::<Fusion>().unwrap().to_string(), name);
        }
        for wrong in ["weighted", "weighted:2", "weighted:NaN", "mean:1", "avg"] {
            assert!(wrong.parse::<Fusion>().is_err(), "{wrong}");
        }
        assert_eq!(Fusion::Concat.dimension(384, 2560).unwrap(), 2944);
        let error = Fusion::Sum.dimension(384, 2560).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("a text has 384 numbers, a picture 2560"),
            "{error}"
        );
    }
}
