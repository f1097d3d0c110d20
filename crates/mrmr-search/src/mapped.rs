//! A file as bytes, without reading it.

use std::fs::File;
use std::ops::Deref;
use std::path::Path;

use mrmr_core::{Error, Place, Result};

/// The bytes of a file, which the system loads when they are touched.
pub(crate) struct Mapped(memmap2::Mmap);

impl Mapped {
    /// Maps a file.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let failed = |error| Error::io(error).at(Place::whole(path.display().to_string()));
        let file = File::open(path).map_err(failed)?;
        // SAFETY: bytes of a map must not change while it lives. Index files are only ever replaced by
        // renaming a new file over them (`write_atomically`), which leaves the mapped one as it was; no
        // system that we run on can forbid another program to write into the file, and `open` says so.
        #[allow(unsafe_code)]
        let map = unsafe { memmap2::Mmap::map(&file) };
        map.map(Mapped).map_err(failed)
    }
}

impl Deref for Mapped {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
