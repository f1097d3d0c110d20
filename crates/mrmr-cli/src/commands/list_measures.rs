//! `mrmr score --list-measures`: every measure with what it takes.

use mrmr_measures::{Definition, definitions};
use mrmr_report::{Format, Table};
use serde_json::{Value, json};

/// The measures as a table; as JSON or Markdown where that is asked for.
pub(crate) fn text(format: Format) -> String {
    if format == Format::Json {
        let all: Value = definitions().iter().map(|one| described(one)).collect();
        return format!("{all:#}\n");
    }
    let mut table = Table::new(["measure", "takes", "is", "also read as"]).text_columns(4);
    for definition in definitions() {
        table.row([
            definition.name.to_owned(),
            definition.describe_parameters(),
            definition.summary.to_owned(),
            aliases(definition).join(", "),
        ]);
    }
    match format {
        Format::Markdown | Format::Github => table.markdown(),
        _ => table.text(),
    }
}

fn described(definition: &Definition) -> Value {
    json!({
        "name": definition.name,
        "takes": definition.describe_parameters(),
        "summary": definition.summary,
        "range": definition.range.describe(),
        "aggregate": definition.aggregate.name(),
        "source": definition.source,
        "aliases": aliases(definition),
    })
}

fn aliases(definition: &Definition) -> Vec<&'static str> {
    definition.aliases.iter().map(|alias| alias.name).collect()
}
