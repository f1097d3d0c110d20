//! Writing MRMR's layout.

mod card;
mod features;
mod plan;
mod records;
mod row;
mod table;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray};
use mrmr_core::{Collection, DocId, Error, Place, Qrels, QueryId, Result};

use features::{Columns, Feature};
use table::TableWriter;

/// Writes queries, documents and judgements in MRMR's layout, as [`open_dataset`](super::open_dataset) and the
/// Hub's library `datasets` read it.
///
/// `folder` is there whole or not at all. It holds `corpus`, `query` and `qrels`, each with one Parquet file of the
/// split `test`, and a `README.md` that names the three configurations for `datasets`.
///
/// Texts get their placeholders back, `<image 1>` or `<image>` by the labels of the images; a content of images
/// alone has no text, if its images are in the order of their columns. Neighbouring texts become one. The column
/// `modality` says what the content really holds, whatever a field of that name says. Row groups hold at most 1,000
/// records and about 64 MB, and have page indexes, so that one image is read without its neighbours.
///
/// # Errors
/// If `folder` is there already and not empty, a record cannot be expressed in this layout (a sound, an image with
/// another label than `image` or `image N`, a text that itself holds a placeholder), an image cannot be read, or
/// the file system fails.
pub fn write_mrmr(
    folder: impl AsRef<Path>,
    queries: &Collection<QueryId>,
    corpus: &Collection<DocId>,
    qrels: &Qrels,
) -> Result<()> {
    let folder = folder.as_ref();
    let place = || Place::whole(folder.display().to_string());
    let fail = |error| Error::io(error).at(place());
    let there = folder.symlink_metadata().is_ok();
    if there && fs::read_dir(folder).map_err(fail)?.next().is_some() {
        return Err(Error::usage(
            "expected a new or an empty folder, found one that holds something",
        )
        .at(place())
        .hint("name another folder, or remove this one first"));
    }
    let parent = match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(parent).map_err(fail)?;
    let staging = tempfile::Builder::new()
        .prefix(".mrmr-")
        .suffix(".part")
        .tempdir_in(parent)
        .map_err(fail)?;
    // A folder within it: the temporary one is closed to other users, the data set need not be.
    let whole = staging.path().join("whole");
    fs::create_dir(&whole).map_err(fail)?;
    let file = |part: &str| {
        let folder = whole.join(part);
        fs::create_dir(&folder).map_err(fail)?;
        Ok::<_, Error>(folder.join("test-00000-of-00001.parquet"))
    };
    records::write_records(&file("corpus")?, corpus)?;
    records::write_records(&file("query")?, queries)?;
    write_judgements(&file("qrels")?, qrels)?;
    fs::write(whole.join("README.md"), card::CARD).map_err(fail)?;
    if there {
        fs::remove_dir(folder).map_err(fail)?;
    }
    fs::rename(&whole, folder).map_err(fail)
}

fn write_judgements(path: &Path, qrels: &Qrels) -> Result<()> {
    let (mut queries, mut documents, mut grades) = (Vec::new(), Vec::new(), Vec::new());
    for query in qrels.queries().keys() {
        for judgement in qrels.judgements(query) {
            queries.push(qrels.queries().name(query));
            documents.push(qrels.documents().name(judgement.document));
            grades.push(judgement.grade);
        }
    }
    // Whole numbers of this size are exact in both types.
    let whole = |grade: &f64| grade.fract() == 0.0 && grade.abs() <= 9e15;
    let (feature, grades): (_, ArrayRef) = if grades.iter().all(whole) {
        let grades = grades.into_iter().map(|grade| grade as i64);
        (
            Feature::Integer,
            Arc::new(Int64Array::from_iter_values(grades)),
        )
    } else {
        (Feature::Float, Arc::new(Float64Array::from(grades)))
    };
    let mut columns = Columns::default();
    columns.push("query_id", Feature::Text);
    columns.push("corpus_id", Feature::Text);
    columns.push("score", feature);
    let mut writer = TableWriter::create(path, &columns)?;
    writer.write(vec![
        Arc::new(StringArray::from(queries)),
        Arc::new(StringArray::from(documents)),
        grades,
    ])?;
    writer.finish()
}
