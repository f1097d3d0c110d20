//! Networks that read a sound and give vectors, pooled to one.

use mrmr_core::{Content, Error, Modality, Result};

use super::finite;
use crate::audio::{AudioNetwork, AudioPlan, SOUNDS, audio_of, decoded, resampled};
use crate::content_rule::Role;
use crate::embeddings::Embeddings;
use crate::encoder::{Encoder, Limits};
use crate::folder::ModelFolder;
use crate::notes::EncodeNotes;
use crate::options::ModelOptions;
use crate::runtime::Workers;
use crate::text::normalize;

/// A model of sounds: Whisper's encoder and wav2vec 2.0 in the layout of the Hub (`preprocessor_config.json` and an ONNX
/// file), or any network with `mrmr-audio.json` beside it (docs/audio.md).
///
/// A content is one sound: Ogg Vorbis, WAV, MP3 or FLAC, mixed to one channel and resampled to the model's rate. What
/// lasts longer than the model reads is cut and counted; a sound that is broken, empty or cut off is a failure of its
/// own. Silence alone is counted as empty.
///
/// ```
/// use mrmr_core::{Audio, Content, Media, Part};
/// use mrmr_models::{AudioEncoder, Encoder, ModelFolder, ModelOptions, Role};
/// let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures");
/// let folder = ModelFolder::open(format!("{fixtures}/tiny-audio"))?;
/// let encoder = AudioEncoder::open(&folder, &ModelOptions::default())?;
/// let sound = std::fs::read(format!("{fixtures}/sounds/tones.ogg")).unwrap();
/// let sound = Audio { label: "audio".to_owned(), media: Media::Bytes(sound.into()) };
/// let made = encoder.encode(&[Content::new([Part::Audio(sound)])], Role::Query)?;
/// assert_eq!(made.vector(0).map(<[f32]>::len), Some(encoder.dimension()));
/// # Ok::<(), mrmr_core::Error>(())
/// ```
pub struct AudioEncoder {
    name: String,
    network: AudioNetwork,
    dimension: usize,
}

impl AudioEncoder {
    /// Opens a model.
    ///
    /// # Errors
    /// If a file is missing or not what was expected, or fewer dimensions are asked for than there are.
    pub fn open(folder: &ModelFolder, options: &ModelOptions) -> Result<Self> {
        let network = AudioNetwork::load(
            folder,
            AudioPlan::of(folder)?,
            options.network.as_deref(),
            options.runtime,
            Workers::new(options.threads),
        )?;
        let full = network.width();
        let dimension = options.dimension.unwrap_or(full);
        if dimension == 0 || dimension > full {
            return Err(Error::usage(format!(
                "expected a dimension of 1 to {full}, found {dimension}"
            ))
            .at(folder.place("")));
        }
        Ok(AudioEncoder {
            name: folder.name().to_owned(),
            network,
            dimension,
        })
    }
}

impl Encoder for AudioEncoder {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn takes(&self) -> Modality {
        SOUNDS
    }

    fn limits(&self) -> Limits {
        Limits {
            tokens: None,
            parts: Some(1),
        }
    }

    fn encode(&self, contents: &[Content], _: Role) -> Result<Embeddings> {
        let plan = self.network.plan();
        let made = self.network.workers().run(contents.len(), |worker, item| {
            let sound = audio_of(&contents[item])
                .and_then(|audio| decoded(audio, plan.seconds))
                .map(|sound| resampled(sound, plan.rate));
            let sound = match sound {
                Ok(sound) => sound,
                Err(reason) => return Ok::<_, Error>(Err(reason)),
            };
            let notes = EncodeNotes {
                truncated: usize::from(sound.truncated),
                empty: usize::from(sound.samples.iter().all(|sample| *sample == 0.0)),
                ..EncodeNotes::default()
            };
            let vector = self.network.vector(worker, &sound)?;
            Ok(vector.and_then(|mut vector| {
                vector.truncate(self.dimension);
                if plan.normalized {
                    normalize(&mut vector);
                }
                Ok((finite(vector)?, notes))
            }))
        })?;
        let mut notes = EncodeNotes::default();
        let rows = made.into_iter().map(|made| {
            made.map(|(vector, counted)| {
                notes.add(counted);
                vector
            })
        });
        let rows = rows.collect();
        Ok(Embeddings::single(self.dimension, rows, notes))
    }
}
