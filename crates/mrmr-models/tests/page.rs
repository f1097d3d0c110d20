//! Pages against pictures of them: `UPDATE_PAGES=1 cargo test -p mrmr-models --test page` draws those again.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};
use mrmr_core::{Content, Image, Media, Part, Record};
use mrmr_models::{Fonts, Page, PageDrawer, PageOptions};
use proptest::prelude::*;

/// Narrow pages, so that lines wrap and the pictures in the tree are small.
fn narrow() -> PageOptions {
    PageOptions {
        width: 560,
        margin: 20,
        ..PageOptions::default()
    }
}

fn drawer(options: &PageOptions) -> PageDrawer {
    PageDrawer::open(options).unwrap()
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/page")
        .join(name)
}

/// Holds a page to the picture of that name, pixel by pixel.
fn assert_looks_like(page: &Page, name: &str) {
    let path = fixture(&format!("{name}.png"));
    if std::env::var_os("UPDATE_PAGES").is_some() {
        fs::write(&path, page.png()).unwrap();
    }
    let expected = image::open(&path).unwrap().into_rgb8();
    let found = (page.width(), page.height());
    if expected.dimensions() == found && expected.as_raw() == page.pixels() {
        return;
    }
    let drawn = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png"));
    fs::write(&drawn, page.png()).unwrap();
    panic!(
        "{name}: {found:?} pixels drawn, {:?} expected; the page is {}, the expected one {}",
        expected.dimensions(),
        drawn.display(),
        path.display()
    );
}

fn text_of(name: &str) -> Content {
    Content::from(fs::read_to_string(fixture(name)).unwrap())
}

fn picture(label: &str, pixels: RgbaImage) -> Part {
    let mut bytes = Vec::new();
    DynamicImage::from(pixels)
        .write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)
        .unwrap();
    stored(label, &bytes)
}

fn stored(label: &str, bytes: &[u8]) -> Part {
    Part::Image(Image {
        label: label.to_owned(),
        media: Media::Bytes(bytes.into()),
    })
}

fn text(text: &str) -> Part {
    Part::Text(text.to_owned())
}

#[test]
fn latin_paragraphs_wrap() {
    let page = drawer(&narrow()).draw(&text_of("latin.txt")).unwrap();
    assert_eq!(page.notes().boxes, 0);
    assert_looks_like(&page, "latin");
}

#[test]
fn hebrew_and_arabic_run_to_the_left_and_stand_at_the_right() {
    let page = drawer(&narrow())
        .draw(&text_of("right-to-left.txt"))
        .unwrap();
    assert_eq!(page.notes().boxes, 0);
    assert_looks_like(&page, "right-to-left");
}

#[test]
fn mathematics_has_its_symbols_and_source_stays_source() {
    let page = drawer(&narrow()).draw(&text_of("mathematics.txt")).unwrap();
    assert_looks_like(&page, "mathematics");
    assert_eq!(page.notes().boxes, 0, "{}", page.notes());
}

#[test]
fn scripts_that_the_embedded_font_lacks_are_boxes_and_counted() {
    let page = drawer(&narrow()).draw(&text_of("scripts.txt")).unwrap();
    assert_looks_like(&page, "scripts");
    let notes = page.notes();
    assert_eq!((notes.with_boxes, notes.emoji), (1, 5), "{notes}");
    assert!(
        notes.cjk > 20 && notes.boxes > notes.cjk + notes.emoji,
        "{notes:?}"
    );
    let hint = notes.hint().unwrap();
    assert!(
        hint.contains("fonts-noto-cjk and fonts-noto-color-emoji and fonts-noto-core"),
        "{hint}"
    );
}

#[test]
fn pictures_stand_between_texts_on_white_and_are_never_enlarged() {
    let disc = RgbaImage::from_fn(120, 80, |x, y| {
        let far = (f64::from(x) - 60.0).hypot(f64::from(y) - 40.0);
        Rgba([
            200,
            30,
            30,
            if far < 38.0 {
                (255.0 - 4.0 * far) as u8
            } else {
                0
            },
        ])
    });
    let stripes = RgbaImage::from_fn(1400, 300, |x, y| {
        if (x / 100 + y / 100) % 2 == 0 {
            Rgba([20, 60, 160, 255])
        } else {
            Rgba([240, 200, 60, 255])
        }
    });
    let content = Content::new([
        text("A disc that grows thin at its edge:"),
        picture("image 1", disc),
        text("and a board that is wider than the page:\n"),
        picture("image 2", stripes),
        text("\n\nThe end."),
    ]);
    let page = drawer(&narrow()).draw(&content).unwrap();
    assert_looks_like(&page, "pictures");
}

/// Pages with fonts of Debian, where those very files are there: glyphs change between versions.
fn with_font(file: &str, length: u64, name: &str, check: impl Fn(&Page)) {
    let path = Path::new("/usr/share/fonts").join(file);
    match fs::metadata(&path) {
        Ok(found) if found.len() == length => {}
        _ => {
            println!("skipped: {name} needs {} of {length} bytes", path.display());
            return;
        }
    }
    let folder = tempfile::tempdir().unwrap();
    fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    let options = PageOptions {
        fonts: Fonts::Folder(folder.path().to_path_buf()),
        ..narrow()
    };
    let page = drawer(&options)
        .draw(&text_of(&format!("{name}.txt")))
        .unwrap();
    assert_eq!(page.notes().boxes, 0, "{}", page.notes());
    check(&page);
    assert_looks_like(&page, name);
}

#[test]
fn chinese_japanese_and_korean_wrap_anywhere() {
    with_font(
        "opentype/noto/NotoSansCJK-Regular.ttc",
        CJK_BYTES,
        "cjk",
        |_| {},
    );
}

#[test]
fn emoji_are_in_colour() {
    let coloured = |page: &Page| {
        let bright = page.pixels().chunks_exact(3).filter(|pixel| {
            let (low, high) = (pixel.iter().min(), pixel.iter().max());
            high.zip(low).is_some_and(|(high, low)| high - low > 60)
        });
        assert!(bright.count() > 500);
    };
    with_font(
        "truetype/noto/NotoColorEmoji.ttf",
        EMOJI_BYTES,
        "emoji",
        coloured,
    );
}

/// Of fonts-noto-cjk 1:20220127 and fonts-noto-color-emoji as Debian 12 has them.
const CJK_BYTES: u64 = 19_484_784;
const EMOJI_BYTES: u64 = 10_980_856;

#[test]
fn what_goes_over_the_largest_height_is_cut_and_counted() {
    let options = PageOptions {
        height: 200,
        ..narrow()
    };
    let words = "words and more of them ".repeat(200);
    let content = Content::new([
        text(&words),
        text("\nלא"),
        picture("image", RgbaImage::from_pixel(9, 9, Rgba([0, 0, 0, 255]))),
    ]);
    let page = drawer(&options).draw(&content).unwrap();
    let notes = page.notes();
    assert_eq!((notes.cut, notes.cut_images), (1, 1));
    assert!(page.height() <= 200);
    // Five lines of 28 pixels between the margins.
    let shown = words.trim_end().len() + 2 - notes.cut_characters;
    let short = Content::from(&words[..shown]);
    let fits = drawer(&options).draw(&short).unwrap();
    assert_eq!(fits.notes().cut, 0);
    assert_eq!(fits.pixels(), page.pixels());
}

#[test]
fn every_character_is_a_box_or_cut() {
    let options = PageOptions {
        height: 200,
        ..narrow()
    };
    let content = Content::from("漢".repeat(3000));
    let notes = drawer(&options).draw(&content).unwrap().notes();
    assert!(notes.cut_characters > 0 && notes.boxes > 0);
    assert_eq!(notes.boxes + notes.cut_characters, 3000);
    assert_eq!(notes.boxes, notes.cjk);
}

#[test]
fn a_broken_picture_is_named_and_a_missing_one_counted() {
    let drawer = drawer(&narrow());
    let broken = Content::new([text("a"), stored("image 2", b"no picture")]);
    let error = drawer.draw(&broken).unwrap_err().to_string();
    assert!(error.contains("the image 'image 2': "), "{error}");
    let missing = Content::new([Part::Image(Image {
        label: "image".to_owned(),
        media: Media::Missing,
    })]);
    let page = drawer.draw(&missing).unwrap();
    assert_eq!(
        page.notes().to_string(),
        "1 page drawn, 1 empty, 1 picture not there"
    );
}

#[test]
fn nothing_is_a_white_page_of_one_line() {
    for content in [Content::default(), Content::from(" \n\t\n")] {
        let page = drawer(&narrow()).draw(&content).unwrap();
        assert_eq!((page.width(), page.height()), (560, 68));
        assert!(page.pixels().iter().all(|colour| *colour == 255));
        assert_eq!(page.notes().empty, 1);
    }
}

#[test]
fn the_page_of_the_data_set_goes_before_ours_unless_it_is_to_be_drawn() {
    let mut record = Record::new("a text");
    record.page = Some(Image {
        label: "vision".to_owned(),
        media: Media::Bytes(b"theirs"[..].into()),
    });
    let (given, notes) = drawer(&PageOptions::default()).page(&record).unwrap();
    assert_eq!(&*given.media.read().unwrap(), b"theirs");
    assert_eq!(notes.to_string(), "1 page of the data set");
    let (ours, notes) = drawer(&"page:drawn".parse().unwrap())
        .page(&record)
        .unwrap();
    let bytes = ours.media.read().unwrap();
    assert_eq!(image::guess_format(&bytes).unwrap(), ImageFormat::Png);
    assert_eq!(notes.drawn, 1);
    record.page = None;
    assert_eq!(
        drawer(&PageOptions::default())
            .page(&record)
            .unwrap()
            .0
            .media
            .read()
            .unwrap(),
        bytes
    );
}

#[test]
fn pages_are_the_same_for_any_number_of_threads() {
    let names = [
        "latin.txt",
        "right-to-left.txt",
        "mathematics.txt",
        "scripts.txt",
    ];
    let contents: Vec<Content> = names
        .iter()
        .cycle()
        .take(12)
        .map(|name| text_of(name))
        .collect();
    let alone: Vec<Page> = contents
        .iter()
        .map(|content| drawer(&narrow()).draw(content).unwrap())
        .collect();
    let shared = drawer(&narrow());
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for (content, expected) in contents.iter().zip(&alone).rev() {
                    assert!(shared.draw(content).unwrap() == *expected);
                }
            });
        }
    });
}

#[test]
fn a_folder_without_fonts_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let options = PageOptions {
        fonts: Fonts::Folder(folder.path().to_path_buf()),
        ..narrow()
    };
    let error = PageDrawer::open(&options).err().unwrap().to_string();
    assert!(error.contains("expected fonts"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Any text: no panic, the width as asked, the height within its limit.
    #[test]
    fn any_text_is_a_page(
        text in prop_oneof![
            any::<String>(),
            "[a-zא-ת؀-ۿ0-9 \t\n\u{200d}-\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{300}-\u{310}(\\[{|$]{0,200}",
        ],
        width in 64u32..400,
        font_size in 4u32..20,
    ) {
        let options = PageOptions { width, height: 300, margin: 5, font_size, ..PageOptions::default() };
        let page = drawer(&options).draw(&Content::from(text)).unwrap();
        prop_assert_eq!(page.width(), width);
        prop_assert!(page.height() <= 300);
        prop_assert_eq!(page.pixels().len(), (3 * page.width() * page.height()) as usize);
    }
}
