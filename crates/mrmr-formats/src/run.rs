//! Reading runs from files of any format.

mod blocks;
pub(crate) mod ranks;

use mrmr_core::{DuplicatePolicy, Origin, Result, Run, RunBuilder};

use crate::format::{FileNotes, Format};
use crate::input::Input;
use crate::rows::{self, DOCUMENT_PREFIX, Kind, PrefixWatch, QUERY_PREFIX, Row, Sink};
use ranks::RankWatch;

pub use blocks::{Block, Blocks, read_blocks};

/// How a run is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunOptions {
    /// The format; found by the content where it is not given.
    pub format: Option<Format>,
    /// What a document counts that stands twice in one query's list.
    pub duplicates: DuplicatePolicy,
    /// The run's name; else its only tag, else the name of the file without its endings.
    pub name: Option<String>,
}

/// What reading a run came across and accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunFileNotes {
    /// The file.
    pub file: FileNotes,
    /// Repeated documents that the [`DuplicatePolicy`] left out.
    pub duplicates_dropped: u64,
    /// How many queries have an empty list of answers.
    pub empty_queries: u64,
    /// Whether the scores are negative ranks, since the file has no scores.
    pub scores_from_ranks: bool,
    /// How many queries have a rank column that contradicts the order of the scores.
    pub rank_disagreements: u64,
    /// The first of them in the file.
    pub first_rank_disagreement: Option<RankDisagreement>,
    /// The tag of the last line, where there are several: what trec_eval calls the run.
    pub last_tag: Option<String>,
}

/// A document whose score is higher than that of a document with a better rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankDisagreement {
    /// The query.
    pub query: String,
    /// Its line (from 1), or its row (from 0) in a Parquet file.
    pub number: u64,
}

/// Reads a run; the format is found by the content.
///
/// ```
/// use mrmr_formats::{Input, run::{RunOptions, read_run}};
/// let input = Input::memory("run.txt", "q1 Q0 d7 1 2.5 bm25\nq1 Q0 d9 2 1e-3 bm25\n".as_bytes());
/// let (run, notes) = read_run(&input, &RunOptions::default())?;
/// assert_eq!((run.name(), run.len()), ("bm25", 2));
/// assert_eq!(notes.file.format.unwrap().name(), "trec");
///
/// let input = Input::memory("run.txt", "q1 Q0 d7 1 2.5\n".as_bytes());
/// let error = read_run(&input, &RunOptions::default()).unwrap_err();
/// assert_eq!(error.to_string(), "run.txt:1: expected 6 fields, found 5: \"q1 Q0 d7 1 2.5\"");
/// # Ok::<(), mrmr_core::Error>(())
/// ```
///
/// # Formats
/// - TREC: `query Q0 document rank score tag`; the rank is ignored, but see
///   [`RunFileNotes::rank_disagreements`].
/// - MS MARCO: `query document rank`, a whole number; the score is the negative rank.
/// - A table with a header, TSV or CSV: the ids as in [`read_qrels`](crate::qrels::read_qrels), and `score` (or
///   `sim`, `similarity`), or else `rank`.
/// - JSON `{query: {document: score}}`, or an array of such objects or of records; a query with an empty
///   object stays, with an empty list. `Infinity` and `-Infinity` are read, as Python writes them.
/// - JSONL, one record a line, and Parquet, with the names of a table.
///
/// How lines are split is said at [`read_qrels`](crate::qrels::read_qrels). An input without any record is an empty run.
///
/// # Errors
/// If the input cannot be read or has no known format, a line has a wrong number of fields, an id is empty or
/// not UTF-8, a score is no number, or a document stands twice in a list and the options do not accept it.
pub fn read_run(input: &Input, options: &RunOptions) -> Result<(Run, RunFileNotes)> {
    let (mut sink, mut file) = rows::read(input, Kind::Run, options.format, |origin| RunSink {
        builder: Run::builder(input.stem(), origin),
        prefixes: PrefixWatch::default(),
        ranks: RankWatch::default(),
        rank_disagreements: 0,
        first_rank_disagreement: None,
        tag: Tag::None,
        from_ranks: false,
    })?;
    for disagreement in std::mem::take(&mut sink.ranks).finish() {
        sink.rank(disagreement);
    }
    let (mut run, dropped) = sink.builder.finish(options.duplicates)?;
    if sink.prefixes.all() {
        run = without_prefixes(&run)?;
        file.prefixes_stripped = true;
    }
    let last_tag = sink.tag.last();
    let name = options.name.clone().or_else(|| sink.tag.name());
    if let Some(name) = name {
        run = run.renamed(name);
    }
    let empty = run
        .queries()
        .keys()
        .filter(|query| run.entries(*query).is_empty());
    let notes = RunFileNotes {
        file,
        duplicates_dropped: dropped.duplicates_dropped,
        empty_queries: empty.count() as u64,
        scores_from_ranks: sink.from_ranks,
        rank_disagreements: sink.rank_disagreements,
        first_rank_disagreement: sink.first_rank_disagreement,
        last_tag,
    };
    Ok((run, notes))
}

struct RunSink {
    builder: RunBuilder,
    prefixes: PrefixWatch,
    ranks: RankWatch,
    rank_disagreements: u64,
    first_rank_disagreement: Option<RankDisagreement>,
    tag: Tag,
    from_ranks: bool,
}

impl Sink for RunSink {
    #[inline]
    fn row(&mut self, row: Row<'_>) -> Result<()> {
        self.prefixes.row(row.query, row.document);
        if let Some(tag) = row.tag {
            self.tag.see(tag);
        }
        if let Some(rank) = row.rank
            && let Some(disagreement) = self.ranks.see(row.query, rank, row.value, row.number)
        {
            self.rank(disagreement);
        }
        self.from_ranks |= row.from_rank;
        self.builder
            .add(row.query, row.document, row.value, row.number)
    }

    fn empty(&mut self, query: &str) {
        self.prefixes.query(query);
        self.builder.add_empty(query);
    }
}

impl RunSink {
    fn rank(&mut self, disagreement: RankDisagreement) {
        self.rank_disagreements += 1;
        let first = self.first_rank_disagreement.as_ref();
        if first.is_none_or(|first| disagreement.number < first.number) {
            self.first_rank_disagreement = Some(disagreement);
        }
    }
}

/// The last column of a TREC run names it, if it is the same in all lines.
enum Tag {
    None,
    One(Vec<u8>),
    /// The last of them.
    Several(Vec<u8>),
}

impl Tag {
    #[inline]
    fn see(&mut self, tag: &[u8]) {
        match self {
            Tag::None => *self = Tag::One(tag.to_owned()),
            Tag::One(known) | Tag::Several(known) if known != tag => {
                *self = Tag::Several(tag.to_owned());
            }
            _ => {}
        }
    }

    fn last(&self) -> Option<String> {
        match self {
            Tag::Several(tag) => Some(String::from_utf8_lossy(tag).into_owned()),
            _ => None,
        }
    }

    fn name(self) -> Option<String> {
        match self {
            Tag::One(tag) if !tag.is_empty() => Some(String::from_utf8_lossy(&tag).into_owned()),
            _ => None,
        }
    }
}

pub(crate) fn without_prefixes(run: &Run) -> Result<Run> {
    let mut builder = Run::builder(run.name(), Origin::memory("run"));
    let mut number = 0;
    for query in run.queries().keys() {
        let name = &run.queries().name(query)[QUERY_PREFIX.len()..];
        builder.add_empty(name);
        for entry in run.entries(query) {
            let document = &run.documents().name(entry.document)[DOCUMENT_PREFIX.len()..];
            builder.add(name, document, entry.score, number)?;
            number += 1;
        }
    }
    Ok(builder.finish(DuplicatePolicy::Error)?.0)
}
