//! A picture as a network reads it: resized, cropped, scaled and normalised.

use image::RgbImage;
use mrmr_core::Result;

use super::preprocessor::{PreprocessorConfig, Resize, Steps};
use super::resample::{Window, resample};

/// A resized picture has no more pixels than this; a crop of a larger one is computed alone.
const LARGEST: u64 = 1 << 27;

/// What is done to every picture of a model: as the processors of transformers on Pillow and NumPy do it.
#[derive(Clone, Debug)]
pub(crate) struct Preparation {
    steps: Steps,
    /// What each colour becomes, by channel.
    numbers: [Vec<f32>; 3],
}

/// A picture of three planes, red, green, blue, each row after row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Prepared {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) numbers: Vec<f32>,
}

impl Preparation {
    /// As the model's settings have it.
    pub(crate) fn of(config: &PreprocessorConfig) -> Result<Self> {
        let steps = config.steps()?;
        let (factor, offset) = steps.rescale;
        let numbers = [0, 1, 2].map(|channel| {
            let number = |colour: u8| {
                // Rounded to 32 bits where transformers does.
                let scaled = (f64::from(colour) * factor + offset) as f32;
                (scaled - steps.mean[channel] as f32) / steps.deviation[channel] as f32
            };
            (0..=255).map(number).collect()
        });
        Ok(Preparation { steps, numbers })
    }

    /// The width and height of every prepared picture, where that is the same for all.
    pub(crate) fn size(&self) -> Option<(u32, u32)> {
        match (self.steps.crop, self.steps.resize) {
            (Some(size), _) => Some(size),
            (None, Resize::Exact(width, height)) => Some((width, height)),
            (None, _) => None,
        }
    }

    /// Prepares a picture.
    pub(crate) fn prepare(&self, picture: &RgbImage) -> Result<Prepared, String> {
        let (width, height) = self.resized(picture);
        let (wide, high) = self.steps.crop.unwrap_or((width, height));
        if u64::from(wide) * u64::from(high) > LARGEST || width.max(height) > 1 << 30 {
            return Err(format!(
                "expected a picture of a less extreme shape; {} x {} pixels become {width} x {height}",
                picture.width(),
                picture.height()
            ));
        }
        let (columns, left) = middle(width, wide);
        let (rows, top) = middle(height, high);
        let window = Window { columns, rows };
        let part = resample(picture, (width, height), &window, self.steps.filter);
        let (wide, high) = (wide as usize, high as usize);
        let mut numbers = Vec::with_capacity(3 * wide * high);
        for (channel, table) in self.numbers.iter().enumerate() {
            if part.width() as usize == wide && part.height() as usize == high {
                let colours = part.as_raw().iter().skip(channel).step_by(3);
                numbers.extend(colours.map(|colour| table[usize::from(*colour)]));
                continue;
            }
            // A crop larger than the picture has black around it.
            let start = numbers.len();
            numbers.resize(start + wide * high, table[0]);
            for (x, y, pixel) in part.enumerate_pixels() {
                let at = (y as usize + top) * wide + x as usize + left;
                numbers[start + at] = table[usize::from(pixel.0[channel])];
            }
        }
        Ok(Prepared {
            width: wide,
            height: high,
            numbers,
        })
    }

    fn resized(&self, picture: &RgbImage) -> (u32, u32) {
        let (width, height) = picture.dimensions();
        match self.steps.resize {
            Resize::None => (width, height),
            Resize::Exact(width, height) => (width, height),
            Resize::Shortest(side) => {
                let longer = |long: u32, short: u32| {
                    let product = u64::from(side) * u64::from(long);
                    u32::try_from(product / u64::from(short)).unwrap_or(u32::MAX)
                };
                if width <= height {
                    (side, longer(height, width))
                } else {
                    (longer(width, height), side)
                }
            }
        }
    }
}

/// The middle `wanted` of `size` pixels; where there are fewer, all of them and how many stand before them.
fn middle(size: u32, wanted: u32) -> (std::ops::Range<u32>, usize) {
    if wanted <= size {
        let start = (size - wanted) / 2;
        (start..start + wanted, 0)
    } else {
        (0..size, (wanted - size).div_ceil(2) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preparation(json: &str) -> Result<Preparation> {
        Preparation::of(&serde_json::from_str(json).unwrap())
    }

    #[test]
    fn settings_of_every_age_say_the_same() {
        let steps = |json| preparation(json).unwrap().steps;
        let newer = steps(
            r#"{"image_processor_type": "CLIPImageProcessor", "size": {"shortest_edge": 224}, "resample": 3,
                "crop_size": {"height": 224, "width": 224}, "do_center_crop": true, "rescale_factor": 0.00392156862745098,
                "image_mean": [0.5, 0.5, 0.5], "image_std": [0.25, 0.25, 0.25]}"#,
        );
        let older = steps(
            r#"{"feature_extractor_type": "CLIPFeatureExtractor", "size": 224, "crop_size": 224,
                "image_mean": [0.5, 0.5, 0.5], "image_std": [0.25, 0.25, 0.25]}"#,
        );
        let jina = steps(
            r#"{"image_processor_type": "JinaCLIPImageProcessor", "size": 224, "resize_mode": "shortest",
                "interpolation": "bicubic", "mean": [0.5, 0.5, 0.5], "std": [0.25, 0.25, 0.25]}"#,
        );
        assert_eq!(newer.resize, Resize::Shortest(224));
        assert_eq!(newer.crop, Some((224, 224)));
        assert_eq!(older, newer);
        assert_eq!(jina, newer);
        let vit = steps(
            r#"{"feature_extractor_type": "ViTFeatureExtractor", "size": 224, "do_normalize": false}"#,
        );
        assert_eq!(vit.resize, Resize::Exact(224, 224));
        assert_eq!((vit.crop, vit.mean), (None, [0.0; 3]));
    }

    #[test]
    fn what_is_not_known_is_named() {
        let message = |json| preparation(json).unwrap_err().to_string();
        assert!(message(r#"{"size": 8, "do_pad": true}"#).contains("'do_pad'"));
        assert!(
            message(r#"{"size": 8, "image_mean": [1.0]}"#)
                .contains("image_mean of three numbers, found [1.0]")
        );
        assert!(message("{}").contains("expected the size"));
        assert!(
            message(r#"{"size": 8, "do_normalize": false, "resample": 9}"#).contains("found 9")
        );
        assert!(message(r#"{"size": 0, "do_normalize": false}"#).contains("1 or more"));
    }

    #[test]
    fn a_thin_picture_costs_what_its_crop_costs() {
        let crop = preparation(
            r#"{"size": {"shortest_edge": 224}, "crop_size": 224, "do_normalize": false}"#,
        )
        .unwrap();
        let made = crop.prepare(&RgbImage::new(30_000, 1)).unwrap();
        assert_eq!((made.width, made.height), (224, 224));
        let whole =
            preparation(r#"{"size": {"shortest_edge": 224}, "do_normalize": false}"#).unwrap();
        let error = whole.prepare(&RgbImage::new(30_000, 1)).unwrap_err();
        assert!(
            error.contains("30000 x 1 pixels become 6720000 x 224"),
            "{error}"
        );
    }
}
