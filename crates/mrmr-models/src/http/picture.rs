//! A picture as it is sent: PNG and JPEG as they are, others as PNG.

use std::fmt;
use std::io::Cursor;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use image::{DynamicImage, ImageDecoder as _, ImageFormat, ImageReader};
use mrmr_core::Image;

/// A picture in base64.
#[derive(Clone)]
pub(crate) struct Picture {
    mime: &'static str,
    base64: String,
}

/// The most memory that decoding a picture may take.
const LARGEST: u64 = 1 << 30;

impl Picture {
    /// The picture of a record, read now.
    pub(crate) fn read(image: &Image) -> Result<Picture, String> {
        let about = |what: &dyn fmt::Display| format!("the image '{}': {what}", image.label);
        let bytes = image.media.read().map_err(|error| about(&error))?;
        let (mime, base64) = match image::guess_format(&bytes) {
            Ok(ImageFormat::Png) => ("image/png", BASE64_STANDARD.encode(&bytes)),
            Ok(ImageFormat::Jpeg) => ("image/jpeg", BASE64_STANDARD.encode(&bytes)),
            _ => {
                let png = as_png(&bytes).map_err(|error| about(&error))?;
                ("image/png", BASE64_STANDARD.encode(png))
            }
        };
        Ok(Picture { mime, base64 })
    }

    /// Its bytes in base64.
    pub(crate) fn base64(&self) -> &str {
        &self.base64
    }

    /// `data:image/png;base64,...`.
    pub(crate) fn data_uri(&self) -> String {
        format!("data:{};base64,{}", self.mime, self.base64)
    }
}

/// Another kind of picture as PNG, the right way up.
fn as_png(bytes: &[u8]) -> image::ImageResult<Vec<u8>> {
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format()?;
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(LARGEST);
    reader.limits(limits);
    let mut decoder = reader.into_decoder()?;
    let orientation = decoder.orientation()?;
    let mut decoded = DynamicImage::from_decoder(decoder)?;
    decoded.apply_orientation(orientation);
    let mut png = Vec::new();
    decoded.write_to(&mut Cursor::new(&mut png), ImageFormat::Png)?;
    Ok(png)
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Picture({}, {} characters)",
            self.mime,
            self.base64.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgb, RgbImage};
    use mrmr_core::Media;

    fn picture(format: ImageFormat) -> (Vec<u8>, Result<Picture, String>) {
        let mut bytes = Vec::new();
        RgbImage::from_pixel(2, 3, Rgb([255, 0, 0]))
            .write_to(&mut Cursor::new(&mut bytes), format)
            .unwrap();
        let image = Image {
            label: "image".to_owned(),
            media: Media::Bytes(bytes.clone().into()),
        };
        (bytes, Picture::read(&image))
    }

    #[test]
    fn png_and_jpeg_go_as_they_are_and_others_become_png() {
        for (format, mime) in [(ImageFormat::Png, "png"), (ImageFormat::Jpeg, "jpeg")] {
            let (bytes, made) = picture(format);
            let uri = format!("data:image/{mime};base64,{}", BASE64_STANDARD.encode(bytes));
            assert_eq!(made.unwrap().data_uri(), uri);
        }
        for format in [ImageFormat::Bmp, ImageFormat::Gif, ImageFormat::WebP] {
            let made = picture(format).1.unwrap();
            assert!(made.data_uri().starts_with("data:image/png;base64,"));
            let png = BASE64_STANDARD.decode(made.base64()).unwrap();
            let back = image::load_from_memory(&png).unwrap().to_rgb8();
            assert_eq!(back.dimensions(), (2, 3));
            assert_eq!(back.get_pixel(1, 2), &Rgb([255, 0, 0]));
        }
    }

    #[test]
    fn what_is_no_picture_is_told() {
        let image = Image {
            label: "image 2".to_owned(),
            media: Media::Bytes(b"no picture"[..].into()),
        };
        assert!(
            Picture::read(&image)
                .unwrap_err()
                .starts_with("the image 'image 2': ")
        );
    }
}
