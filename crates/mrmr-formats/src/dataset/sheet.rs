//! Rows of values by column, whether they stand in a Parquet file or as JSON lines.

use std::path::{Path, PathBuf};

use mrmr_core::{Content, Error, Image, Media, Origin, Part, Place, Result};
use serde_json::{Map, Value};

use super::faults::{Faults, unless};
use super::image_cells::{file_of, image_cells};
use super::media_files::MediaFiles;
use crate::findings::Code;
use crate::input::Input;
use crate::json_lines::{for_each_object, id, short};
use crate::parquet_table::{ColumnKind, Table, Want};

/// A row: what its columns hold.
pub(super) struct Row {
    pub(super) values: Map<String, Value>,
    /// What the column of images holds, where one was asked for.
    pub(super) image: Option<Media>,
}

impl Row {
    /// The text or the integer of the first of these columns that is there and not null.
    pub(super) fn text(&self, names: &[&str]) -> Result<Option<String>> {
        let value = names.iter().find_map(|name| {
            let value = self.values.get(*name)?;
            (!value.is_null()).then_some((name, value))
        });
        match value {
            None => Ok(None),
            Some((name, value)) => id(value).map(Some).ok_or_else(|| {
                Error::format(format!(
                    "expected a text as '{name}', found {}",
                    short(value)
                ))
            }),
        }
    }

    /// The text or the integer of one of these columns, which must be there.
    pub(super) fn require(&self, names: &[&str]) -> Result<String> {
        self.text(names)?.ok_or_else(|| {
            let found: Vec<String> = self.values.keys().map(|name| format!("'{name}'")).collect();
            let wanted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
            Error::format(format!(
                "expected {}; found {}",
                wanted.join(" or "),
                found.join(", ")
            ))
        })
    }

    /// The texts of a column; none where it is not there, null or `["N/A"]`.
    pub(super) fn list(&self, name: &str) -> Result<Vec<String>> {
        let wrong = |value: &Value| {
            Error::format(format!(
                "expected a list of texts as '{name}', found {}",
                short(value)
            ))
        };
        let texts = match self.values.get(name) {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(values)) => values
                .iter()
                .map(|value| id(value).ok_or_else(|| wrong(value)))
                .collect::<Result<Vec<String>>>()?,
            Some(one @ Value::String(text)) => match text.as_str() {
                "N/A" => Vec::new(),
                _ => return Err(wrong(one)),
            },
            Some(other) => return Err(wrong(other)),
        };
        match texts.as_slice() {
            [one] if one == "N/A" => Ok(Vec::new()),
            _ => Ok(texts),
        }
    }
}

/// Reads the rows of a file one by one; `image` names the column of images, where one is wanted.
pub(super) fn each_row(
    path: &Path,
    root: &Path,
    image: Option<&str>,
    faults: &mut dyn Faults,
    mut each: impl FnMut(Row, &mut dyn Faults) -> Result<()>,
) -> Result<()> {
    if path.extension().is_some_and(|ending| ending == "parquet") {
        let table = Table::open(path);
        return match unless(faults, Code::BrokenFile, table)? {
            Some(table) => each_of_table(&table, root, image, faults, &mut each),
            None => Ok(()),
        };
    }
    let input = Input::path(path);
    let origin = Origin::lines(input.name());
    for_each_object(&input, |object, number| {
        let Some(values) = unless(faults, Code::BrokenJson, object)? else {
            return Ok(());
        };
        let media = |name: &str| match values.get(name) {
            Some(Value::String(path)) if !path.is_empty() => image_file(root, path).map(Some),
            _ => Ok(None),
        };
        let media = image
            .map_or(Ok(None), media)
            .map_err(|error| error.at(origin.place(number)));
        let image = unless(faults, Code::BadRecord, media)?.flatten();
        let row = Row { values, image };
        let done = each(row, faults).map_err(|error| error.at(origin.place(number)));
        unless(faults, Code::BadRecord, done).map(|_| ())
    })
}

fn each_of_table(
    table: &Table,
    root: &Path,
    image: Option<&str>,
    faults: &mut dyn Faults,
    each: &mut impl FnMut(Row, &mut dyn Faults) -> Result<()>,
) -> Result<()> {
    let mut names = Vec::new();
    let mut wants = Vec::new();
    for name in table.columns().filter(|name| Some(*name) != image) {
        let want = match table.kind(name) {
            Some(ColumnKind::Text | ColumnKind::Integer) => Want::Text(name),
            Some(ColumnKind::TextList | ColumnKind::IntegerList) => Want::TextList(name),
            Some(ColumnKind::Number) => Want::Number(name),
            _ => continue,
        };
        names.push(name);
        wants.push(want);
    }
    let mut images = match image.filter(|name| table.find(&[name]).is_some()) {
        Some(name) => image_cells(table, name, root)?,
        None => Vec::new(),
    };
    for batch in table.read(&wants)? {
        let Some(batch) = unless(faults, Code::BrokenFile, batch)? else {
            continue;
        };
        for at in 0..batch.rows() {
            let number = batch.first_row() + at as u64;
            let values = names.iter().enumerate().map(|(column, name)| {
                let value = match wants[column] {
                    Want::Number(_) => batch.number(column, at).map(Value::from),
                    Want::TextList(_) => batch.list(column, at).map(Value::from),
                    _ => batch.text(column, at).map(Value::from),
                };
                ((*name).to_owned(), value.unwrap_or(Value::Null))
            });
            let row = Row {
                values: values.collect(),
                image: images.get_mut(number as usize).and_then(Option::take),
            };
            let done =
                each(row, faults).map_err(|error| error.at(Place::row(table.name(), number)));
            unless(faults, Code::BadRecord, done)?;
        }
    }
    Ok(())
}

/// The image in a file that a record names, relative to the data set's folder.
pub(super) fn image_file(root: &Path, path: &str) -> Result<Media> {
    let file: PathBuf = file_of(root, path).map_err(Error::data)?;
    Ok(MediaFiles::one(file))
}

/// An image where there is one, then the text where there is any.
pub(super) fn content(image: Option<Media>, text: Option<String>) -> Content {
    let image = image.map(|media| {
        Part::Image(Image {
            label: "image".to_owned(),
            media,
        })
    });
    let text = text.filter(|text| !text.is_empty()).map(Part::Text);
    Content::new(image.into_iter().chain(text))
}
