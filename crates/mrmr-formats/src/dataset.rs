//! Data sets: queries, documents and judgements, with their images, in the layouts of public benchmarks.
//!
//! ```
//! # fn main() -> mrmr_core::Result<()> {
//! # let root = tempfile::tempdir().unwrap();
//! # let root = root.path();
//! # std::fs::create_dir(root.join("qrels")).unwrap();
//! # let corpus = r#"{"_id": "d1", "title": "Kraft inequality", "text": "About prefix codes."}"#;
//! # std::fs::write(root.join("corpus.jsonl"), corpus).unwrap();
//! # std::fs::write(root.join("queries.jsonl"), r#"{"_id": 1, "text": "Which codes exist?"}"#).unwrap();
//! # std::fs::write(root.join("qrels/test.tsv"), "query-id\tcorpus-id\tscore\n1\td1\t1\n").unwrap();
//! use mrmr_core::Part;
//! use mrmr_formats::dataset::{DatasetOptions, Layout, open_dataset};
//!
//! let (dataset, notes) = open_dataset(root, &DatasetOptions::default())?;
//! assert_eq!(notes.layout, Layout::Beir);
//! assert_eq!((dataset.queries.len(), dataset.corpus.len(), dataset.qrels.len()), (1, 1, 1));
//! let (_, id, document) = dataset.corpus.iter().next().unwrap();
//! let [Part::Text(text)] = document.content.parts() else { panic!() };
//! assert_eq!((id, text.as_str()), ("d1", "Kraft inequality About prefix codes."));
//! assert!(notes.orphan_golds.is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! Images are not read while a data set is opened: a record holds where they are, and
//! [`Media::read`](mrmr_core::Media::read) reads one when it is asked for.

mod beir;
mod bright;
mod columns;
pub(crate) mod faults;
mod gather;
mod image_cells;
mod image_source;
mod interleave;
mod json_content;
mod m_beir;
mod media_files;
mod mmeb;
mod mrmr;
mod ms_marco;
mod mteb;
mod notes;
mod placeholder;
mod public;
mod records;
mod shards;
mod sheet;
mod side;
mod trec_files;
mod vidore;
mod write;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mrmr_core::{
    Collection, Dataset, DocId, Error, Origin, Place, Qrels, QrelsNotes, QueryId, Result,
};

use faults::{Faults, Strict};

pub use notes::{CollectionNotes, DatasetNotes, Layout};
pub use side::{read_corpus, read_queries};
pub use write::write_mrmr;

/// How a data set is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DatasetOptions {
    /// The split of the judgements; unless given, `test`, else the only one.
    ///
    /// In MRMR's layout queries and documents are those of that split too, where they have it.
    pub split: Option<String>,
    /// The name for people; unless given, that of the folder.
    pub name: Option<String>,
}

/// What a layout gives.
struct Parts {
    queries: Collection<QueryId>,
    corpus: Collection<DocId>,
    qrels: Qrels,
}

/// What a layout says of which documents a query may return; by query.
#[derive(Default)]
struct Limits {
    candidates: BTreeMap<String, Vec<String>>,
    excluded: BTreeMap<String, Vec<String>>,
}

/// How it was read.
struct Opened {
    split: String,
    /// Whether queries, documents and judgements are there.
    is_whole: bool,
    files: Vec<PathBuf>,
    qrels_notes: QrelsNotes,
    ignored_in_queries: Vec<String>,
    ignored_in_corpus: Vec<String>,
}

/// Whether a folder is laid out as a data set; nothing but names of files is looked at.
pub fn is_dataset(path: impl AsRef<Path>) -> bool {
    let path = path.as_ref();
    public::find(path).is_some()
        || mrmr::is_here(path, true)
        || (beir::file(path, "corpus.jsonl").is_some()
            && beir::file(path, "queries.jsonl").is_some())
}

/// Opens the data set in a folder, whichever layout it has.
///
/// MRMR's columns: `id`, `text` with placeholders, `image 1`, `image 2`, ... interleaved into
/// [`Record::content`](mrmr_core::Record); `image` as `merged`, `vision` as `page`; all further text, integer and
/// list columns as fields. A file without a column `modality` is one of MTEB's: its `title` is joined in front of
/// the text. BEIR's documents are title, space, text; the title is a field as well.
///
/// A line of BEIR's files may name pictures and sounds, by paths from the folder of that file: `image` and `audio`, each
/// a path or a list of paths, come before the text, labelled `image`, or `image 1`, `image 2`, ... where there are
/// several. Instead of all three, `content` is a list of parts in their order, `{"type": "text", "text": ...}` or
/// `{"type": "image", "path": ...}` or `{"type": "audio", "path": ...}`, with a `label` where another is wanted. A file
/// that is not there is told by `check`, and fails its record when that is read.
///
/// # Errors
/// If the folder has neither layout, a part is missing or incomplete, or a record is not as it must be; the file
/// and the row or line are named.
pub fn open_dataset(
    path: impl AsRef<Path>,
    options: &DatasetOptions,
) -> Result<(Dataset, DatasetNotes)> {
    let (dataset, notes, _) = open(path.as_ref(), options, &mut Strict)?;
    Ok((dataset, notes))
}

/// Opens what can be opened of a data set; the last value says whether no part is missing.
///
/// # Errors
/// If the folder has neither layout, or cannot be read.
pub(crate) fn open_leniently(
    root: &Path,
    options: &DatasetOptions,
    faults: &mut dyn Faults,
) -> Result<(Dataset, DatasetNotes, bool)> {
    open(root, options, faults)
}

fn open(
    root: &Path,
    options: &DatasetOptions,
    faults: &mut dyn Faults,
) -> Result<(Dataset, DatasetNotes, bool)> {
    let (layout, (parts, opened), limits) = if let Some(layout) = public::find(root) {
        let (parts, opened, limits) = public::open(layout, root, options, faults)?;
        (layout, (parts, opened), limits)
    } else if mrmr::is_here(root, false) {
        let opened = mrmr::open(root, options, faults)?;
        (Layout::Mrmr, opened, Limits::default())
    } else if ["corpus.jsonl", "queries.jsonl"]
        .iter()
        .any(|name| beir::file(root, name).is_some())
    {
        let opened = beir::open(root, options, faults)?;
        (Layout::Beir, opened, Limits::default())
    } else {
        return Err(no_layout(root));
    };
    let dataset = Dataset {
        name: options.name.clone().unwrap_or_else(|| folder_name(root)),
        queries: parts.queries,
        corpus: parts.corpus,
        qrels: parts.qrels,
        candidates: limits.candidates,
        excluded: limits.excluded,
    };
    let notes = DatasetNotes::of(layout, &opened, &dataset);
    Ok((dataset, notes, opened.is_whole))
}

/// The judgements of a data set that lacks them.
fn no_judgements() -> Result<(Qrels, QrelsNotes)> {
    Qrels::builder(Origin::memory("nothing")).finish()
}

fn folder_name(root: &Path) -> String {
    let absolute = std::path::absolute(root);
    let name = absolute.as_deref().unwrap_or(root).file_name();
    name.map_or_else(
        || "dataset".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

fn no_layout(root: &Path) -> Error {
    let place = Place::whole(root.display().to_string());
    let entries = match std::fs::read_dir(root) {
        Ok(entries) => entries,
        Err(error) => return Error::io(error).at(place),
    };
    let mut names: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .collect();
    names.sort();
    let below: Vec<String> = names
        .iter()
        .filter(|name| is_dataset(root.join(name)))
        .cloned()
        .collect();
    let more = names.len().saturating_sub(12);
    names.truncate(12);
    let mut found = if names.is_empty() {
        "an empty folder".to_owned()
    } else {
        names.join(", ")
    };
    if more > 0 {
        found += &format!(" and {more} more");
    }
    Error::format(format!(
        "expected a data set: MRMR's layout ({}), BEIR's (corpus.jsonl, queries.jsonl and \
         qrels/SPLIT.tsv) or that of {}; found {found}",
        mrmr::EXPECTED,
        public::EXPECTED
    ))
    .at(place)
    .hint(match below.is_empty() {
        true => "name the folder that holds these".to_owned(),
        false => format!("these folders in it are data sets: {}", below.join(", ")),
    })
}
