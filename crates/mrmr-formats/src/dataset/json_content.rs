//! The pictures and sounds that a JSON record names by their paths.

use std::collections::BTreeSet;
use std::path::Path;

use mrmr_core::{Audio, Content, Error, Image, Media, Part, Result, closest};
use serde_json::{Map, Value};

use super::columns::titled;
use super::media_files::{MediaFiles, file_within};
use crate::json_lines::short;

/// The types of parts in `content`.
const TYPES: [&str; 3] = ["text", "image", "audio"];

/// A record whose keys are read.
pub(super) struct JsonContent<'a> {
    pub(super) id: &'a str,
    /// The folder of the file that holds the record.
    pub(super) folder: &'a Path,
}

impl JsonContent<'_> {
    /// Takes `image`, `audio` and a list of parts in `content` out of the object: a content with the title and the text,
    /// or nothing where none of the three is there.
    ///
    /// # Errors
    /// If one is not as it must be, or a path leads out of the folder.
    pub(super) fn take(
        &self,
        object: &mut Map<String, Value>,
        title: &str,
        text: Option<&str>,
    ) -> Result<Option<Content>> {
        let is_parts = |value: &Value| match value {
            Value::Array(parts) => parts.is_empty() || parts.iter().any(|part| !part.is_string()),
            _ => false,
        };
        if object.get("content").is_some_and(is_parts) {
            let other = TYPES.iter().find(|key| {
                let value = object.get(**key);
                value.is_some_and(|value| !value.is_null())
            });
            if let Some(other) = other {
                return Err(self
                    .wrong(format!("expected 'content' or '{other}', found both"))
                    .hint(format!(
                        "put what '{other}' holds into 'content', as a part"
                    )));
            }
            return match object.remove("content") {
                Some(Value::Array(parts)) => self.parts(&parts, title).map(Some),
                _ => Ok(None),
            };
        }
        let (images, sounds) = (object.remove("image"), object.remove("audio"));
        if images.is_none() && sounds.is_none() {
            return Ok(None);
        }
        let images = self.paths("image", images.as_ref())?;
        let sounds = self.paths("audio", sounds.as_ref())?;
        if text.is_none() && images.is_empty() && sounds.is_empty() {
            return Err(self.wrong("expected a text, an image or a sound, found none".to_owned()));
        }
        let images = labelled("image", images).map(|(label, media)| image(label, media));
        let sounds = labelled("audio", sounds).map(|(label, media)| audio(label, media));
        let text = titled(title, text.unwrap_or_default());
        Ok(Some(Content::new(
            images.chain(sounds).chain([Part::Text(text)]),
        )))
    }

    /// The paths of `image` or `audio`: one, several, or none.
    fn paths(&self, key: &str, value: Option<&Value>) -> Result<Vec<Media>> {
        let wrong = |found: &Value| {
            self.wrong(format!(
                "expected a path or a list of paths as '{key}', found {}",
                short(found)
            ))
        };
        match value {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::String(path)) => Ok(vec![self.media(key, path)?]),
            Some(Value::Array(paths)) => paths
                .iter()
                .map(|path| match path {
                    Value::String(path) => self.media(key, path),
                    other => Err(wrong(other)),
                })
                .collect(),
            Some(other) => Err(wrong(other)),
        }
    }

    fn media(&self, key: &str, path: &str) -> Result<Media> {
        let Some(file) = file_within(self.folder, path).filter(|_| !path.contains("://")) else {
            let error = self.wrong(format!(
                "expected as '{key}' the path of a file within the data set's folder, found '{path}'"
            ));
            return Err(error.hint("copy the file into that folder and name it from there"));
        };
        Ok(MediaFiles::one(file))
    }

    fn parts(&self, values: &[Value], title: &str) -> Result<Content> {
        if values.is_empty() {
            return Err(self.wrong("expected parts in 'content', found an empty list".to_owned()));
        }
        let mut parts = Vec::with_capacity(values.len() + 1);
        let mut labels = BTreeSet::new();
        let count = |kind| values.iter().filter(|value| value["type"] == kind).count();
        let of = [("image", count("image")), ("audio", count("audio"))];
        let mut numbers = [0; 2];
        for (at, value) in values.iter().enumerate() {
            let part = format!("part {} of 'content'", at + 1);
            let (kind, fields) = self.typed(&part, value)?;
            if kind == "text" {
                parts.push(Part::Text(self.field(&part, fields, "text")?.to_owned()));
                continue;
            }
            let media = self.media(kind, self.field(&part, fields, "path")?)?;
            let which = usize::from(kind == "audio");
            numbers[which] += 1;
            let label = match fields.get("label") {
                Some(_) => self.field(&part, fields, "label")?.to_owned(),
                None => label(kind, numbers[which], of[which].1),
            };
            if !labels.insert((which, label.clone())) {
                return Err(self
                    .wrong(format!("{part}: the label '{label}' is there already"))
                    .hint("captions name pictures by their labels: give each another"));
            }
            parts.push(match kind {
                "image" => image(label, media),
                _ => audio(label, media),
            });
        }
        match parts.first_mut() {
            Some(Part::Text(text)) => *text = titled(title, text),
            _ => parts.insert(0, Part::Text(title.to_owned())),
        }
        Ok(Content::new(parts))
    }

    /// A part as an object that has no other keys than its type has.
    fn typed<'v>(
        &self,
        part: &str,
        value: &'v Value,
    ) -> Result<(&'static str, &'v Map<String, Value>)> {
        let expected = "expected {\"type\": \"text\", \"text\": ...}, or {\"type\": \"image\" or \"audio\", \"path\": ...}";
        let Value::Object(fields) = value else {
            return Err(self.wrong(format!("{part}: {expected}; found {}", short(value))));
        };
        let found = fields.get("type").and_then(Value::as_str);
        let Some(kind) = TYPES.into_iter().find(|kind| found == Some(kind)) else {
            let near = found.and_then(|found| closest(found, TYPES));
            return Err(self
                .wrong(format!("{part}: {expected}; found {}", short(value)))
                .hint_maybe(near.map(|near| format!("did you mean the type '{near}'?"))));
        };
        let known: &[&str] = match kind {
            "text" => &["type", "text"],
            _ => &["type", "path", "label"],
        };
        match fields.keys().find(|key| !known.contains(&key.as_str())) {
            None => Ok((kind, fields)),
            Some(key) => Err(self.wrong(format!(
                "{part}: expected the keys {}; found '{key}'",
                known.join(", ")
            ))),
        }
    }

    fn field<'v>(&self, part: &str, fields: &'v Map<String, Value>, key: &str) -> Result<&'v str> {
        match fields.get(key) {
            Some(Value::String(text)) => Ok(text),
            other => Err(self.wrong(format!(
                "{part}: expected a text as '{key}', found {}",
                other.map_or("none".to_owned(), short)
            ))),
        }
    }

    fn wrong(&self, what: String) -> Error {
        Error::format(format!("id '{}': {what}", self.id))
    }
}

/// `image` where there is one, else `image 1`, `image 2`, ...: as captions name them.
fn label(kind: &str, number: usize, of: usize) -> String {
    match of {
        1 => kind.to_owned(),
        _ => format!("{kind} {number}"),
    }
}

fn labelled(kind: &str, media: Vec<Media>) -> impl Iterator<Item = (String, Media)> {
    let of = media.len();
    let media = media.into_iter().enumerate();
    media.map(move |(at, media)| (label(kind, at + 1, of), media))
}

fn image(label: String, media: Media) -> Part {
    Part::Image(Image { label, media })
}

fn audio(label: String, media: Media) -> Part {
    Part::Audio(Audio { label, media })
}
