//! Resizing as Pillow does it, to the last bit: antialiased, in whole numbers, first across, then down.
//!
//! Coefficients are those of Pillow's `Resample.c`: 22 bits behind the point, each pass rounded to 8 bits. Libraries
//! that use 16-bit coefficients differ by one step of colour here and there, which is far over a thousandth once a
//! model's deviation divides it.

use std::ops::Range;

use image::RgbImage;

const BITS: u32 = 32 - 8 - 2;

/// Which pixels count for a new one, and how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filter {
    /// The pixel in the middle.
    Nearest,
    /// All pixels of the area, alike.
    Box,
    /// A triangle.
    Bilinear,
    /// A raised cosine over two pixels.
    Hamming,
    /// Keys' cubic with a = -0.5.
    Bicubic,
    /// A windowed sinc over six pixels.
    Lanczos,
}

/// Which part of the resized picture is wanted, in its pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) columns: Range<u32>,
    pub(crate) rows: Range<u32>,
}

/// The part `window` of the picture resized to `width` x `height`; only that part is computed.
pub(crate) fn resample(
    picture: &RgbImage,
    (width, height): (u32, u32),
    window: &Window,
    filter: Filter,
) -> RgbImage {
    let (columns, rows) = (&window.columns, &window.rows);
    let across = Coefficients::of(picture.width(), width, columns, filter);
    let down = Coefficients::of(picture.height(), height, rows, filter);
    let needed = down.needed();
    let source = picture.as_raw().chunks_exact(3 * picture.width() as usize);
    let line = 3 * columns.len();
    let mut wide = Vec::with_capacity(line * needed.len());
    for row in source.skip(needed.start).take(needed.len()) {
        across.row(row, &mut wide);
    }
    let mut pixels = Vec::with_capacity(line * rows.len());
    let mut sums = vec![0i32; line];
    for (first, weights) in down.each() {
        let from = (first - needed.start) * line;
        if let [ONE] = weights {
            pixels.extend_from_slice(&wide[from..from + line]);
            continue;
        }
        sums.fill(1 << (BITS - 1));
        for (row, weight) in wide[from..].chunks_exact(line).zip(weights) {
            for (sum, colour) in sums.iter_mut().zip(row) {
                *sum += i32::from(*colour) * weight;
            }
        }
        pixels.extend(sums.iter().map(|sum| to_colour(*sum)));
    }
    RgbImage::from_raw(columns.len() as u32, rows.len() as u32, pixels).unwrap_or_default()
}

const ONE: i32 = 1 << BITS;

fn to_colour(sum: i32) -> u8 {
    (sum >> BITS).clamp(0, 255) as u8
}

/// For each new pixel along a side: the first old one that counts, and the weights from there.
struct Coefficients {
    firsts: Vec<usize>,
    ends: Vec<usize>,
    weights: Vec<i32>,
}

impl Coefficients {
    fn of(from: u32, to: u32, part: &Range<u32>, filter: Filter) -> Self {
        let mut made = Coefficients {
            firsts: Vec::with_capacity(part.len()),
            ends: Vec::with_capacity(part.len()),
            weights: Vec::new(),
        };
        let scale = f64::from(from) / f64::from(to);
        for place in part.clone() {
            let center = (f64::from(place) + 0.5) * scale;
            if from == to || filter == Filter::Nearest {
                made.push((center as usize).min(from as usize - 1), &[1.0]);
            } else {
                let (first, weights) = weights(center, scale.max(1.0), from, filter);
                made.push(first, &weights);
            }
        }
        made
    }

    fn push(&mut self, first: usize, weights: &[f64]) {
        self.firsts.push(first);
        let whole = |weight: f64| (weight * f64::from(ONE) + 0.5f64.copysign(weight)) as i32;
        self.weights
            .extend(weights.iter().map(|weight| whole(*weight)));
        self.ends.push(self.weights.len());
    }

    fn each(&self) -> impl Iterator<Item = (usize, &[i32])> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let spans = starts.zip(&self.ends);
        let firsts = self.firsts.iter().copied();
        firsts.zip(spans.map(|(start, end)| &self.weights[start..*end]))
    }

    /// All old pixels that count for some new one.
    fn needed(&self) -> Range<usize> {
        let start = self.firsts.iter().copied().min().unwrap_or(0);
        let ends = self.each().map(|(first, weights)| first + weights.len());
        start..ends.max().unwrap_or(start)
    }

    fn row(&self, row: &[u8], out: &mut Vec<u8>) {
        for (first, weights) in self.each() {
            let from = &row[3 * first..];
            if let [ONE] = weights {
                out.extend_from_slice(&from[..3]);
                continue;
            }
            let mut sums = [1i32 << (BITS - 1); 3];
            for (pixel, weight) in from.chunks_exact(3).zip(weights) {
                for (sum, colour) in sums.iter_mut().zip(pixel) {
                    *sum += i32::from(*colour) * weight;
                }
            }
            out.extend(sums.map(to_colour));
        }
    }
}

/// The weights around `center`; `scale` is how many old pixels a new one covers, at least 1.
fn weights(center: f64, scale: f64, from: u32, filter: Filter) -> (usize, Vec<f64>) {
    let support = filter.support() * scale;
    let first = (center - support + 0.5).max(0.0) as usize;
    let end = ((center + support + 0.5) as usize).min(from as usize);
    // Pillow multiplies by the reciprocal, which is not the same number as the quotient.
    let shrink = 1.0 / scale;
    let weight = |pixel: usize| filter.weight((pixel as f64 - center + 0.5) * shrink);
    let mut weights: Vec<f64> = (first..end).map(weight).collect();
    let sum: f64 = weights.iter().sum();
    if sum != 0.0 {
        weights.iter_mut().for_each(|weight| *weight /= sum);
    }
    (first, weights)
}

impl Filter {
    fn support(self) -> f64 {
        match self {
            Filter::Nearest | Filter::Box => 0.5,
            Filter::Bilinear | Filter::Hamming => 1.0,
            Filter::Bicubic => 2.0,
            Filter::Lanczos => 3.0,
        }
    }

    fn weight(self, x: f64) -> f64 {
        let far = x.abs();
        match self {
            Filter::Nearest | Filter::Box => f64::from(x > -0.5 && x <= 0.5),
            Filter::Bilinear => (1.0 - far).max(0.0),
            Filter::Hamming if far == 0.0 => 1.0,
            Filter::Hamming if far >= 1.0 => 0.0,
            Filter::Hamming => sinc(far) * (0.54 + 0.46 * libm::cos(far * std::f64::consts::PI)),
            Filter::Bicubic if far < 1.0 => ((1.5 * far) - 2.5) * far * far + 1.0,
            Filter::Bicubic if far < 2.0 => (((far - 5.0) * far + 8.0) * far - 4.0) * -0.5,
            Filter::Lanczos if (-3.0..3.0).contains(&x) => sinc(x) * sinc(x / 3.0),
            Filter::Bicubic | Filter::Lanczos => 0.0,
        }
    }
}

fn sinc(x: f64) -> f64 {
    if x == 0.0 {
        return 1.0;
    }
    let angle = x * std::f64::consts::PI;
    libm::sin(angle) / angle
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgb;

    fn noise(width: u32, height: u32) -> RgbImage {
        let mut state = 7u32;
        RgbImage::from_fn(width, height, |_, _| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Rgb([(state >> 24) as u8, (state >> 16) as u8, (state >> 8) as u8])
        })
    }

    fn all(width: u32, height: u32) -> Window {
        Window {
            columns: 0..width,
            rows: 0..height,
        }
    }

    #[test]
    fn a_part_has_the_pixels_of_the_whole() {
        let picture = noise(37, 23);
        for filter in [Filter::Bilinear, Filter::Bicubic, Filter::Lanczos] {
            for (width, height) in [(80, 50), (12, 9), (37, 60)] {
                let whole = resample(&picture, (width, height), &all(width, height), filter);
                let window = Window {
                    columns: 3..11,
                    rows: 2..7,
                };
                let part = resample(&picture, (width, height), &window, filter);
                let cut = image::imageops::crop_imm(&whole, 3, 2, 8, 5).to_image();
                assert_eq!(part, cut, "{filter:?} {width} x {height}");
            }
        }
    }

    #[test]
    fn the_same_size_changes_nothing_and_a_flat_picture_stays_flat() {
        let picture = noise(9, 5);
        assert_eq!(
            resample(&picture, (9, 5), &all(9, 5), Filter::Lanczos),
            picture
        );
        let flat = RgbImage::from_pixel(5, 3, Rgb([200, 0, 255]));
        for filter in [
            Filter::Nearest,
            Filter::Box,
            Filter::Hamming,
            Filter::Lanczos,
        ] {
            let made = resample(&flat, (17, 2), &all(17, 2), filter);
            assert!(
                made.pixels().all(|pixel| pixel.0 == [200, 0, 255]),
                "{filter:?}"
            );
        }
    }
}
