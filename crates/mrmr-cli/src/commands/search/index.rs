//! The approximate indexes, one a file: how each is built, opened and kept.

mod hnsw;
mod ivf;
mod pq;

use std::path::Path;

use mrmr_core::{DocId, Error, Ids, Observer, Result};
use mrmr_search::{Approximate, Metric, Vectors};

use super::system::System;
use crate::arguments::IndexArguments;
use crate::printer::Printer;

/// An index that may miss neighbours and can be kept in a file.
pub(super) trait KeptIndex: Approximate {
    /// Writes it to a file: all of it or nothing.
    fn save(&self, path: &Path) -> Result<()>;

    /// How it was built, in a line.
    fn setting(&self) -> String;
}

/// What an index is made of.
pub(super) struct Material {
    pub(super) metric: Metric,
    pub(super) vectors: Vectors,
    pub(super) ids: Ids<DocId>,
}

/// The index of a file, or a new one; what building accepted is told under the name of the corpus.
pub(super) fn make(
    system: System,
    arguments: &IndexArguments,
    material: Material,
    corpus: &str,
    printer: Printer,
    observer: &dyn Observer,
) -> Result<Box<dyn KeptIndex>> {
    let (index, warnings): (Box<dyn KeptIndex>, Vec<String>) = match system {
        System::Hnsw => hnsw::make(arguments, material, observer)?,
        System::Ivf => ivf::make(arguments, material, observer)?,
        System::Pq => pq::make(arguments, material, observer)?,
        System::Bm25 | System::Exact | System::MaxSim => {
            return Err(Error::usage(format!(
                "{} has no approximate index",
                system.name()
            )));
        }
    };
    for warning in warnings {
        printer.warning(&format!("{corpus}: {warning}"));
    }
    if let Some(file) = &arguments.save_index {
        index.save(file)?;
        printer.say(&format!("{}: index written", file.display()));
    }
    Ok(index)
}
