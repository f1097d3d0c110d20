//! Texts to tokens, tokens through a network.

mod batches;
mod network;
mod pooling;
mod prompts;
mod tokens;

use std::borrow::Cow;

use mrmr_core::{Content, Modality, Part};

pub(crate) use network::{Output, TextNetwork};
pub(crate) use pooling::{Pooling, normalize};
pub(crate) use prompts::Prompts;
pub(crate) use tokens::{TokenRow, Tokens};

/// How many contents are tokens at the same time: what is kept of a text is small, but not of millions of them.
pub(crate) const WINDOW: usize = 16_384;

/// Texts alone.
pub(crate) const TEXT: Modality = Modality {
    text: true,
    image: false,
    audio: false,
};

/// The text of a content that has nothing else.
pub(crate) fn text_of(content: &Content) -> Result<Cow<'_, str>, String> {
    let mut text = Cow::Borrowed("");
    for part in content.parts() {
        match part {
            Part::Text(piece) if text.is_empty() => text = Cow::Borrowed(piece),
            Part::Text(piece) => text.to_mut().push_str(piece),
            Part::Image(image) => {
                return Err(format!(
                    "expected texts alone, found the image '{}'",
                    image.label
                ));
            }
            Part::Audio(audio) => {
                return Err(format!(
                    "expected texts alone, found the sound '{}'",
                    audio.label
                ));
            }
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mrmr_core::{Image, Media};

    #[test]
    fn texts_stand_together_and_an_image_is_named() {
        let texts = Content::new(["a ", "b"].map(|text| Part::Text(text.to_owned())));
        assert_eq!(text_of(&texts).unwrap(), "a b");
        assert_eq!(text_of(&Content::default()).unwrap(), "");
        let image = Image {
            label: "image 1".to_owned(),
            media: Media::Missing,
        };
        let reason = text_of(&Content::new([Part::Image(image)])).unwrap_err();
        assert_eq!(reason, "expected texts alone, found the image 'image 1'");
    }
}
