//! The paper: white rows of red, green and blue that grow downwards.

use cosmic_text::{SwashContent, SwashImage};
use image::RgbImage;

const WHITE: u8 = 255;

/// A page as it is drawn.
pub(super) struct Sheet {
    width: usize,
    pixels: Vec<u8>,
}

impl Sheet {
    pub(super) fn new(width: u32) -> Self {
        Sheet {
            width: width as usize,
            pixels: Vec::new(),
        }
    }

    /// Cuts or grows the paper to a height.
    pub(super) fn set_height(&mut self, height: u32) {
        self.pixels.resize(3 * self.width * height as usize, WHITE);
    }

    pub(super) fn grow(&mut self, height: u32) {
        if self.pixels.len() < 3 * self.width * height as usize {
            self.set_height(height);
        }
    }

    /// The bytes of a pixel, if it is on the paper.
    fn pixel(&mut self, x: i64, y: i64) -> Option<&mut [u8]> {
        if !(0..self.width as i64).contains(&x) || y < 0 {
            return None;
        }
        let at = 3 * (y as usize * self.width + x as usize);
        self.pixels.get_mut(at..at + 3)
    }

    /// Puts a glyph where its origin is at (x, y): black where it is a form, in its colours where it has some.
    pub(super) fn glyph(&mut self, glyph: &SwashImage, x: i32, y: i32) {
        let (left, top) = (
            i64::from(x) + i64::from(glyph.placement.left),
            i64::from(y) - i64::from(glyph.placement.top),
        );
        let width = glyph.placement.width as usize;
        if width == 0 {
            return;
        }
        let size = match glyph.content {
            SwashContent::Mask => 1,
            SwashContent::Color | SwashContent::SubpixelMask => 4,
        };
        for (dy, row) in glyph.data.chunks_exact(width * size).enumerate() {
            for (dx, ink) in row.chunks_exact(size).enumerate() {
                let Some(pixel) = self.pixel(left + dx as i64, top + dy as i64) else {
                    continue;
                };
                match ink {
                    [0] | [_, _, _, 0] => {}
                    [cover] => pixel.iter_mut().for_each(|p| *p = mixed(*p, 0, *cover)),
                    [r, g, b, alpha] => {
                        for (p, colour) in pixel.iter_mut().zip([r, g, b]) {
                            *p = mixed(*p, *colour, *alpha);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Puts a picture with its corner at (x, y); the paper is grown for it.
    pub(super) fn picture(&mut self, picture: &RgbImage, x: u32, y: u32) {
        self.grow(y + picture.height());
        let bytes = 3 * picture.width() as usize;
        if bytes == 0 {
            return;
        }
        for (row, pixels) in picture.as_raw().chunks_exact(bytes).enumerate() {
            let at = 3 * ((y as usize + row) * self.width + x as usize);
            self.pixels[at..at + bytes].copy_from_slice(pixels);
        }
    }

    pub(super) fn into_image(self) -> RgbImage {
        let height = self.pixels.len() / (3 * self.width).max(1);
        RgbImage::from_raw(self.width as u32, height as u32, self.pixels).unwrap_or_default()
    }
}

/// A colour over another, rounded.
fn mixed(below: u8, above: u8, alpha: u8) -> u8 {
    let alpha = u32::from(alpha);
    ((u32::from(below) * (255 - alpha) + u32::from(above) * alpha + 127) / 255) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixing_keeps_the_ends() {
        for colour in 0..=255 {
            assert_eq!(mixed(colour, 7, 0), colour);
            assert_eq!(mixed(colour, 7, 255), 7);
        }
        assert_eq!(mixed(255, 0, 128), 127);
    }
}
