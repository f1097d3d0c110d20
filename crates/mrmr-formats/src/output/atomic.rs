//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

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
    work: impl FnOnce(&mut dyn Write) -> Result<T>,
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
    let mut temporary = temporary_in(&folder).map_err(fail)?;
    let mut out = BufWriter::with_capacity(1 << 16, temporary.as_file_mut());
    let value = work(&mut out).map_err(|error| error.at(place()))?;
    out.flush().map_err(fail)?;
    drop(out);
    if let Some(old) = old {
        temporary
            .as_file()
            .set_permissions(old.permissions())
            .map_err(fail)?;
    }
    temporary.as_file().sync_all().map_err(fail)?;
    temporary
        .persist(&target)
        .map_err(|error| fail(error.error))?;
    sync_folder(&folder).map_err(fail)?;
    Ok(value)
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
