//! Text to glyphs on a sheet.

use std::collections::HashMap;

use cosmic_text::{
    Attrs, AttrsList, BufferLine, CacheKeyFlags, Ellipsize, Family, FontSystem, Hinting,
    LayoutLine, LineEnding, Shaping, SwashCache, Wrap,
};
use unicode_segmentation::UnicodeSegmentation;

use super::characters::{Han, is_cjk, is_emoji, is_formless};
use super::fonts::{Face, FontSet};
use super::sheet::Sheet;

/// What stands for a character without a glyph; the embedded font has it.
const BOX: &str = "\u{25a1}";
/// Spaces from one tab stop to the next.
const TAB: u16 = 8;
/// The memory of glyphs and of choices is emptied at so many.
const REMEMBERED: usize = 1 << 14;

/// Shapes, lays out and draws; one thread at a time has it. What it remembers changes nothing but its speed.
pub(super) struct Pen {
    system: FontSystem,
    glyphs: SwashCache,
    faces: Vec<Face>,
    chosen: HashMap<(String, Han), Option<usize>>,
}

/// A paragraph as it will be shaped: every character of it has a glyph in the font of its span.
struct Spelled {
    text: String,
    /// Where each span begins, and which font it has.
    spans: Vec<(usize, usize)>,
    boxes: Vec<Boxed>,
}

/// A character without a glyph.
pub(super) struct Boxed {
    /// How many characters of the paragraph stand before it.
    pub(super) before: usize,
    pub(super) emoji: bool,
    pub(super) cjk: bool,
}

impl Spelled {
    fn push(&mut self, face: usize, text: &str) {
        if self.spans.last().is_none_or(|last| last.1 != face) {
            self.spans.push((self.text.len(), face));
        }
        self.text.push_str(text);
    }
}

impl Pen {
    pub(super) fn new(fonts: &FontSet) -> Self {
        Pen {
            system: fonts.system(),
            glyphs: SwashCache::new(),
            faces: fonts.faces.clone(),
            chosen: HashMap::new(),
        }
    }

    /// The lines of a paragraph, for each how many characters stand before it, and what has no glyph.
    pub(super) fn lines(
        &mut self,
        paragraph: &str,
        size: f32,
        width: f32,
        han: Han,
    ) -> (Vec<(LayoutLine, usize)>, Vec<Boxed>) {
        let spelled = self.spell(paragraph, han);
        let attributes = |face: usize| {
            Attrs::new()
                .family(Family::Name(&self.faces[face].family))
                .weight(self.faces[face].weight)
                .cache_key_flags(CacheKeyFlags::DISABLE_HINTING)
        };
        let mut list = AttrsList::new(&attributes(0));
        for (place, (start, face)) in spelled.spans.iter().enumerate() {
            let end = spelled
                .spans
                .get(place + 1)
                .map_or(spelled.text.len(), |next| next.0);
            list.add_span(*start..end, &attributes(*face));
        }
        let mut line = BufferLine::new(
            spelled.text.as_str(),
            LineEnding::None,
            list,
            Shaping::Advanced,
        );
        let lines = line.layout(
            &mut self.system,
            size,
            Some(width),
            Wrap::WordOrGlyph,
            Ellipsize::None,
            None,
            TAB,
            Hinting::Disabled,
        );
        let (mut before, mut at) = (0, 0);
        let lines = lines
            .iter()
            .map(|line| {
                // The first of its glyphs in the text, which is not the leftmost where that runs to the left.
                let start = line.glyphs.iter().map(|glyph| glyph.start).min();
                if let Some(start) = start.filter(|start| *start > at) {
                    before += spelled.text[at..start].chars().count();
                    at = start;
                }
                (line.clone(), before)
            })
            .collect();
        (lines, spelled.boxes)
    }

    /// Draws a line whose left end is at `left` and whose base line is at `base`.
    pub(super) fn draw(&mut self, line: &LayoutLine, left: f32, base: f32, sheet: &mut Sheet) {
        if self.glyphs.image_cache.len() > REMEMBERED {
            self.glyphs.image_cache.clear();
        }
        for glyph in &line.glyphs {
            let placed = glyph.physical((left, base), 1.0);
            if let Some(image) = self.glyphs.get_image(&mut self.system, placed.cache_key) {
                sheet.glyph(image, placed.x, placed.y);
            }
        }
    }

    /// Chooses a font for each cluster of characters, and a box where none has it.
    fn spell(&mut self, paragraph: &str, han: Han) -> Spelled {
        let mut spelled = Spelled {
            text: String::with_capacity(paragraph.len()),
            spans: Vec::new(),
            boxes: Vec::new(),
        };
        if paragraph.is_ascii() {
            spelled.push(0, paragraph);
            return spelled;
        }
        let mut before = 0;
        for cluster in paragraph.graphemes(true) {
            if let Some(face) = self.choose(cluster, han) {
                spelled.push(face, cluster);
                before += cluster.chars().count();
                continue;
            }
            // No font has all of it: each character by itself. There are as many characters as before.
            let mut each = [0; 4];
            for c in cluster.chars() {
                let text = &*c.encode_utf8(&mut each);
                let face = self.choose(text, han);
                spelled.push(face.unwrap_or(0), face.map_or(BOX, |_| text));
                if face.is_none() {
                    let emoji = is_emoji(cluster);
                    spelled.boxes.push(Boxed {
                        before,
                        emoji,
                        cjk: !emoji && is_cjk(c),
                    });
                }
                before += 1;
            }
        }
        spelled
    }

    /// The first font that has all of a cluster.
    fn choose(&mut self, cluster: &str, han: Han) -> Option<usize> {
        if matches!(cluster.as_bytes(), [b' '..=b'~' | b'\t']) || cluster.chars().all(is_formless) {
            return Some(0);
        }
        let key = (cluster.to_owned(), han);
        if let Some(face) = self.chosen.get(&key) {
            return *face;
        }
        if self.chosen.len() > REMEMBERED {
            self.chosen.clear();
        }
        let order = self.order(cluster, han);
        let face = order.into_iter().find(|face| self.has(*face, cluster));
        self.chosen.insert(key, face);
        face
    }

    /// The fonts in the order in which they are asked for a cluster.
    fn order(&self, cluster: &str, han: Han) -> Vec<usize> {
        let emoji = is_emoji(cluster);
        let cjk = cluster.chars().any(is_cjk);
        let before = |face: &Face| {
            let shared = || {
                let mut endings = han.endings().iter();
                endings.any(|ending| face.family.ends_with(ending))
            };
            (emoji && face.emoji) || (cjk && shared())
        };
        let mut order: Vec<usize> = (0..self.faces.len()).collect();
        order.sort_by_key(|face| !before(&self.faces[*face]));
        order
    }

    fn has(&mut self, face: usize, cluster: &str) -> bool {
        let Face { id, weight, .. } = self.faces[face];
        let Some(font) = self.system.get_font(id, weight) else {
            return false;
        };
        let glyphs = font.as_swash().charmap();
        cluster
            .chars()
            .filter(|c| !is_formless(*c))
            .all(|c| glyphs.map(c) != 0)
    }
}
