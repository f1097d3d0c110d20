//! Triangular filters over frequencies, evenly spaced for the ear.

/// How hertz become mels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MelScale {
    /// Even below 1,000 Hz, logarithmic above (Slaney's Auditory Toolbox, librosa).
    Slaney,
    /// 2595 log10(1 + f / 700) (HTK).
    Htk,
}

impl MelScale {
    fn mels(self, hertz: f64) -> f64 {
        match self {
            MelScale::Htk => 2_595.0 * libm::log10(1.0 + hertz / 700.0),
            MelScale::Slaney if hertz >= 1_000.0 => {
                15.0 + libm::log(hertz / 1_000.0) * 27.0 / libm::log(6.4)
            }
            MelScale::Slaney => 3.0 * hertz / 200.0,
        }
    }

    fn hertz(self, mels: f64) -> f64 {
        match self {
            MelScale::Htk => 700.0 * (libm::pow(10.0, mels / 2_595.0) - 1.0),
            MelScale::Slaney if mels >= 15.0 => {
                1_000.0 * libm::exp(libm::log(6.4) / 27.0 * (mels - 15.0))
            }
            MelScale::Slaney => 200.0 * mels / 3.0,
        }
    }
}

/// A filter: the first frequency that it takes from, and how much of each from there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Filter {
    pub(super) first: usize,
    pub(super) weights: Vec<f64>,
}

impl Filter {
    pub(super) fn of(&self, powers: &[f64]) -> f64 {
        let taken = self.weights.iter().zip(&powers[self.first..]);
        taken.map(|(weight, power)| weight * power).sum()
    }
}

/// So many filters between two frequencies; with `area`, each has the area 1 in hertz (Slaney's norm).
pub(super) fn filters(
    scale: MelScale,
    count: usize,
    frequencies: usize,
    rate: u32,
    (lowest, highest): (f64, f64),
    area: bool,
) -> Vec<Filter> {
    let (from, to) = (scale.mels(lowest), scale.mels(highest));
    let step = (to - from) / (count + 1) as f64;
    let edges: Vec<f64> = (0..count + 2)
        .map(|edge| scale.hertz(from + step * edge as f64))
        .collect();
    let apart = f64::from(rate) / 2.0 / (frequencies - 1) as f64;
    let filter = |edges: &[f64]| {
        let scale = if area {
            2.0 / (edges[2] - edges[0])
        } else {
            1.0
        };
        let weight = |place: usize| {
            let hertz = place as f64 * apart;
            let rising = (hertz - edges[0]) / (edges[1] - edges[0]);
            let falling = (edges[2] - hertz) / (edges[2] - edges[1]);
            scale * rising.min(falling).max(0.0)
        };
        let first = (0..frequencies).find(|place| weight(*place) > 0.0);
        let first = first.unwrap_or(0);
        let weights = (first..frequencies).map(weight);
        Filter {
            first,
            weights: weights.take_while(|weight| *weight > 0.0).collect(),
        }
    };
    edges.windows(3).map(filter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mels_and_hertz_are_each_other_s_inverse() {
        for scale in [MelScale::Slaney, MelScale::Htk] {
            for hertz in [0.0, 60.0, 999.0, 1_000.0, 7_999.0] {
                assert!((scale.hertz(scale.mels(hertz)) - hertz).abs() < 1e-8);
            }
        }
        assert_eq!(MelScale::Slaney.mels(1_000.0), 15.0);
    }
}
