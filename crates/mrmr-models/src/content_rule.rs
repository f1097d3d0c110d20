//! How the parts of a record are used, and the text of a record.

use std::fmt;
use std::str::FromStr;

use mrmr_core::{Error, Part, Record, Result, closest};

use crate::fusion::Fusion;

/// Which side of retrieval a record is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// What is asked.
    Query,
    /// What is found.
    Document,
}

/// Where captions of images come from.
pub trait CaptionSource {
    /// The caption of the image `label` (`image`, `image 1`, ...) of a record.
    fn caption(&self, role: Role, id: &str, label: &str) -> Option<&str>;
}

/// No captions at all.
#[derive(Clone, Copy, Debug)]
pub struct NoCaptions;

impl CaptionSource for NoCaptions {
    fn caption(&self, _: Role, _: &str, _: &str) -> Option<&str> {
        None
    }
}

/// How the parts of a content are used.
///
/// ```
/// use mrmr_models::{ContentRule, Fusion};
/// let rule: ContentRule = "two-stream:mean".parse()?;
/// assert_eq!(rule, ContentRule::TwoStream(Fusion::Mean));
/// assert_eq!(ContentRule::TwoStream(Fusion::Sum).to_string(), "two-stream");
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ContentRule {
    /// The texts; each image leaves a space.
    #[default]
    Text,
    /// The texts, with each image replaced by its caption in angle brackets; a query that is text
    /// alone stands in angle brackets as a whole (MRMR's set-up T2T).
    Captions,
    /// All texts by the encoder of texts, the merged image by that of images, and both vectors fused.
    TwoStream(Fusion),
    /// The merged image, then all texts, into one model that takes both at once.
    Merged,
    /// Texts and images in their order, into a model that takes them so.
    Interleaved,
}

/// A record as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendered {
    /// The text, without white space around it.
    pub text: String,
    /// The labels of images for which a caption was wanted and not there.
    pub without_caption: Vec<String>,
}

impl ContentRule {
    /// Every name of a rule; behind `two-stream` a fusion may stand, as in `two-stream:mean`.
    pub const NAMES: &'static [&'static str] =
        &["text", "captions", "two-stream", "merged", "interleaved"];

    /// The names of the rules that make text of a record: what a system of words alone can read.
    pub const NAMES_OF_TEXT: &'static [&'static str] = &["text", "captions"];

    /// The text of a record under this rule: that beside its images, where images are read as such.
    pub fn render(
        self,
        role: Role,
        id: &str,
        record: &Record,
        captions: &dyn CaptionSource,
    ) -> Rendered {
        let mut rendered = Rendered::default();
        for part in record.content.parts() {
            match (part, self) {
                (Part::Text(text), _) => rendered.text.push_str(text),
                (Part::Image(image), ContentRule::Captions) => {
                    match captions.caption(role, id, &image.label) {
                        Some(caption) => {
                            rendered.text.push('<');
                            rendered.text.push_str(caption.trim());
                            rendered.text.push('>');
                        }
                        None => {
                            rendered.without_caption.push(image.label.clone());
                            rendered.text.push(' ');
                        }
                    }
                }
                (Part::Image(_) | Part::Audio(_), _) => rendered.text.push(' '),
            }
        }
        let trimmed = rendered.text.trim();
        let text_alone = matches!(record.content.parts(), [Part::Text(_)]);
        rendered.text = if self == ContentRule::Captions && role == Role::Query && text_alone {
            format!("<{trimmed}>")
        } else {
            trimmed.to_owned()
        };
        rendered
    }
}

impl fmt::Display for ContentRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContentRule::Text => f.pad("text"),
            ContentRule::Captions => f.pad("captions"),
            ContentRule::TwoStream(Fusion::Sum) => f.pad("two-stream"),
            ContentRule::TwoStream(fusion) => f.pad(&format!("two-stream:{fusion}")),
            ContentRule::Merged => f.pad("merged"),
            ContentRule::Interleaved => f.pad("interleaved"),
        }
    }
}

impl FromStr for ContentRule {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        match text {
            "text" => Ok(ContentRule::Text),
            "captions" => Ok(ContentRule::Captions),
            "two-stream" => Ok(ContentRule::TwoStream(Fusion::Sum)),
            "merged" => Ok(ContentRule::Merged),
            "interleaved" => Ok(ContentRule::Interleaved),
            text if text.starts_with("two-stream:") => text["two-stream:".len()..]
                .parse()
                .map(ContentRule::TwoStream),
            _ => Err(Error::usage(format!(
                "unknown content rule '{text}'; expected {}",
                Self::NAMES.join(", ")
            ))
            .hint_maybe(
                closest(text, Self::NAMES.iter().copied())
                    .map(|name| format!("did you mean {name}?")),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mrmr_core::{Content, Image, Media};

    struct Fixed;

    impl CaptionSource for Fixed {
        fn caption(&self, _: Role, id: &str, label: &str) -> Option<&str> {
            (id == "q1" && label == "image 1").then_some("a graph")
        }
    }

    fn interleaved() -> Record {
        let image = |label: &str| {
            Part::Image(Image {
                label: label.to_owned(),
                media: Media::Missing,
            })
        };
        Record::new(Content::new([
            Part::Text("See ".to_owned()),
            image("image 1"),
            Part::Text(" and".to_owned()),
            image("image 2"),
            Part::Text("compare.".to_owned()),
        ]))
    }

    #[test]
    fn images_leave_a_space_under_the_rule_text() {
        let rendered = ContentRule::Text.render(Role::Query, "q1", &interleaved(), &Fixed);
        assert_eq!(rendered.text, "See   and compare.");
        assert!(rendered.without_caption.is_empty());
    }

    #[test]
    fn captions_stand_in_angle_brackets_and_the_missing_are_named() {
        let rendered = ContentRule::Captions.render(Role::Query, "q1", &interleaved(), &Fixed);
        assert_eq!(rendered.text, "See <a graph> and compare.");
        assert_eq!(rendered.without_caption, ["image 2"]);
    }

    #[test]
    fn a_query_of_text_alone_is_wrapped_under_captions_and_a_document_is_not() {
        let record = Record::new("why?");
        let rule = ContentRule::Captions;
        assert_eq!(
            rule.render(Role::Query, "q", &record, &NoCaptions).text,
            "<why?>"
        );
        assert_eq!(
            rule.render(Role::Document, "d", &record, &NoCaptions).text,
            "why?"
        );
    }

    #[test]
    fn names_round_trip() {
        for name in ContentRule::NAMES {
            assert_eq!(name.parse::<ContentRule>().unwrap().to_string(), *name);
        }
        let fused = "two-stream:weighted:0.3";
        assert_eq!(fused.parse::<ContentRule>().unwrap().to_string(), fused);
        assert!("two-stream:avg".parse::<ContentRule>().is_err());
        assert!("caption".parse::<ContentRule>().unwrap_err().hints()[0].contains("captions"));
    }
}
