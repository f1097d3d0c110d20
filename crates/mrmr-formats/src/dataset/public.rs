//! The layouts of public benchmarks beside MRMR's and BEIR's own.

use std::path::{Path, PathBuf};

use mrmr_core::{Error, Place, Result};

use super::faults::Faults;
use super::notes::Layout;
use super::{
    DatasetOptions, Limits, Opened, Parts, bright, m_beir, mmeb, ms_marco, mteb, trec_files, vidore,
};

/// What is looked for, for messages.
pub(super) const EXPECTED: &str =
    "MTEB, BRIGHT, MM-BRIGHT, ViDoRe, M-BEIR, MMEB, MS MARCO or TREC files";

/// Whether a folder is in a layout.
type IsHere = fn(&Path) -> bool;

/// The layout of a folder, by what is in it. The telling parts come first: `examples` is BRIGHT's alone.
pub(super) fn find(root: &Path) -> Option<Layout> {
    if let Some(layout) = bright::find(root) {
        return Some(layout);
    }
    let layouts: [(Layout, IsHere); 6] = [
        (Layout::MBeir, m_beir::is_here),
        (Layout::MsMarco, ms_marco::is_here),
        (Layout::Mmeb, mmeb::is_here),
        (Layout::Vidore, vidore::is_here),
        (Layout::Mteb, mteb::is_here),
        (Layout::TrecFiles, trec_files::is_here),
    ];
    let found = layouts.into_iter().find(|(_, is_here)| is_here(root));
    found.map(|(layout, _)| layout)
}

pub(super) fn open(
    layout: Layout,
    root: &Path,
    options: &DatasetOptions,
    faults: &mut dyn Faults,
) -> Result<(Parts, Opened, Limits)> {
    match layout {
        Layout::Bright | Layout::MmBright => bright::open(root, options, faults),
        Layout::MBeir => m_beir::open(root, options, faults),
        Layout::MsMarco => ms_marco::open(root, options, faults),
        Layout::Mmeb => mmeb::open(root, options, faults),
        Layout::Vidore => vidore::open(root, options, faults),
        Layout::Mteb => mteb::open(root, options, faults),
        Layout::TrecFiles => trec_files::open(root, options, faults),
        Layout::Mrmr | Layout::Beir => Err(Error::usage("this layout has its own reader")
            .at(Place::whole(root.display().to_string()))),
    }
}

/// The visible files of a folder whose names end so (also compressed), sorted; none where there is no folder.
pub(super) fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file() && !name(path).starts_with('.'))
        .filter(|path| endings.iter().any(|ending| stem(path, ending).is_some()))
        .collect();
    paths.sort();
    paths
}

/// The name of a file.
pub(super) fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The name of a file without an ending, and without that of its compression.
pub(super) fn stem(path: &Path, ending: &str) -> Option<String> {
    let name = name(path);
    let plain = [".gz", ".zst"]
        .iter()
        .find_map(|packed| name.strip_suffix(packed));
    plain
        .unwrap_or(&name)
        .strip_suffix(ending)
        .map(str::to_owned)
}

/// A part that is not there.
pub(super) fn missing(root: &Path, what: &str) -> Error {
    Error::format(format!("expected {what}, found no such file"))
        .at(Place::whole(root.display().to_string()))
}
