//! The bytes of a picture to its colours on white, the right way up, as Pillow has them.

use std::io::Cursor;

use image::metadata::Orientation;
use image::{
    DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits as DecodeLimits, RgbImage,
};
use mrmr_core::Image;

/// A picture has no more pixels a side than this.
pub(crate) const LONGEST: u32 = 30_000;
/// A decoded picture takes no more memory than this.
const LARGEST: u64 = 1 << 29;

/// An image of a record, decoded; what is wrong names it.
pub(crate) fn decoded(image: &Image) -> Result<RgbImage, String> {
    let about = |error: &dyn std::fmt::Display| format!("the image '{}': {error}", image.label);
    let bytes = image.media.read().map_err(|error| about(&error))?;
    on_white(&bytes).map_err(|error| about(&error))
}

/// The picture that these bytes hold: of an animation the first, turned as its EXIF orientation says, transparent parts
/// white, eight bits a colour.
///
/// Pictures without loss have the very numbers of Pillow (`ImageOps.exif_transpose`, then `alpha_composite` on white,
/// then `convert("RGB")`), but for grey pictures of 16 bits, where Pillow makes everything above 255 white; theirs is
/// the upper byte, as it is in colour. JPEG and lossy WebP are decoded by other programs than Pillow's, and may differ
/// by what those formats leave open.
pub(crate) fn on_white(bytes: &[u8]) -> Result<RgbImage, String> {
    if bytes.is_empty() {
        return Err("expected a picture, found no bytes".to_owned());
    }
    let mut reader = ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .map_err(|error| error.to_string())?;
    let format = reader
        .format()
        .ok_or("expected a picture (PNG, JPEG, GIF, WebP, BMP or TIFF), found something else")?;
    let mut limits = DecodeLimits::no_limits();
    limits.max_alloc = Some(LARGEST);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|error| error.to_string())?;
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 || width > LONGEST || height > LONGEST {
        return Err(format!(
            "expected 1 to {LONGEST} pixels a side, found {width} x {height}"
        ));
    }
    if decoder.total_bytes() > LARGEST {
        return Err(format!(
            "expected a picture of at most {} MiB in memory, found {width} x {height} pixels of {} bytes",
            LARGEST >> 20,
            decoder.color_type().bytes_per_pixel()
        ));
    }
    if format == ImageFormat::Jpeg && !jpeg_ends(bytes) {
        return Err("the JPEG is cut off: it has no end".to_owned());
    }
    // What cannot be read of the EXIF data turns nothing, as in Pillow.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let decoded = DynamicImage::from_decoder(decoder).map_err(|error| error.to_string())?;
    let mut colours = DynamicImage::ImageRgb8(colours(decoded));
    colours.apply_orientation(orientation);
    Ok(colours.into_rgb8())
}

/// Whether a JPEG has an end behind its first scan; decoders make up what is cut off in grey.
fn jpeg_ends(bytes: &[u8]) -> bool {
    const SCAN: u8 = 0xDA;
    let mut at = 2;
    while let Some([0xFF, marker, high, low]) = bytes.get(at..at + 4) {
        match *marker {
            SCAN => return bytes[at..].windows(2).any(|pair| pair == [0xFF, 0xD9]),
            0xFF => at += 1,
            _ => at += 2 + usize::from(u16::from_be_bytes([*high, *low])),
        }
    }
    // No scan is found by these steps: the decoder knows better.
    true
}

fn colours(image: DynamicImage) -> RgbImage {
    let (width, height) = (image.width(), image.height());
    let upper = |number: u16| (number >> 8) as u8;
    let grey = |grey: u8| [grey; 3];
    let over = |[r, g, b, alpha]: [u8; 4]| [r, g, b].map(|colour| over_white(colour, alpha));
    let pixels: Vec<u8> = match image {
        DynamicImage::ImageRgb8(pixels) => return pixels,
        DynamicImage::ImageLuma8(pixels) => pixels.pixels().flat_map(|p| grey(p.0[0])).collect(),
        DynamicImage::ImageLumaA8(pixels) => pixels
            .pixels()
            .flat_map(|p| grey(over_white(p.0[0], p.0[1])))
            .collect(),
        DynamicImage::ImageRgba8(pixels) => pixels.pixels().flat_map(|p| over(p.0)).collect(),
        DynamicImage::ImageLuma16(pixels) => {
            pixels.pixels().flat_map(|p| grey(upper(p.0[0]))).collect()
        }
        DynamicImage::ImageLumaA16(pixels) => pixels
            .pixels()
            .flat_map(|p| grey(over_white(upper(p.0[0]), upper(p.0[1]))))
            .collect(),
        DynamicImage::ImageRgb16(pixels) => pixels.pixels().flat_map(|p| p.0.map(upper)).collect(),
        DynamicImage::ImageRgba16(pixels) => {
            pixels.pixels().flat_map(|p| over(p.0.map(upper))).collect()
        }
        other => other
            .into_rgba8()
            .pixels()
            .flat_map(|p| over(p.0))
            .collect(),
    };
    RgbImage::from_raw(width, height, pixels).unwrap_or_default()
}

/// A colour on white, rounded as Pillow's `alpha_composite` does it.
fn over_white(colour: u8, alpha: u8) -> u8 {
    let sum = u32::from(colour) * u32::from(alpha) + 255 * (255 - u32::from(alpha));
    let sum = (sum << 7) + (0x80 << 7);
    ((((sum >> 8) + sum) >> 8) >> 7) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_picture_is_said() {
        assert_eq!(
            on_white(b"").unwrap_err(),
            "expected a picture, found no bytes"
        );
        assert!(
            on_white(b"a text")
                .unwrap_err()
                .ends_with("found something else")
        );
    }

    #[test]
    fn white_stays_white_and_what_cannot_be_seen_is_white() {
        for alpha in 0..=255 {
            assert_eq!(over_white(255, alpha), 255);
            assert_eq!(over_white(alpha, 255), alpha);
            assert_eq!(over_white(alpha, 0), 255);
        }
        assert_eq!(over_white(0, 128), 127);
    }
}
