//! From the bytes of a picture to the numbers that a network reads.

mod decode;
mod network;
mod prepare;
mod preprocessor;
#[cfg(test)]
mod reference;
mod resample;
mod stack;

use mrmr_core::Modality;

pub(crate) use decode::decoded;
pub(crate) use network::{PictureNetwork, image_of};
pub(crate) use prepare::Preparation;
pub(crate) use preprocessor::PreprocessorConfig;
pub(crate) use stack::{merged, present};

/// Pictures alone.
pub(crate) const PICTURES: Modality = Modality {
    text: false,
    image: true,
    audio: false,
};
