//! `mrmr score --list-measures`: every measure with what it takes.

use mrmr_measures::definitions;
use mrmr_report::{Format, Table};

/// The measures as a table; Markdown where that is asked for.
pub(crate) fn text(format: Format) -> String {
    let mut table = Table::new(["measure", "takes", "is", "also read as"]).text_columns(4);
    for definition in definitions() {
        let aliases: Vec<&str> = definition.aliases.iter().map(|alias| alias.name).collect();
        table.row([
            definition.name.to_owned(),
            definition.describe_parameters(),
            definition.summary.to_owned(),
            aliases.join(", "),
        ]);
    }
    match format {
        Format::Markdown | Format::Github => table.markdown(),
        _ => table.text(),
    }
}
