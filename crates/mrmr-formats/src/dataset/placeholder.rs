//! The names of images in a text: `<image 1>`, `<image 2>`, `<image>`.

/// A piece of a text with placeholders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    Text(&'a str),
    /// `<image 3>`
    Numbered(u32),
    /// `<image>`, the n-th of its text, from 1.
    Plain(u32),
}

/// The number of an image column or label: `image 3` is 3, everything else none.
pub(super) fn image_number(name: &str) -> Option<u32> {
    let digits = name.strip_prefix("image ")?;
    if digits.starts_with('0') || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None; // a sign, a blank, leading zeros: not the name of a column
    }
    digits.parse().ok()
}

/// Splits a text at its placeholders; what only resembles one stays text.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut plain = 0;
    let (mut start, mut from) = (0, 0);
    while let Some(found) = text[from..].find("<image") {
        let open = from + found;
        let Some(length) = text[open..].find('>') else {
            break;
        };
        let name = &text[open + 1..open + length];
        let piece = if name == "image" {
            plain += 1;
            Piece::Plain(plain)
        } else if let Some(number) = image_number(name) {
            Piece::Numbered(number)
        } else {
            from = open + 1;
            continue;
        };
        if start < open {
            pieces.push(Piece::Text(&text[start..open]));
        }
        pieces.push(piece);
        start = open + length + 1;
        from = start;
    }
    if start < text.len() {
        pieces.push(Piece::Text(&text[start..]));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_splits_at_both_kinds_of_placeholder() {
        assert_eq!(
            pieces("a <image 2> b<image><image 10>c<image>"),
            [
                Piece::Text("a "),
                Piece::Numbered(2),
                Piece::Text(" b"),
                Piece::Plain(1),
                Piece::Numbered(10),
                Piece::Text("c"),
                Piece::Plain(2),
            ]
        );
        assert_eq!(pieces(""), []);
        assert_eq!(pieces("<image 1>"), [Piece::Numbered(1)]);
    }

    #[test]
    fn what_only_resembles_a_placeholder_stays_text() {
        for text in [
            "<image",
            "<image 0>",
            "<image 01>",
            "<image +1>",
            "<images>",
            "<image  1>",
            "<image 1",
            "<IMAGE 1>",
            "<image 99999999999>",
            "<image é>",
        ] {
            assert_eq!(pieces(text), [Piece::Text(text)], "{text}");
        }
        assert_eq!(
            pieces("<image <image 1>"),
            [Piece::Text("<image "), Piece::Numbered(1)]
        );
    }
}
