//! `mrmr judge clicks`: clicks by the class of the query.

use std::path::PathBuf;

use clap::Args;

use mrmr_bench::judge::{ClickOptions, judge_clicks};
use mrmr_core::{Error, Result};
use mrmr_formats::Input;
use mrmr_formats::output::write_atomically;

use super::{check_files, first, quoted, write};
use crate::Ending;
use crate::printer::Printer;
use crate::words::counted;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mrmr judge clicks clicks.tsv -o qrels.txt --slices classes.tsv\n  mrmr judge clicks clicks.tsv --min-impressions 100 --bounds 0.01,0.05 -o qrels.txt --slices classes.tsv"
)]
pub(crate) struct ClicksArguments {
    /// Rows as TSV or CSV, with a header: query, document, clicks, impressions, class (navigational or exploratory);
    /// rows of one pair are added up
    pub(crate) clicks: PathBuf,
    /// Judge no document that was shown less often for a query
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) min_impressions: u64,
    /// Exploratory queries: the grade is how many of these shares of clicks in impressions are reached
    #[arg(
        long,
        value_name = "SHARE,...",
        value_delimiter = ',',
        default_value = "0.02,0.1,0.3"
    )]
    pub(crate) bounds: Vec<f64>,
    /// Write the judgements to this file, as TREC lines
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Write the class of each judged query to this file, for mrmr score --by
    #[arg(long, value_name = "FILE")]
    pub(crate) slices: PathBuf,
}

pub(super) fn run(arguments: &ClicksArguments, printer: Printer) -> Result<Ending> {
    let options = ClickOptions {
        min_impressions: arguments.min_impressions,
        bounds: arguments.bounds.clone(),
    };
    check_files(&[&arguments.file, &arguments.slices], &[&arguments.clicks])?;
    let judged = judge_clicks(&Input::new(&arguments.clicks), &options)?;
    write(&judged.qrels, &arguments.file)?;
    write_atomically(&arguments.slices, |out| {
        writeln!(out, "query-id\tslice").map_err(Error::io)?;
        for (query, class) in &judged.classes {
            writeln!(out, "{query}\t{class}").map_err(Error::io)?;
        }
        Ok(())
    })?;
    let bounds: Vec<String> = options.bounds.iter().map(f64::to_string).collect();
    printer.say(&format!(
        "{}, {}: navigational by the largest share of clicks, exploratory by the bounds {}; {} shown less than {} times not judged; nothing done about the bias of positions",
        counted(judged.classes.len(), "query", "queries"),
        counted(judged.qrels.len(), "judgement", "judgements"),
        bounds.join(", "),
        counted(judged.seldom, "pair", "pairs"),
        options.min_impressions,
    ));
    for (names, what) in [
        (&judged.unjudged, "without a judgement, left out"),
        (
            &judged.without_relevant,
            "without a relevant document, counted 0",
        ),
    ] {
        if !names.is_empty() {
            printer.say(&format!(
                "{} {what}: {}",
                counted(names.len(), "query", "queries"),
                first(names.iter().map(String::as_str)),
            ));
        }
    }
    printer.say(&format!(
        "next: mrmr score {} RUN -m RR@10 -m nDCG@10 --by {}  (read RR@10 for navigational, nDCG@10 for exploratory)",
        quoted(&arguments.file),
        quoted(&arguments.slices)
    ));
    Ok(Ending::Done)
}
