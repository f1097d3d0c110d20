//! What a file of vectors says of records that have none.

use std::path::Path;

use mrmr_core::Result;
use mrmr_formats::vectors::read_vector_notes;

use crate::printer::Printer;

/// Warns of vectors that are not those of all records.
pub(super) fn warn(file: &Path, printer: Printer) -> Result<()> {
    let Some(notes) = read_vector_notes(file)? else {
        return Ok(());
    };
    if let Some(first) = notes.failures.first() {
        printer.warning(&format!(
            "{}: incomplete: {} of {} records have no vector ('{}': {})",
            file.display(),
            notes.failures.len(),
            notes.records,
            first.id,
            first.reason
        ));
    }
    Ok(())
}
