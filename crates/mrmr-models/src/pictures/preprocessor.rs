//! `preprocessor_config.json`: how a model wants its pictures.

use mrmr_core::{Error, Result};
use serde::Deserialize;
use serde_json::Value;

use super::resample::Filter;

/// The settings as they stand in the file; what is not there follows the kind of the processor.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PreprocessorConfig {
    image_processor_type: Option<String>,
    feature_extractor_type: Option<String>,
    do_resize: Option<bool>,
    size: Option<Size>,
    resample: Option<Value>,
    do_center_crop: Option<bool>,
    crop_size: Option<Size>,
    crop_pct: Option<f64>,
    do_rescale: Option<bool>,
    rescale_factor: Option<f64>,
    rescale_offset: Option<bool>,
    include_top: Option<bool>,
    do_normalize: Option<bool>,
    image_mean: Option<Vec<f64>>,
    image_std: Option<Vec<f64>>,
    /// The names that Jina-CLIP has.
    mean: Option<Vec<f64>>,
    std: Option<Vec<f64>>,
    interpolation: Option<Value>,
    resize_mode: Option<String>,
    /// What asks for steps that there are none of here.
    do_pad: Option<bool>,
    do_flip_channel_order: Option<bool>,
    do_image_splitting: Option<bool>,
    max_num_patches: Option<Value>,
    min_pixels: Option<Value>,
    max_pixels: Option<Value>,
    /// What says that it reads sounds.
    sampling_rate: Option<Value>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
enum Size {
    Side(u32),
    Edges {
        height: Option<u32>,
        width: Option<u32>,
        shortest_edge: Option<u32>,
        longest_edge: Option<u32>,
    },
}

/// To which size a picture is brought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Resize {
    /// As it is.
    None,
    /// To this width and height, whatever its shape.
    Exact(u32, u32),
    /// Its shorter side to this, in its shape.
    Shortest(u32),
}

/// What is done to a picture, in order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Steps {
    pub(crate) resize: Resize,
    pub(crate) filter: Filter,
    /// The width and height of the part in the middle.
    pub(crate) crop: Option<(u32, u32)>,
    /// What a colour of 0 to 255 is multiplied with, and what is added then.
    pub(crate) rescale: (f64, f64),
    pub(crate) mean: [f64; 3],
    pub(crate) deviation: [f64; 3],
}

impl PreprocessorConfig {
    /// Whether it is of sounds, not of pictures.
    pub(crate) fn is_of_sounds(&self) -> bool {
        self.sampling_rate.is_some()
    }

    fn kind(&self) -> &str {
        let kind = self.image_processor_type.as_deref();
        kind.or(self.feature_extractor_type.as_deref())
            .unwrap_or_default()
    }

    /// What is to be done.
    pub(super) fn steps(&self) -> Result<Steps> {
        self.refuse_unknown_steps()?;
        let (mut resize, mut crop) = (self.resize()?, self.crop()?);
        if self.kind().starts_with("ConvNext")
            && let Resize::Shortest(side) = resize
        {
            // The shorter side is made a little longer, and the middle taken; large pictures are stretched.
            let share = self.crop_pct.unwrap_or(224.0 / 256.0);
            (resize, crop) = if side < 384 {
                let longer = (f64::from(side) / share) as u32;
                (Resize::Shortest(longer), Some((side, side)))
            } else {
                (Resize::Exact(side, side), None)
            };
        }
        let factor = match self.do_rescale {
            Some(false) => 1.0,
            _ => self.rescale_factor.unwrap_or(1.0 / 255.0),
        };
        let offset = if self.rescale_offset == Some(true) {
            -1.0
        } else {
            0.0
        };
        let (mean, mut deviation) = self.normalisation()?;
        if self.include_top == Some(true) && self.kind().starts_with("EfficientNet") {
            // These models divide by the deviation twice, since they were trained so.
            deviation = deviation.map(|deviation| deviation * deviation);
        }
        Ok(Steps {
            resize,
            filter: self.filter()?,
            crop,
            rescale: (factor, offset),
            mean,
            deviation,
        })
    }

    fn refuse_unknown_steps(&self) -> Result<()> {
        let asked = [
            ("do_pad", self.do_pad == Some(true)),
            (
                "do_flip_channel_order",
                self.do_flip_channel_order == Some(true),
            ),
            ("do_image_splitting", self.do_image_splitting == Some(true)),
            ("max_num_patches", self.max_num_patches.is_some()),
            ("min_pixels", self.min_pixels.is_some()),
            ("max_pixels", self.max_pixels.is_some()),
        ];
        match asked.iter().find(|(_, asked)| *asked) {
            Some((key, _)) => Err(Error::unsupported(format!(
                "the model asks for the step '{key}'; expected resizing, a crop of the middle, scaling and normalisation alone"
            ))),
            None => Ok(()),
        }
    }

    /// Whether a side alone means the shorter one; older files of other models mean both.
    fn keeps_shape(&self) -> bool {
        match self.resize_mode.as_deref() {
            Some(mode) => mode == "shortest",
            None => ["CLIP", "ChineseCLIP", "ConvNext", "JinaCLIP"]
                .iter()
                .any(|family| self.kind().starts_with(family)),
        }
    }

    fn resize(&self) -> Result<Resize> {
        if self.do_resize == Some(false) {
            return Ok(Resize::None);
        }
        if let Some(mode) = self.resize_mode.as_deref()
            && !["shortest", "squash"].contains(&mode)
        {
            return Err(Error::unsupported(format!(
                "expected the resize_mode shortest or squash, found '{mode}'"
            )));
        }
        let resize = match self.size {
            Some(Size::Side(side)) if self.keeps_shape() => Resize::Shortest(side),
            Some(Size::Side(side)) => Resize::Exact(side, side),
            Some(Size::Edges {
                height: Some(height),
                width: Some(width),
                ..
            }) => Resize::Exact(width, height),
            Some(Size::Edges {
                shortest_edge: Some(side),
                longest_edge: None,
                ..
            }) => Resize::Shortest(side),
            Some(size) => {
                return Err(Error::unsupported(format!(
                    "expected a size of height and width, or of the shortest edge; found {size:?}"
                )));
            }
            None => {
                return Err(
                    Error::format("expected the size of the pictures, found none").hint(
                        "\"size\": {\"height\": 224, \"width\": 224}, or \"do_resize\": false",
                    ),
                );
            }
        };
        match resize {
            Resize::Exact(0, _) | Resize::Exact(_, 0) | Resize::Shortest(0) => {
                Err(Error::format("expected a size of 1 or more, found 0"))
            }
            resize => Ok(resize),
        }
    }

    fn crop(&self) -> Result<Option<(u32, u32)>> {
        let side = match (self.resize_mode.as_deref(), self.size) {
            // Jina-CLIP has no crop size of its own: the shorter side makes the square.
            (Some("shortest"), Some(Size::Side(side))) => Some(side),
            _ => None,
        };
        let crop = match (self.do_center_crop, self.crop_size) {
            (Some(false), _) => None,
            (_, Some(Size::Side(side))) => Some((side, side)),
            (
                _,
                Some(Size::Edges {
                    height: Some(height),
                    width: Some(width),
                    ..
                }),
            ) => Some((width, height)),
            (asked, None) => match (side, asked) {
                (Some(side), _) => Some((side, side)),
                (None, Some(true)) => {
                    return Err(Error::format(
                        "expected crop_size beside do_center_crop, found none",
                    ));
                }
                (None, _) => None,
            },
            (_, Some(size)) => {
                return Err(Error::format(format!(
                    "expected a crop_size of height and width, found {size:?}"
                )));
            }
        };
        match crop {
            Some((0, _) | (_, 0)) => {
                Err(Error::format("expected a crop_size of 1 or more, found 0"))
            }
            crop => Ok(crop),
        }
    }

    /// By the number that Pillow gives it, or by name.
    fn filter(&self) -> Result<Filter> {
        let asked = self.resample.as_ref().or(self.interpolation.as_ref());
        let bicubic = ["CLIP", "ChineseCLIP", "JinaCLIP", "Siglip", "Blip"]
            .iter()
            .any(|family| self.kind().starts_with(family));
        let filter = match asked {
            None if bicubic => Some(Filter::Bicubic),
            None => Some(Filter::Bilinear),
            Some(Value::String(name)) => match name.as_str() {
                "nearest" => Some(Filter::Nearest),
                "box" => Some(Filter::Box),
                "bilinear" => Some(Filter::Bilinear),
                "hamming" => Some(Filter::Hamming),
                "bicubic" => Some(Filter::Bicubic),
                "lanczos" => Some(Filter::Lanczos),
                _ => None,
            },
            Some(number) => match number.as_u64() {
                Some(0) => Some(Filter::Nearest),
                Some(1) => Some(Filter::Lanczos),
                Some(2) => Some(Filter::Bilinear),
                Some(3) => Some(Filter::Bicubic),
                Some(4) => Some(Filter::Box),
                Some(5) => Some(Filter::Hamming),
                _ => None,
            },
        };
        filter.ok_or_else(|| {
            Error::format(format!(
                "expected a resample of 0 to 5 as Pillow counts them, found {}",
                asked.unwrap_or(&Value::Null)
            ))
        })
    }

    fn normalisation(&self) -> Result<([f64; 3], [f64; 3])> {
        let mean = self.image_mean.as_ref().or(self.mean.as_ref());
        let deviation = self.image_std.as_ref().or(self.std.as_ref());
        if self.do_normalize == Some(false) {
            return Ok(([0.0; 3], [1.0; 3]));
        }
        let three = |name: &str, values: Option<&Vec<f64>>| {
            let found = values.map_or("none".to_owned(), |values| format!("{values:?}"));
            let three = values.and_then(|values| <[f64; 3]>::try_from(values.as_slice()).ok());
            three
                .filter(|values| values.iter().all(|value| value.is_finite()))
                .ok_or_else(|| {
                    Error::format(format!("expected {name} of three numbers, found {found}"))
                        .hint("without normalisation, \"do_normalize\": false")
                })
        };
        let (mean, deviation) = (three("image_mean", mean)?, three("image_std", deviation)?);
        if deviation.contains(&0.0) {
            return Err(Error::format("expected an image_std that is not 0"));
        }
        Ok((mean, deviation))
    }
}
