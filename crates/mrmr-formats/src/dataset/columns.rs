//! The columns of a Parquet file of records, and the record of a row.

use std::path::Path;

use mrmr_core::{Field, Image, Media, Record, Result};

use super::image_cells::image_cells;
use super::interleave::{RowImages, interleave};
use super::placeholder::image_number;
use crate::parquet_table::{Batch, ColumnKind, Table, Want};

/// The names that the columns of a part may have.
pub(super) struct Names {
    id: &'static [&'static str],
    text: &'static [&'static str],
}

pub(super) const QUERY: Names = Names {
    id: &["id", "_id", "query-id", "query_id", "qid"],
    text: &["text", "query"],
};
pub(super) const CORPUS: Names = Names {
    id: &["id", "_id", "corpus-id", "corpus_id", "docid"],
    text: &["text"],
};

/// The columns of one file, by what they are read for.
pub(super) struct Columns {
    pub(super) id: &'static str,
    text: Option<&'static str>,
    /// Joined in front of the text, as in MTEB's files.
    title: bool,
    /// Name, and whether it is a list.
    fields: Vec<(String, bool)>,
    images: Vec<ImageColumn>,
}

struct ImageColumn {
    role: Role,
    cells: Vec<Option<Media>>,
}

#[derive(Clone, Copy)]
enum Role {
    Merged,
    Page,
    Numbered(u32),
}

fn role(column: &str) -> Option<Role> {
    match column {
        "image" => Some(Role::Merged),
        "vision" => Some(Role::Page),
        _ => image_number(column).map(Role::Numbered),
    }
}

impl Columns {
    /// Finds the columns of a file and where its images are; `ignored` gets the names of those that no record holds.
    pub(super) fn of(
        table: &Table,
        names: &Names,
        root: &Path,
        ignored: &mut Vec<String>,
    ) -> Result<Self> {
        let id = table.require(names.id)?;
        let text = table.find(names.text);
        let mut columns = Columns {
            id,
            text,
            title: table.find(&["modality"]).is_none(),
            fields: Vec::new(),
            images: Vec::new(),
        };
        for name in table.columns() {
            if name == id || Some(name) == text {
                continue;
            }
            if let Some(role) = role(name) {
                let cells = image_cells(table, name, root)?;
                columns.images.push(ImageColumn { role, cells });
                continue;
            }
            match table.kind(name) {
                Some(ColumnKind::Text | ColumnKind::Integer) if !name.starts_with("__") => {
                    columns.fields.push((name.to_owned(), false));
                }
                Some(ColumnKind::TextList | ColumnKind::IntegerList) => {
                    columns.fields.push((name.to_owned(), true))
                }
                Some(ColumnKind::Null) => {}
                _ if ignored.iter().any(|other| other == name) => {}
                _ => ignored.push(name.to_owned()),
            }
        }
        if text.is_none() && columns.images.is_empty() {
            table.require(names.text)?;
        }
        Ok(columns)
    }

    /// What is read row by row: the id, the text where there is one, the fields.
    pub(super) fn wants(&self) -> Vec<Want<'_>> {
        let mut wants = vec![Want::Text(self.id)];
        wants.extend(self.text.map(Want::Text));
        wants.extend(self.fields.iter().map(|(name, is_list)| match is_list {
            true => Want::TextList(name),
            false => Want::Text(name),
        }));
        wants
    }

    /// The record of a row of what [`Columns::wants`] reads; its images are moved out of the columns.
    pub(super) fn record(&mut self, batch: &Batch, row: usize) -> Record {
        let first_field = 1 + usize::from(self.text.is_some());
        let mut record = Record::default();
        for (at, (name, is_list)) in self.fields.iter().enumerate() {
            let column = first_field + at;
            let field = if *is_list {
                batch.list(column, row).map(Field::List)
            } else {
                batch
                    .text(column, row)
                    .map(|text| Field::Text(text.to_owned()))
            };
            if let Some(field) = field {
                record.fields.insert(name.clone(), field);
            }
        }

        let number = (batch.first_row() + row as u64) as usize;
        let mut images = RowImages::default();
        for column in &mut self.images {
            let Some(media) = column.cells.get_mut(number).and_then(Option::take) else {
                continue;
            };
            let image = |label: &str, media: &Media| Image {
                label: label.to_owned(),
                media: media.clone(),
            };
            match column.role {
                Role::Page => record.page = Some(image("vision", &media)),
                Role::Merged => {
                    record.merged = Some(image("image", &media));
                    images.merged = Some(media);
                }
                Role::Numbered(number) => {
                    images.numbered.insert(number, media);
                }
            }
        }

        let text = self
            .text
            .and_then(|_| batch.text(1, row))
            .unwrap_or_default();
        record.content = match record.field("title") {
            Some(title) if self.title && !title.is_empty() => {
                interleave(&titled(title, text), &images)
            }
            _ => interleave(text, &images),
        };
        record
    }
}

/// BEIR's and MTEB's document: the title, a space, the text.
pub(super) fn titled(title: &str, text: &str) -> String {
    match (title.is_empty(), text.is_empty()) {
        (false, false) => format!("{title} {text}"),
        (false, true) => title.to_owned(),
        (true, _) => text.to_owned(),
    }
}
