//! A content as it is sent: texts and pictures.

use mrmr_core::{Content, Part};
use serde_json::{Value, json};

use super::picture::Picture;

/// A part of an item.
#[derive(Clone, Debug)]
pub(crate) enum ItemPart {
    Text(String),
    Picture(Picture),
}

/// What an item is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Text,
    Image,
    /// Several parts.
    Mixed,
}

/// A content as it is sent.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    parts: Vec<ItemPart>,
}

impl Item {
    /// A content with a prompt before it; neighbouring texts become one.
    pub(crate) fn new(content: &Content, prompt: Option<&str>) -> Result<Item, String> {
        let mut parts: Vec<ItemPart> = Vec::new();
        for part in content.parts() {
            match part {
                Part::Text(text) => match parts.last_mut() {
                    Some(ItemPart::Text(before)) => before.push_str(text),
                    _ => parts.push(ItemPart::Text(text.clone())),
                },
                Part::Image(image) => parts.push(ItemPart::Picture(Picture::read(image)?)),
                Part::Audio(audio) => {
                    return Err(format!(
                        "expected texts and images, found the sound '{}'",
                        audio.label
                    ));
                }
            }
        }
        if parts.is_empty() {
            return Err("expected a text or an image, found nothing".to_owned());
        }
        if let Some(prompt) = prompt.filter(|prompt| !prompt.is_empty()) {
            match &mut parts[0] {
                ItemPart::Text(text) => text.insert_str(0, prompt),
                ItemPart::Picture(_) => parts.insert(0, ItemPart::Text(prompt.to_owned())),
            }
        }
        Ok(Item { parts })
    }

    pub(crate) fn kind(&self) -> Kind {
        match &self.parts[..] {
            [ItemPart::Text(_)] => Kind::Text,
            [ItemPart::Picture(_)] => Kind::Image,
            _ => Kind::Mixed,
        }
    }

    /// The text of an item that is one.
    pub(crate) fn text(&self) -> &str {
        match &self.parts[..] {
            [ItemPart::Text(text)] => text,
            _ => "",
        }
    }

    /// The picture of an item that is one.
    pub(crate) fn picture(&self) -> Option<&Picture> {
        match &self.parts[..] {
            [ItemPart::Picture(picture)] => Some(picture),
            _ => None,
        }
    }

    /// The parts as OpenAI's messages have them, which Cohere and vLLM took over.
    pub(crate) fn content_parts(&self) -> Value {
        let parts = self.parts.iter().map(|part| match part {
            ItemPart::Text(text) => json!({"type": "text", "text": text}),
            ItemPart::Picture(picture) => {
                json!({"type": "image_url", "image_url": {"url": picture.data_uri()}})
            }
        });
        Value::Array(parts.collect())
    }

    /// The parts, in order.
    pub(crate) fn parts(&self) -> &[ItemPart] {
        &self.parts
    }

    /// About how many bytes it has in a request.
    pub(crate) fn bytes(&self) -> usize {
        let bytes = self.parts.iter().map(|part| match part {
            ItemPart::Text(text) => {
                64 + text.len() + text.bytes().filter(|b| b"\"\\\n".contains(b)).count()
            }
            ItemPart::Picture(picture) => 128 + picture.base64().len(),
        });
        bytes.sum()
    }

    /// How many tokens it may have: rather too many than too few.
    pub(crate) fn tokens(&self) -> usize {
        let tokens = self.parts.iter().map(|part| match part {
            ItemPart::Text(text) => {
                let others = text.chars().filter(|c| !c.is_ascii()).count();
                let ascii = text.bytes().filter(u8::is_ascii).count();
                others + ascii.div_ceil(3) + 2
            }
            // What a picture of a megapixel costs with the makers that say so.
            ItemPart::Picture(_) => 2_000,
        });
        tokens.sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stand_together_behind_the_prompt_and_nothing_is_a_failure() {
        let texts = Content::new(["a ", "b"].map(|text| Part::Text(text.to_owned())));
        let item = Item::new(&texts, Some("query: ")).unwrap();
        assert_eq!((item.kind(), item.text()), (Kind::Text, "query: a b"));
        let reason = Item::new(&Content::default(), Some("query: ")).unwrap_err();
        assert_eq!(reason, "expected a text or an image, found nothing");
    }

    #[test]
    fn tokens_are_rather_too_many() {
        let tokens = |text: &str| Item::new(&text.into(), None).unwrap().tokens();
        assert_eq!(tokens("a red circle on white"), 9);
        assert_eq!(tokens("猫が好き"), 6);
    }
}
