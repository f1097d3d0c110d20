//! Samples at another rate.

use super::Sound;

/// The zero crossings of the sinc on each side.
const CROSSINGS: f64 = 32.0;
/// Where the filter begins to fall, as a share of the lower of the two Nyquist frequencies.
const ROLLOFF: f64 = 0.95;

/// A sound at another rate, by a sinc under a Hann window of 32 zero crossings a side, its pass band ending at 0.95 of
/// the lower Nyquist frequency; each sample's weights sum to 1. (Smith, Digital Audio Resampling, 2002.)
///
/// There are ceil(n · to / from) samples, the first at the time of the first. Computed in 64 bits from `libm`'s sine:
/// the same bits on each machine.
pub(crate) fn resampled(sound: Sound, to: u32) -> Sound {
    if sound.rate == to {
        return sound;
    }
    let common = gcd(sound.rate, to);
    let (from, by) = ((sound.rate / common) as usize, (to / common) as usize);
    let cut = ROLLOFF * (f64::from(to) / f64::from(sound.rate)).min(1.0);
    let reach = (CROSSINGS / cut).ceil() as usize;
    let length = (sound.samples.len() * by).div_ceil(from);
    let phases: Vec<Vec<f64>> = (0..by.min(length))
        .map(|phase| weights((phase * from % by) as f64 / by as f64, cut, reach))
        .collect();
    let samples = (0..length).map(|place| {
        let first = (place * from / by) as isize - reach as isize;
        let weights = &phases[place % by];
        let begin = first.min(0).unsigned_abs();
        let inside = sound.samples.get(first.max(0) as usize..).unwrap_or(&[]);
        let reached = weights.get(begin..).unwrap_or(&[]).iter().zip(inside);
        let sum: f64 = reached
            .map(|(weight, sample)| weight * f64::from(*sample))
            .sum();
        sum as f32
    });
    Sound {
        rate: to,
        samples: samples.collect(),
        truncated: sound.truncated,
    }
}

/// What the samples from `reach` before to `reach` after weigh for a time so far behind the one in the middle.
fn weights(behind: f64, cut: f64, reach: usize) -> Vec<f64> {
    let width = reach as f64;
    let each = (0..=2 * reach).map(|tap| {
        let far = tap as f64 - width - behind;
        if far.abs() >= width {
            return 0.0;
        }
        let angle = std::f64::consts::PI * far * cut;
        let sinc = match angle == 0.0 {
            true => 1.0,
            false => libm::sin(angle) / angle,
        };
        let window = libm::cos(std::f64::consts::FRAC_PI_2 * far / width);
        sinc * window * window
    });
    let mut weights: Vec<f64> = each.collect();
    let sum: f64 = weights.iter().sum();
    for weight in &mut weights {
        *weight /= sum;
    }
    weights
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(rate: u32, hertz: f64) -> Sound {
        let sample = |place: u32| {
            let time = f64::from(place) / f64::from(rate);
            libm::sin(std::f64::consts::TAU * hertz * time) as f32
        };
        Sound {
            rate,
            samples: (0..rate / 2).map(sample).collect(),
            truncated: false,
        }
    }

    #[test]
    fn a_tone_stays_the_tone_at_each_rate() {
        for (from, to) in [
            (44_100, 16_000),
            (22_050, 16_000),
            (8_000, 16_000),
            (48_000, 44_100),
            (16_000, 16_000),
        ] {
            let made = resampled(tone(from, 440.0), to);
            let expected = tone(to, 440.0);
            assert_eq!(made.samples.len(), (to / 2) as usize, "{from} {to}");
            let inner = made.samples.len() / 10..made.samples.len() * 9 / 10;
            for place in inner {
                let off = (made.samples[place] - expected.samples[place]).abs();
                assert!(off < 1e-4, "{from} {to} {place}: {off}");
            }
        }
    }

    #[test]
    fn what_the_lower_rate_cannot_hold_is_gone() {
        let made = resampled(tone(44_100, 10_000.0), 16_000);
        let inner = &made.samples[800..7_200];
        assert!(inner.iter().all(|sample| sample.abs() < 1e-4));
    }

    #[test]
    fn one_sample_and_a_constant_stay() {
        let sound = |samples: Vec<f32>| Sound {
            rate: 44_100,
            samples,
            truncated: true,
        };
        assert_eq!(resampled(sound(vec![1.0]), 16_000).samples.len(), 1);
        let constant = resampled(sound(vec![0.5; 44_100]), 8_000);
        assert!((constant.samples[4_000] - 0.5).abs() < 1e-6);
        assert!(constant.truncated);
    }
}
