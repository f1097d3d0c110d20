//! Lists of near rows.

use std::path::Path;

use mrmr_core::{Observer, Result};
use mrmr_search::{Approximate as _, IvfIndex, IvfParams};

use super::{KeptIndex, Material};
use crate::arguments::IndexArguments;

impl KeptIndex for IvfIndex {
    fn save(&self, path: &Path) -> Result<()> {
        IvfIndex::save(self, path)
    }

    fn setting(&self) -> String {
        let (params, notes) = (self.params(), self.notes());
        format!("lists {}, seed {}", notes.lists, params.seed)
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
        let mut index = IvfIndex::open(file, metric, vectors, Some(ids))?;
        if let Some(probes) = arguments.probes {
            index.set_effort(probes)?;
        }
        return Ok((Box::new(index), Vec::new()));
    }
    let otherwise = IvfParams::default();
    let params = IvfParams {
        lists: arguments.lists,
        probes: arguments.probes.unwrap_or(otherwise.probes),
        seed: arguments.seed.unwrap_or(otherwise.seed),
    };
    let builder = IvfIndex::builder(metric, vectors).ids(ids).params(params);
    let (index, notes) = builder.build(observer)?;
    Ok((Box::new(index), notes.warnings()))
}
