//! From the bytes of a sound to the numbers that a network reads.

mod config;
mod decode;
mod fourier;
mod log_mel;
mod mel;
mod network;
mod resample;

use mrmr_core::{Audio, Content, Modality, Part};

pub(crate) use config::AudioPlan;
pub(crate) use decode::decoded;
pub(crate) use network::AudioNetwork;
pub(crate) use resample::resampled;

/// Sounds alone.
pub(crate) const SOUNDS: Modality = Modality {
    text: false,
    image: false,
    audio: true,
};

/// One channel of samples, -1 to 1.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sound {
    /// Samples a second.
    pub(crate) rate: u32,
    pub(crate) samples: Vec<f32>,
    /// Whether more was there than was read.
    pub(crate) truncated: bool,
}

/// The one sound of a content that has nothing else.
pub(crate) fn audio_of(content: &Content) -> Result<&Audio, String> {
    match content.parts() {
        [Part::Audio(audio)] => Ok(audio),
        parts => Err(format!(
            "expected one sound, found {} parts ({})",
            parts.len(),
            content.modality()
        )),
    }
}
