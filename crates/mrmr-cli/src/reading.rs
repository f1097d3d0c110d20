//! Reading what a command names, and saying what was accepted on the way.

use std::path::Path;

use mrmr_core::{DuplicatePolicy, Error, Place, Qrels, Result, Run};
use mrmr_formats::Format;
use mrmr_formats::captions::{Captions, Subset};
use mrmr_formats::format::FileNotes;
use mrmr_formats::input::Input;
use mrmr_formats::qrels::{QrelsFileNotes, QrelsOptions, read_qrels};
use mrmr_formats::run::{RunFileNotes, RunOptions, read_run};
use mrmr_models::{CaptionSource, Role};

use crate::words::counted;

/// Judgements with where they come from.
pub(crate) struct ReadQrels {
    pub(crate) qrels: Qrels,
    pub(crate) source: String,
    pub(crate) hash: Option<String>,
    pub(crate) notes: QrelsFileNotes,
}

/// A run with where it comes from.
pub(crate) struct ReadRun {
    pub(crate) run: Run,
    pub(crate) source: String,
    pub(crate) hash: Option<String>,
    pub(crate) notes: RunFileNotes,
}

pub(crate) fn qrels(path: &Path) -> Result<ReadQrels> {
    let input = Input::new(path);
    let (qrels, notes) = read_qrels(&input, &QrelsOptions::default())?;
    Ok(ReadQrels {
        qrels,
        source: input.name(),
        hash: hash(&input)?,
        notes,
    })
}

pub(crate) fn run(path: &Path, duplicates: DuplicatePolicy) -> Result<ReadRun> {
    let input = Input::new(path);
    let options = RunOptions {
        duplicates,
        ..RunOptions::default()
    };
    let (run, notes) = read_run(&input, &options)?;
    Ok(ReadRun {
        run,
        source: input.name(),
        hash: hash(&input)?,
        notes,
    })
}

/// BLAKE3 of a file that can be read twice.
pub(crate) fn hash(input: &Input) -> Result<Option<String>> {
    let Some(path) = input.as_path().filter(|path| path.is_file()) else {
        return Ok(None);
    };
    let place = || Place::whole(input.name());
    let mut file = fs_err::File::open(path).map_err(|error| Error::io(error).at(place()))?;
    let mut hasher = blake3::Hasher::new();
    std::io::copy(&mut file, &mut hasher).map_err(|error| Error::io(error).at(place()))?;
    Ok(Some(hasher.finalize().to_hex().to_string()))
}

/// What reading a file accepted, one remark each.
fn file_remarks(notes: &FileNotes) -> Vec<String> {
    let mut remarks = Vec::new();
    if notes.comments > 0 {
        let lines = counted(notes.comments as usize, "comment line", "comment lines");
        remarks.push(format!("{lines} skipped"));
    }
    if notes.bom_stripped {
        remarks.push("a byte order mark was skipped".to_owned());
    }
    if notes.prefixes_stripped {
        remarks.push("the prefixes query-test- and corpus-test- were taken off all ids".to_owned());
    }
    remarks
}

/// What reading judgements accepted, one remark each.
pub(crate) fn qrels_remarks(notes: &QrelsFileNotes) -> Vec<String> {
    let mut remarks = file_remarks(&notes.file);
    if notes.identical_rows > 0 {
        remarks.push(format!(
            "{} rows repeat an earlier row",
            notes.identical_rows
        ));
    }
    if !notes.empty_queries.is_empty() {
        remarks.push(format!(
            "{} without a judgement left out",
            counted(notes.empty_queries.len(), "query", "queries")
        ));
    }
    remarks
}

/// What reading a run accepted, one remark each.
pub(crate) fn run_remarks(notes: &RunFileNotes) -> Vec<String> {
    let mut remarks = file_remarks(&notes.file);
    if notes.duplicates_dropped > 0 {
        remarks.push(format!(
            "{} left out",
            counted(
                notes.duplicates_dropped as usize,
                "repeated document",
                "repeated documents"
            )
        ));
    }
    if notes.scores_from_ranks {
        remarks.push("there are no scores: the ranks give the order".to_owned());
    }
    if notes.rank_disagreements > 0 {
        let queries = counted(notes.rank_disagreements as usize, "query", "queries");
        let first = notes.first_rank_disagreement.as_ref();
        let first = first.map_or(String::new(), |first| {
            let unit = match notes.file.format {
                Some(Format::Parquet) => "row",
                _ => "line",
            };
            format!(", first '{}' at {unit} {}", first.query, first.number)
        });
        remarks.push(format!(
            "the rank column disagrees with the scores in {queries}{first}; the scores count"
        ));
    }
    remarks
}

/// Captions of a file as a source for content rules.
pub(crate) struct FileCaptions(pub(crate) Captions);

impl CaptionSource for FileCaptions {
    fn caption(&self, role: Role, id: &str, label: &str) -> Option<&str> {
        let subset = match role {
            Role::Query => Subset::Query,
            Role::Document => Subset::Corpus,
        };
        self.0.get(subset, id, label)
    }
}
