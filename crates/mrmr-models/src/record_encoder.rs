//! Records to vectors: a content rule bound to the encoders that carry it out.

use std::sync::Arc;

use mrmr_core::{Content, Error, Part, Record, Result};

use crate::content_rule::{CaptionSource, ContentRule, Role};
use crate::embeddings::{EmbeddingKind, Embeddings};
use crate::encoder::Encoder;
use crate::fusion::Fusion;
use crate::notes::EncodeNotes;
use crate::pictures::{merged, present};

/// How long the longer side of a merged image is at most, for a model that takes it with a text (MRMR).
const LONGEST: u32 = 2_000;

/// Encodes records under a content rule.
///
/// | rule | what is encoded |
/// |---|---|
/// | `text` | the texts |
/// | `captions` | the texts with captions for images |
/// | `two-stream` | t: the texts; i: the merged image; both fused; a record of one kind alone has that vector |
/// | `merged` | the merged image (longer side at most 2,000 pixels, Lanczos), then the texts, in one content |
/// | `interleaved` | the parts as they are, without images that are missing |
///
/// The merged image is the data set's own, else the only image, else all of them one under the other, centred on
/// white. A query's text is `instruction + "\n" + text`; documents have none. A query of images alone has no text for
/// it, unless the encoder takes several parts.
///
/// ```
/// use std::sync::Arc;
/// use mrmr_core::Record;
/// use mrmr_models::{Hashing, NoCaptions, RecordEncoder, Role};
/// let encoder = RecordEncoder::new("text".parse()?, Arc::new(Hashing::default()))?;
/// let record = Record::new("a red circle");
/// let made = encoder.encode(&[("d1", &record)], Role::Document, None, &NoCaptions)?;
/// assert_eq!(made.vector(0).map(<[f32]>::len), Some(encoder.dimension()));
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone)]
pub struct RecordEncoder {
    rule: ContentRule,
    texts: Arc<dyn Encoder>,
    /// Another encoder for images, where there are two.
    images: Option<Arc<dyn Encoder>>,
    dimension: usize,
}

impl RecordEncoder {
    /// One encoder for all that the rule makes of a record.
    ///
    /// # Errors
    /// If the encoder cannot take that.
    pub fn new(rule: ContentRule, encoder: Arc<dyn Encoder>) -> Result<Self> {
        RecordEncoder::bound(rule, encoder, None)
    }

    /// An encoder for texts and another for images, under `two-stream`.
    ///
    /// # Errors
    /// If the rule is another, an encoder does not take its kind, or vectors of their sizes cannot be fused so.
    pub fn of_two(
        rule: ContentRule,
        texts: Arc<dyn Encoder>,
        images: Arc<dyn Encoder>,
    ) -> Result<Self> {
        if !matches!(rule, ContentRule::TwoStream(_)) {
            return Err(Error::usage(format!(
                "the content rule '{rule}' takes one encoder; two were given"
            ))
            .hint("use two-stream, or two-stream:concat where their vectors have other sizes"));
        }
        RecordEncoder::bound(rule, texts, Some(images))
    }

    fn bound(
        rule: ContentRule,
        texts: Arc<dyn Encoder>,
        images: Option<Arc<dyn Encoder>>,
    ) -> Result<Self> {
        let of_images: &dyn Encoder = images.as_deref().unwrap_or(&*texts);
        let lacks = |encoder: &dyn Encoder, what: &str| {
            let error = Error::usage(format!(
                "the content rule '{rule}' needs an encoder that takes {what}; {} takes {}",
                encoder.name(),
                encoder.takes()
            ));
            Err(error)
        };
        let mut dimension = texts.dimension();
        match rule {
            ContentRule::Text | ContentRule::Captions if !texts.takes().text => {
                return lacks(&*texts, "texts")
                    .map_err(|error| error.hint("interleaved hands over images as they are"));
            }
            ContentRule::TwoStream(fusion) => {
                if !texts.takes().text {
                    return lacks(&*texts, "texts").map_err(|error| {
                        error.hint("give one encoder for texts and one for images")
                    });
                }
                if !of_images.takes().image {
                    return lacks(of_images, "images").map_err(|error| {
                        error.hint("give one encoder for texts and one for images")
                    });
                }
                for encoder in [&*texts, of_images] {
                    if encoder.kind() != EmbeddingKind::Single {
                        return Err(Error::usage(format!(
                            "the content rule '{rule}' needs one vector a record; {} makes several",
                            encoder.name()
                        )));
                    }
                }
                dimension = fusion.dimension(texts.dimension(), of_images.dimension())?;
            }
            ContentRule::Merged => {
                if !texts.takes().image {
                    return lacks(&*texts, "images");
                }
                if texts.takes().text && texts.limits().parts == Some(1) {
                    return lacks(&*texts, "an image and a text at once").map_err(|error| {
                        error
                            .hint("it takes one or the other: two-stream fuses the vectors of both")
                    });
                }
            }
            ContentRule::Text | ContentRule::Captions | ContentRule::Interleaved => {}
        }
        Ok(RecordEncoder {
            rule,
            texts,
            images,
            dimension,
        })
    }

    /// The rule.
    pub fn rule(&self) -> ContentRule {
        self.rule
    }

    /// The names of its encoders.
    pub fn name(&self) -> String {
        match &self.images {
            Some(images) => format!("{} + {}", self.texts.name(), images.name()),
            None => self.texts.name().to_owned(),
        }
    }

    /// How many numbers each vector has.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// What it makes of a record: one vector or several.
    pub fn kind(&self) -> EmbeddingKind {
        self.texts.kind()
    }

    /// Encodes records, each with its id, in order. A record that cannot be encoded is a failure of its own and shifts no
    /// other.
    ///
    /// # Errors
    /// If a model itself fails.
    pub fn encode(
        &self,
        records: &[(&str, &Record)],
        role: Role,
        instruction: Option<&str>,
        captions: &dyn CaptionSource,
    ) -> Result<Embeddings> {
        let instruction = instruction.filter(|_| role == Role::Query);
        let mut notes = EncodeNotes::default();
        match self.rule {
            ContentRule::Text | ContentRule::Captions => {
                let text = |(id, record): &(&str, &Record)| {
                    let rendered = self.rule.render(role, id, record, captions);
                    notes.missing_captions += rendered.without_caption.len();
                    Ok(instructed(instruction, &rendered.text).into())
                };
                let contents = records.iter().map(text).collect();
                self.whole(contents, role, notes)
            }
            ContentRule::TwoStream(fusion) => {
                self.streams(fusion, records, role, instruction, captions)
            }
            ContentRule::Merged | ContentRule::Interleaved => {
                let contents = records
                    .iter()
                    .map(|(id, record)| {
                        notes.missing_images += present(record).1;
                        let content = match self.rule {
                            ContentRule::Merged => {
                                let text = self.rule.render(role, id, record, captions).text;
                                let image = merged(record, Some(LONGEST)).map(Part::Image);
                                Content::new(image.into_iter().chain([Part::Text(text)]))
                            }
                            _ => without_missing(&record.content),
                        };
                        match content.parts() {
                            [] => Err(NOTHING.to_owned()),
                            _ => Ok(self.led(instruction, content)),
                        }
                    })
                    .collect();
                self.whole(contents, role, notes)
            }
        }
    }

    /// A content with the instruction before its first text; one of images alone has it at its end, where the encoder
    /// takes several parts.
    fn led(&self, instruction: Option<&str>, content: Content) -> Content {
        let Some(instruction) = instruction else {
            return content;
        };
        let mut led = false;
        let mut parts: Vec<Part> = content.parts().to_vec();
        for part in &mut parts {
            if let Part::Text(text) = part
                && !led
            {
                *text = format!("{instruction}\n{text}");
                led = true;
            }
        }
        if !led && self.texts.takes().text && self.texts.limits().parts != Some(1) {
            parts.push(Part::Text(instruction.to_owned()));
        }
        Content::new(parts)
    }

    /// Encodes contents by the one encoder; those that could not be made stay failures.
    fn whole(
        &self,
        contents: Vec<Result<Content, String>>,
        role: Role,
        mut notes: EncodeNotes,
    ) -> Result<Embeddings> {
        let (made, of_encoder) = vectors(&*self.texts, &contents, role)?;
        notes.add(of_encoder);
        let embeddings = match self.texts.kind() {
            EmbeddingKind::Single => Embeddings::single(self.dimension, made, notes),
            EmbeddingKind::Multi => Embeddings::multi(self.dimension, made, notes),
        };
        Ok(embeddings)
    }

    fn streams(
        &self,
        fusion: Fusion,
        records: &[(&str, &Record)],
        role: Role,
        instruction: Option<&str>,
        captions: &dyn CaptionSource,
    ) -> Result<Embeddings> {
        let of_images: &dyn Encoder = self.images.as_deref().unwrap_or(&*self.texts);
        let mut notes = EncodeNotes::default();
        let (mut texts, mut images) = (Vec::new(), Vec::new());
        // Which of the two a record has.
        let mut has = Vec::with_capacity(records.len());
        for (id, record) in records {
            notes.missing_images += present(record).1;
            let text = self.rule.render(role, id, record, captions).text;
            let image = merged(record, None);
            has.push((!text.is_empty(), image.is_some()));
            if !text.is_empty() {
                texts.push(Ok(Content::from(instructed(instruction, &text))));
            }
            images.extend(image.map(|image| Ok(Content::new([Part::Image(image)]))));
        }
        let (texts, of_texts) = vectors(&*self.texts, &texts, role)?;
        let (images, of_encoder) = vectors(of_images, &images, role)?;
        notes.add(of_texts);
        notes.add(of_encoder);
        let (mut texts, mut images) = (texts.into_iter(), images.into_iter());
        let sizes = (self.texts.dimension(), of_images.dimension());
        let rows = has.into_iter().map(|(has_text, has_image)| {
            // Both are taken off before either failure is told: nothing shifts.
            let text = if has_text { texts.next() } else { None };
            let image = if has_image { images.next() } else { None };
            match (text.transpose()?, image.transpose()?) {
                (None, None) => Err(NOTHING.to_owned()),
                (text, image) => Ok(fusion.fuse(text.as_deref(), image.as_deref(), sizes)),
            }
        });
        let rows = rows.collect();
        Ok(Embeddings::single(self.dimension, rows, notes))
    }
}

const NOTHING: &str = "expected a text or an image, found neither";

/// All numbers of each content, or why there are none.
type Rows = Vec<Result<Vec<f32>, String>>;

fn vectors(
    encoder: &dyn Encoder,
    contents: &[Result<Content, String>],
    role: Role,
) -> Result<(Rows, EncodeNotes)> {
    let given: Vec<Content> = contents.iter().flatten().cloned().collect();
    if given.is_empty() {
        let rows = contents.iter().map(|content| match content {
            Err(reason) => Err(reason.clone()),
            Ok(_) => Ok(Vec::new()),
        });
        return Ok((rows.collect(), EncodeNotes::default()));
    }
    let made = encoder.encode(&given, role)?;
    let mut failures = made.failures().iter().peekable();
    let mut place = 0;
    let rows = contents.iter().map(|content| {
        content.as_ref().map_err(String::clone)?;
        let item = place;
        place += 1;
        match failures.next_if(|failure| failure.item == item) {
            Some(failure) => Err(failure.reason.clone()),
            None => Ok(made.vectors(item).flatten().copied().collect()),
        }
    });
    Ok((rows.collect(), made.notes()))
}

fn instructed(instruction: Option<&str>, text: &str) -> String {
    match instruction {
        Some(instruction) => format!("{instruction}\n{text}"),
        None => text.to_owned(),
    }
}

/// The parts that there are; what is missing leaves a space, as under the rule `text`.
fn without_missing(content: &Content) -> Content {
    let space = || Part::Text(" ".to_owned());
    let parts = content.parts().iter().map(|part| match part {
        Part::Image(image) if image.media.is_missing() => space(),
        Part::Audio(audio) if audio.media.is_missing() => space(),
        part => part.clone(),
    });
    let parts: Vec<Part> = parts.collect();
    let blank = |part: &Part| matches!(part, Part::Text(text) if text.trim().is_empty());
    if parts.iter().all(blank) {
        return Content::default();
    }
    Content::new(parts)
}
