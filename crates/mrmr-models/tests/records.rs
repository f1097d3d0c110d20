//! Records are encoded as each content rule says.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::sync::{Arc, Mutex};

use mrmr_core::{Content, Image, Media, Modality, Part, Record, Result};
use mrmr_models::{
    CaptionSource, ContentRule, DualEncoder, Embeddings, Encoder, Hashing, ModelFolder,
    ModelOptions, NoCaptions, Pixels, RecordEncoder, Role,
};
use support::fixture;

const INSTRUCTION: Option<&str> = Some("Find it.");

fn image(label: &str, file: &str) -> Image {
    let bytes = fs::read(fixture("pictures").join(file)).unwrap();
    Image {
        label: label.to_owned(),
        media: Media::Bytes(bytes.into()),
    }
}

fn text(text: &str) -> Part {
    Part::Text(text.to_owned())
}

fn record(parts: impl IntoIterator<Item = Part>) -> Record {
    Record::new(Content::new(parts))
}

fn clip() -> Arc<dyn Encoder> {
    let folder = ModelFolder::open(fixture("tiny-clip")).unwrap();
    Arc::new(DualEncoder::open(&folder, &ModelOptions::default()).unwrap())
}

/// A text with an image in it, a text alone, an image alone, a broken image with a text, nothing, and a text that names
/// an image which is not there.
fn records() -> Vec<Record> {
    let missing = Image {
        label: "image 1".to_owned(),
        media: Media::Missing,
    };
    vec![
        record([
            text("a circle"),
            Part::Image(image("image 1", "rgb.png")),
            text("twice"),
        ]),
        record([text("a circle")]),
        record([Part::Image(image("image", "rgba.png"))]),
        record([
            text("a circle"),
            Part::Image(image("image 1", "broken-cut.png")),
        ]),
        record([]),
        record([text("a circle"), Part::Image(missing)]),
    ]
}

fn encoded(rule: &str, role: Role) -> Embeddings {
    let encoder = RecordEncoder::new(rule.parse().unwrap(), clip()).unwrap();
    let records = records();
    let ids = ["both", "text", "image", "broken", "empty", "missing"];
    let given: Vec<(&str, &Record)> = ids.into_iter().zip(&records).collect();
    let made = encoder
        .encode(&given, role, INSTRUCTION, &NoCaptions)
        .unwrap();
    assert_eq!((made.len(), made.dimension()), (6, encoder.dimension()));
    made
}

fn one(content: Content) -> Vec<f32> {
    clip()
        .encode(&[content], Role::Query)
        .unwrap()
        .vector(0)
        .unwrap()
        .to_vec()
}

#[test]
fn two_streams_are_fused_and_one_alone_stays_as_it_is() {
    let picture = |file| one(Content::new([Part::Image(image("image", file))]));
    let (t, i) = (one("Find it.\na circle twice".into()), picture("rgb.png"));
    let (alone, only) = (one("Find it.\na circle".into()), picture("rgba.png"));
    let fused = |weights: (f64, f64)| -> Vec<f32> {
        let sum = |(t, i): (&f32, &f32)| weights.0 * f64::from(*t) + weights.1 * f64::from(*i);
        t.iter().zip(&i).map(|pair| sum(pair) as f32).collect()
    };
    for (rule, weights) in [
        ("two-stream", (1.0, 1.0)),
        ("two-stream:mean", (0.5, 0.5)),
        ("two-stream:weighted:0.3", (0.3, 0.7)),
    ] {
        let made = encoded(rule, Role::Query);
        assert_eq!(made.vector(0).unwrap(), fused(weights), "{rule}");
        assert_eq!(made.vector(1).unwrap(), alone, "{rule}");
        assert_eq!(made.vector(2).unwrap(), only, "{rule}");
        assert_eq!(made.vector(5).unwrap(), alone, "{rule}");
    }
    let joined = encoded("two-stream:concat", Role::Query);
    assert_eq!(joined.vector(0).unwrap(), [t, i].concat());
    assert_eq!(joined.vector(2).unwrap(), [vec![0.0; 16], only].concat());
}

#[test]
fn a_broken_picture_and_an_empty_record_fail_by_place_and_shift_nothing() {
    for rule in [
        "two-stream",
        "two-stream:concat",
        "two-stream:normalized-sum",
    ] {
        let made = encoded(rule, Role::Query);
        let failed: Vec<usize> = made.failures().iter().map(|failure| failure.item).collect();
        assert_eq!(failed, [3, 4], "{rule}");
        assert!(
            made.failures()[0]
                .reason
                .starts_with("the image 'image 1': ")
        );
        assert_eq!(
            made.failures()[1].reason,
            "expected a text or an image, found neither"
        );
        assert_eq!((made.notes().items, made.notes().missing_images), (4, 1));
    }
}

#[test]
fn documents_have_no_instruction() {
    let made = encoded("two-stream", Role::Document);
    assert_eq!(made.vector(1).unwrap(), one("a circle".into()));
}

#[test]
fn the_merged_image_of_the_data_set_is_the_one_that_is_encoded() {
    let mut several = record([
        Part::Image(image("image 1", "rgb.png")),
        Part::Image(image("image 2", "one-pixel.png")),
    ]);
    several.merged = Some(image("image", "rgba.png"));
    let encoder = RecordEncoder::new("two-stream".parse().unwrap(), clip()).unwrap();
    let encode = |record: &Record| {
        let made = encoder
            .encode(&[("d", record)], Role::Document, None, &NoCaptions)
            .unwrap();
        made.vector(0).unwrap().to_vec()
    };
    let expected = one(Content::new([Part::Image(image("image", "rgba.png"))]));
    assert_eq!(encode(&several), expected);
    several.merged = None;
    assert_ne!(encode(&several), expected);
}

/// Takes whatever it is given, and remembers it in words.
#[derive(Default)]
struct Listener(Mutex<Vec<String>>);

impl Encoder for Listener {
    fn name(&self) -> &str {
        "listener"
    }
    fn dimension(&self) -> usize {
        1
    }
    fn takes(&self) -> Modality {
        "image,text".parse().unwrap()
    }
    fn encode(&self, contents: &[Content], _: Role) -> Result<Embeddings> {
        let shown = contents.iter().map(|content| {
            let parts = content.parts().iter().map(|part| match part {
                Part::Text(text) => text.clone(),
                Part::Image(image) => {
                    let bytes = image.media.read().unwrap();
                    let size = image::ImageReader::new(std::io::Cursor::new(bytes))
                        .with_guessed_format()
                        .unwrap()
                        .into_dimensions();
                    size.map_or("[broken]".to_owned(), |(width, height)| {
                        format!("[{width} x {height}]")
                    })
                }
                Part::Audio(_) => "[sound]".to_owned(),
            });
            parts.collect()
        });
        self.0.lock().unwrap().extend(shown);
        let rows = contents.iter().map(|_| Ok(vec![1.0])).collect();
        Ok(Embeddings::single(1, rows, Default::default()))
    }
}

struct Captioned;

impl CaptionSource for Captioned {
    fn caption(&self, _: Role, id: &str, label: &str) -> Option<&str> {
        (id == "both" && label == "image 1").then_some("a graph")
    }
}

fn heard(rule: &str, role: Role, records: &[Record]) -> (Vec<String>, Embeddings) {
    let listener = Arc::new(Listener::default());
    let encoder = RecordEncoder::new(rule.parse().unwrap(), listener.clone()).unwrap();
    let ids = ["both", "text", "image", "broken", "empty", "missing"];
    let given: Vec<(&str, &Record)> = ids.into_iter().zip(records).collect();
    let made = encoder
        .encode(&given, role, INSTRUCTION, &Captioned)
        .unwrap();
    let heard = listener.0.lock().unwrap().clone();
    (heard, made)
}

#[test]
fn each_rule_hands_over_what_it_says() {
    let of = |rule, role| heard(rule, role, &records()).0;
    assert_eq!(
        of("text", Role::Query),
        ["a circle twice", "a circle", "", "a circle", "", "a circle"]
            .map(|text| format!("Find it.\n{text}"))
    );
    assert_eq!(
        of("captions", Role::Document),
        [
            "a circle<a graph>twice",
            "a circle",
            "",
            "a circle",
            "",
            "a circle"
        ]
    );
    assert_eq!(
        of("merged", Role::Query),
        [
            "[23 x 17]Find it.\na circle twice",
            "Find it.\na circle",
            "[23 x 17]Find it.",
            "[23 x 17]Find it.\na circle",
            "Find it.\na circle"
        ]
    );
    assert_eq!(
        of("interleaved", Role::Document),
        [
            "a circle[23 x 17]twice",
            "a circle",
            "[23 x 17]",
            "a circle[23 x 17]",
            "a circle "
        ]
    );
}

#[test]
fn what_is_missing_is_counted_and_an_empty_record_fails() {
    let (_, made) = heard("captions", Role::Document, &records());
    assert_eq!(made.notes().missing_captions, 3);
    let (_, made) = heard("merged", Role::Document, &records());
    assert_eq!(made.notes().missing_images, 1);
    assert_eq!((made.failures().len(), made.failures()[0].item), (1, 4));
    assert!(made.vector(5).is_some());
}

#[test]
fn a_merged_image_is_stacked_and_bounded() {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let wide = image::RgbImage::new(2501, 33);
    wide.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    let wide = Image {
        label: "image".to_owned(),
        media: Media::Bytes(bytes.into_inner().into()),
    };
    let large = record([text("large"), Part::Image(wide)]);
    let stacked = record([
        Part::Image(image("image 1", "rgb.png")),
        Part::Image(image("image 2", "quarter.jpg")),
    ]);
    let (heard, _) = heard("merged", Role::Document, &[large, stacked]);
    assert_eq!(heard, ["[2000 x 26]large", "[64 x 65]"]);
}

#[test]
fn two_encoders_stand_side_by_side() {
    let (texts, images) = (Arc::new(Hashing::new(64)), Arc::new(Pixels));
    let rule = "two-stream:concat".parse().unwrap();
    let encoder = RecordEncoder::of_two(rule, texts.clone(), images.clone()).unwrap();
    assert_eq!(encoder.dimension(), 64 + images.dimension());
    assert_eq!(encoder.name(), "hashing + pixels");
    let records = records();
    let given = [("text", &records[1]), ("image", &records[2])];
    let made = encoder
        .encode(&given, Role::Document, None, &NoCaptions)
        .unwrap();
    let text = texts.encode(&["a circle".into()], Role::Document).unwrap();
    assert_eq!(&made.vector(0).unwrap()[..64], text.vector(0).unwrap());
    assert!(made.vector(0).unwrap()[64..].iter().all(|x| *x == 0.0));
    assert!(made.vector(1).unwrap()[..64].iter().all(|x| *x == 0.0));
}

#[test]
fn what_cannot_be_carried_out_is_said_at_once() {
    let refused = |rule: &str, encoder: Arc<dyn Encoder>| {
        let rule: ContentRule = rule.parse().unwrap();
        RecordEncoder::new(rule, encoder).err().unwrap()
    };
    let hashing = || Arc::new(Hashing::default());
    let pixels = Arc::new(Pixels);
    assert!(
        refused("text", pixels.clone())
            .to_string()
            .contains("takes texts; pixels takes image")
    );
    assert!(
        refused("two-stream", hashing())
            .to_string()
            .contains("takes images; hashing takes text")
    );
    assert!(
        refused("merged", hashing())
            .to_string()
            .contains("takes images")
    );
    assert!(refused("merged", clip()).hints()[0].contains("two-stream"));
    let sizes = RecordEncoder::of_two("two-stream".parse().unwrap(), hashing(), pixels.clone());
    assert!(
        sizes
            .err()
            .unwrap()
            .to_string()
            .contains("needs vectors of one size")
    );
    let two = RecordEncoder::of_two(ContentRule::Merged, hashing(), pixels);
    assert!(two.err().unwrap().to_string().contains("takes one encoder"));
}
