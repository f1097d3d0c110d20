//! A page that is drawn.

use std::fmt;
use std::io::Cursor;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, RgbImage};

use super::notes::PageNotes;

/// A picture of a content.
#[derive(Clone, PartialEq, Eq)]
pub struct Page {
    image: RgbImage,
    notes: PageNotes,
}

impl Page {
    pub(super) fn new(image: RgbImage, notes: PageNotes) -> Self {
        Page { image, notes }
    }

    /// Its width in pixels.
    pub fn width(&self) -> u32 {
        self.image.width()
    }

    /// Its height in pixels.
    pub fn height(&self) -> u32 {
        self.image.height()
    }

    /// Red, green and blue of each pixel, row after row.
    pub fn pixels(&self) -> &[u8] {
        self.image.as_raw()
    }

    /// What was drawn and what was not.
    pub fn notes(&self) -> PageNotes {
        self.notes
    }

    /// The page as a PNG file.
    pub fn png(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let (width, height) = self.image.dimensions();
        PngEncoder::new_with_quality(
            Cursor::new(&mut bytes),
            CompressionType::Fast,
            FilterType::Up,
        )
        .write_image(self.pixels(), width, height, ExtendedColorType::Rgb8)
        .expect("a picture of this size is written to memory");
        bytes
    }
}

impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Page({} x {})", self.width(), self.height())
    }
}
