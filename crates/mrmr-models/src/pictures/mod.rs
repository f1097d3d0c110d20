//! From the bytes of a picture to the numbers that a network reads.

mod decode;
mod prepare;
mod preprocessor;
#[cfg(test)]
mod reference;
mod resample;

pub(crate) use decode::{decoded, on_white};
pub(crate) use prepare::{Preparation, Prepared};
pub(crate) use preprocessor::PreprocessorConfig;
pub(crate) use resample::{Filter, Window, resample};
