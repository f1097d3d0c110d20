//! A picture of a record as it stands on a page.

use std::io::Cursor;

use image::imageops::{FilterType, resize};
use image::{DynamicImage, ImageDecoder, ImageReader, Limits, RgbImage};
use mrmr_core::{Error, Image, Result};

/// A decoded picture takes no more memory than this.
const LARGEST: u64 = 1 << 29;

/// The picture on white, the right way up, no larger than `width` x `height`: scaled down in its shape, never up.
pub(super) fn fitted(image: &Image, width: u32, height: u32) -> Result<RgbImage> {
    let about = |error: &dyn std::fmt::Display| {
        Error::data(format!("the image '{}': {error}", image.label))
    };
    let bytes = image.media.read().map_err(|error| about(&error))?;
    let mut reader = ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .map_err(|error| about(&error))?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(LARGEST);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|error| about(&error))?;
    let orientation = decoder.orientation().map_err(|error| about(&error))?;
    let mut decoded = DynamicImage::from_decoder(decoder).map_err(|error| about(&error))?;
    decoded.apply_orientation(orientation);
    let picture = on_white(decoded);
    let (wide, high) = (u64::from(picture.width()), u64::from(picture.height()));
    if wide <= u64::from(width) && high <= u64::from(height) {
        return Ok(picture);
    }
    // The side that is too large by more decides.
    let (width, height) = (u64::from(width), u64::from(height));
    let (wide, high) = if wide * height >= high * width {
        (width, (high * width + wide / 2) / wide)
    } else {
        ((wide * height + high / 2) / high, height)
    };
    // A cubic has no sines in it, which platforms round in their own ways.
    let (wide, high) = (wide.max(1) as u32, high.max(1) as u32);
    Ok(resize(&picture, wide, high, FilterType::CatmullRom))
}

fn on_white(decoded: DynamicImage) -> RgbImage {
    if !decoded.color().has_alpha() {
        return decoded.into_rgb8();
    }
    let picture = decoded.into_rgba8();
    let mut opaque = RgbImage::new(picture.width(), picture.height());
    for (to, from) in opaque.pixels_mut().zip(picture.pixels()) {
        let [r, g, b, alpha] = from.0.map(u32::from);
        to.0 = [r, g, b].map(|colour| ((colour * alpha + 255 * (255 - alpha) + 127) / 255) as u8);
    }
    opaque
}
