//! Captions as they come, one a line, so that no kill costs more than the one under way.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use mrmr_core::{Error, Place, Result};
use serde_json::{Value, json};

const FORMAT: &str = "mrmr.caption-journal/1";

/// Captions by the hash of their picture, on the disk when [`CaptionJournal::add`] returns.
///
/// ```
/// use mrmr_formats::captions::CaptionJournal;
/// # let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("captions.json.journal");
/// let (journal, known) = CaptionJournal::open(&path, "ollama:llava", "What is it?")?;
/// assert!(known.is_empty());
/// journal.add("af13", "a red circle")?;
/// drop(journal);
///
/// let (_, known) = CaptionJournal::open(&path, "ollama:llava", "What is it?")?;
/// assert_eq!(known["af13"], "a red circle");
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Debug)]
pub struct CaptionJournal {
    path: PathBuf,
    file: Mutex<File>,
}

impl CaptionJournal {
    /// Opens or begins the journal of a captioner and what it is asked; a last line that was not finished is cut off.
    ///
    /// # Errors
    /// If it belongs to another captioner or prompt, another process writes it, or a line is not as it must be.
    pub fn open(
        path: impl AsRef<Path>,
        captioner: &str,
        prompt: &str,
    ) -> Result<(Self, BTreeMap<String, String>)> {
        let path = path.as_ref().to_owned();
        let place = || Place::whole(path.display().to_string());
        let fail = |error| Error::io(error).at(place());
        let mut options = File::options();
        options.read(true).append(true).create(true);
        let mut file = options.open(&path).map_err(fail)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::usage("another process writes this journal").at(place()));
            }
            Err(TryLockError::Error(error)) => return Err(fail(error)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(fail)?;
        let whole = bytes
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |end| end + 1);
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(fail)?;
            file.seek(SeekFrom::End(0)).map_err(fail)?;
        }
        let header = json!({"format": FORMAT, "captioner": captioner, "prompt": prompt});
        let mut known = BTreeMap::new();
        for (number, line) in bytes[..whole]
            .split_inclusive(|byte| *byte == b'\n')
            .enumerate()
        {
            let line_place = || Place::line(path.display().to_string(), number as u64 + 1);
            let value: Value = serde_json::from_slice(line).map_err(|error| {
                Error::format(format!("expected a JSON object: {error}")).at(line_place())
            })?;
            if number == 0 {
                check_header(&value, &header).map_err(|error| error.at(place()))?;
                continue;
            }
            match (value["picture"].as_str(), value["caption"].as_str()) {
                (Some(picture), Some(caption)) => {
                    known.insert(picture.to_owned(), caption.to_owned());
                }
                _ => {
                    return Err(
                        Error::format("expected texts under 'picture' and 'caption'")
                            .at(line_place()),
                    );
                }
            }
        }
        let journal = CaptionJournal {
            path,
            file: Mutex::new(file),
        };
        if whole == 0 {
            journal.append(&header)?;
        }
        Ok((journal, known))
    }

    /// Adds the caption of a picture.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&self, picture: &str, caption: &str) -> Result<()> {
        self.append(&json!({"picture": picture, "caption": caption}))
    }

    fn append(&self, line: &Value) -> Result<()> {
        let fail = |error| Error::io(error).at(Place::whole(self.path.display().to_string()));
        let mut file = self
            .file
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        file.write_all(format!("{line}\n").as_bytes())
            .map_err(fail)?;
        file.sync_data().map_err(fail)
    }
}

fn check_header(found: &Value, expected: &Value) -> Result<()> {
    if found["format"] != expected["format"] {
        return Err(Error::format("expected a journal of captions")
            .hint("name another output, or move this file away"));
    }
    for key in ["captioner", "prompt"] {
        if found[key] != expected[key] {
            return Err(Error::usage(format!(
                "this journal has captions of another {key}: {}, not {}",
                found[key], expected[key]
            ))
            .hint("name another output, or move this file away to begin anew"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn open(path: &Path) -> Result<(CaptionJournal, BTreeMap<String, String>)> {
        CaptionJournal::open(path, "model", "prompt")
    }

    #[test]
    fn a_line_that_was_not_finished_is_cut_off_wherever_it_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (journal, _) = open(&path).unwrap();
        journal.add("a", "first \"caption\"\nof two lines").unwrap();
        journal.add("b", "second").unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        let ends: Vec<usize> = (0..whole.len()).filter(|at| whole[*at] == b'\n').collect();
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let (journal, known) = open(&path).unwrap();
            let expected = ends
                .iter()
                .filter(|end| **end < length)
                .count()
                .saturating_sub(1);
            assert_eq!(known.len(), expected, "{length}");
            journal.add("c", "third").unwrap();
            drop(journal);
            let (_, known) = open(&path).unwrap();
            assert_eq!(known.len(), expected + 1, "{length}");
            assert_eq!(known["c"], "third");
        }
    }

    #[test]
    fn another_captioner_prompt_or_process_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (journal, _) = open(&path).unwrap();
        assert!(
            open(&path)
                .unwrap_err()
                .message()
                .contains("another process")
        );
        drop(journal);
        let error = CaptionJournal::open(&path, "other", "prompt").unwrap_err();
        assert!(
            error
                .message()
                .contains("another captioner: \"model\", not \"other\""),
            "{error}"
        );
        let error = CaptionJournal::open(&path, "model", "why").unwrap_err();
        assert!(error.message().contains("another prompt"), "{error}");
        std::fs::write(&path, "{\"format\": 3}\n").unwrap();
        assert!(
            open(&path)
                .unwrap_err()
                .message()
                .contains("expected a journal")
        );
    }

    #[test]
    fn a_line_that_is_wrong_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        open(&path).unwrap();
        let mut text = std::fs::read_to_string(&path).unwrap();
        text += "{\"picture\": 1}\n";
        std::fs::write(&path, text).unwrap();
        let error = open(&path).unwrap_err();
        assert!(
            error.to_string().contains("journal:2: expected texts"),
            "{error}"
        );
    }
}
