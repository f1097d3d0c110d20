//! The values of a column in the form that is wanted.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Float64Array};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{DataType, Field};

use super::{ColumnKind, kind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    Number,
    TextList,
    NumberList,
    NumberLists,
}

impl Form {
    pub(super) fn takes(self, kind: ColumnKind) -> bool {
        use ColumnKind::{Integer, IntegerList, Null, Number, NumberList, Text, TextList};
        match self {
            Form::Text => matches!(kind, Text | Integer | Null),
            Form::Number => matches!(kind, Number | Integer | Text | Null),
            Form::TextList => matches!(kind, TextList | IntegerList | Null),
            Form::NumberList => matches!(kind, NumberList | IntegerList),
            Form::NumberLists => kind == ColumnKind::NumberLists,
        }
    }

    pub(super) fn expected(self) -> &'static str {
        match self {
            Form::Text => "text or integers",
            Form::Number => "numbers",
            Form::TextList => "lists of texts",
            Form::NumberList => "lists of floats",
            Form::NumberLists => "lists of lists of floats",
        }
    }

    fn target(self) -> DataType {
        match self {
            Form::Text => DataType::LargeUtf8,
            Form::Number => DataType::Float64,
            Form::TextList => {
                let item = Field::new("item", DataType::LargeUtf8, true);
                DataType::LargeList(Arc::new(item))
            }
            Form::NumberList => {
                let item = Field::new("item", DataType::Float64, true);
                DataType::LargeList(Arc::new(item))
            }
            Form::NumberLists => {
                let item = Field::new("item", Form::NumberList.target(), true);
                DataType::LargeList(Arc::new(item))
            }
        }
    }
}

/// The values in one array type a form: `LargeUtf8`, `Float64`, `LargeList<LargeUtf8>`,
/// `LargeList<Float64>`, `LargeList<LargeList<Float64>>`.
///
/// The error is the first row that does not have the form, and what is wrong with it.
pub(super) fn cast(values: &ArrayRef, form: Form) -> Result<ArrayRef, (usize, String)> {
    if form == Form::Number && kind(values.data_type()) == ColumnKind::Text {
        return numbers_of_text(values);
    }
    let strict = CastOptions {
        safe: false,
        ..CastOptions::default()
    };
    let target = form.target();
    cast_with_options(values, &target, &strict).map_err(|error| {
        if let Some(problem) = first_not_utf8(values) {
            return problem;
        }
        // The error names no row: find the first that fails alone.
        let failing = |row: &usize| cast_with_options(&values.slice(*row, 1), &target, &strict);
        let row = (0..values.len()).find(|row| failing(row).is_err());
        let problem = format!("expected {}: {error}", form.expected());
        (row.unwrap_or(0), problem)
    })
}

/// The first row of bytes that are no text; none where the column is not of bytes.
fn first_not_utf8(values: &ArrayRef) -> Option<(usize, String)> {
    if !values.data_type().is_binary() {
        return None;
    }
    let bytes = cast_with_options(values, &DataType::LargeBinary, &CastOptions::default()).ok()?;
    let mut rows = bytes.as_binary::<i64>().iter().enumerate();
    rows.find_map(|(row, bytes)| {
        let error = std::str::from_utf8(bytes?).err()?;
        Some((row, format!("expected text in UTF-8: {error}")))
    })
}

/// The number that a text is; else what is wrong with it.
pub(crate) fn number(text: &str) -> Result<f64, String> {
    let trimmed = text.trim_matches([' ', '\t', '\r', '\n']);
    trimmed
        .parse()
        .map_err(|_| format!("expected a number, found {text:?}"))
}

fn numbers_of_text(values: &ArrayRef) -> Result<ArrayRef, (usize, String)> {
    let texts = cast(values, Form::Text)?;
    let texts = texts.as_string::<i64>();
    let mut numbers = Vec::with_capacity(texts.len());
    for (row, text) in texts.iter().enumerate() {
        numbers.push(match text {
            None => None,
            Some(text) => Some(number(text).map_err(|problem| (row, problem))?),
        });
    }
    Ok(Arc::new(Float64Array::from(numbers)))
}
