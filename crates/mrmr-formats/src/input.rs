//! Where bytes come from: a path, standard input, or memory.

mod encoding;
mod open;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mrmr_core::Result;
use tempfile::NamedTempFile;

pub use open::{Opened, ParquetSource, Text};
pub(crate) use open::{missing_hint, read_failed};

/// A source of bytes, not opened yet.
///
/// ```
/// use std::io::Read;
/// use mrmr_formats::input::{Input, Opened};
/// let input = Input::memory("run.txt", &b"q1 Q0 d1 1 2.5 bm25\n"[..]);
/// let Opened::Text(mut text) = input.open()? else { unreachable!() };
/// let mut line = String::new();
/// text.read_to_string(&mut line).unwrap();
/// assert_eq!(line, "q1 Q0 d1 1 2.5 bm25\n");
/// assert_eq!(Input::new("-").name(), "standard input");
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Input(Source);

#[derive(Clone, Debug)]
enum Source {
    Path(PathBuf),
    StandardInput,
    Memory {
        name: String,
        bytes: Arc<[u8]>,
    },
    /// What came from an input that can be read once only, kept on disk.
    Kept {
        name: String,
        stem: String,
        file: Arc<NamedTempFile>,
    },
}

impl Input {
    /// What a command-line argument names: `-` is standard input, all else a path.
    pub fn new(argument: impl AsRef<OsStr>) -> Self {
        let argument = argument.as_ref();
        if argument == "-" {
            Input::standard_input()
        } else {
            Input::path(argument)
        }
    }

    /// A file, a pipe or a device by its path; `-` is a file of that name.
    pub fn path(path: impl Into<PathBuf>) -> Self {
        Input(Source::Path(path.into()))
    }

    /// Standard input; it can be read once.
    pub fn standard_input() -> Self {
        Input(Source::StandardInput)
    }

    /// Bytes in memory, under a name for messages.
    pub fn memory(name: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Self {
        Input(Source::Memory {
            name: name.into(),
            bytes: bytes.into(),
        })
    }

    /// The same input once more, from a copy of its bytes.
    pub(crate) fn kept(input: &Input, file: NamedTempFile) -> Self {
        Input(Source::Kept {
            name: input.name(),
            stem: input.stem(),
            file: Arc::new(file),
        })
    }

    /// Whether the bytes are in memory.
    pub(crate) fn is_memory(&self) -> bool {
        matches!(self.0, Source::Memory { .. } | Source::Kept { .. })
    }

    /// The name for messages: the path as it was given, or `standard input`.
    pub fn name(&self) -> String {
        match &self.0 {
            Source::Path(path) => path.display().to_string(),
            Source::StandardInput => "standard input".to_owned(),
            Source::Memory { name, .. } | Source::Kept { name, .. } => name.clone(),
        }
    }

    /// The path, where it is one.
    pub fn as_path(&self) -> Option<&Path> {
        match &self.0 {
            Source::Path(path) => Some(path),
            _ => None,
        }
    }

    /// A short name for people: the file's name without its endings, or `stdin`.
    ///
    /// ```
    /// use mrmr_formats::Input;
    /// assert_eq!(Input::path("runs/bm25.k1.trec.gz").stem(), "bm25.k1");
    /// ```
    pub fn stem(&self) -> String {
        let name = match &self.0 {
            Source::Path(path) => path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned()),
            Source::StandardInput => Some("stdin".to_owned()),
            Source::Memory { name, .. } => Some(name.clone()),
            Source::Kept { stem, .. } => return stem.clone(),
        };
        let name = name.unwrap_or_default();
        let inner = without_compression(&name);
        match inner.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
            _ => inner.to_owned(),
        }
    }

    /// The file's ending in lower case, that of compression left out: `tsv` for `qrels.TSV.gz`.
    pub fn ending(&self) -> Option<String> {
        let name = self.name();
        let (stem, ending) = without_compression(&name).rsplit_once('.')?;
        (!stem.is_empty() && !ending.contains(['/', '\\'])).then(|| ending.to_ascii_lowercase())
    }

    /// Opens it: decompresses gzip and zstd by their first bytes, skips a UTF-8 byte order mark.
    ///
    /// # Errors
    /// If it cannot be opened or read, is a folder, or holds UTF-16 or an unknown compression.
    pub fn open(&self) -> Result<Opened> {
        match &self.0 {
            Source::Path(path) => open::path(path),
            Source::StandardInput => open::stream(self.name(), None, Box::new(std::io::stdin())),
            Source::Memory { name, bytes } => open::stream(
                name.clone(),
                None,
                Box::new(std::io::Cursor::new(bytes.clone())),
            ),
            Source::Kept { name, file, .. } => {
                let file = file.reopen();
                let file = file.map_err(|error| read_failed(name, error))?;
                open::stream(name.clone(), None, Box::new(file))
            }
        }
    }
}

fn without_compression(name: &str) -> &str {
    let lower = name.to_ascii_lowercase();
    let ending = [".gz", ".zst", ".zstd"]
        .into_iter()
        .find(|end| lower.ends_with(end));
    ending.map_or(name, |end| &name[..name.len() - end.len()])
}

#[cfg(test)]
mod tests {
    use super::Input;

    #[test]
    fn a_stem_has_no_endings_and_is_never_empty() {
        for (path, stem) in [
            ("a/run.txt", "run"),
            ("run", "run"),
            ("run.tsv.zst", "run"),
            (".hidden", ".hidden"),
            ("-", "-"),
        ] {
            assert_eq!(Input::path(path).stem(), stem);
        }
        assert_eq!(Input::new("-").stem(), "stdin");
    }

    #[test]
    fn an_ending_is_the_one_below_the_compression() {
        assert_eq!(
            Input::path("a.b/qrels.TSV.gz").ending().as_deref(),
            Some("tsv")
        );
        assert_eq!(Input::path("a.b/qrels").ending(), None);
    }
}
