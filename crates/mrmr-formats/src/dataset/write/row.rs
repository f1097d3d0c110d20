//! From the parts of a content to the columns of a row: the inverse of reading.

use std::sync::Arc;

use mrmr_core::{Content, Error, Media, Modality, Part, Record, Result};

use crate::dataset::interleave::{RowImages, interleave};
use crate::dataset::placeholder::image_number;

/// What a row holds of a record, apart from its fields; no image is read yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub(super) modality: String,
    pub(super) text: Option<String>,
    pub(super) images: RowImages,
    pub(super) page: Option<Media>,
}

/// The row of a record.
///
/// # Errors
/// If reading the row would not give the same content again.
pub(super) fn row(record: &Record) -> Result<Row> {
    let mut images = RowImages {
        merged: present(record.merged.as_ref().map(|image| &image.media)),
        ..RowImages::default()
    };
    let mut text = String::new();
    let mut plain = 0;
    for part in record.content.parts() {
        let image = match part {
            Part::Text(part) => {
                text += part;
                continue;
            }
            Part::Image(image) => image,
            Part::Audio(audio) => {
                return Err(Error::unsupported(format!(
                    "expected texts and images, found the sound '{}'; this layout has no column for it",
                    audio.label
                )));
            }
        };
        let number = image_number(&image.label);
        let column = match number {
            Some(number) => {
                text += &format!("<image {number}>");
                number
            }
            None if image.label == "image" => {
                plain += 1;
                text += "<image>";
                if images
                    .merged
                    .as_ref()
                    .is_some_and(|merged| same(merged, &image.media))
                {
                    continue; // the column `image` serves it
                }
                plain
            }
            None => {
                return Err(Error::unsupported(format!(
                    "expected images labelled 'image' or 'image N', found '{}'",
                    image.label
                )));
            }
        };
        if let Some(media) = present(Some(&image.media)) {
            images.numbered.entry(column).or_insert(media);
        }
    }

    let has_text = record
        .content
        .parts()
        .iter()
        .any(|part| matches!(part, Part::Text(_)));
    let without_text = !has_text && equal(&interleave("", &images), &record.content);
    let text = (!without_text || record.content.parts().is_empty()).then_some(text);
    if !equal(
        &interleave(text.as_deref().unwrap_or_default(), &images),
        &record.content,
    ) {
        return Err(Error::data(
            "this layout cannot express the record: read again, it would have other parts",
        )
        .hint(
            "a text must not itself hold '<image>' or '<image 1>', one label must not stand for two images, and a \
             merged image needs an image in the content",
        ));
    }
    Ok(Row {
        modality: modality(record.content.modality()),
        text,
        images,
        page: present(record.page.as_ref().map(|image| &image.media)),
    })
}

fn modality(modality: Modality) -> String {
    if modality == Modality::default() {
        return "text".to_owned(); // an empty text; the layout has no word for it
    }
    modality.to_string()
}

fn present(media: Option<&Media>) -> Option<Media> {
    media.filter(|media| !media.is_missing()).cloned()
}

/// Whether two media are the same item, which is known without reading them.
fn same(a: &Media, b: &Media) -> bool {
    match (a, b) {
        (Media::Bytes(a), Media::Bytes(b)) => a == b,
        (Media::Stored { source: a, key: i }, Media::Stored { source: b, key: j }) => {
            Arc::ptr_eq(a, b) && i == j
        }
        (Media::Missing, Media::Missing) => true,
        _ => false,
    }
}

/// Whether two contents have the same parts, where neighbouring texts count as one.
fn equal(a: &Content, b: &Content) -> bool {
    let (mut a, mut b) = (a.parts(), b.parts());
    loop {
        if next_text(&mut a) != next_text(&mut b) {
            return false;
        }
        match (a.split_first(), b.split_first()) {
            (None, None) => return true,
            (Some((Part::Image(x), rest)), Some((Part::Image(y), others)))
                if x.label == y.label && same(&x.media, &y.media) =>
            {
                (a, b) = (rest, others);
            }
            _ => return false,
        }
    }
}

/// Takes the texts in front.
fn next_text(parts: &mut &[Part]) -> String {
    let mut text = String::new();
    while let Some((Part::Text(part), rest)) = parts.split_first() {
        text += part;
        *parts = rest;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use mrmr_core::Image;

    fn media(name: &str) -> Media {
        Media::Bytes(name.as_bytes().into())
    }

    /// Texts, and images as `label=bytes`, or `label=` where missing.
    fn record(parts: &[&str], merged: Option<&str>) -> Record {
        let parts = parts.iter().map(|part| match part.split_once('=') {
            None => Part::Text((*part).to_owned()),
            Some((label, bytes)) => Part::Image(Image {
                label: label.to_owned(),
                media: if bytes.is_empty() {
                    Media::Missing
                } else {
                    media(bytes)
                },
            }),
        });
        Record {
            merged: merged.map(|bytes| Image {
                label: "image".to_owned(),
                media: media(bytes),
            }),
            ..Record::new(Content::new(parts))
        }
    }

    fn shown(parts: &[&str], merged: Option<&str>) -> String {
        let row = row(&record(parts, merged)).unwrap();
        let numbers: Vec<u32> = row.images.numbered.into_keys().collect();
        format!("{} {:?} {numbers:?}", row.modality, row.text)
    }

    #[test]
    fn texts_get_their_placeholders_back() {
        assert_eq!(shown(&["a"], None), "text Some(\"a\") []");
        assert_eq!(
            shown(&["a", "image 2=x", "b", "image 1=y"], Some("m")),
            "image,text Some(\"a<image 2>b<image 1>\") [1, 2]"
        );
        assert_eq!(
            shown(&["image 1=", "a"], None),
            "text Some(\"<image 1>a\") []"
        );
    }

    #[test]
    fn plain_placeholders_fill_numbered_columns_unless_the_merged_image_serves_them() {
        assert_eq!(
            shown(&["a", "image=m"], Some("m")),
            "image,text Some(\"a<image>\") []"
        );
        assert_eq!(
            shown(&["a", "image=x"], Some("m")),
            "image,text Some(\"a<image>\") [1]"
        );
        assert_eq!(
            shown(&["image=x", "a", "image=y"], None),
            "image,text Some(\"<image>a<image>\") [1, 2]"
        );
    }

    #[test]
    fn a_content_of_images_alone_has_no_text_if_their_columns_give_their_order() {
        assert_eq!(
            shown(&["image 1=x", "image 2=y"], Some("m")),
            "image None [1, 2]"
        );
        assert_eq!(shown(&["image=m"], Some("m")), "image None []");
        assert_eq!(
            shown(&["image 2=x", "image 1=y"], None),
            "image Some(\"<image 2><image 1>\") [1, 2]"
        );
        assert_eq!(shown(&["image=x"], None), "image Some(\"<image>\") [1]");
        assert_eq!(shown(&[], None), "text Some(\"\") []");
    }

    #[test]
    fn what_would_not_read_back_the_same_is_an_error() {
        for (parts, merged) in [
            (&["a<image 1>b"][..], None),
            (&["<ima", "ge>"][..], None),
            (&["a", "image 1=x", "image 1=y"][..], None),
            (&["a", "image 1=x", "image=y"][..], None),
            (&["a", "image="][..], Some("m")),
            (&["a"][..], Some("m")),
            (&["figure=x"][..], None),
        ] {
            assert!(row(&record(parts, merged)).is_err(), "{parts:?}");
        }
    }
}
