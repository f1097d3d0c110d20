//! The measures as a page, and as a list, made from their declarations.

use std::fmt::Write as _;

use crate::definition::{Alias, Cutoff, Definition, Suffix};
use crate::measures;

/// A measure in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedMeasure {
    /// Its name.
    pub name: &'static str,
    /// Its text form with everything it takes: `P[(rel=1)]@k`.
    pub form: String,
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// Other names that are read: `map_cut.k`.
    pub aliases: Vec<String>,
}

/// Every measure, by name, for a list of a line each.
///
/// ```
/// let list = mrmr_measures::list();
/// let precision = list.iter().find(|listed| listed.name == "P").unwrap();
/// assert_eq!(precision.form, "P[(rel=1)]@k");
/// assert_eq!(precision.aliases, ["precision"]);
/// ```
pub fn list() -> Vec<ListedMeasure> {
    let all = measures::ALL.iter();
    all.map(|definition| ListedMeasure {
        name: definition.name,
        form: definition.form(),
        summary: definition.summary,
        aliases: definition.aliases.iter().map(Alias::form).collect(),
    })
    .collect()
}

impl Definition {
    /// Its text form with everything it takes, what may be left out in brackets: `nDCG[(gain=linear,min_rel=0)][@k]`.
    pub fn form(&self) -> String {
        let parameters: Vec<String> = self
            .parameters
            .iter()
            .map(|parameter| match parameter.default_text() {
                text if text.contains(' ') || text == "none" => format!("{}=...", parameter.name),
                text => format!("{}={text}", parameter.name),
            })
            .collect();
        let parameters = match parameters.is_empty() {
            true => String::new(),
            false => format!("[({})]", parameters.join(",")),
        };
        let at = match self.cutoff {
            Cutoff::None => "",
            Cutoff::Optional => "[@k]",
            Cutoff::Required => "@k",
            Cutoff::Recall => "@recall",
        };
        format!("{}{parameters}{at}", self.name)
    }
}

impl Alias {
    /// The name with what may stand behind it: `rprec_mult.multiple`.
    fn form(&self) -> String {
        let behind = match self.suffix {
            Suffix::Cutoff => String::new(),
            Suffix::Value(name) => format!("[.{name}]"),
            Suffix::RequiredValue(name) => format!(".{name}"),
            Suffix::Decimals(name) => format!("[.{name}, its decimals alone]"),
        };
        let implied: Vec<String> = self
            .implies
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        match implied.is_empty() {
            true => format!("{}{behind}", self.name),
            false => format!("{}{behind} ({})", self.name, implied.join(", ")),
        }
    }
}

/// The reference page of all measures, in Markdown.
pub fn reference() -> String {
    let mut out = String::from(
        "# Measures\n\n\
         Made from the declarations in `crates/mrmr-measures/src/measures`; do not edit. To make it again:\n\
         `UPDATE_DOCS=1 cargo test -p mrmr-measures --test reference`.\n\n\
         A measure is written `name(key=value, ...)@cutoff`; what is left out has its default. Names are read in any case, and with a\n\
         cutoff behind `@`, `.`, `_` or `_at_`. In the text forms below, brackets hold what may be left out.\n\n\
         R is the number of relevant judged documents of a query. A document without a judgement, or with a grade of 0 or less, gains nothing.\n\
         In the examples a ranking is a grade a rank, `-` where there is no judgement; for measures of diversity, a letter for each subtopic that the\n\
         document is relevant to.\n\n\
         | measure | text form | values |\n|---|---|---|\n",
    );
    for definition in measures::ALL {
        let _ = writeln!(
            out,
            "| [{0}](#{1}) | `{2}` | {3} |",
            definition.name,
            definition.name.to_lowercase(),
            definition.form(),
            definition.range.describe()
        );
    }
    for definition in measures::ALL {
        section(definition, &mut out);
    }
    out
}

fn section(definition: &Definition, out: &mut String) {
    let Definition {
        name,
        aliases,
        summary,
        parameters,
        range,
        aggregate,
        source,
        example,
        ..
    } = definition;
    let _ = write!(
        out,
        "\n## {name}\n\n{}.\n\n- text form: `{}`\n",
        capitalised(summary),
        definition.form()
    );
    let _ = writeln!(
        out,
        "- values: {}; over queries: their {}",
        range.describe(),
        aggregate.name()
    );
    let _ = writeln!(out, "- source: {source}");
    if !aliases.is_empty() {
        let names: Vec<String> = aliases.iter().map(|a| format!("`{}`", a.form())).collect();
        let _ = writeln!(out, "- also read as: {}", names.join(", "));
    }
    let missed = match example.missed {
        "" => String::new(),
        missed => format!(", judged and not retrieved `{missed}`"),
    };
    let _ = writeln!(
        out,
        "- example: `{}` of the ranking `{}`{missed} is {}: {}",
        example.measure, example.ranking, example.value, example.working
    );
    if !parameters.is_empty() {
        out.push_str("\n| parameter | default | meaning |\n|---|---|---|\n");
        for parameter in *parameters {
            let _ = writeln!(
                out,
                "| `{}` | {} | {} |",
                parameter.name,
                parameter.default_text(),
                parameter.summary
            );
        }
    }
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) if text.split(' ').next().is_some_and(is_word) => {
            first.to_uppercase().chain(characters).collect()
        }
        _ => text.to_owned(),
    }
}

/// Letters alone, none but the first of them a capital.
fn is_word(text: &str) -> bool {
    text.len() > 1 && text.chars().all(|c| c.is_lowercase())
}
