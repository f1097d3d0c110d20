//! All images of a record as one.

use std::io::Cursor;
use std::sync::Arc;

use image::{ImageFormat, ImageReader, Rgb, RgbImage};
use mrmr_core::{Error, Image, Media, MediaSource, Record, Result};

use super::decode::{LONGEST, decoded};
use super::resample::{Filter, Window, resample};

/// Images stacked when someone reads them: one under the other, centred on white.
struct Stack {
    images: Vec<Image>,
    /// How many pixels the longer side has at most.
    longest: Option<u32>,
}

/// The images that there are, each once, in the order of the content, and how many are named with nothing behind them.
pub(crate) fn present(record: &Record) -> (Vec<Image>, usize) {
    let (mut images, mut missing): (Vec<Image>, usize) = (Vec::new(), 0);
    for image in record.content.images() {
        if image.media.is_missing() {
            missing += 1;
        } else if !images.iter().any(|other| same(&other.media, &image.media)) {
            images.push(image.clone());
        }
    }
    (images, missing)
}

/// All images of a record as one: as the data set has them merged, else its only one, else all stacked. Nothing is read
/// before its media are.
pub(crate) fn merged(record: &Record, longest: Option<u32>) -> Option<Image> {
    let given = record
        .merged
        .as_ref()
        .filter(|image| !image.media.is_missing());
    let images = match given {
        Some(image) => vec![image.clone()],
        None => present(record).0,
    };
    let label = match images.as_slice() {
        [] => return None,
        [only] if longest.is_none() => return Some(only.clone()),
        [only] => only.label.clone(),
        _ => "image".to_owned(),
    };
    let media = Media::Stored {
        source: Arc::new(Stack { images, longest }),
        key: 0,
    };
    Some(Image { label, media })
}

fn same(one: &Media, other: &Media) -> bool {
    match (one, other) {
        (Media::Bytes(one), Media::Bytes(other)) => Arc::ptr_eq(one, other),
        (
            Media::Stored { source, key },
            Media::Stored {
                source: other_source,
                key: other_key,
            },
        ) => key == other_key && Arc::ptr_eq(source, other_source),
        _ => false,
    }
}

impl MediaSource for Stack {
    fn read(&self, _: u64) -> Result<Arc<[u8]>> {
        let picture = match self.images.as_slice() {
            [only] => {
                let bytes = only.media.read()?;
                let size = ImageReader::new(Cursor::new(&bytes))
                    .with_guessed_format()
                    .ok()
                    .and_then(|reader| reader.into_dimensions().ok());
                // What cannot be measured is left to who decodes it.
                match (size, self.longest) {
                    (Some((width, height)), Some(longest)) if width.max(height) > longest => {
                        decoded(only).map_err(Error::data)?
                    }
                    _ => return Ok(bytes),
                }
            }
            images => {
                let pictures: Vec<RgbImage> = images
                    .iter()
                    .map(|image| decoded(image).map_err(Error::data))
                    .collect::<Result<_>>()?;
                stacked(&pictures)?
            }
        };
        let picture = match self.longest {
            Some(longest) => within(picture, longest),
            None => picture,
        };
        let mut bytes = Vec::new();
        picture
            .write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)
            .map_err(|error| Error::data(error.to_string()).because(error))?;
        Ok(bytes.into())
    }

    fn describe(&self, _: u64) -> String {
        let labels: Vec<&str> = self
            .images
            .iter()
            .map(|image| image.label.as_str())
            .collect();
        format!("{} as one", labels.join(", "))
    }
}

fn stacked(pictures: &[RgbImage]) -> Result<RgbImage> {
    let width = pictures.iter().map(RgbImage::width).max().unwrap_or(0);
    let height: u64 = pictures
        .iter()
        .map(|picture| u64::from(picture.height()))
        .sum();
    if height > u64::from(LONGEST) {
        return Err(Error::data(format!(
            "expected at most {LONGEST} pixels a side, found {width} x {height} for {} images stacked",
            pictures.len()
        )));
    }
    let mut all = RgbImage::from_pixel(width, height as u32, Rgb([255; 3]));
    let mut top = 0;
    for picture in pictures {
        let left = i64::from((width - picture.width()) / 2);
        image::imageops::replace(&mut all, picture, left, top);
        top += i64::from(picture.height());
    }
    Ok(all)
}

/// The picture with a longer side of at most `longest` pixels, both sides rounded down.
fn within(picture: RgbImage, longest: u32) -> RgbImage {
    let (width, height) = picture.dimensions();
    let longer = width.max(height);
    if longer <= longest {
        return picture;
    }
    let side = |side: u32| (u64::from(side) * u64::from(longest) / u64::from(longer)).max(1) as u32;
    let (width, height) = (side(width), side(height));
    let whole = Window {
        columns: 0..width,
        rows: 0..height,
    };
    resample(&picture, (width, height), &whole, Filter::Lanczos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mrmr_core::{Content, Part};

    fn image(label: &str, width: u32, height: u32, colour: [u8; 3]) -> Image {
        let mut bytes = Vec::new();
        RgbImage::from_pixel(width, height, Rgb(colour))
            .write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)
            .unwrap();
        Image {
            label: label.to_owned(),
            media: Media::Bytes(bytes.into()),
        }
    }

    fn record(images: Vec<Image>) -> Record {
        Record::new(Content::new(images.into_iter().map(Part::Image)))
    }

    fn read(record: &Record, longest: Option<u32>) -> RgbImage {
        decoded(&merged(record, longest).unwrap()).unwrap()
    }

    #[test]
    fn images_stand_one_under_the_other_centred_on_white() {
        let (red, blue) = (
            image("image 1", 5, 2, [255, 0, 0]),
            image("image 2", 2, 3, [0, 0, 255]),
        );
        let missing = Image {
            label: "image 3".to_owned(),
            media: Media::Missing,
        };
        // Named twice, it stands there once.
        let record = record(vec![red.clone(), missing, blue, red]);
        assert_eq!(present(&record).1, 1);
        let made = read(&record, None);
        assert_eq!(made.dimensions(), (5, 5));
        assert_eq!(made.get_pixel(4, 1).0, [255, 0, 0]);
        assert_eq!(made.get_pixel(0, 3).0, [255; 3]);
        assert_eq!(made.get_pixel(1, 4).0, [0, 0, 255]);
        assert_eq!(made.get_pixel(3, 4).0, [255; 3]);
    }

    #[test]
    fn the_merged_image_of_the_data_set_comes_first() {
        let mut record = record(vec![
            image("image 1", 1, 1, [0; 3]),
            image("image 2", 1, 1, [0; 3]),
        ]);
        record.merged = Some(image("image", 3, 2, [9; 3]));
        assert_eq!(read(&record, None).dimensions(), (3, 2));
        assert!(merged(&Record::new("a text"), None).is_none());
    }

    #[test]
    fn the_longer_side_is_bounded_and_what_fits_is_not_touched() {
        let one = record(vec![image("image", 300, 71, [9; 3])]);
        assert_eq!(read(&one, Some(200)).dimensions(), (200, 47));
        assert_eq!(read(&one, Some(300)).dimensions(), (300, 71));
        let whole = merged(&one, Some(300)).unwrap().media.read().unwrap();
        assert_eq!(
            whole,
            one.content.images().next().unwrap().media.read().unwrap()
        );
        let thin = record(vec![image("image", 300, 1, [9; 3])]);
        assert_eq!(read(&thin, Some(100)).dimensions(), (100, 1));
    }

    #[test]
    fn a_broken_image_among_several_is_named() {
        let broken = Image {
            label: "image 2".to_owned(),
            media: Media::Bytes(b"no picture"[..].into()),
        };
        let record = record(vec![image("image 1", 2, 2, [0; 3]), broken]);
        let reason = decoded(&merged(&record, None).unwrap()).unwrap_err();
        assert!(
            reason.contains("the image 'image 2': expected a picture"),
            "{reason}"
        );
    }
}
