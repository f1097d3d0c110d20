//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use mrmr_core::{Error, Place, Result};

use crate::input::missing_hint;

/// Writes a file: under another name first, in the same folder, then it takes the place of what was there.
///
/// ```
/// use std::io::Write;
/// use mrmr_core::Error;
/// use mrmr_formats::output::write_atomically;
/// # let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("values.txt");
/// write_atomically(&path, |out| writeln!(out, "0.25").map_err(Error::io))?;
/// assert_eq!(std::fs::read_to_string(&path).unwrap(), "0.25\n");
///
/// // What was there stays if the work fails.
/// write_atomically(&path, |out| {
///     writeln!(out, "half").map_err(Error::io)?;
///     Err::<(), _>(Error::data("no more"))
/// })
/// .unwrap_err();
/// assert_eq!(std::fs::read_to_string(&path).unwrap(), "0.25\n");
/// # Ok::<(), Error>(())
/// ```
///
/// The content is on the disk when this returns. A link is followed, a file that was there keeps its
/// permissions, and a pipe or a device is written to directly.
///
/// # Errors
/// The error of `work`, or one of the file system, which names the path.
pub fn write_atomically<T>(
    path: &Path,
    work: impl FnOnce(&mut (dyn Write + Send)) -> Result<T>,
) -> Result<T> {
    let place = || Place::whole(path.display().to_string());
    let fail = |error: io::Error| {
        let missing = error.kind() == io::ErrorKind::NotFound;
        let hint = missing.then(|| missing_hint(path)).flatten();
        Error::io(error).at(place()).hint_maybe(hint)
    };
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(Error::usage("expected a file to write, found a folder").at(place()));
    }
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        let mut out = BufWriter::new(File::options().write(true).open(path).map_err(fail)?);
        let value = work(&mut out).map_err(|error| error.at(place()))?;
        out.flush().map_err(fail)?;
        return Ok(value);
    }
    let target = match &old {
        Some(_) => fs::canonicalize(path).map_err(fail)?,
        None => path.to_owned(),
    };
    let folder = folder_of(&target);
    let mut unfinished = Unfinished::begin(&folder).map_err(fail)?;
    let temporary = unfinished.file_mut();
    let mut out = BufWriter::with_capacity(1 << 16, &mut *temporary);
    let value = work(&mut out).map_err(|error| error.at(place()))?;
    out.flush().map_err(fail)?;
    drop(out);
    if let Some(old) = old {
        temporary.set_permissions(old.permissions()).map_err(fail)?;
    }
    temporary.sync_all().map_err(fail)?;
    unfinished.finish(&target).map_err(fail)?;
    sync_folder(&folder).map_err(fail)?;
    Ok(value)
}

/// The files that are being written: their names are not yet the ones they are for.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn lock() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes what [`write_atomically`] has not finished, and lets it begin and finish no more: for a program
/// that is about to end in the middle of its work.
///
/// A write that goes on in another thread waits for ever once its content is there.
pub fn remove_unfinished() {
    let mut unfinished = lock();
    for path in unfinished.drain(..) {
        // What is not there needs no removing.
        let _ = fs::remove_file(path);
    }
    std::mem::forget(unfinished);
}

/// A file on its way, removed unless it is finished.
struct Unfinished(Option<tempfile::NamedTempFile>);

impl Unfinished {
    fn begin(folder: &Path) -> io::Result<Self> {
        let mut unfinished = lock();
        let temporary = temporary_in(folder)?;
        unfinished.push(temporary.path().to_owned());
        Ok(Unfinished(Some(temporary)))
    }

    fn file_mut(&mut self) -> &mut File {
        let temporary = self.0.as_mut().expect("there until it is finished");
        temporary.as_file_mut()
    }

    fn finish(mut self, target: &Path) -> io::Result<()> {
        let mut unfinished = lock();
        let Some(temporary) = self.0.take() else {
            return Ok(());
        };
        unfinished.retain(|path| path != temporary.path());
        temporary.persist(target)?;
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(temporary) = self.0.take() {
            lock().retain(|path| path != temporary.path());
        }
    }
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

fn temporary_in(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".mrmr-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The usual permissions of a new file; the process's mask still applies.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Makes the new name last; not every file system can, and then the name is as safe as it gets.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::InvalidInput
                    | io::ErrorKind::Unsupported
                    | io::ErrorKind::PermissionDenied
            ) =>
        {
            Ok(())
        }
        done => done,
    }
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
