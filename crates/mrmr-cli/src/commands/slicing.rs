//! Which slice each query is in, from a file or a field of the data set's queries.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mrmr_core::{Error, Place, Result};
use mrmr_formats::dataset::{DatasetOptions, is_dataset, open_dataset};
use mrmr_formats::input::Input;
use mrmr_formats::slices::read_slices;
use mrmr_measures::Evaluation;
use mrmr_report::SliceFacts;

/// Under this number of queries a slice's mean says little.
const FEW: usize = 30;

/// The slices that `--by` names: a file, `FILE:FIELD`, or a field of the queries of the data set that
/// the judgements belong to.
pub(crate) fn read(by: &str, qrels: &Path) -> Result<SliceFacts> {
    let from = |path: &str, field: Option<&str>| -> Result<SliceFacts> {
        Ok(SliceFacts {
            source: by.to_owned(),
            of: read_slices(&Input::new(path), field)?,
        })
    };
    if by == "-" || Path::new(by).is_file() {
        return from(by, None);
    }
    if let Some((path, field)) = by.rsplit_once(':')
        && Path::new(path).is_file()
    {
        return from(path, Some(field));
    }
    let Some(root) = dataset_of(qrels) else {
        return Err(Error::usage(format!(
            "--by {by}: there is no such file, and the judgements are not in the folder of a data set whose queries could have a field of that name"
        ))
        .hint("--by FILE with a query and its slice a line, or --by FILE:FIELD"));
    };
    let (dataset, _) = open_dataset(&root, &DatasetOptions::default())?;
    let mut of = BTreeMap::new();
    for (_, id, record) in dataset.queries.iter() {
        if let Some(value) = record.field(by) {
            of.insert(id.to_owned(), value.to_owned());
        }
    }
    if of.is_empty() {
        return Err(Error::usage(format!(
            "--by {by}: no query of {} has a field '{by}'",
            root.display()
        )));
    }
    Ok(SliceFacts {
        source: by.to_owned(),
        of,
    })
}

/// The data set that judgements belong to: the folder itself, or that around `qrels/FILE`.
fn dataset_of(qrels: &Path) -> Option<PathBuf> {
    let around = qrels.ancestors().take(3);
    around
        .filter(|folder| !folder.as_os_str().is_empty())
        .find(|folder| is_dataset(folder))
        .map(Path::to_path_buf)
}

/// Refuses slices of other queries.
pub(crate) fn refuse_foreign(slices: &SliceFacts, evaluation: &Evaluation) -> Result<()> {
    let queries = &evaluation.queries;
    if slices.without(queries) < queries.len() {
        return Ok(());
    }
    let shown = |ids: &mut dyn Iterator<Item = &String>| -> String {
        let ids: Vec<String> = ids.take(3).map(|id| format!("'{id}'")).collect();
        ids.join(", ")
    };
    Err(Error::data(if slices.of.is_empty() {
        "the file holds no slice".to_owned()
    } else {
        format!(
            "no query is in a slice: the slices have {}; the queries are {}",
            shown(&mut slices.of.keys()),
            shown(&mut queries.iter())
        )
    })
    .at(Place::whole(slices.source.clone()))
    .hint("a query and its slice a line, the query's id as in the judgements"))
}

/// What people should know before they trust the means of slices.
pub(crate) fn warnings(slices: &SliceFacts, evaluation: &Evaluation) -> Vec<String> {
    let mut warnings = Vec::new();
    let queries = &evaluation.queries;
    let places = slices.places(queries);
    let few: Vec<String> = places
        .iter()
        .filter(|(_, places)| places.len() < FEW)
        .map(|(name, places)| format!("{name} {}", places.len()))
        .collect();
    if !few.is_empty() {
        let shown = few.len().min(5);
        let more = if few.len() > shown { ", ..." } else { "" };
        warnings.push(format!(
            "{} of {} slices have fewer than {FEW} queries ({}{more}): their means are uncertain",
            few.len(),
            places.len(),
            few[..shown].join(", ")
        ));
    }
    let without = slices.without(queries);
    if without > 0 {
        warnings.push(format!(
            "{without} of {} queries are in no slice of {}",
            queries.len(),
            slices.source
        ));
    }
    warnings
}
