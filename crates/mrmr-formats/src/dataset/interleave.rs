//! From the columns of a row to the parts of a content.

use std::collections::BTreeMap;

use mrmr_core::{Content, Image, Media, Part};

use super::placeholder::{Piece, pieces};

/// The images of a row: those of `image 1`, `image 2`, ... by number, and that of `image`.
#[derive(Clone, Debug, Default)]
pub(super) struct RowImages {
    pub(super) numbered: BTreeMap<u32, Media>,
    pub(super) merged: Option<Media>,
}

/// Interleaves the text with the images that it names.
///
/// - `<image 2>` is the image of column `image 2`, labelled so.
/// - The n-th `<image>` is that of `image n`, else that of `image`; its label is `image` in both cases, since
///   that is the name that captions use for it.
/// - A placeholder without an image is [`Media::Missing`].
/// - Images that no placeholder names come before the text: the numbered ones by number; where the row has none
///   of those, that of `image`.
pub(super) fn interleave(text: &str, images: &RowImages) -> Content {
    let mut named = Vec::new();
    let mut merged_named = false;
    let mut parts = Vec::new();
    for piece in pieces(text) {
        let (label, media) = match piece {
            Piece::Text(text) => {
                parts.push(Part::Text(text.to_owned()));
                continue;
            }
            Piece::Numbered(number) => {
                named.push(number);
                let media = images.numbered.get(&number).cloned();
                (format!("image {number}"), media)
            }
            Piece::Plain(nth) => {
                let media = if let Some(media) = images.numbered.get(&nth) {
                    named.push(nth);
                    Some(media.clone())
                } else {
                    merged_named = true;
                    images.merged.clone()
                };
                ("image".to_owned(), media)
            }
        };
        parts.push(image(label, media.unwrap_or(Media::Missing)));
    }
    let mut leading: Vec<Part> = images
        .numbered
        .iter()
        .filter(|(number, _)| !named.contains(number))
        .map(|(number, media)| image(format!("image {number}"), media.clone()))
        .collect();
    if images.numbered.is_empty()
        && !merged_named
        && let Some(media) = &images.merged
    {
        leading.push(image("image".to_owned(), media.clone()));
    }
    Content::new(leading.into_iter().chain(parts))
}

fn image(label: String, media: Media) -> Part {
    Part::Image(Image { label, media })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn media(name: &str) -> Media {
        Media::Bytes(name.as_bytes().into())
    }

    /// `a[image 1=one]b`: the parts, with labels and bytes.
    fn shown(text: &str, numbered: &[u32], merged: bool) -> String {
        let images = RowImages {
            numbered: numbered
                .iter()
                .map(|n| (*n, media(&format!("i{n}"))))
                .collect(),
            merged: merged.then(|| media("all")),
        };
        let content = interleave(text, &images);
        let parts = content.parts().iter().map(|part| match part {
            Part::Text(text) => text.clone(),
            Part::Image(image) => match image.media.read() {
                Ok(bytes) => format!("[{}={}]", image.label, String::from_utf8_lossy(&bytes)),
                Err(_) => format!("[{} missing]", image.label),
            },
            Part::Audio(_) => "audio".to_owned(),
        });
        parts.collect()
    }

    #[test]
    fn placeholders_become_images_at_their_place() {
        assert_eq!(shown("a<image 1>b", &[1], true), "a[image 1=i1]b");
        assert_eq!(
            shown("<image 2>a<image 1>", &[1, 2], true),
            "[image 2=i2]a[image 1=i1]"
        );
        assert_eq!(
            shown("<image 1><image 1>", &[1], true),
            "[image 1=i1][image 1=i1]"
        );
    }

    #[test]
    fn a_plain_placeholder_is_the_nth_image_else_the_merged_one() {
        assert_eq!(
            shown("a<image>b<image>", &[1, 2], true),
            "a[image=i1]b[image=i2]"
        );
        assert_eq!(shown("a<image>b", &[], true), "a[image=all]b");
        assert_eq!(
            shown("<image>b<image>", &[1], true),
            "[image=i1]b[image=all]"
        );
        assert_eq!(shown("<image>b", &[], false), "[image missing]b");
    }

    #[test]
    fn a_placeholder_without_an_image_is_missing_and_keeps_its_label() {
        assert_eq!(
            shown("a<image 2>b", &[1], true),
            "[image 1=i1]a[image 2 missing]b"
        );
    }

    #[test]
    fn images_that_no_placeholder_names_come_before_the_text() {
        assert_eq!(shown("a", &[10, 2], true), "[image 2=i2][image 10=i10]a");
        assert_eq!(
            shown("a<image 2>", &[1, 2], true),
            "[image 1=i1]a[image 2=i2]"
        );
        assert_eq!(shown("a", &[], true), "[image=all]a");
        assert_eq!(shown("", &[1], true), "[image 1=i1]");
        assert_eq!(shown("", &[], false), "");
    }
}
