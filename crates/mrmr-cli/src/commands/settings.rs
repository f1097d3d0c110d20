//! What typed arguments mean.

use std::path::Path;

use mrmr_core::{RankingPolicy, Result, ScorePrecision};
use mrmr_formats::output::write_atomically;
use mrmr_measures::{MeasureSpec, Policies};
use mrmr_report::{Format, Numbers};

use crate::arguments::{OutputArguments, PolicyArguments};

/// The policies that were asked for.
pub(crate) fn policies(arguments: &PolicyArguments) -> Result<Policies> {
    let precision = match arguments.compat.as_deref() {
        Some("trec_eval-9") => ScorePrecision::F32,
        _ => ScorePrecision::F64,
    };
    Ok(Policies {
        ranking: RankingPolicy {
            ties: arguments.ties.parse()?,
            precision,
        },
        missing: arguments.missing.parse()?,
        no_relevant: arguments.no_relevant.parse()?,
        unjudged: arguments.unjudged.parse()?,
    })
}

/// The measures that were asked for, each once, or those for the case that none was.
pub(crate) fn measures(asked: &[String], otherwise: &[&str]) -> Result<Vec<MeasureSpec>> {
    let texts: Vec<&str> = if asked.is_empty() {
        otherwise.to_vec()
    } else {
        asked.iter().map(String::as_str).collect()
    };
    let mut specs: Vec<MeasureSpec> = Vec::new();
    for text in texts {
        let spec = text.parse()?;
        if !specs.contains(&spec) {
            specs.push(spec);
        }
    }
    Ok(specs)
}

/// The form that was asked for, else that of the output file's ending, else a table.
pub(crate) fn format(arguments: &OutputArguments, file: Option<&Path>) -> Result<Format> {
    match &arguments.format {
        Some(name) => name.parse(),
        None => Ok(file.and_then(Format::of_file).unwrap_or_default()),
    }
}

/// How numbers are printed.
pub(crate) fn numbers(arguments: &OutputArguments) -> Numbers {
    Numbers {
        digits: usize::from(arguments.digits),
        percent: arguments.percent,
    }
}

/// Writes a text file, whole or not at all.
pub(crate) fn write_text(path: &Path, text: &str) -> Result<()> {
    use mrmr_core::{Error, Place};
    write_atomically(path, |out| {
        out.write_all(text.as_bytes())
            .map_err(|error| Error::io(error).at(Place::whole(path.display().to_string())))
    })
}
