//! The networks of a model that has one for texts and one for pictures.

use std::path::PathBuf;

use mrmr_core::{Error, Result};

use super::ModelFolder;

impl ModelFolder {
    /// The ONNX files for texts and for pictures: `onnx/text_model.onnx` and `onnx/vision_model.onnx`, with a name
    /// `text_model_NAME.onnx` and `vision_model_NAME.onnx`; else one file that has both.
    ///
    /// # Errors
    /// If there is neither.
    pub(crate) fn towers(&self, named: Option<&str>) -> Result<(PathBuf, PathBuf)> {
        let tower = |stem: &str| {
            let file = match named {
                Some(named) => format!("{stem}_{named}.onnx"),
                None => format!("{stem}.onnx"),
            };
            let places = [format!("onnx/{file}"), file];
            places.into_iter().find(|place| self.has(place))
        };
        match (tower("text_model"), tower("vision_model")) {
            (Some(texts), Some(pictures)) => Ok((self.path.join(texts), self.path.join(pictures))),
            (None, None) => {
                let both = self.network(named).map_err(|error| {
                    error.hint("a model of texts and pictures has onnx/text_model.onnx and onnx/vision_model.onnx")
                })?;
                Ok((both.clone(), both))
            }
            (texts, _) => {
                let (found, wanted) = match texts {
                    Some(found) => (found, "vision_model"),
                    None => (tower("vision_model").unwrap_or_default(), "text_model"),
                };
                Err(
                    Error::format(format!("expected a {wanted} beside {found}, found none"))
                        .at(self.place("")),
                )
            }
        }
    }
}
