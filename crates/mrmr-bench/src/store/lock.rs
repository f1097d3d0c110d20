//! One program at a time.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use mrmr_core::{Error, Place, Result};

/// A lock on a folder. The system lets go of it when the program ends, a killed one too: what a file says of a
/// program that is gone does not count.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    /// Holds the lock while it is open.
    _file: File,
}

impl Lock {
    /// Takes the lock of a folder.
    pub(super) fn take(folder: &Path) -> Result<Self> {
        let path = folder.join("lock");
        let place = || Place::whole(folder.display().to_string());
        let io = |error| Error::io(error).at(Place::whole(path.display().to_string()));
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            // A file system without locks cannot keep two programs apart.
            Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(io(error)),
            Err(TryLockError::WouldBlock) => {
                let mut owner = String::new();
                let _ = file.read_to_string(&mut owner);
                return Err(Error::usage(format!(
                    "another program is at work here (process {})",
                    owner.trim()
                ))
                .at(place())
                .hint("wait until it ends, or write to another file"));
            }
        }
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| write!(file, "{}", std::process::id()))
            .map_err(io)?;
        Ok(Lock { path, _file: file })
    }

    /// Removes the file.
    pub(super) fn remove(self) {
        // It is empty of meaning once nobody holds it.
        let _ = std::fs::remove_file(&self.path);
    }
}
