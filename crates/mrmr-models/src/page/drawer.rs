//! Records to pages.

use std::sync::{Arc, Mutex, PoisonError};

use mrmr_core::{Content, Image, Media, Part, Record, Result};

use super::characters::{Han, paragraphs};
use super::finished::Page;
use super::fonts::FontSet;
use super::notes::PageNotes;
use super::options::PageOptions;
use super::pen::Pen;
use super::picture::fitted;
use super::sheet::Sheet;

/// Draws contents as pages: black text on white, wrapped, with the pictures between the texts as they follow each other.
///
/// The same content gives the same bits for any number of threads, and with the embedded fonts alone on every machine.
///
/// - A text is divided by its line ends; of several empty lines one is kept. Lines are broken as Unicode says (UAX 14),
///   words that are wider than the page anywhere. A paragraph runs to the left, and stands at the right, where its
///   first strong character does (UAX 9). Formulas are drawn as their source.
/// - A picture stands in the middle, is scaled down to the width where it is wider (and to the largest height of a page
///   where it is higher), never up; what is transparent is white.
/// - What goes over the largest height is cut, a picture as a whole, and counted.
/// - Control characters are U+FFFD, characters without a glyph boxes; both are counted.
///
/// ```
/// use mrmr_core::Content;
/// use mrmr_models::{PageDrawer, PageOptions};
/// let drawer = PageDrawer::open(&PageOptions::default())?;
/// let page = drawer.draw(&Content::from("Let f(x) = x². Then f′(x) = 2x."))?;
/// assert_eq!((page.width(), page.height()), (1000, 108));
/// assert_eq!(page.notes().to_string(), "1 page drawn");
/// # Ok::<(), mrmr_core::Error>(())
/// ```
pub struct PageDrawer {
    options: PageOptions,
    fonts: FontSet,
    /// As many as threads drew at once.
    pens: Mutex<Vec<Pen>>,
}

impl PageDrawer {
    /// The families of its fonts with the bytes of their files, in the order in which they are asked for a glyph: what
    /// pages depend on beside the options.
    pub fn each_font(&self, take: &mut dyn FnMut(&str, &[u8])) {
        self.fonts.each(take);
    }

    /// Finds the fonts.
    ///
    /// # Errors
    /// If the options cannot be, or a folder of fonts has none.
    pub fn open(options: &PageOptions) -> Result<Self> {
        options.check()?;
        Ok(PageDrawer {
            options: options.clone(),
            fonts: FontSet::open(&options.fonts)?,
            pens: Mutex::new(Vec::new()),
        })
    }

    /// The page of a record: the data set's, not read yet, else one drawn by us as PNG.
    ///
    /// # Errors
    /// If it is to be drawn and a picture of it cannot be read; the error names the picture.
    pub fn page(&self, record: &Record) -> Result<(Image, PageNotes)> {
        match &record.page {
            Some(page) if !self.options.drawn && !page.media.is_missing() => {
                let notes = PageNotes {
                    given: 1,
                    ..PageNotes::default()
                };
                Ok((page.clone(), notes))
            }
            _ => {
                let page = self.draw(&record.content)?;
                let image = Image {
                    label: "page".to_owned(),
                    media: Media::Bytes(Arc::from(page.png())),
                };
                Ok((image, page.notes()))
            }
        }
    }

    /// Draws a content, whatever page the data set has of it.
    ///
    /// # Errors
    /// If a picture cannot be read; the error names it.
    pub fn draw(&self, content: &Content) -> Result<Page> {
        let pens = || self.pens.lock().unwrap_or_else(PoisonError::into_inner);
        let pen = pens().pop();
        let mut pen = pen.unwrap_or_else(|| Pen::new(&self.fonts));
        let drawn = Drawing::new(&self.options, &mut pen).finish(content);
        pens().push(pen);
        drawn
    }
}

/// A page that is being drawn.
struct Drawing<'a> {
    options: &'a PageOptions,
    pen: &'a mut Pen,
    sheet: Sheet,
    /// Where the next line begins, and where the last must end.
    y: u32,
    bottom: u32,
    full: bool,
    notes: PageNotes,
}

/// What follows each other without anything between.
enum Block<'a> {
    Text(String),
    Image(&'a Image),
}

impl<'a> Drawing<'a> {
    fn new(options: &'a PageOptions, pen: &'a mut Pen) -> Self {
        Drawing {
            options,
            pen,
            sheet: Sheet::new(options.width),
            y: options.margin,
            bottom: options.height - options.margin,
            full: false,
            notes: PageNotes {
                drawn: 1,
                ..PageNotes::default()
            },
        }
    }

    fn finish(mut self, content: &Content) -> Result<Page> {
        let blocks = self.blocks(content);
        let texts = blocks.iter().filter_map(|block| match block {
            Block::Text(text) => Some(text.as_str()),
            Block::Image(_) => None,
        });
        let han = Han::of(&texts.collect::<String>());
        let gap = self.options.font_size / 2;
        for block in &blocks {
            let before = self.y;
            if before > self.options.margin {
                self.y += gap;
            }
            let from = self.y;
            match block {
                Block::Text(text) => self.text(text, han),
                Block::Image(image) => self.image(image)?,
            }
            // A gap is between things that are there.
            if self.y == from {
                self.y = before;
            }
        }
        self.notes.empty = usize::from(self.y == self.options.margin && !self.full);
        if self.y == self.options.margin {
            self.y += self.line_height();
        }
        self.notes.cut = usize::from(self.full);
        self.notes.with_boxes = usize::from(self.notes.boxes > 0);
        self.sheet.set_height(self.y + self.options.margin);
        Ok(Page::new(self.sheet.into_image(), self.notes))
    }

    /// Texts that follow each other are one.
    fn blocks<'c>(&mut self, content: &'c Content) -> Vec<Block<'c>> {
        let mut blocks: Vec<Block<'c>> = Vec::new();
        for part in content.parts() {
            match (part, blocks.last_mut()) {
                (Part::Text(text), Some(Block::Text(before))) => before.push_str(text),
                (Part::Text(text), _) => blocks.push(Block::Text(text.clone())),
                (Part::Image(image), _) if image.media.is_missing() => {
                    self.notes.missing_images += 1;
                }
                (Part::Image(image), _) => blocks.push(Block::Image(image)),
                (Part::Audio(_), _) => self.notes.sounds += 1,
            }
        }
        blocks
    }

    /// Seven fifths of the size.
    fn line_height(&self) -> u32 {
        self.options.font_size * 7 / 5
    }

    fn text(&mut self, text: &str, han: Han) {
        let (paragraphs, controls) = paragraphs(text);
        self.notes.controls += controls;
        for paragraph in &paragraphs {
            if paragraph.is_empty() {
                self.y = (self.y + self.line_height()).min(self.bottom);
            } else {
                self.paragraph(paragraph, han);
            }
        }
    }

    fn paragraph(&mut self, paragraph: &str, han: Han) {
        let room = (self.bottom - self.y) / self.line_height();
        if self.full || room == 0 {
            return self.cut(paragraph.chars().count());
        }
        let (size, width) = (
            self.options.font_size,
            self.options.width - 2 * self.options.margin,
        );
        // More characters than this fill the page whatever they are; the rest need not be shaped.
        let most = (room * (width / size + 1) * 8) as usize;
        let (shaped, rest) = match paragraph.char_indices().nth(most) {
            Some((at, _)) => paragraph.split_at(at),
            None => (paragraph, ""),
        };
        let (lines, boxes) = self.pen.lines(shaped, size as f32, width as f32, han);
        let mut fits = usize::MAX;
        for (line, before) in &lines {
            let form = line.max_ascent + line.max_descent;
            let height = self.line_height().max(form.ceil() as u32);
            if self.y + height > self.bottom {
                fits = *before;
                break;
            }
            self.sheet.grow(self.y + height + self.options.margin);
            let base = self.y as f32 + (height as f32 - form) / 2.0 + line.max_ascent;
            self.pen.draw(
                line,
                self.options.margin as f32,
                base.round(),
                &mut self.sheet,
            );
            self.y += height;
        }
        for boxed in boxes.iter().filter(|boxed| boxed.before < fits) {
            self.notes.boxes += 1;
            self.notes.emoji += usize::from(boxed.emoji);
            self.notes.cjk += usize::from(boxed.cjk);
        }
        if fits < usize::MAX {
            self.cut(paragraph.chars().count() - fits);
        } else if !rest.is_empty() {
            self.cut(rest.chars().count());
        }
    }

    fn cut(&mut self, characters: usize) {
        self.full = true;
        self.notes.cut_characters += characters;
    }

    fn image(&mut self, image: &Image) -> Result<()> {
        let (margin, width) = (self.options.margin, self.options.width);
        let picture = fitted(image, width - 2 * margin, self.bottom - margin)?;
        if self.full || self.y + picture.height() > self.bottom {
            self.full = true;
            self.notes.cut_images += 1;
            return Ok(());
        }
        let left = (width - picture.width()) / 2;
        self.sheet.picture(&picture, left, self.y);
        self.y += picture.height();
        Ok(())
    }
}
