//! Colour layout and gradients: an encoder of images without a model.

use image::RgbImage;
use mrmr_core::{Content, Modality, Result};
use rayon::prelude::*;

use crate::content_rule::Role;
use crate::embeddings::Embeddings;
use crate::encoder::{Encoder, Limits};
use crate::notes::EncodeNotes;
use crate::pictures::{PICTURES, decoded, image_of};
use crate::text::normalize;

/// The side of the square that every image is averaged to.
const SIDE: usize = 64;
/// The cells of the colour layout along a side, and those of the gradients.
const COLOUR_CELLS: usize = 8;
const GRADIENT_CELLS: usize = 4;
const DIRECTIONS: usize = 8;
const COLOURS: usize = COLOUR_CELLS * COLOUR_CELLS * 3;
const GRADIENTS: usize = GRADIENT_CELLS * GRADIENT_CELLS * DIRECTIONS;

/// Where the colours are (8 x 8 cells, how far from white), and which way the edges run (4 x 4 cells, 8 directions,
/// after Dalal & Triggs 2005).
///
/// It knows no meaning, only looks. One image a content; it is turned as its EXIF orientation says, transparent parts are
/// white, and its shape is stretched to a square. Both halves have the same share of the vector, which has the length
/// 1; an image that is all white has the vector 0 and is counted as empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pixels;

impl Encoder for Pixels {
    fn name(&self) -> &str {
        "pixels"
    }

    fn dimension(&self) -> usize {
        COLOURS + GRADIENTS
    }

    fn takes(&self) -> Modality {
        PICTURES
    }

    fn limits(&self) -> Limits {
        Limits {
            tokens: None,
            parts: Some(1),
        }
    }

    fn encode(&self, contents: &[Content], _: Role) -> Result<Embeddings> {
        let rows: Vec<Result<Vec<f32>, String>> = contents
            .par_iter()
            .map(|content| Ok(vector(&square(&decoded(image_of(content)?)?))))
            .collect();
        let zero = |row: &&Vec<f32>| row.iter().all(|number| *number == 0.0);
        let notes = EncodeNotes {
            empty: rows.iter().flatten().filter(zero).count(),
            ..EncodeNotes::default()
        };
        Ok(Embeddings::single(self.dimension(), rows, notes))
    }
}

/// The colours of the image, averaged over a square: red, green, blue, 0 to 1, row after row.
fn square(pixels: &RgbImage) -> Vec<[f32; 3]> {
    let (width, height) = (pixels.width() as usize, pixels.height() as usize);
    let (across, down) = (shares(width), shares(height));
    let mut averaged = Vec::with_capacity(SIDE * SIDE);
    for (top, rows) in &down {
        for (left, columns) in &across {
            let (mut sum, mut area) = ([0f64; 3], 0f64);
            for (y, row) in rows.iter().enumerate() {
                for (x, column) in columns.iter().enumerate() {
                    let pixel = pixels.get_pixel((left + x) as u32, (top + y) as u32);
                    let share = row * column;
                    for (sum, colour) in sum.iter_mut().zip(pixel.0) {
                        *sum += share * f64::from(colour);
                    }
                    area += share;
                }
            }
            averaged.push(sum.map(|sum| (sum / area / 255.0) as f32));
        }
    }
    averaged
}

/// For each cell along a side of `size` pixels: the first pixel it touches, and how much of each pixel from there.
fn shares(size: usize) -> Vec<(usize, Vec<f64>)> {
    let edge = |cell: usize| cell as f64 * size as f64 / SIDE as f64;
    let cells = (0..SIDE).map(|cell| {
        let (from, to) = (edge(cell), edge(cell + 1));
        let first = from as usize;
        let last = (to.ceil() as usize).clamp(first + 1, size);
        let share = |pixel: usize| (to.min(pixel as f64 + 1.0) - from.max(pixel as f64)).max(0.0);
        (first, (first..last).map(share).collect())
    });
    cells.collect()
}

fn vector(square: &[[f32; 3]]) -> Vec<f32> {
    let mut colours = vec![0f32; COLOURS];
    let cell = |x: usize, y: usize, cells: usize| y * cells / SIDE * cells + x * cells / SIDE;
    // Luminance, and the two differences that eyes see less of (the weights of JPEG).
    let seen = |[r, g, b]: [f32; 3]| {
        let y = 0.299 * r + 0.587 * g + 0.114 * b;
        [y, 0.564 * (b - y), 0.713 * (r - y)]
    };
    let mut grey = Vec::with_capacity(square.len());
    for (place, colour) in square.iter().enumerate() {
        let [y, blue, red] = seen(*colour);
        let at = cell(place % SIDE, place / SIDE, COLOUR_CELLS) * 3;
        colours[at] += 1.0 - y;
        colours[at + 1] += blue;
        colours[at + 2] += red;
        grey.push(y);
    }
    let mut gradients = vec![0f32; GRADIENTS];
    for y in 1..SIDE - 1 {
        for x in 1..SIDE - 1 {
            let at = |x: usize, y: usize| grey[y * SIDE + x];
            let (across, down) = (at(x + 1, y) - at(x - 1, y), at(x, y + 1) - at(x, y - 1));
            let size = (across * across + down * down).sqrt();
            let place = cell(x, y, GRADIENT_CELLS) * DIRECTIONS;
            gradients[place + direction(across, down)] += size;
        }
    }
    // Flat surfaces have sums of rounding alone, which are no edges.
    for number in colours.iter_mut().chain(&mut gradients) {
        if number.abs() < 1e-4 {
            *number = 0.0;
        }
    }
    normalize(&mut colours);
    normalize(&mut gradients);
    colours.extend(gradients);
    normalize(&mut colours);
    colours
}

/// Which of the directions, from 0 to half a turn, a gradient is nearest to; no angle is computed, so that all
/// platforms agree.
fn direction(across: f32, down: f32) -> usize {
    // Cosine and sine of 0, 22.5, 45, ... degrees.
    const NEAR: f32 = 0.923_879_5;
    const FAR: f32 = 0.382_683_43;
    const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;
    const AXES: [(f32, f32); DIRECTIONS] = [
        (1.0, 0.0),
        (NEAR, FAR),
        (HALF, HALF),
        (FAR, NEAR),
        (0.0, 1.0),
        (-FAR, NEAR),
        (-HALF, HALF),
        (-NEAR, FAR),
    ];
    let along = |(x, y): (f32, f32)| (across * x + down * y).abs();
    (1..DIRECTIONS).fold(0, |best, next| {
        if along(AXES[next]) > along(AXES[best]) {
            next
        } else {
            best
        }
    })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use image::{ImageFormat, Rgba, RgbaImage};
    use mrmr_core::{Image, Media, Part};

    fn content(image: &RgbaImage) -> Content {
        let mut bytes = Vec::new();
        image
            .write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)
            .unwrap();
        Content::new([Part::Image(Image {
            label: "image".to_owned(),
            media: Media::Bytes(bytes.into()),
        })])
    }

    fn disc(size: u32, colour: [u8; 4]) -> RgbaImage {
        let middle = f64::from(size) / 2.0;
        RgbaImage::from_fn(size, size, |x, y| {
            let far = (f64::from(x) + 0.5 - middle).hypot(f64::from(y) + 0.5 - middle);
            if far < middle * 0.6 {
                Rgba(colour)
            } else {
                Rgba([0, 0, 0, 0])
            }
        })
    }

    fn cosine(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }

    #[test]
    fn likeness_follows_looks_not_size() {
        let stripes = RgbaImage::from_fn(64, 64, |x, _| {
            if x / 8 % 2 == 0 {
                Rgba([0, 0, 255, 255])
            } else {
                Rgba([255; 4])
            }
        });
        let contents = [
            content(&disc(64, [255, 0, 0, 255])),
            content(&disc(200, [250, 10, 0, 255])),
            content(&disc(64, [0, 0, 255, 255])),
            content(&stripes),
        ];
        let made = Pixels.encode(&contents, Role::Document).unwrap();
        let near = |other| cosine(made.vector(0).unwrap(), made.vector(other).unwrap());
        assert!(near(1) > 0.9, "{}", near(1));
        assert!(
            near(1) > near(2) && near(2) > near(3),
            "{} {} {}",
            near(1),
            near(2),
            near(3)
        );
    }

    #[test]
    fn transparent_is_white_and_white_is_empty() {
        let contents = [
            content(&RgbaImage::from_pixel(3, 5, Rgba([0, 0, 0, 0]))),
            content(&RgbaImage::from_pixel(70, 9, Rgba([255; 4]))),
        ];
        let made = Pixels.encode(&contents, Role::Document).unwrap();
        assert_eq!(made.vector(0), made.vector(1));
        assert_eq!(made.vector(0), Some(&vec![0.0; Pixels.dimension()][..]));
        assert_eq!(made.notes().empty, 2);
    }

    #[test]
    fn what_is_no_image_is_a_failure_of_its_own() {
        let broken = Content::new([Part::Image(Image {
            label: "image".to_owned(),
            media: Media::Bytes(b"no image"[..].into()),
        })]);
        let contents = ["a text".into(), broken, content(&disc(9, [0, 0, 0, 255]))];
        let made = Pixels.encode(&contents, Role::Document).unwrap();
        let reasons: Vec<&str> = made
            .failures()
            .iter()
            .map(|failure| failure.reason.as_str())
            .collect();
        assert_eq!(reasons[0], "expected one image, found 1 parts (text)");
        assert!(reasons[1].starts_with("the image 'image': "), "{reasons:?}");
        assert!(made.vector(2).is_some());
    }
}
