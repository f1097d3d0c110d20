//! What a report says, before it has a form: every exporter writes this.

use mrmr_measures::GateOutcome;
use serde_json::Value;

/// A report without a form.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// What it is about, in a few words.
    pub(crate) title: String,
    /// What follows from it, a sentence each.
    pub(crate) verdicts: Vec<String>,
    /// Tables and remarks, in order; the first table is the main one.
    pub(crate) blocks: Vec<Block>,
    /// One value a row.
    pub(crate) records: Records,
    /// Everything.
    pub(crate) json: Value,
    /// Conditions that were to be met.
    pub(crate) gates: Vec<GateOutcome>,
}

impl Document {
    /// The conditions that were not met, a sentence each.
    pub(crate) fn failed(&self) -> Vec<String> {
        let failed = self.gates.iter().filter(|gate| !gate.passed);
        failed
            .map(|gate| format!("failed: {}", gate.sentence))
            .collect()
    }
}

/// A part of a report.
#[derive(Clone, Debug)]
pub(crate) enum Block {
    /// A table.
    Sheet(Sheet),
    /// Lines that belong together.
    Notes(Vec<String>),
    /// A heading over what follows.
    Heading(String),
}

/// A table for people.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sheet {
    /// What it shows; said where a form asks for a caption.
    pub(crate) caption: String,
    /// The names of the columns.
    pub(crate) headers: Vec<String>,
    /// How many of the first columns are text; the others are numbers.
    pub(crate) text_columns: usize,
    /// Further columns of text.
    pub(crate) more_text: &'static [usize],
    /// The rows.
    pub(crate) rows: Vec<Vec<Cell>>,
    /// What the marks in it mean.
    pub(crate) legend: Vec<(Mark, String)>,
}

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cell {
    /// The value.
    pub(crate) text: String,
    /// What stands behind it, such as a confidence interval.
    pub(crate) behind: String,
    /// What is marked about it.
    pub(crate) marks: Vec<Mark>,
    /// Whether it is the best of its column.
    pub(crate) best: bool,
}

/// A sign in a table; never a colour alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Better than the reference.
    Better,
    /// Worse than the reference.
    Worse,
    /// Letters of runs.
    Letters(String),
}

impl Mark {
    /// The sign.
    pub(crate) fn sign(&self) -> &str {
        match self {
            Mark::Better => "▲",
            Mark::Worse => "▼",
            Mark::Letters(letters) => letters,
        }
    }
}

impl Cell {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Cell {
            text: text.into(),
            ..Cell::default()
        }
    }

    /// The signs of all marks.
    pub(crate) fn signs(&self) -> String {
        self.marks.iter().map(Mark::sign).collect()
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Cell::new(text)
    }
}

impl Sheet {
    /// An empty table with so many columns of text, then numbers.
    pub(crate) fn new(
        caption: impl Into<String>,
        text_columns: usize,
        headers: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        Sheet {
            caption: caption.into(),
            headers: headers.into_iter().map(Into::into).collect(),
            text_columns,
            ..Sheet::default()
        }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = impl Into<Cell>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Whether a column is text.
    pub(crate) fn is_text(&self, column: usize) -> bool {
        column < self.text_columns || self.more_text.contains(&column)
    }

    /// The legend as lines.
    pub(crate) fn legend_lines(&self) -> Vec<String> {
        let lines = self.legend.iter();
        lines
            .map(|(mark, meaning)| format!("{} {meaning}", mark.sign()))
            .collect()
    }
}

/// Rows of single values, the same columns each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Records {
    /// The names of the columns.
    pub(crate) columns: Vec<&'static str>,
    /// The rows.
    pub(crate) rows: Vec<Vec<Datum>>,
}

/// A value in a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Datum {
    /// Text, most often an id.
    Text(String),
    /// A number, in its shortest form that reads back to the same bits.
    Number(f64),
    /// That of a document, which may be infinite.
    Score(f64),
    /// A whole number.
    Count(usize),
    /// The row is about all there are.
    All,
    /// There is none.
    None,
}

impl Datum {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Datum::Text(text.into())
    }

    pub(crate) fn maybe(number: Option<f64>) -> Self {
        number.map_or(Datum::None, Datum::Number)
    }

    /// The value in a line of text.
    pub(crate) fn plain(&self) -> String {
        match self {
            Datum::Text(text) => text.clone(),
            Datum::Number(number) | Datum::Score(number) => (number + 0.0).to_string(),
            Datum::Count(count) => count.to_string(),
            Datum::All => "all".to_owned(),
            Datum::None => String::new(),
        }
    }

    /// The value in JSON, where `All` needs no word that an id could be.
    pub(crate) fn json(&self) -> Value {
        match self {
            Datum::Text(text) => Value::from(text.as_str()),
            Datum::Number(number) => Value::from(*number),
            Datum::Score(score) => crate::json::score(*score),
            Datum::Count(count) => Value::from(*count),
            Datum::All | Datum::None => Value::Null,
        }
    }
}

/// Marks the best of a column, by the values that stand there, and those that look the same; one row alone
/// has no best.
pub(crate) fn mark_best(rows: &mut [Vec<Cell>], column: usize, values: &[f64]) {
    let best = (0..rows.len().min(values.len())).max_by(|a, b| values[*a].total_cmp(&values[*b]));
    let Some(best) = best.filter(|_| values.len() > 1) else {
        return;
    };
    let text = rows[best].get(column).map(|cell| cell.text.clone());
    for cell in rows.iter_mut().filter_map(|row| row.get_mut(column)) {
        cell.best = Some(&cell.text) == text.as_ref();
    }
}

/// How many of some conditions were met, in a line; nothing where there is none.
pub(crate) fn gate_count(gates: &[GateOutcome]) -> Option<String> {
    let passed = gates.iter().filter(|gate| gate.passed).count();
    (!gates.is_empty()).then(|| format!("gates: {passed} of {} passed", gates.len()))
}
