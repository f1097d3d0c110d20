//! What opening a data set found, for `check` and for reports.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use mrmr_core::{Collection, Dataset, Image, Interned, Modality, Part, QrelsNotes, Record};

use super::Opened;

/// How the files of a data set are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Parquet files in the folders `corpus`, `query` and `qrels`.
    Mrmr,
    /// `corpus.jsonl`, `queries.jsonl` and `qrels/SPLIT.tsv`.
    Beir,
    /// `corpus`, `queries`, `qrels` in Parquet or JSON lines, with `top_ranked` or `instruction`.
    Mteb,
    /// `documents`, `long_documents` and `examples`, a split for each domain.
    Bright,
    /// As BRIGHT, with `examples_multimodal`.
    MmBright,
    /// Rows of a question and its page.
    Vidore,
    /// `query`, `cand_pool` and `qrels` as JSON lines and TREC lines.
    MBeir,
    /// Rows with lists of candidates.
    Mmeb,
    /// `collection.tsv`, `queries.SPLIT.tsv`, `qrels.SPLIT.tsv`.
    MsMarco,
    /// Topics, judgements of TREC, documents as JSON lines or Parquet.
    TrecFiles,
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Layout::Mrmr => "MRMR",
            Layout::Beir => "BEIR",
            Layout::Mteb => "MTEB",
            Layout::Bright => "BRIGHT",
            Layout::MmBright => "MM-BRIGHT",
            Layout::Vidore => "ViDoRe",
            Layout::MBeir => "M-BEIR",
            Layout::Mmeb => "MMEB",
            Layout::MsMarco => "MS MARCO",
            Layout::TrecFiles => "TREC files",
        })
    }
}

/// What opening a data set found and accepted.
#[derive(Clone, Debug)]
pub struct DatasetNotes {
    /// How the files are laid out.
    pub layout: Layout,
    /// The split of the judgements.
    pub split: String,
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// The queries.
    pub queries: CollectionNotes,
    /// The documents.
    pub corpus: CollectionNotes,
    /// Relevant documents that the corpus lacks, by their bytes; see [`Dataset::orphan_golds`].
    pub orphan_golds: Vec<String>,
    /// Queries without a judgement, in the order of the queries.
    pub unjudged_queries: Vec<String>,
    /// Judged queries that the data set lacks, in the order of the judgements.
    pub unknown_queries: Vec<String>,
    /// What reading the judgements found.
    pub qrels: QrelsNotes,
}

impl DatasetNotes {
    pub(super) fn of(layout: Layout, opened: &Opened, dataset: &Dataset) -> Self {
        let judged = dataset.qrels.queries();
        let unjudged = dataset.queries.ids().names();
        let unjudged = unjudged.filter(|name| judged.get(name).is_none());
        let unknown = judged.names();
        let unknown = unknown.filter(|name| dataset.queries.ids().get(name).is_none());
        let orphans = dataset.orphan_golds().into_iter();
        DatasetNotes {
            layout,
            split: opened.split.clone(),
            files: opened.files.clone(),
            queries: CollectionNotes::of(&dataset.queries, opened.ignored_in_queries.clone()),
            corpus: CollectionNotes::of(&dataset.corpus, opened.ignored_in_corpus.clone()),
            orphan_golds: orphans.map(str::to_owned).collect(),
            unjudged_queries: unjudged.map(str::to_owned).collect(),
            unknown_queries: unknown.map(str::to_owned).collect(),
            qrels: opened.qrels_notes.clone(),
        }
    }
}

/// What a collection holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CollectionNotes {
    /// How many records there are.
    pub records: usize,
    /// Images in the contents that are there.
    pub images: usize,
    /// Images that a content names, but that are not there.
    pub missing_images: usize,
    /// Records whose content names an image that is not there, in order.
    pub incomplete: Vec<String>,
    /// Sounds in the contents that are there.
    pub sounds: usize,
    /// Sounds that a content names, but that are not there.
    pub missing_sounds: usize,
    /// Records whose content names a sound that is not there, in order.
    pub without_sound: Vec<String>,
    /// Records with a merged image.
    pub merged: usize,
    /// Records with a page.
    pub pages: usize,
    /// Records by what their contents really hold.
    pub by_modality: BTreeMap<Modality, usize>,
    /// Records whose column `modality` says otherwise than their contents, in order.
    pub declared_otherwise: Vec<String>,
    /// Columns or keys that were not read, by name.
    pub ignored_columns: Vec<String>,
}

impl CollectionNotes {
    pub(super) fn of<K: Interned>(
        collection: &Collection<K>,
        ignored_columns: Vec<String>,
    ) -> Self {
        let mut notes = CollectionNotes {
            records: collection.len(),
            ignored_columns,
            ..CollectionNotes::default()
        };
        for (_, id, record) in collection.iter() {
            notes.add(id, record);
        }
        notes
    }

    fn add(&mut self, id: &str, record: &Record) {
        let (mut missing, mut missing_sounds) = (0, 0);
        for part in record.content.parts() {
            let (media, there, missing) = match part {
                Part::Text(_) => continue,
                Part::Image(image) => (&image.media, &mut self.images, &mut missing),
                Part::Audio(audio) => (&audio.media, &mut self.sounds, &mut missing_sounds),
            };
            let is_there = media.is_there();
            *there += usize::from(is_there);
            *missing += usize::from(!is_there);
        }
        self.missing_sounds += missing_sounds;
        if missing_sounds > 0 {
            self.without_sound.push(id.to_owned());
        }
        self.missing_images += missing;
        if missing > 0 {
            self.incomplete.push(id.to_owned());
        }
        let is_there =
            |image: &Option<Image>| image.as_ref().is_some_and(|i| !i.media.is_missing());
        self.merged += usize::from(is_there(&record.merged));
        self.pages += usize::from(is_there(&record.page));
        let modality = record.content.modality();
        *self.by_modality.entry(modality).or_default() += 1;
        if let Some(declared) = record.field("modality")
            && declared.parse::<Modality>().ok() != Some(modality)
        {
            self.declared_otherwise.push(id.to_owned());
        }
    }
}
