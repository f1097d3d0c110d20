//! The power of a sound by frequency, over time.

use std::sync::Arc;

use rustfft::num_complex::Complex;
use rustfft::{Fft, FftPlannerScalar};

/// Frames of a sound under a periodic Hann window, each to its power at `size / 2 + 1` frequencies; in 64 bits, as the
/// reference, and by the plain algorithm, which has the same bits on each machine.
pub(super) struct Fourier {
    size: usize,
    hop: usize,
    window: Vec<f64>,
    plan: Arc<dyn Fft<f64>>,
}

impl Fourier {
    pub(super) fn new(size: usize, hop: usize) -> Self {
        let turn = |place| std::f64::consts::TAU * place as f64 / size as f64;
        Fourier {
            size,
            hop,
            window: (0..size)
                .map(|place| 0.5 - 0.5 * libm::cos(turn(place)))
                .collect(),
            plan: FftPlannerScalar::new().plan_fft_forward(size),
        }
    }

    /// How many frequencies a frame has.
    pub(super) fn frequencies(size: usize) -> usize {
        size / 2 + 1
    }

    /// What `take(frame, powers)` sees: a frame in the middle of each `hop` samples' beginning, the sound mirrored at
    /// both ends.
    pub(super) fn powers(
        &self,
        samples: &[f32],
        frames: usize,
        mut take: impl FnMut(usize, &[f64]),
    ) {
        let mut numbers = vec![Complex::new(0.0, 0.0); self.size];
        let mut scratch = vec![Complex::new(0.0, 0.0); self.plan.get_inplace_scratch_len()];
        let mut powers = vec![0.0; Fourier::frequencies(self.size)];
        for frame in 0..frames {
            let first = (frame * self.hop) as isize - (self.size / 2) as isize;
            for (place, number) in numbers.iter_mut().enumerate() {
                let sample = samples[mirrored(first + place as isize, samples.len())];
                *number = Complex::new(f64::from(sample) * self.window[place], 0.0);
            }
            self.plan.process_with_scratch(&mut numbers, &mut scratch);
            for (power, number) in powers.iter_mut().zip(&numbers) {
                *power = number.norm_sqr();
            }
            take(frame, &powers);
        }
    }
}

/// A place beyond the ends, mirrored without repeating the ends themselves, as often as it takes.
fn mirrored(place: isize, length: usize) -> usize {
    let period = 2 * (length.max(2) - 1) as isize;
    let within = place.rem_euclid(period);
    (within.min(period - within) as usize).min(length - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_mirrored_as_often_as_it_takes() {
        let places: Vec<usize> = (-4..8).map(|place| mirrored(place, 3)).collect();
        assert_eq!(places, [0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1]);
        assert_eq!(mirrored(-5, 1), 0);
    }

    #[test]
    fn a_tone_has_its_power_at_its_frequency() {
        let tone: Vec<f32> = (0..1_600)
            .map(|place| libm::sin(std::f64::consts::TAU * f64::from(place) / 16.0) as f32)
            .collect();
        // 400 numbers, 25 turns.
        Fourier::new(400, 160).powers(&tone, 9, |frame, powers| {
            // A sine mirrored at its beginning has a kink there.
            if frame < 2 {
                return;
            }
            let best = (0..powers.len()).max_by(|a, b| powers[*a].total_cmp(&powers[*b]));
            assert_eq!(best, Some(25));
        });
    }
}
