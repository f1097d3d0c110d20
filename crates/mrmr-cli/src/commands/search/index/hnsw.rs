//! The graph.

use std::path::Path;

use mrmr_core::{Observer, Result};
use mrmr_search::{Approximate as _, HnswIndex, HnswNotes, HnswParams};

use super::{KeptIndex, Material};
use crate::arguments::IndexArguments;

impl KeptIndex for HnswIndex {
    fn save(&self, path: &Path) -> Result<()> {
        HnswIndex::save(self, path)
    }

    fn setting(&self) -> String {
        let params = self.params();
        format!(
            "m {}, ef-construction {}, seed {}",
            params.m, params.ef_construction, params.seed
        )
    }
}

pub(super) fn make(
    arguments: &IndexArguments,
    material: Material,
    observer: &dyn Observer,
) -> Result<(Box<dyn KeptIndex>, Vec<String>)> {
    let Material {
        metric,
        vectors,
        ids,
    } = material;
    if let Some(file) = &arguments.index {
        let mut index = HnswIndex::open(file, metric, vectors, Some(ids))?;
        if let Some(ef) = arguments.ef {
            index.set_effort(ef)?;
        }
        return Ok((Box::new(index), Vec::new()));
    }
    let otherwise = HnswParams::default();
    let params = HnswParams {
        m: arguments.m.unwrap_or(otherwise.m),
        ef_construction: arguments
            .ef_construction
            .unwrap_or(otherwise.ef_construction),
        ef: arguments.ef.unwrap_or(otherwise.ef),
        seed: arguments.seed.unwrap_or(otherwise.seed),
    };
    let builder = HnswIndex::builder(metric, vectors).ids(ids).params(params);
    let (index, notes) = builder.build(observer)?;
    // Zero vectors are told where they are read.
    let notes = HnswNotes {
        zero_rows: 0,
        first_zero_row: None,
        ..notes
    };
    Ok((Box::new(index), notes.warnings()))
}
