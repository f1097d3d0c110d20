//! The local Hugging Face cache: `models--ORGANISATION--MODEL/{refs,snapshots}`.

use std::env;
use std::path::PathBuf;

use mrmr_core::{Error, Place, Result};

/// A cache of models that other programs filled; nothing is fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HubCache {
    path: PathBuf,
}

impl HubCache {
    /// A cache in a folder: the one that holds `models--A--B`.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        HubCache { path: path.into() }
    }

    /// The user's: `HF_HUB_CACHE`, `HF_HOME/hub`, `XDG_CACHE_HOME/huggingface/hub`, `~/.cache/huggingface/hub`.
    ///
    /// # Errors
    /// If none of these variables and no home folder is set.
    pub fn of_user() -> Result<Self> {
        let variable = |name| {
            env::var_os(name)
                .filter(|value| !value.is_empty())
                .map(PathBuf::from)
        };
        let home = || {
            variable("HOME")
                .or_else(|| variable("USERPROFILE"))
                .map(|home| home.join(".cache"))
        };
        let cache = || {
            variable("XDG_CACHE_HOME")
                .or_else(home)
                .map(|cache| cache.join("huggingface"))
        };
        variable("HF_HUB_CACHE")
            .or_else(|| {
                variable("HF_HOME")
                    .or_else(cache)
                    .map(|home| home.join("hub"))
            })
            .map(HubCache::at)
            .ok_or_else(|| {
                Error::usage("expected a Hugging Face cache; neither HF_HOME nor HOME is set")
                    .hint("set HF_HOME, or give the model's folder")
            })
    }

    /// The folder of a model: of `ORGANISATION/MODEL@REVISION`, or of the branch `main`.
    ///
    /// # Errors
    /// If the id is none, or the model or its revision is not there.
    pub fn find(&self, id: &str) -> Result<PathBuf> {
        let (model, revision) = id.split_once('@').unwrap_or((id, "main"));
        let legal = |part: &str| {
            !part.is_empty()
                && !part.starts_with('.')
                && part
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
        };
        let parts: Vec<&str> = model.split('/').collect();
        if parts.len() > 2 || !parts.iter().all(|part| legal(part)) || revision.contains("..") {
            return Err(Error::usage(format!(
                "'{id}' is neither a folder nor the id of a model; expected organisation/model"
            )));
        }
        let folder = self.path.join(format!("models--{}", parts.join("--")));
        let place = || Place::whole(self.path.display().to_string());
        let get = match id.split_once('@') {
            None => format!(
                "get it with `hf download {model}` (PyPI huggingface_hub), or give the model's folder"
            ),
            Some(_) => format!(
                "get it with `hf download {model} --revision {revision}`, or give the model's folder"
            ),
        };
        if !folder.is_dir() {
            return Err(Error::usage(format!(
                "the model {model} is not in the Hugging Face cache"
            ))
            .at(place())
            .hint(get));
        }
        let named = std::fs::read_to_string(folder.join("refs").join(revision));
        let commit = named.as_deref().map_or(revision, str::trim);
        let snapshot = folder.join("snapshots").join(commit);
        if !commit.is_empty() && snapshot.is_dir() {
            return Ok(snapshot);
        }
        Err(Error::usage(format!(
            "the model {model} is in the Hugging Face cache, but not its revision {revision}"
        ))
        .at(place())
        .hint(get))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache() -> (tempfile::TempDir, HubCache) {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("models--org--name");
        std::fs::create_dir_all(model.join("refs")).unwrap();
        std::fs::create_dir_all(model.join("snapshots/abc123")).unwrap();
        std::fs::write(model.join("refs/main"), "abc123\n").unwrap();
        let cache = HubCache::at(folder.path());
        (folder, cache)
    }

    #[test]
    fn an_id_is_the_snapshot_that_main_names_or_the_revision_asked_for() {
        let (_kept, cache) = cache();
        for id in ["org/name", "org/name@main", "org/name@abc123"] {
            assert!(
                cache
                    .find(id)
                    .unwrap()
                    .ends_with("models--org--name/snapshots/abc123")
            );
        }
    }

    #[test]
    fn what_is_not_there_comes_with_the_command_that_gets_it() {
        let (_kept, cache) = cache();
        let error = cache.find("org/other").unwrap_err();
        assert!(error.message().contains("org/other is not in"));
        assert!(error.hints()[0].contains("hf download org/other"));
        let error = cache.find("org/name@v2").unwrap_err();
        assert!(error.hints()[0].contains("--revision v2"));
        for id in ["a/b/c", "../etc", "org/", "", "a/..", "org/name@../../x"] {
            assert!(
                cache.find(id).unwrap_err().message().contains("neither"),
                "{id}"
            );
        }
    }
}
