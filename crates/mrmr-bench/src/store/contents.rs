//! What a store holds, and what is thrown away.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use mrmr_core::{Error, Result};

use super::{RUN, SHARD, Store, place};

/// What files of programs that were killed begin with.
const UNFINISHED: &str = ".mrmr-";
/// From which age on such a file belongs to a program that is gone.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);

/// What a file of a store is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    /// Vectors of some records.
    Vectors,
    /// A run.
    Run,
    /// Left behind by a program that was killed.
    Unfinished,
}

impl std::fmt::Display for EntryKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            EntryKind::Vectors => "vectors",
            EntryKind::Run => "run",
            EntryKind::Unfinished => "unfinished",
        })
    }
}

/// A file of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where it lies.
    pub path: PathBuf,
    /// Its key, in hexadecimal; of an unfinished file its name.
    pub key: String,
    /// What it is.
    pub kind: EntryKind,
    /// How many bytes it has.
    pub bytes: u64,
    /// When it was written or last read.
    pub used: SystemTime,
}

/// What is kept when a store is pruned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Files that were not used for so long go.
    pub unused_for: Option<Duration>,
    /// Files go, those first that were not used for longest, until so many bytes are left.
    pub most_bytes: Option<u64>,
}

impl Store {
    /// All files, those that were used last first; equal times by key.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn entries(&self) -> Result<Vec<Entry>> {
        let io = |error| Error::io(error).at(place(self.folder()));
        let mut entries = Vec::new();
        for found in std::fs::read_dir(self.folder()).map_err(io)? {
            let found = found.map_err(io)?;
            let path = found.path();
            let name = found.file_name().to_string_lossy().into_owned();
            let (key, kind) = match name.rsplit_once('.') {
                Some((key, SHARD)) => (key.to_owned(), EntryKind::Vectors),
                Some((key, RUN)) => (key.to_owned(), EntryKind::Run),
                _ if name.starts_with(UNFINISHED) => (name, EntryKind::Unfinished),
                // Not ours.
                _ => continue,
            };
            // Another program may have removed it in the meantime.
            let Ok(facts) = found.metadata() else {
                continue;
            };
            entries.push(Entry {
                path,
                key,
                kind,
                bytes: facts.len(),
                used: facts.modified().unwrap_or(SystemTime::UNIX_EPOCH),
            });
        }
        entries.sort_by(|a, b| b.used.cmp(&a.used).then_with(|| a.key.cmp(&b.key)));
        Ok(entries)
    }

    /// What goes under these limits, seen from `now`; nothing is removed.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn beyond(&self, limits: Limits, now: SystemTime) -> Result<Vec<Entry>> {
        let age = |entry: &Entry| now.duration_since(entry.used).unwrap_or_default();
        let mut left: u64 = 0;
        let mut gone = Vec::new();
        for entry in self.entries()? {
            let is_old = limits.unused_for.is_some_and(|most| age(&entry) > most);
            let is_too_much = limits
                .most_bytes
                .is_some_and(|most| left + entry.bytes > most);
            let goes = match entry.kind {
                EntryKind::Unfinished => age(&entry) > ABANDONED,
                _ => is_old || is_too_much,
            };
            match goes {
                true => gone.push(entry),
                false => left += entry.bytes,
            }
        }
        Ok(gone)
    }

    /// Removes files. Whoever needs one of them makes it again.
    ///
    /// # Errors
    /// If one cannot be removed.
    pub fn remove_entries(&self, entries: &[Entry]) -> Result<()> {
        for entry in entries {
            match std::fs::remove_file(&entry.path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(Error::io(error).at(place(&entry.path)));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Key;

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let now = SystemTime::now();
        let put = |name: &str, days: u64| {
            let key = Key::of("test", |hash| hash.text(name));
            let path = folder.path().join(format!("{key}.{RUN}"));
            std::fs::write(&path, [0; 100]).unwrap();
            let used = now - Duration::from_secs(days * 24 * 3600);
            let file = std::fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(used).unwrap();
            key.to_string()
        };
        let (old, older, new) = (put("old", 10), put("older", 20), put("new", 0));
        std::fs::write(folder.path().join("notes.txt"), "mine").unwrap();
        let keys = |entries: Vec<Entry>| -> Vec<String> {
            entries.into_iter().map(|entry| entry.key).collect()
        };
        assert_eq!(
            keys(store.entries().unwrap()),
            [new, old.clone(), older.clone()]
        );
        let limits = Limits {
            unused_for: Some(Duration::from_secs(15 * 24 * 3600)),
            most_bytes: None,
        };
        assert_eq!(
            keys(store.beyond(limits, now).unwrap()),
            vec![older.clone()]
        );
        let limits = Limits {
            unused_for: None,
            most_bytes: Some(150),
        };
        let gone = store.beyond(limits, now).unwrap();
        store.remove_entries(&gone).unwrap();
        assert_eq!(keys(gone), [old, older]);
        assert_eq!(store.entries().unwrap().len(), 1);
        assert!(folder.path().join("notes.txt").exists());
    }
}
