//! What became of the pages.

use std::fmt;

use mrmr_core::counted;

/// Counts of one page or of many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageNotes {
    /// Pages that were drawn.
    pub drawn: usize,
    /// Pages that the data set has.
    pub given: usize,
    /// Drawn pages with nothing on them.
    pub empty: usize,
    /// Drawn pages that were cut at their largest height.
    pub cut: usize,
    /// Characters that were cut.
    pub cut_characters: usize,
    /// Pictures that were cut.
    pub cut_images: usize,
    /// Drawn pages with characters for which no font has a glyph.
    pub with_boxes: usize,
    /// Those characters; boxes stand for them.
    pub boxes: usize,
    /// Of those, Chinese, Japanese and Korean ones.
    pub cjk: usize,
    /// Of those, emoji.
    pub emoji: usize,
    /// Control characters; U+FFFD stands for them.
    pub controls: usize,
    /// Pictures that a record names and the data set does not hold.
    pub missing_images: usize,
    /// Sounds, which no page can show.
    pub sounds: usize,
}

impl PageNotes {
    /// The counts, in the order of the fields.
    pub fn counts(self) -> [usize; 13] {
        [
            self.drawn,
            self.given,
            self.empty,
            self.cut,
            self.cut_characters,
            self.cut_images,
            self.with_boxes,
            self.boxes,
            self.cjk,
            self.emoji,
            self.controls,
            self.missing_images,
            self.sounds,
        ]
    }

    /// The notes of [`PageNotes::counts`].
    pub fn of_counts(counts: [usize; 13]) -> Self {
        let [
            drawn,
            given,
            empty,
            cut,
            cut_characters,
            cut_images,
            with_boxes,
            boxes,
            cjk,
            emoji,
            controls,
            missing_images,
            sounds,
        ] = counts;
        PageNotes {
            drawn,
            given,
            empty,
            cut,
            cut_characters,
            cut_images,
            with_boxes,
            boxes,
            cjk,
            emoji,
            controls,
            missing_images,
            sounds,
        }
    }

    /// Adds the counts of other pages.
    pub fn add(&mut self, other: PageNotes) {
        self.drawn += other.drawn;
        self.given += other.given;
        self.empty += other.empty;
        self.cut += other.cut;
        self.cut_characters += other.cut_characters;
        self.cut_images += other.cut_images;
        self.with_boxes += other.with_boxes;
        self.boxes += other.boxes;
        self.cjk += other.cjk;
        self.emoji += other.emoji;
        self.controls += other.controls;
        self.missing_images += other.missing_images;
        self.sounds += other.sounds;
    }

    /// What to do about boxes, where there are any.
    pub fn hint(&self) -> Option<String> {
        let others = self.boxes - self.cjk - self.emoji;
        let packages: Vec<&str> = [
            (self.cjk, "fonts-noto-cjk"),
            (self.emoji, "fonts-noto-color-emoji"),
            (others, "fonts-noto-core"),
        ]
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(_, package)| *package)
        .collect();
        (!packages.is_empty()).then(|| {
            format!(
                "page:system-fonts draws them with the system's fonts (Debian has {}), page:fonts=DIR with those of a folder",
                packages.join(" and ")
            )
        })
    }
}

impl fmt::Display for PageNotes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut said = Vec::new();
        let mut say = |count: usize, one: &str, many: &str| {
            if count > 0 {
                said.push(counted(count, one, many));
            }
        };
        say(self.given, "page of the data set", "pages of the data set");
        say(self.drawn, "page drawn", "pages drawn");
        say(self.empty, "empty", "empty");
        say(
            self.missing_images,
            "picture not there",
            "pictures not there",
        );
        say(self.sounds, "sound not shown", "sounds not shown");
        say(
            self.controls,
            "control character as U+FFFD",
            "control characters as U+FFFD",
        );
        if self.cut > 0 {
            said.push(format!(
                "{} cut at the largest height ({} and {} left out)",
                self.cut,
                counted(self.cut_characters, "character", "characters"),
                counted(self.cut_images, "picture", "pictures")
            ));
        }
        if self.boxes > 0 {
            said.push(format!(
                "{} of {} {}",
                counted(self.boxes, "character", "characters"),
                counted(self.with_boxes, "page", "pages"),
                match self.boxes {
                    1 => "has no glyph and is a box",
                    _ => "have no glyph and are boxes",
                }
            ));
        }
        if said.is_empty() {
            said.push("no pages".to_owned());
        }
        f.pad(&said.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_happened_is_said() {
        let mut notes = PageNotes {
            drawn: 2,
            ..PageNotes::default()
        };
        assert_eq!(notes.to_string(), "2 pages drawn");
        assert_eq!(notes.hint(), None);
        notes.add(PageNotes {
            drawn: 1,
            given: 4,
            cut: 1,
            cut_characters: 90,
            with_boxes: 1,
            boxes: 12,
            cjk: 7,
            ..PageNotes::default()
        });
        assert_eq!(
            notes.to_string(),
            "4 pages of the data set, 3 pages drawn, 1 cut at the largest height (90 characters and 0 pictures left out), \
             12 characters of 1 page have no glyph and are boxes"
        );
        let hint = notes.hint().unwrap();
        assert!(
            hint.contains("fonts-noto-cjk and fonts-noto-core)"),
            "{hint}"
        );
    }
}
