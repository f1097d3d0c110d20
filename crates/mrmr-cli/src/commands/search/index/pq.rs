//! Rows as a few bytes.

use std::path::Path;

use mrmr_core::{Observer, Result};
use mrmr_search::{Approximate as _, PqIndex, PqParams};

use super::{KeptIndex, Material};
use crate::arguments::IndexArguments;

impl KeptIndex for PqIndex {
    fn save(&self, path: &Path) -> Result<()> {
        PqIndex::save(self, path)
    }

    fn setting(&self) -> String {
        let (params, notes) = (self.params(), self.notes());
        format!("segments {}, seed {}", notes.segments, params.seed)
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
        let mut index = PqIndex::open(file, metric, vectors, Some(ids))?;
        if let Some(rescored) = arguments.rescored {
            index.set_effort(rescored)?;
        }
        return Ok((Box::new(index), Vec::new()));
    }
    let otherwise = PqParams::default();
    let params = PqParams {
        segments: arguments.segments,
        rescored: arguments.rescored.unwrap_or(otherwise.rescored),
        seed: arguments.seed.unwrap_or(otherwise.seed),
    };
    let builder = PqIndex::builder(metric, vectors).ids(ids).params(params);
    let (index, notes) = builder.build(observer)?;
    Ok((Box::new(index), notes.warnings()))
}
