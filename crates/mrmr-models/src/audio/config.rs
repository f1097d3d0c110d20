//! How a model wants its sounds: `mrmr-audio.json`, or `preprocessor_config.json` of the Hub.

use mrmr_core::{Error, Result};
use serde::Deserialize;

use super::log_mel::LogMelSettings;
use super::mel::MelScale;
use crate::folder::ModelFolder;

const OURS: &str = "mrmr-audio.json";
const HUB: &str = "preprocessor_config.json";
/// The seconds that are read at most where nothing else is said: what speech models are trained on.
const SECONDS: f64 = 30.0;
/// More is not read whatever a file says, so that a sound fits into memory.
const MOST_SECONDS: f64 = 3_600.0;

/// `mrmr-audio.json`, for models that have no layout on the Hub.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AudioConfig {
    sampling_rate: u32,
    network: String,
    features: Option<Features>,
    seconds: Option<f64>,
    least_seconds: Option<f64>,
    sample_scale: Option<f64>,
    window: Option<Window>,
    pooling: Option<Pool>,
    normalize: Option<bool>,
}

/// Windows of frames, each read by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Window {
    pub(crate) frames: usize,
    pub(crate) step: usize,
}

/// How the vectors of a sound become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Pool {
    #[default]
    Mean,
    Max,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
enum Features {
    Network {
        file: String,
        multiply: Option<f64>,
        add: Option<f64>,
    },
    LogMel {
        n_fft: usize,
        hop_length: usize,
        feature_size: usize,
        mel_scale: Option<String>,
        mel_norm: Option<String>,
        frequency_min: Option<f64>,
        frequency_max: Option<f64>,
        dynamic_range: Option<f64>,
        multiply: Option<f64>,
        add: Option<f64>,
    },
}

/// `preprocessor_config.json`, as far as it is heeded.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct HubConfig {
    feature_extractor_type: Option<String>,
    sampling_rate: Option<u32>,
    feature_size: Option<usize>,
    n_fft: Option<usize>,
    hop_length: Option<usize>,
    chunk_length: Option<f64>,
    do_normalize: Option<bool>,
}

/// What the network reads.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reads {
    /// The samples, with the mean 0 and the variance 1 where so said.
    Samples {
        normalized: bool,
    },
    LogMel(LogMelSettings),
    /// What another network makes of the samples, multiplied and added to.
    Network {
        file: String,
        affine: (f64, f64),
    },
}

/// What is done to a sound, in order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AudioPlan {
    pub(crate) rate: u32,
    /// What is read at most; the rest is cut and counted.
    pub(crate) seconds: f64,
    /// Up to where a shorter sound is filled with silence.
    pub(super) least: f64,
    pub(super) scale: f64,
    pub(super) reads: Reads,
    pub(super) window: Option<Window>,
    pub(crate) pool: Pool,
    pub(crate) normalized: bool,
    /// The name of the ONNX file, where the settings say it.
    pub(crate) network: Option<String>,
}

impl AudioPlan {
    /// Whether a folder holds the settings of a model of sounds in our own form.
    pub(crate) fn is_ours(folder: &ModelFolder) -> bool {
        folder.has(OURS)
    }

    /// Of a folder.
    pub(crate) fn of(folder: &ModelFolder) -> Result<Self> {
        if let Some(config) = folder.json::<AudioConfig>(OURS)? {
            return config.plan().map_err(|error| error.at(folder.place(OURS)));
        }
        folder.required(HUB, "it says what a model of sounds reads; without a file from the Hub, write mrmr-audio.json")?;
        let config: HubConfig = folder.json(HUB)?.unwrap_or_default();
        let plan = config.plan(folder);
        plan.map_err(|error| error.at(folder.place(HUB)))
    }

    fn checked(self) -> Result<Self> {
        let wrong = |what: &str, expected: &str| {
            Err(Error::format(format!("'{what}': expected {expected}")))
        };
        if !(1_000..=192_000).contains(&self.rate) {
            return wrong("sampling_rate", "1,000 to 192,000 samples a second");
        }
        if !(self.seconds > 0.0 && self.seconds <= MOST_SECONDS) {
            return wrong("seconds", "more than 0 and at most 3,600");
        }
        if !(self.least >= 0.0 && self.least <= self.seconds) {
            return wrong("least_seconds", "0 or more, and no more than 'seconds'");
        }
        if self
            .window
            .is_some_and(|window| window.frames == 0 || window.step == 0)
        {
            return wrong("window", "frames and a step of 1 or more");
        }
        if let Reads::LogMel(settings) = &self.reads {
            let (lowest, highest) = settings.band;
            if settings.size < 2 || settings.hop == 0 || settings.mels == 0 {
                return wrong(
                    "n_fft",
                    "2 or more, with a hop_length and feature_size of 1 or more",
                );
            }
            if settings.size > 1 << 16 || settings.mels > 4_096 {
                return wrong(
                    "n_fft",
                    "at most 65,536, with a feature_size of at most 4,096",
                );
            }
            if !(lowest >= 0.0 && lowest < highest && highest <= f64::from(self.rate) / 2.0) {
                return wrong(
                    "frequency_max",
                    "frequencies from 0 to half the sampling rate",
                );
            }
        }
        Ok(self)
    }
}

impl AudioConfig {
    fn plan(self) -> Result<AudioPlan> {
        let affine =
            |multiply: Option<f64>, add: Option<f64>| (multiply.unwrap_or(1.0), add.unwrap_or(0.0));
        let reads = match self.features {
            None => Reads::Samples { normalized: false },
            Some(Features::Network {
                file,
                multiply,
                add,
            }) => Reads::Network {
                file,
                affine: affine(multiply, add),
            },
            Some(Features::LogMel {
                n_fft,
                hop_length,
                feature_size,
                mel_scale,
                mel_norm,
                frequency_min,
                frequency_max,
                dynamic_range,
                multiply,
                add,
            }) => Reads::LogMel(LogMelSettings {
                rate: self.sampling_rate,
                size: n_fft,
                hop: hop_length,
                mels: feature_size,
                scale: match mel_scale.as_deref() {
                    None | Some("slaney") => MelScale::Slaney,
                    Some("htk") => MelScale::Htk,
                    Some(other) => return Err(unknown("mel_scale", other, "slaney or htk")),
                },
                area: match mel_norm.as_deref() {
                    None => false,
                    Some("slaney") => true,
                    Some(other) => return Err(unknown("mel_norm", other, "slaney, or none")),
                },
                band: (
                    frequency_min.unwrap_or(0.0),
                    frequency_max.unwrap_or(f64::from(self.sampling_rate) / 2.0),
                ),
                range: dynamic_range,
                affine: affine(multiply, add),
            }),
        };
        AudioPlan {
            rate: self.sampling_rate,
            seconds: self.seconds.unwrap_or(SECONDS),
            least: self.least_seconds.unwrap_or(0.0),
            scale: self.sample_scale.unwrap_or(1.0),
            reads,
            window: self.window,
            pool: self.pooling.unwrap_or_default(),
            normalized: self.normalize.unwrap_or(false),
            network: Some(self.network),
        }
        .checked()
    }
}

impl HubConfig {
    fn plan(self, folder: &ModelFolder) -> Result<AudioPlan> {
        let rate = self.sampling_rate.unwrap_or(16_000);
        let seconds = self.chunk_length.unwrap_or(SECONDS);
        let (reads, least) = match self.feature_extractor_type.as_deref() {
            Some("WhisperFeatureExtractor") => {
                let settings = LogMelSettings {
                    rate,
                    size: self.n_fft.unwrap_or(400),
                    hop: self.hop_length.unwrap_or(160),
                    mels: self.feature_size.unwrap_or(80),
                    scale: MelScale::Slaney,
                    area: true,
                    band: (0.0, 8_000.0),
                    range: Some(8.0),
                    affine: (0.25, 1.0),
                };
                // Whisper reads silence up to the end of its 30 seconds.
                (Reads::LogMel(settings), seconds)
            }
            Some("Wav2Vec2FeatureExtractor") => {
                let normalized = self.do_normalize.unwrap_or(true);
                // A network of convolutions has no frame of less than 25 ms.
                (Reads::Samples { normalized }, 0.025)
            }
            other => {
                return Err(unknown(
                    "feature_extractor_type",
                    other.unwrap_or("none"),
                    "WhisperFeatureExtractor or Wav2Vec2FeatureExtractor",
                )
                .hint("what else a model reads may be said in mrmr-audio.json"));
            }
        };
        let encoder = folder.has("onnx/encoder_model.onnx") || folder.has("encoder_model.onnx");
        AudioPlan {
            rate,
            seconds,
            least,
            scale: 1.0,
            reads,
            window: None,
            pool: Pool::Mean,
            normalized: false,
            network: encoder.then(|| "encoder_model".to_owned()),
        }
        .checked()
    }
}

fn unknown(key: &str, found: &str, expected: &str) -> Error {
    Error::unsupported(format!("'{key}': expected {expected}, found {found}"))
}
