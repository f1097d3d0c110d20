//! Ogg Vorbis, WAV, MP3 and FLAC to samples.

use std::io::Cursor;

use mrmr_core::Audio;
use symphonia::core::codecs::audio::AudioDecoderOptions;
use symphonia::core::errors::Error as Fault;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatOptions, FormatReader, TrackType};
use symphonia::core::io::MediaSourceStream;
use symphonia::core::meta::MetadataOptions;

use super::Sound;

/// The rates that are believed; beyond them a header is broken, and its sound would not fit into memory.
const RATES: std::ops::RangeInclusive<u32> = 1_000..=192_000;
const FORMATS: &str = "Ogg Vorbis, WAV, MP3 or FLAC";

/// A sound as one channel, the mean of its channels, of at most so many seconds: no more is decoded, so that a sound of
/// hours costs what is read of it.
///
/// What is broken or cut off before that is an error, never a shorter sound.
pub(crate) fn decoded(audio: &Audio, seconds: f64) -> Result<Sound, String> {
    let about = |reason: String| format!("the sound '{}': {reason}", audio.label);
    let bytes = audio
        .media
        .read()
        .map_err(|error| about(error.to_string()))?;
    if bytes.is_empty() {
        return Err(about(format!("expected {FORMATS}, found an empty file")));
    }
    let ends = !bytes.starts_with(b"OggS") || ogg_ends(&bytes);
    let stream = MediaSourceStream::new(Box::new(Cursor::new(bytes)), Default::default());
    let mut reader = symphonia::default::get_probe()
        .probe(
            &Hint::new(),
            stream,
            FormatOptions::default(),
            MetadataOptions::default(),
        )
        .map_err(|fault| {
            about(match fault {
                Fault::IoError(_) => format!("broken or cut off after 0.00 s: {fault}"),
                _ => format!("expected {FORMATS}: {fault}"),
            })
        })?;
    samples(reader.as_mut(), seconds, ends).map_err(about)
}

fn samples(reader: &mut dyn FormatReader, seconds: f64, ends: bool) -> Result<Sound, String> {
    let track = reader
        .default_track(TrackType::Audio)
        .ok_or("expected a sound, found a file without one")?;
    let (id, stated) = (track.id, track.num_frames);
    let parameters = track.codec_params.as_ref().and_then(|all| all.audio());
    let parameters = parameters.ok_or("expected a sound of a known codec")?;
    let mut decoder = symphonia::default::get_codecs()
        .make_audio_decoder(parameters, &AudioDecoderOptions::default())
        .map_err(|fault| format!("expected {FORMATS}: {fault}"))?;
    let mut sound = Sound {
        rate: 0,
        samples: Vec::new(),
        truncated: false,
    };
    let mut piece: Vec<f32> = Vec::new();
    let at = |sound: &Sound, fault: &dyn std::fmt::Display| {
        let read = sound.samples.len() as f64 / f64::from(sound.rate.max(1));
        format!("broken or cut off after {read:.2} s: {fault}")
    };
    let mut most = usize::MAX;
    while sound.samples.len() <= most {
        let packet = match reader.next_packet() {
            Ok(Some(packet)) if packet.track_id == id => packet,
            Ok(Some(_)) => continue,
            Ok(None) => break,
            Err(Fault::ResetRequired) => {
                return Err("expected one sound, found several one after another".to_owned());
            }
            Err(fault) => return Err(at(&sound, &fault)),
        };
        let block = decoder
            .decode(&packet)
            .map_err(|fault| at(&sound, &fault))?;
        let (rate, channels) = (block.spec().rate(), block.num_planes());
        if !RATES.contains(&rate) {
            return Err(format!(
                "expected {} to {} samples a second, found {rate}",
                RATES.start(),
                RATES.end()
            ));
        }
        if sound.rate != 0 && sound.rate != rate {
            return Err(format!(
                "expected one rate, found {} and {rate} samples a second",
                sound.rate
            ));
        }
        sound.rate = rate;
        most = (seconds * f64::from(rate)).ceil() as usize;
        block.copy_to_vec_interleaved(&mut piece);
        let mean = |all: &[f32]| all.iter().sum::<f32>() / all.len() as f32;
        sound
            .samples
            .extend(piece.chunks_exact(channels.max(1)).map(mean));
    }
    sound.truncated = sound.samples.len() > most;
    sound.samples.truncate(most);
    if let Some(stated) = stated
        && !sound.truncated
        && (sound.samples.len() as u64) < stated
    {
        let fault = format!(
            "{stated} samples are stated, {} are there",
            sound.samples.len()
        );
        return Err(at(&sound, &fault));
    }
    if !sound.truncated && !ends {
        return Err(at(&sound, &"the last page of the Ogg stream is not there"));
    }
    if sound.samples.is_empty() {
        return Err("expected a sound, found one without samples".to_owned());
    }
    match sound.samples.iter().all(|sample| sample.is_finite()) {
        true => Ok(sound),
        false => Err("expected finite samples, found others".to_owned()),
    }
}

/// Whether an Ogg stream has its last page, and has it whole: decoders take what is there.
fn ogg_ends(bytes: &[u8]) -> bool {
    let last = bytes.windows(4).rposition(|four| four == b"OggS");
    let page = last.map_or(&[][..], |at| &bytes[at..]);
    let (Some(flags), Some(segments)) = (page.get(5), page.get(26)) else {
        return false;
    };
    let header = 27 + usize::from(*segments);
    let Some(sizes) = page.get(27..header) else {
        return false;
    };
    let body: usize = sizes.iter().map(|size| usize::from(*size)).sum();
    flags & 4 != 0 && page.len() >= header + body
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use mrmr_core::Media;

    use super::*;

    #[test]
    fn each_format_has_the_samples_of_libsndfile() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/sounds/");
        // Every seventh sample.
        let known: BTreeMap<String, Vec<f32>> =
            serde_json::from_str(include_str!("../../tests/fixtures/sounds/decoded.json")).unwrap();
        assert_eq!(known.len(), 8);
        for (name, expected) in known {
            let bytes = std::fs::read(format!("{folder}{name}")).unwrap();
            let audio = Audio {
                label: "audio".to_owned(),
                media: Media::Bytes(bytes.into()),
            };
            let sound = decoded(&audio, 30.0).unwrap();
            assert_eq!((sound.rate, sound.samples.len()), (22_050, 5_512), "{name}");
            for (made, expected) in sound.samples.iter().step_by(7).zip(&expected) {
                assert!((made - expected).abs() < 1e-4, "{name}: {made} {expected}");
            }
        }
    }

    #[test]
    fn an_ogg_stream_ends_with_a_whole_last_page() {
        let bytes = include_bytes!("../../tests/fixtures/sounds/tones.ogg");
        assert!(ogg_ends(bytes));
        assert!(!ogg_ends(&bytes[..bytes.len() - 20]));
        assert!(!ogg_ends(&bytes[..200]));
        assert!(!ogg_ends(b"OggS"));
    }
}
