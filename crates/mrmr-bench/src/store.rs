//! What was computed and is kept: vectors in shards, found by the hash of all that they depend on.
//!
//! A shard is written to a temporary name, synced and renamed, with a checksum: after a crash it is whole or not there.
//!
//! ```
//! use mrmr_bench::store::{Key, Store};
//! # let folder = tempfile::tempdir().unwrap();
//! let store = Store::open(folder.path().join("store"))?;
//! let key = Key::of("example", |hash| hash.text("all that the shard depends on"));
//! assert!(store.get(&key)?.is_none());
//! # Ok::<(), mrmr_core::Error>(())
//! ```

mod answers;
mod contents;
mod fingerprint;
mod key;
mod lock;
mod shard;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use mrmr_core::{Error, Place, Result};
use mrmr_formats::output::write_atomically;

pub use answers::{AnswerNotes, Answers};
pub use contents::{Entry, EntryKind, Limits};
pub use fingerprint::{fingerprint, fonts_fingerprint, hash};
pub use key::{Hash, Key};
pub use shard::Shard;

use lock::Lock;

/// What files of vectors and of runs end with.
const ENDINGS: [&str; 2] = ["shard", "run"];
const SHARD: &str = ENDINGS[0];
const RUN: &str = ENDINGS[1];

/// A folder of shards.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    lock: Option<Lock>,
}

/// What a store holds under a key.
#[derive(Debug)]
pub enum Kept {
    /// A shard as it was written.
    Whole(Box<Shard>),
    /// A file that is cut off or changed: as good as none.
    Damaged,
}

impl Store {
    /// A store that several programs may use at once: what two of them write under one key is the same.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Self> {
        let folder = folder.into();
        make(&folder)?;
        Ok(Store { folder, lock: None })
    }

    /// A store for this program alone, until it ends, however it ends.
    ///
    /// # Errors
    /// If the folder cannot be made, or another program has it.
    pub fn open_alone(folder: impl Into<PathBuf>) -> Result<Self> {
        let folder = folder.into();
        make(&folder)?;
        let lock = Some(Lock::take(&folder)?);
        Ok(Store { folder, lock })
    }

    /// Where it lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What is kept under a key.
    ///
    /// # Errors
    /// If it is there and cannot be read.
    pub fn get(&self, key: &Key) -> Result<Option<Kept>> {
        let bytes = self.read(key, SHARD)?;
        Ok(bytes.map(|bytes| {
            Shard::of_bytes(&bytes).map_or(Kept::Damaged, |shard| Kept::Whole(Box::new(shard)))
        }))
    }

    /// The answers under a key; a file that is cut off or changed is as good as none.
    ///
    /// # Errors
    /// If they are there and cannot be read.
    pub fn answers(&self, key: &Key) -> Result<Option<Answers>> {
        let bytes = self.read(key, RUN)?;
        Ok(bytes.and_then(|bytes| Answers::of_bytes(&bytes)))
    }

    /// Keeps answers; they are on the disk when this returns.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn put_answers(&self, key: &Key, answers: &Answers) -> Result<()> {
        self.write(key, RUN, &answers.to_bytes())
    }

    fn read(&self, key: &Key, ending: &str) -> Result<Option<Vec<u8>>> {
        let path = self.path(key, ending);
        match std::fs::read(&path) {
            Ok(bytes) => {
                touch(&path);
                Ok(Some(bytes))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io(error).at(place(&path))),
        }
    }

    fn write(&self, key: &Key, ending: &str, bytes: &[u8]) -> Result<()> {
        write_atomically(&self.path(key, ending), |out| {
            out.write_all(bytes).map_err(Error::io)
        })
    }

    /// Whether there is a shard under a key; it may be damaged.
    pub fn has(&self, key: &Key) -> bool {
        self.path(key, SHARD).exists()
    }

    /// Keeps a shard; it is on the disk when this returns.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn put(&self, key: &Key, shard: &Shard) -> Result<()> {
        self.write(key, SHARD, &shard.to_bytes())
    }

    /// How many shards there are, under whatever keys.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn count(&self) -> Result<usize> {
        Ok(self.shards()?.len())
    }

    /// Removes all shards, and the folder where nothing else is in it.
    ///
    /// # Errors
    /// If a shard cannot be removed.
    pub fn remove(self) -> Result<()> {
        for path in self.shards()? {
            std::fs::remove_file(&path).map_err(|error| Error::io(error).at(place(&path)))?;
        }
        if let Some(lock) = self.lock {
            lock.remove();
        }
        // What is not ours stays, and its folder with it.
        let _ = std::fs::remove_dir(&self.folder);
        Ok(())
    }

    fn path(&self, key: &Key, ending: &str) -> PathBuf {
        self.folder.join(format!("{key}.{ending}"))
    }

    fn shards(&self) -> Result<Vec<PathBuf>> {
        let io = |error| Error::io(error).at(place(&self.folder));
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(&self.folder).map_err(io)? {
            let path = entry.map_err(io)?.path();
            let ours = |ending: &std::ffi::OsStr| ENDINGS.iter().any(|own| ending == *own);
            if path.extension().is_some_and(ours) {
                paths.push(path);
            }
        }
        Ok(paths)
    }
}

/// Marks a file as used, for those who throw away what nobody uses; that it cannot be marked does not matter.
fn touch(path: &Path) {
    if let Ok(file) = std::fs::File::options().append(true).open(path) {
        let _ = file.set_modified(std::time::SystemTime::now());
    }
}

fn make(folder: &Path) -> Result<()> {
    if folder.exists() && !folder.is_dir() {
        return Err(
            Error::usage("expected a folder to keep shards in, found a file").at(place(folder)),
        );
    }
    std::fs::create_dir_all(folder).map_err(|error| Error::io(error).at(place(folder)))
}

fn place(path: &Path) -> Place {
    Place::whole(path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mrmr_models::{Embeddings, EncodeNotes};

    fn key(text: &str) -> Key {
        Key::of("test", |hash| hash.text(text))
    }

    fn shard() -> Shard {
        let rows = vec![Ok(vec![1.0, 2.0]), Err("no".to_owned())];
        Shard::of(&Embeddings::single(2, rows, EncodeNotes::default()))
    }

    #[test]
    fn what_is_put_is_got_and_a_damaged_file_is_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().join("a/b")).unwrap();
        store.put(&key("x"), &shard()).unwrap();
        assert!(
            matches!(store.get(&key("x")).unwrap(), Some(Kept::Whole(found)) if *found == shard())
        );
        assert!(store.get(&key("y")).unwrap().is_none());
        let path = store.path(&key("x"), SHARD);
        let bytes = std::fs::read(&path).unwrap();
        for damaged in [&bytes[..bytes.len() - 1], &bytes[1..], b"", b"MRMRSHD1"] {
            std::fs::write(&path, damaged).unwrap();
            assert!(matches!(store.get(&key("x")).unwrap(), Some(Kept::Damaged)));
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            std::fs::write(&path, damaged).unwrap();
            assert!(
                matches!(store.get(&key("x")).unwrap(), Some(Kept::Damaged)),
                "{at}"
            );
        }
    }

    #[test]
    fn one_program_alone_has_a_store_and_a_lock_left_behind_does_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.parts");
        std::fs::create_dir(&path).unwrap();
        std::fs::write(path.join("lock"), "999999").unwrap();
        let store = Store::open_alone(&path).unwrap();
        let error = Store::open_alone(&path).unwrap_err();
        assert!(
            error
                .message()
                .contains(&format!("process {}", std::process::id())),
            "{error}"
        );
        store.put(&key("x"), &shard()).unwrap();
        store.remove().unwrap();
        assert!(!path.exists());
        Store::open_alone(&path).unwrap();
    }

    #[test]
    fn what_somebody_else_keeps_in_the_folder_stays() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_alone(folder.path()).unwrap();
        std::fs::write(folder.path().join("notes.txt"), "mine").unwrap();
        store.remove().unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
