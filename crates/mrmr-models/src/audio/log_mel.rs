//! Log-mel features, as speech models read them.

use super::fourier::Fourier;
use super::mel::{Filter, MelScale, filters};

/// What they are made by.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LogMelSettings {
    pub(super) rate: u32,
    /// The samples of a frame, and those from one to the next.
    pub(super) size: usize,
    pub(super) hop: usize,
    pub(super) mels: usize,
    pub(super) scale: MelScale,
    /// Whether each filter has the area 1.
    pub(super) area: bool,
    /// The lowest and the highest frequency in hertz.
    pub(super) band: (f64, f64),
    /// How far under the loudest number, in powers of ten, all others are cut off.
    pub(super) range: Option<f64>,
    /// What each number is multiplied with, and what is added then.
    pub(super) affine: (f64, f64),
}

/// Numbers for each frame of a sound, frame after frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frames {
    pub(crate) width: usize,
    pub(crate) numbers: Vec<f32>,
}

impl Frames {
    pub(crate) fn count(&self) -> usize {
        self.numbers.len() / self.width
    }
}

/// The logarithm of the power in each filter, for each frame.
pub(super) struct LogMel {
    settings: LogMelSettings,
    fourier: Fourier,
    filters: Vec<Filter>,
}

impl LogMel {
    pub(super) fn new(settings: LogMelSettings) -> Self {
        LogMel {
            fourier: Fourier::new(settings.size, settings.hop),
            filters: filters(
                settings.scale,
                settings.mels,
                Fourier::frequencies(settings.size),
                settings.rate,
                settings.band,
                settings.area,
            ),
            settings,
        }
    }

    /// The frames of a sound of one sample at least: one a hop, the incomplete last one left out where there are others.
    pub(super) fn frames(&self, samples: &[f32]) -> Frames {
        let count = (samples.len() / self.settings.hop).max(1);
        let mut logarithms = Vec::with_capacity(count * self.filters.len());
        self.fourier.powers(samples, count, |_, powers| {
            let each = self.filters.iter();
            logarithms.extend(each.map(|filter| libm::log10(filter.of(powers).max(1e-10))));
        });
        let loudest = logarithms.iter().copied().fold(f64::MIN, f64::max);
        let floor = self
            .settings
            .range
            .map_or(f64::MIN, |range| loudest - range);
        let (multiply, add) = self.settings.affine;
        let number = |logarithm: &f64| (logarithm.max(floor) * multiply + add) as f32;
        Frames {
            width: self.filters.len(),
            numbers: logarithms.iter().map(number).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    /// How far a number may be from the reference: its filters are in 64 bits, its logarithms in 32.
    const NEAR: f32 = 1e-4;

    #[test]
    fn features_are_those_of_the_reference() {
        let known: Value =
            serde_json::from_str(include_str!("../../tests/fixtures/sounds/log_mel.json")).unwrap();
        for case in known["cases"].as_array().unwrap() {
            let number = |key: &str| case[key].as_f64().unwrap();
            let settings = LogMelSettings {
                rate: number("rate") as u32,
                size: number("n_fft") as usize,
                hop: number("hop") as usize,
                mels: number("mels") as usize,
                scale: match case["scale"].as_str() {
                    Some("htk") => MelScale::Htk,
                    _ => MelScale::Slaney,
                },
                area: case["norm"].is_string(),
                band: (number("lowest"), number("highest")),
                range: case["range"].as_f64(),
                affine: (number("multiply"), number("add")),
            };
            let samples: Vec<f32> = serde_json::from_value(known["samples"].clone()).unwrap();
            let expected: Vec<f32> = serde_json::from_value(case["frames"].clone()).unwrap();
            let made = LogMel::new(settings).frames(&samples);
            assert_eq!(made.numbers.len(), expected.len(), "{}", case["name"]);
            for (made, expected) in made.numbers.iter().zip(&expected) {
                assert!(
                    (made - expected).abs() <= NEAR,
                    "{}: {made} {expected}",
                    case["name"]
                );
            }
        }
    }
}
