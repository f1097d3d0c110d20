//! What someone wrote into the file.

use std::path::{Path, PathBuf};

use mrmr_core::{Error, Place, Result, closest};
use serde::Deserialize;

/// A file of systems, as it was written.
///
/// ```
/// use mrmr_bench::pipeline::BenchFile;
/// let file = BenchFile::parse(
///     r#"
///     [dataset]
///     path = "data/theorem"
///     [[system]]
///     name = "bm25"
///     retrieve = { kind = "bm25", k1 = 1.2 }
///     "#,
///     "systems.toml",
/// )?;
/// assert_eq!(file.systems[0].name, "bm25");
///
/// let error = BenchFile::parse("[dataset]\npath = 'x'\n[[system]]\nnane = 'y'", "systems.toml").unwrap_err();
/// assert_eq!(error.to_string(), "systems.toml:4: unknown key 'nane'; expected name, run, retrieve, encoder, fuse, expand, rerank, depth, drop_self");
/// assert_eq!(error.hints(), ["did you mean name?"]);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchFile {
    /// What is searched.
    pub dataset: DatasetEntry,
    /// What is measured beside the tasks' main measures.
    #[serde(default)]
    pub measures: Vec<String>,
    /// How many documents each system returns for a query, unless it says so itself.
    pub depth: Option<usize>,
    /// The system that the others are compared with; the first unless given.
    pub baseline: Option<String>,
    /// The systems.
    #[serde(rename = "system", default)]
    pub systems: Vec<SystemEntry>,
}

/// The data set of a file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatasetEntry {
    /// The folder of a data set, or one that holds a folder for each task.
    pub path: PathBuf,
    /// The benchmark that its tasks are of; MRMR unless given.
    pub benchmark: Option<String>,
    /// Which tasks of the benchmark.
    #[serde(default)]
    pub tasks: Vec<String>,
    /// The split of the data.
    pub split: Option<String>,
    /// A file of captions.
    pub captions: Option<PathBuf>,
}

/// A system of a file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemEntry {
    /// Its name.
    pub name: String,
    /// A run that is there already.
    pub run: Option<PathBuf>,
    /// How it finds documents.
    pub retrieve: Option<RetrieveEntry>,
    /// What makes vectors of records.
    pub encoder: Option<EncoderEntry>,
    /// The systems whose runs it makes one of.
    pub fuse: Option<FuseEntry>,
    /// What queries become before anything is searched.
    pub expand: Option<ExpandEntry>,
    /// What scores the first documents anew.
    pub rerank: Option<RerankEntry>,
    /// How many documents it returns for a query.
    pub depth: Option<usize>,
    /// Whether a document with the id of the query is left out.
    #[serde(default)]
    pub drop_self: bool,
}

/// How documents are found.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum RetrieveEntry {
    /// By words.
    Bm25 {
        /// How fast repeated terms saturate.
        k1: Option<f32>,
        /// How much length counts.
        b: Option<f32>,
        /// `lucene` or `exact`.
        norms: Option<String>,
        /// How text becomes terms.
        analyzer: Option<String>,
        /// `none`, `lucene`, or a file.
        stop_words: Option<String>,
        /// `bag` or `bm25qs`.
        query_weighting: Option<String>,
        /// `text` or `captions`.
        content: Option<String>,
    },
    /// By vectors, all of them.
    Exact {
        /// How similar two vectors are.
        metric: Option<String>,
    },
    /// By vectors, over a graph.
    Hnsw {
        /// How similar two vectors are.
        metric: Option<String>,
        /// Links of a row.
        m: Option<usize>,
        /// Candidates at building.
        ef_construction: Option<usize>,
        /// Candidates at searching.
        ef: Option<usize>,
        /// What layers are drawn with.
        seed: Option<u64>,
    },
    /// By vectors, in lists of near rows.
    Ivf {
        /// How similar two vectors are.
        metric: Option<String>,
        /// How many lists.
        lists: Option<usize>,
        /// How many of them are searched.
        probes: Option<usize>,
        /// What centroids are drawn with.
        seed: Option<u64>,
    },
    /// By vectors, as a few bytes a row.
    Pq {
        /// How similar two vectors are.
        metric: Option<String>,
        /// Bytes a row.
        segments: Option<usize>,
        /// How many rows are scored again.
        rescored: Option<usize>,
        /// What centroids are drawn with.
        seed: Option<u64>,
    },
    /// By several vectors a document.
    Maxsim {
        /// How similar two vectors are.
        metric: Option<String>,
    },
}

/// What makes vectors of records.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EncoderEntry {
    /// A folder, an id, an endpoint, `hashing` or `pixels`.
    pub model: String,
    /// Another one for images, under `two-stream`.
    pub image_model: Option<String>,
    /// What of a record is read.
    pub content: Option<String>,
    /// How vectors are fused, under `two-stream`.
    pub fusion: Option<String>,
    /// What queries are told to find; empty for nothing, the benchmark's unless given.
    pub instruction: Option<String>,
    /// The first numbers of each vector.
    pub dimension: Option<usize>,
    /// How many tokens are read at most.
    pub tokens: Option<usize>,
    /// Which ONNX file.
    pub network: Option<String>,
    /// What runs the network.
    pub runtime: Option<String>,
    /// What stands before queries, instead of the model's own.
    pub query_prompt: Option<String>,
    /// What stands before documents, instead of the model's own.
    pub document_prompt: Option<String>,
}

/// The systems whose runs become one.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FuseEntry {
    /// Their names.
    pub runs: Vec<String>,
    /// The method, with its parameters or without.
    pub method: Option<String>,
    /// Constant of reciprocal rank fusion.
    pub k: Option<u32>,
    /// One a run.
    pub weights: Option<Vec<f64>>,
    /// How scores are brought to one scale.
    pub norm: Option<String>,
    /// How many documents of each run count for a query; all unless given.
    pub depth: Option<usize>,
    /// Parameters by cross-validation.
    pub tune: Option<TuneEntry>,
}

/// Parameters by cross-validation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuneEntry {
    /// What is to be as high as it can be; the task's main measure unless given.
    pub measure: Option<String>,
    /// Into how many parts the queries are cut.
    pub folds: Option<usize>,
    /// What the parts are drawn with.
    pub seed: Option<u64>,
    /// Normalizations to choose from, the simplest first.
    #[serde(default)]
    pub norms: Vec<String>,
    /// Depths to choose from, beside whole runs.
    #[serde(default)]
    pub depths: Vec<usize>,
}

/// What queries become.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpandEntry {
    /// A file of texts by query.
    pub file: PathBuf,
    /// `replace` or `append`.
    pub mode: Option<String>,
}

/// What scores the first documents anew.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RerankEntry {
    /// A cross-encoder, an encoder, an endpoint.
    pub model: String,
    /// How many documents of each query.
    pub depth: Option<usize>,
    /// `keep` or `drop`.
    pub below: Option<String>,
    /// What of a record is read.
    pub content: Option<String>,
    /// How many tokens are read at most.
    pub tokens: Option<usize>,
    /// Which ONNX file.
    pub network: Option<String>,
    /// What runs the network.
    pub runtime: Option<String>,
}

impl BenchFile {
    /// Reads the text of a file; `source` names it in errors.
    ///
    /// # Errors
    /// If it is not TOML, or has a key that is not known.
    pub fn parse(text: &str, source: &str) -> Result<Self> {
        toml::from_str(text).map_err(|error| told(&error, text, source))
    }

    /// Reads a file. Paths in it are relative to its folder.
    ///
    /// # Errors
    /// If it cannot be read, or is not what was expected.
    pub fn read(path: &Path) -> Result<Self> {
        let source = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Error::io(error).at(Place::whole(source.clone())))?;
        let mut file = BenchFile::parse(&text, &source)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        file.dataset.path = folder.join(&file.dataset.path);
        if let Some(captions) = &mut file.dataset.captions {
            *captions = folder.join(&*captions);
        }
        for system in &mut file.systems {
            system.beside(folder);
        }
        Ok(file)
    }
}

impl SystemEntry {
    /// Makes paths those beside the file.
    fn beside(&mut self, folder: &Path) {
        for path in self.run.iter_mut() {
            *path = folder.join(&*path);
        }
        if let Some(expand) = &mut self.expand {
            expand.file = folder.join(&expand.file);
        }
        let encoder = self.encoder.iter_mut();
        let mut models: Vec<&mut String> = Vec::new();
        for encoder in encoder {
            models.push(&mut encoder.model);
            models.extend(encoder.image_model.as_mut());
        }
        models.extend(self.rerank.as_mut().map(|rerank| &mut rerank.model));
        for model in models {
            // An id of the Hub, an endpoint or a name is no folder beside the file.
            let there = folder.join(&*model);
            if there.is_dir() {
                *model = there.display().to_string();
            }
        }
        if let Some(RetrieveEntry::Bm25 {
            stop_words: Some(list),
            ..
        }) = &mut self.retrieve
        {
            let there = folder.join(&*list);
            if there.is_file() {
                *list = there.display().to_string();
            }
        }
    }
}

/// An error of the parser with its line, and the key that was meant.
fn told(error: &toml::de::Error, text: &str, source: &str) -> Error {
    let line = error.span().map(|span| {
        let before = text.get(..span.start).unwrap_or(text);
        before.matches('\n').count() as u64 + 1
    });
    let place = match line {
        Some(line) => Place::line(source, line),
        None => Place::whole(source),
    };
    let quoted: Vec<&str> = error.message().split('`').skip(1).step_by(2).collect();
    let of_what = [("unknown field", "key"), ("unknown variant", "kind")];
    let found = of_what
        .iter()
        .find(|(start, _)| error.message().starts_with(start));
    match (found, quoted.as_slice()) {
        (Some((_, what)), [unknown, known @ ..]) if !known.is_empty() => Error::format(format!(
            "unknown {what} '{unknown}'; expected {}",
            known.join(", ")
        ))
        .hint_maybe(
            closest(unknown, known.iter().copied()).map(|name| format!("did you mean {name}?")),
        )
        .at(place),
        _ => Error::format(error.message().replace('`', "'").trim_end().to_owned()).at(place),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> Error {
        BenchFile::parse(text, "s.toml").unwrap_err()
    }

    #[test]
    fn what_is_wrong_in_a_file_is_told_with_its_line() {
        let missing = error("[[system]]\nname = 'a'\n");
        assert!(
            missing.to_string().contains("missing field 'dataset'"),
            "{missing}"
        );
        let kind = error(
            "[dataset]\npath = 'd'\n\n[[system]]\nname = 'a'\nretrieve = { kind = 'bm52' }\n",
        );
        assert_eq!(
            kind.to_string(),
            "s.toml:6: unknown kind 'bm52'; expected bm25, exact, hnsw, ivf, pq, maxsim"
        );
        assert_eq!(kind.hints(), ["did you mean bm25?"]);
        let number = error("[dataset]\npath = 'd'\ndepth = 3\n");
        assert!(
            number
                .to_string()
                .starts_with("s.toml:3: unknown key 'depth'"),
            "{number}"
        );
        let broken = error("[dataset\n");
        assert!(broken.to_string().starts_with("s.toml:1: "), "{broken}");
    }

    #[test]
    fn a_key_of_another_kind_of_search_is_refused() {
        let wrong = error(
            "[dataset]\npath = 'd'\n[[system]]\nname = 'a'\nretrieve = { kind = 'hnsw', k1 = 1 }\n",
        );
        assert!(wrong.to_string().contains("unknown key 'k1'"), "{wrong}");
    }
}
