//! What tells a model from another: the bytes of its files.

use std::path::{Path, PathBuf};

use mrmr_core::{Error, Place, Result};
use mrmr_models::{ContentRule, Endpoint, Fonts, ModelFolder, PageDrawer};

use super::Key;

/// Names that no model depends on.
const NOT_OF_THE_MODEL: &[&str] = &["md", "png", "jpg", "lock", "tmp"];

/// A text that changes with every file of a model: of `hashing` and `pixels`, which have none, the name; of an endpoint,
/// whose files nobody sees, its address, model and options.
///
/// # Errors
/// If there is no such model, or a file cannot be read.
pub fn fingerprint(model: &str) -> Result<String> {
    if matches!(model, "hashing" | "pixels") {
        return Ok(model.to_owned());
    }
    if Endpoint::is_meant(model) {
        return Ok(model.parse::<Endpoint>()?.to_string());
    }
    let folder = ModelFolder::find(model)?;
    let mut files = Vec::new();
    collect(folder.path(), &mut files)?;
    files.sort();
    let mut failure = None;
    let key = Key::of("model", |hash| {
        for path in &files {
            let name = path.strip_prefix(folder.path()).unwrap_or(path);
            hash.text(&name.to_string_lossy());
            match of_file(path) {
                Ok(found) => hash.bytes(found.as_bytes()),
                Err(error) => failure = Some(error),
            }
        }
    });
    match failure {
        Some(error) => Err(error),
        None => Ok(key.to_string()),
    }
}

/// A text that changes with every font that pages are drawn with under a rule; none where nothing is drawn, or with the
/// embedded fonts alone.
///
/// # Errors
/// If there are no such fonts.
pub fn fonts_fingerprint(rule: &ContentRule) -> Result<Option<String>> {
    let ContentRule::Page(options) = rule else {
        return Ok(None);
    };
    if options.fonts == Fonts::Embedded {
        return Ok(None);
    }
    let drawer = PageDrawer::open(options)?;
    let key = Key::of("fonts", |hash| {
        drawer.each_font(&mut |family, bytes| {
            hash.text(family);
            hash.bytes(bytes);
        });
    });
    Ok(Some(key.to_string()))
}

/// BLAKE3 of bytes, in hexadecimal.
pub fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

fn of_file(path: &Path) -> Result<blake3::Hash> {
    let io = |error| Error::io(error).at(place(path));
    let mut file = std::fs::File::open(path).map_err(io)?;
    let mut hasher = blake3::Hasher::new();
    std::io::copy(&mut file, &mut hasher).map_err(io)?;
    Ok(hasher.finalize())
}

/// The files of a folder and of those in it, links followed; hidden ones are no part of a model.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let io = |error| Error::io(error).at(place(folder));
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') || NOT_OF_THE_MODEL.contains(&&*ending) {
            continue;
        }
        match path.is_dir() {
            true => collect(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}

fn place(path: &Path) -> Place {
    Place::whole(path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_font_in_a_folder_is_another_fingerprint() {
        let fonts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mrmr-models/fonts");
        let folder = tempfile::tempdir().unwrap();
        let rule = format!("page:fonts={}", folder.path().display());
        let rule: ContentRule = rule.parse().unwrap();
        assert!(fonts_fingerprint(&rule).is_err());
        let font = std::fs::read(fonts.join("DejaVuSans.ttf")).unwrap();
        std::fs::write(folder.path().join("a.ttf"), &font).unwrap();
        let first = fonts_fingerprint(&rule).unwrap();
        // A font that is there under another family name, and so is one more to ask.
        let name: Vec<u8> = "DejaVu Sans"
            .encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect();
        let other: Vec<u8> = "DejaVu Sand"
            .encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect();
        let mut renamed = font.clone();
        while let Some(at) = renamed.windows(name.len()).position(|found| found == name) {
            renamed[at..at + name.len()].copy_from_slice(&other);
        }
        std::fs::write(folder.path().join("b.ttf"), renamed).unwrap();
        assert_ne!(first, fonts_fingerprint(&rule).unwrap());
        assert_eq!(fonts_fingerprint(&ContentRule::Text).unwrap(), None);
        assert_eq!(fonts_fingerprint(&"page".parse().unwrap()).unwrap(), None);
    }

    #[test]
    fn every_file_of_a_model_counts_and_its_folder_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let make = |name: &str, weights: &[u8]| {
            let model = folder.path().join(name);
            std::fs::create_dir_all(model.join("onnx")).unwrap();
            std::fs::write(model.join("config.json"), "{}").unwrap();
            std::fs::write(model.join("README.md"), name).unwrap();
            std::fs::write(model.join("onnx/model.onnx"), weights).unwrap();
            fingerprint(&model.display().to_string()).unwrap()
        };
        let first = make("a", b"1");
        assert_eq!(first, make("b", b"1"));
        assert_ne!(first, make("b", b"2"));
        assert_eq!(fingerprint("hashing").unwrap(), "hashing");
        assert!(fingerprint("./none").is_err());
        let endpoint = "vllm+http://127.0.0.1:8000:reader";
        assert_eq!(fingerprint(endpoint).unwrap(), endpoint);
        assert!(fingerprint("vllm+http://127.0.0.1:8000:reader,wrokers=2").is_err());
    }
}
