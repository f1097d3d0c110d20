//! Pictures and sounds that lie as files beside a data set, read when they are asked for.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use mrmr_core::{Error, Media, MediaSource, Place, Result};

/// Files beside a data set; the key is a place in the list.
pub(super) struct MediaFiles {
    paths: Vec<PathBuf>,
}

impl MediaFiles {
    pub(super) fn new(paths: Vec<PathBuf>) -> Self {
        MediaFiles { paths }
    }

    /// What one file holds, whether it is there or not.
    pub(super) fn one(path: PathBuf) -> Media {
        Media::Stored {
            source: Arc::new(MediaFiles::new(vec![path])),
            key: 0,
        }
    }
}

impl MediaSource for MediaFiles {
    fn read(&self, key: u64) -> Result<Arc<[u8]>> {
        let path = &self.paths[key as usize];
        let bytes = std::fs::read(path)
            .map_err(|error| Error::io(error).at(Place::whole(path.display().to_string())))?;
        Ok(bytes.into())
    }

    fn describe(&self, key: u64) -> String {
        self.paths[key as usize].display().to_string()
    }

    fn is_there(&self, key: u64) -> bool {
        self.paths[key as usize].is_file()
    }
}

/// The file that a relative path names in a folder, if it does not lead out of that on its way.
pub(super) fn file_within(folder: &Path, path: &str) -> Option<PathBuf> {
    let mut depth = 0_usize;
    for part in Path::new(path).components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir => depth = depth.checked_sub(1)?,
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (depth > 0).then(|| folder.join(path))
}
