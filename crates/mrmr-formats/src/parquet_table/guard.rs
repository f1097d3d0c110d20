//! The line between this crate and the Parquet library.

use std::panic::{AssertUnwindSafe, catch_unwind};

use mrmr_core::{Error, ErrorKind, Place, Result};
use parquet::errors::ParquetError;

/// Runs the library's part of the work, with the place for its errors.
///
/// On some damaged files the library panics where it should give an error; here that is an error too. What `work`
/// borrows must not be used again after one.
pub(super) fn guarded<T>(
    place: impl Fn() -> Place,
    work: impl FnOnce() -> Result<T, ParquetError>,
) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result.map_err(|error| parquet_error(error).at(place())),
        Err(_) => Err(Error::format(
            "expected a sound Parquet file; its pages contradict themselves",
        )
        .at(place())
        .hint("the file is damaged; copy or download it again")),
    }
}

pub(crate) fn parquet_error(error: ParquetError) -> Error {
    let text = error.to_string();
    if text.contains("Disabled feature") {
        return Error::unsupported(format!("this build cannot read it: {text}"))
            .hint("write the file again with the compression snappy or zstd")
            .because(error);
    }
    let kind = match &error {
        ParquetError::External(inner) if inner.is::<std::io::Error>() => ErrorKind::Io,
        _ => ErrorKind::Format,
    };
    Error::new(kind, format!("expected a sound Parquet file: {text}")).because(error)
}
