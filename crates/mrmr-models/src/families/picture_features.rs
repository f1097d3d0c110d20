//! Networks that read one picture and give one vector.

use mrmr_core::{Content, Error, Modality, Result};

use super::finite;
use crate::content_rule::Role;
use crate::embeddings::Embeddings;
use crate::encoder::{Encoder, Limits};
use crate::folder::ModelFolder;
use crate::notes::EncodeNotes;
use crate::options::ModelOptions;
use crate::pictures::{PICTURES, PictureNetwork, Preparation, PreprocessorConfig, image_of};
use crate::runtime::Workers;

/// A model of pictures alone, such as ViT, DINOv2, ResNet or EfficientNet: a folder with `onnx/model.onnx` (or
/// `model.onnx`) and `preprocessor_config.json`.
///
/// The network has one input of four axes (picture, colour, row, column). Its vector is the output `image_embeds` or
/// `pooler_output`, else the only output of two axes, else the first token of `last_hidden_state`; it is given as it is,
/// not normalised. A network that does not come from the Hub needs a `preprocessor_config.json` that says what it
/// reads; this one is for `(RGB - 127) / 128` at 160 x 160:
///
/// ```json
/// {
///   "do_resize": true, "size": {"height": 160, "width": 160}, "resample": 3,
///   "do_rescale": false,
///   "do_normalize": true, "image_mean": [127, 127, 127], "image_std": [128, 128, 128]
/// }
/// ```
pub struct PictureFeatures {
    name: String,
    network: PictureNetwork,
    dimension: usize,
}

impl PictureFeatures {
    /// Opens a model.
    ///
    /// # Errors
    /// If a file is missing or not what was expected, or fewer dimensions are asked for than there are.
    pub fn open(folder: &ModelFolder, options: &ModelOptions) -> Result<Self> {
        let network = PictureNetwork::load(
            &folder.network(options.network.as_deref())?,
            options.runtime,
            Workers::new(options.threads),
            preparation(folder)?,
            &["image_embeds", "pooler_output"],
        )?;
        let full = network.width();
        let dimension = options.dimension.unwrap_or(full);
        if dimension == 0 || dimension > full {
            return Err(Error::usage(format!(
                "expected a dimension of 1 to {full}, found {dimension}"
            ))
            .at(folder.place("")));
        }
        Ok(PictureFeatures {
            name: folder.name().to_owned(),
            network,
            dimension,
        })
    }
}

impl Encoder for PictureFeatures {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimension(&self) -> usize {
        self.dimension
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
        let workers = self.network.workers();
        let rows = workers.run(contents.len(), |worker, item| {
            let image = match image_of(&contents[item]) {
                Ok(image) => image,
                Err(reason) => return Ok(Err(reason)),
            };
            let vector = self.network.vector(worker, image)?;
            Ok::<_, Error>(vector.and_then(|mut vector| {
                vector.truncate(self.dimension);
                finite(vector)
            }))
        })?;
        Ok(Embeddings::single(
            self.dimension,
            rows,
            EncodeNotes::default(),
        ))
    }
}

/// How the model wants its pictures.
pub(super) fn preparation(folder: &ModelFolder) -> Result<Preparation> {
    const FILE: &str = "preprocessor_config.json";
    folder.required(
        FILE,
        "it says to which size pictures are brought and how their colours become numbers",
    )?;
    let config: PreprocessorConfig = folder.json(FILE)?.unwrap_or_default();
    Preparation::of(&config).map_err(|error| error.at(folder.place(FILE)))
}
