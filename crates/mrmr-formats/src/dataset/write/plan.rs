//! Which columns the records of a collection need.

use std::collections::{BTreeMap, BTreeSet};

use mrmr_core::{Collection, Error, Field, Interned, Place, Record, Result};

use super::features::{Columns, Feature};
use super::row::row;
use crate::dataset::placeholder::image_number;

/// Which columns the records need.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) numbers: BTreeSet<u32>,
    pub(super) has_page: bool,
    /// Names, and whether they are lists.
    pub(super) fields: BTreeMap<String, bool>,
}

impl Plan {
    pub(super) fn of<K: Interned>(collection: &Collection<K>) -> Result<Self> {
        let mut plan = Plan::default();
        for (_, id, record) in collection.iter() {
            plan.add(record)
                .map_err(|error| error.at(Place::item("record", id)))?;
        }
        Ok(plan)
    }

    fn add(&mut self, record: &Record) -> Result<()> {
        let row = row(record)?;
        self.numbers.extend(row.images.numbered.keys());
        self.has_page |= row.page.is_some();
        for (name, field) in &record.fields {
            if name == "modality" {
                continue;
            }
            let taken = matches!(name.as_str(), "id" | "_id" | "text" | "image" | "vision");
            if taken || image_number(name).is_some() || name.starts_with("__") {
                return Err(Error::data(format!(
                    "field '{name}': expected another name, this one is a column of the layout"
                )));
            }
            let is_list = matches!(field, Field::List(_));
            if *self.fields.entry(name.clone()).or_insert(is_list) != is_list {
                return Err(Error::data(format!(
                    "field '{name}': expected a text in every record or a list in every record, found both"
                )));
            }
        }
        Ok(())
    }

    pub(super) fn columns(&self) -> Columns {
        let mut columns = Columns::default();
        for name in ["id", "modality", "text"] {
            columns.push(name, Feature::Text);
        }
        columns.push("image", Feature::Image);
        for number in &self.numbers {
            columns.push(format!("image {number}"), Feature::Image);
        }
        if self.has_page {
            columns.push("vision", Feature::Image);
        }
        for (name, is_list) in &self.fields {
            columns.push(
                name,
                if *is_list {
                    Feature::TextList
                } else {
                    Feature::Text
                },
            );
        }
        columns
    }
}
