//! The columns of a file, as Arrow and as the Hub's library `datasets` describe them.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use serde_json::{Map, Value, json};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feature {
    Text,
    TextList,
    Image,
    Integer,
    Float,
}

/// Named columns in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns(Vec<(String, Feature)>);

impl Columns {
    pub(super) fn push(&mut self, name: impl Into<String>, feature: Feature) {
        self.0.push((name.into(), feature));
    }

    pub(super) fn images(&self) -> impl Iterator<Item = &str> {
        let images = self
            .0
            .iter()
            .filter(|(_, feature)| *feature == Feature::Image);
        images.map(|(name, _)| name.as_str())
    }

    /// What `datasets` keeps in a file's metadata, to know images from plain structs.
    pub(super) fn hub_metadata(&self) -> String {
        let features: Map<String, Value> = self
            .0
            .iter()
            .map(|(name, feature)| (name.clone(), feature.hub()))
            .collect();
        json!({ "info": { "features": features } }).to_string()
    }

    pub(super) fn schema(&self) -> SchemaRef {
        let fields: Vec<Field> = self
            .0
            .iter()
            .map(|(name, feature)| Field::new(name, feature.arrow(), true))
            .collect();
        let metadata = HashMap::from([("huggingface".to_owned(), self.hub_metadata())]);
        Arc::new(Schema::new_with_metadata(fields, metadata))
    }
}

/// The fields of an image's struct.
pub(super) fn image_fields() -> Fields {
    Fields::from(vec![
        Field::new("bytes", DataType::Binary, true),
        Field::new("path", DataType::Utf8, true),
    ])
}

/// The items of a list.
pub(super) fn list_item() -> Field {
    Field::new("element", DataType::Utf8, true)
}

impl Feature {
    fn arrow(self) -> DataType {
        match self {
            Feature::Text => DataType::Utf8,
            Feature::TextList => DataType::List(Arc::new(list_item())),
            Feature::Image => DataType::Struct(image_fields()),
            Feature::Integer => DataType::Int64,
            Feature::Float => DataType::Float64,
        }
    }

    fn hub(self) -> Value {
        let value = |kind: &str| json!({ "dtype": kind, "_type": "Value" });
        match self {
            Feature::Text => value("string"),
            // `List` is newer; every version knows `Sequence`.
            Feature::TextList => json!({ "feature": value("string"), "_type": "Sequence" }),
            Feature::Image => json!({ "_type": "Image" }),
            Feature::Integer => value("int64"),
            Feature::Float => value("float64"),
        }
    }
}
