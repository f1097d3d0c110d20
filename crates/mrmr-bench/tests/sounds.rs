//! What is kept of a sound belongs to its bytes.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use mrmr_bench::encoding::EncodingJob;
use mrmr_bench::store::Store;
use mrmr_core::{Audio, Content, Media, Modality, Part, Record, Result};
use mrmr_models::{Embeddings, Encoder, NoCaptions, RecordEncoder, Role};

/// How long a sound is.
struct Length;

impl Encoder for Length {
    fn name(&self) -> &str {
        "length"
    }
    fn dimension(&self) -> usize {
        1
    }
    fn takes(&self) -> Modality {
        "audio".parse().unwrap()
    }
    fn encode(&self, contents: &[Content], _: Role) -> Result<Embeddings> {
        let rows = contents.iter().map(|content| match content.parts() {
            [Part::Audio(audio)] => match audio.media.read() {
                Ok(bytes) => Ok(vec![bytes.len() as f32]),
                Err(error) => Err(error.to_string()),
            },
            _ => Err("no sound".to_owned()),
        });
        Ok(Embeddings::single(1, rows.collect(), Default::default()))
    }
}

#[test]
fn another_sound_under_the_same_id_is_encoded_again() {
    let folder = tempfile::tempdir().unwrap();
    let encoder = RecordEncoder::new("interleaved".parse().unwrap(), Arc::new(Length)).unwrap();
    let reused = |media: Media| {
        let sound = Audio {
            label: "audio".to_owned(),
            media,
        };
        let record = Record::new(Content::new([Part::Audio(sound)]));
        let store = Store::open(folder.path()).unwrap();
        let job = EncodingJob::new(&encoder, Role::Query, &NoCaptions);
        let named = [("q", &record)];
        let plan = job.plan(&named, &store).unwrap();
        plan.run(&()).unwrap().reused()
    };
    let bytes = |text: &str| Media::Bytes(text.as_bytes().into());
    assert_eq!(reused(bytes("one")), 0);
    assert_eq!(reused(bytes("one")), 1);
    assert_eq!(reused(bytes("two")), 0);
    assert_eq!(reused(bytes("one")), 1);
}
