//! Which fonts there are, and in which order they are asked for a glyph.

use std::collections::HashSet;
use std::sync::Arc;

use cosmic_text::fontdb::{Database, FaceInfo, Source, Stretch, Style};
use cosmic_text::{Fallback, FontSystem, Weight};
use mrmr_core::{Error, Place, Result};
use unicode_script::Script;

use super::options::Fonts;

/// DejaVu 2.37: Latin, Greek, Cyrillic, Arabic, Hebrew, Armenian, Georgian and symbols; then the letters of mathematics
/// (U+1D400 and on).
static EMBEDDED: [&[u8]; 2] = [
    include_bytes!("../../fonts/DejaVuSans.ttf"),
    include_bytes!("../../fonts/DejaVuMathTeXGyre.ttf"),
];
/// The family of the first.
const FIRST: &str = "DejaVu Sans";

/// A font that may be chosen.
#[derive(Clone, Debug)]
pub(super) struct Face {
    pub(super) family: String,
    pub(super) weight: Weight,
    pub(super) id: cosmic_text::fontdb::ID,
    pub(super) emoji: bool,
}

/// The fonts, one a family, in the order in which they are asked.
#[derive(Clone)]
pub(super) struct FontSet {
    database: Database,
    pub(super) faces: Vec<Face>,
}

impl FontSet {
    pub(super) fn open(fonts: &Fonts) -> Result<Self> {
        let mut database = Database::new();
        for font in EMBEDDED {
            database.load_font_source(Source::Binary(Arc::new(font)));
        }
        match fonts {
            Fonts::Embedded => {}
            Fonts::System => database.load_system_fonts(),
            Fonts::Folder(folder) => {
                let before = database.len();
                database.load_fonts_dir(folder);
                if database.len() == before {
                    return Err(
                        Error::data("expected fonts (.ttf, .otf, .ttc, .otc), found none")
                            .at(Place::whole(folder.display().to_string())),
                    );
                }
            }
        }
        let mut order: Vec<&FaceInfo> = database.faces().filter(|face| upright(face)).collect();
        // Nothing here depends on the order in which the system lists its files.
        order.sort_by_cached_key(|face| rank(face));
        let mut families = HashSet::new();
        let faces: Vec<Face> = order
            .iter()
            .filter(|face| families.insert(face.families[0].0.clone()))
            .map(|face| Face {
                family: face.families[0].0.clone(),
                weight: face.weight,
                id: face.id,
                emoji: is_emoji(face),
            })
            .collect();
        // A family is one font then, so that asking for the family asks for that font.
        let kept: HashSet<_> = faces.iter().map(|face| face.id).collect();
        let others: Vec<_> = database.faces().map(|face| face.id).collect();
        for id in others {
            if !kept.contains(&id) {
                database.remove_face(id);
            }
        }
        Ok(FontSet { database, faces })
    }

    /// The families with the bytes of their files, in the order in which they are asked.
    pub(super) fn each(&self, take: &mut dyn FnMut(&str, &[u8])) {
        for face in &self.faces {
            self.database
                .with_face_data(face.id, |bytes, _| take(&face.family, bytes));
        }
    }

    pub(super) fn system(&self) -> FontSystem {
        FontSystem::new_with_locale_and_db_and_fallback(
            "en-US".to_owned(),
            self.database.clone(),
            NoFallback,
        )
    }
}

fn upright(face: &FaceInfo) -> bool {
    face.style == Style::Normal && face.stretch == Stretch::Normal && !face.families.is_empty()
}

fn is_emoji(face: &FaceInfo) -> bool {
    face.post_script_name.contains("Emoji")
}

/// The embedded fonts, then Noto's plain fonts, then others by name; emoji last, and of a family its regular weight.
fn rank(face: &FaceInfo) -> (u8, String, u16, String, String, u32) {
    let family = &face.families[0].0;
    let place = match &face.source {
        Source::Binary(_) => String::new(),
        Source::File(path) | Source::SharedFile(path, _) => path.display().to_string(),
    };
    let class = match () {
        () if place.is_empty() && family == FIRST => 0,
        () if place.is_empty() => 1,
        () if is_emoji(face) => 5,
        () if family.starts_with("Noto Sans") && !face.monospaced => 2,
        () if !face.monospaced => 3,
        () => 4,
    };
    (
        class,
        family.clone(),
        face.weight.0.abs_diff(Weight::NORMAL.0),
        face.post_script_name.clone(),
        place,
        face.index,
    )
}

/// The font of every character is chosen before text is shaped, so that nothing is left to fall back for.
struct NoFallback;

impl Fallback for NoFallback {
    fn common_fallback(&self) -> &[&'static str] {
        &[]
    }

    fn forbidden_fallback(&self) -> &[&'static str] {
        &[]
    }

    fn script_fallback(&self, _: Script, _: &str) -> &[&'static str] {
        &[]
    }
}
