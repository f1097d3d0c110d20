//! A run, with all that is wrong with it.

use std::collections::HashSet;

use mrmr_core::{Error, Origin, Place, Result, Run, RunBuilder};

use super::file::{self, Collector};
use super::starts::Starts;
use crate::findings::{Code, Findings, Severity};
use crate::format::FileNotes;
use crate::input::Input;
use crate::rows::{Kind, PrefixWatch, QUERY_PREFIX, Row, Sink};
use crate::run::ranks::RankWatch;
use crate::run::{RankDisagreement, without_prefixes};

/// What could be read of a run, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct ScannedRun {
    /// The answers that could be read; of a document that stands twice for one query the first.
    pub run: Run,
    /// How the file was read.
    pub file: FileNotes,
    /// What was found.
    pub findings: Findings,
    starts: Starts,
}

impl ScannedRun {
    /// Where a query begins.
    pub fn place(&self, query: &str) -> Place {
        self.starts.place(query)
    }
}

/// Reads all of a run that can be read.
///
/// # Errors
/// If the input cannot be opened.
pub fn run(input: &Input) -> Result<ScannedRun> {
    let (mut sink, mut file) = file::read(input, Kind::Run, |origin| RunSink {
        findings: Findings::new(input.name()),
        builder: Run::builder(input.stem(), origin.clone()),
        starts: Starts::new(origin),
        query: None,
        scattered: HashSet::new(),
        prefixes: PrefixWatch::default(),
        ranks: RankWatch::default(),
        tag: None,
        several_tags: false,
        from_ranks: false,
    })?;
    for disagreement in std::mem::take(&mut sink.ranks).finish() {
        sink.rank(disagreement);
    }
    let (mut findings, mut starts) = (sink.findings, sink.starts);
    let (mut run, _) = sink.builder.finish_with(|repeated| {
        findings.add_at(Code::DuplicateDocument, repeated.number(), || {
            repeated.error()
        });
    });
    if sink.prefixes.all() {
        run = without_prefixes(&run)?;
        file.prefixes_stripped = true;
        starts.strip(QUERY_PREFIX);
        file::prefixes(&mut findings);
    }
    if let Some(tag) = sink.tag.filter(|tag| !tag.is_empty() && !sink.several_tags) {
        run = run.renamed(String::from_utf8_lossy(&tag));
    }
    if run.is_empty() && findings.count(Severity::Error) == 0 {
        findings.add(Code::EmptyRun, || Error::data("the run is empty"));
    }
    Ok(ScannedRun {
        run,
        file,
        findings,
        starts,
    })
}

struct RunSink {
    findings: Findings,
    builder: RunBuilder,
    starts: Starts,
    /// That of the row before.
    query: Option<String>,
    /// The queries that were said not to stand together.
    scattered: HashSet<String>,
    prefixes: PrefixWatch,
    ranks: RankWatch,
    tag: Option<Vec<u8>>,
    several_tags: bool,
    from_ranks: bool,
}

impl Sink for RunSink {
    #[inline]
    fn row(&mut self, row: Row<'_>) -> Result<()> {
        self.prefixes.row(row.query, row.document);
        if self.query.as_deref() != Some(row.query) {
            self.begin(row.query, row.number);
        }
        if let Some(rank) = row.rank
            && let Some(disagreement) = self.ranks.see(row.query, rank, row.value, row.number)
        {
            self.rank(disagreement);
        }
        if let Some(tag) = row.tag
            && !self.several_tags
        {
            self.tag(tag, row.number);
        }
        if row.from_rank && !self.from_ranks {
            self.from_ranks = true;
            self.add(Code::ScoresFromRanks, row.number, || {
                "there are no scores: the ranks give the order".to_owned()
            });
        }
        if row.query == row.document {
            self.add(Code::SelfRetrieved, row.number, || {
                format!("query '{}' is in its own answers", row.query)
            });
        }
        self.builder
            .add(row.query, row.document, row.value, row.number)
    }

    fn empty(&mut self, query: &str) {
        self.prefixes.query(query);
        self.starts.see_empty(query);
        self.builder.add_empty(query);
        let name = &self.starts.origin().name;
        self.findings.add(Code::EmptyList, || {
            Error::data(format!("query '{query}' has an empty list of answers"))
                .at(Place::item(name, query))
        });
    }

    fn fault(&mut self, code: Code, error: impl FnOnce() -> Error) -> Result<()> {
        self.findings.add(code, error);
        Ok(())
    }

    fn comment(&mut self, line: u64) {
        file::comment(&mut self.findings, self.starts.origin(), line);
    }
}

impl Collector for RunSink {
    fn findings(&mut self) -> &mut Findings {
        &mut self.findings
    }
}

impl RunSink {
    /// A row of another query than the one before.
    fn begin(&mut self, query: &str, number: u64) {
        let known = self.query.get_or_insert_default();
        known.clear();
        known.push_str(query);
        let Some(first) = self.starts.see(query, number) else {
            return;
        };
        if !self.scattered.contains(query) {
            self.scattered.insert(query.to_owned());
            let origin = self.starts.origin();
            self.findings.add(Code::QueryScattered, || {
                Error::data(format!(
                    "query '{query}' comes again behind other queries; it began at {}",
                    origin.entry(first)
                ))
                .at(origin.place(number))
                .hint("sort the run by query; was another run appended to it?")
            });
        }
    }

    fn rank(&mut self, disagreement: RankDisagreement) {
        let (number, origin) = (disagreement.number, self.starts.origin());
        self.findings.add_at(Code::RankAgainstScore, number, || {
            Error::data(format!(
                "query '{}': the score here is above that of a better rank; the scores count",
                disagreement.query
            ))
            .at(origin.place(number))
        });
    }

    #[inline]
    fn tag(&mut self, tag: &[u8], number: u64) {
        match &self.tag {
            None => self.tag = Some(tag.to_owned()),
            Some(known) if known == tag => {}
            Some(known) => {
                let shown = |tag| String::from_utf8_lossy(tag).into_owned();
                let message = format!(
                    "the run is '{}' here, and '{}' before",
                    shown(tag),
                    shown(known)
                );
                self.several_tags = true;
                self.add(Code::SeveralTags, number, || message);
            }
        }
    }

    fn add(&mut self, code: Code, number: u64, message: impl FnOnce() -> String) {
        let origin: &Origin = self.starts.origin();
        self.findings
            .add(code, || Error::data(message()).at(origin.place(number)));
    }
}
