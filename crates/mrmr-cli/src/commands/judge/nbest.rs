//! `mrmr judge nbest`: N-best lists with the right label.

use std::path::PathBuf;

use clap::Args;

use mrmr_bench::judge::judge_nbest;
use mrmr_core::Result;
use mrmr_formats::Input;

use super::{check_files, first, quoted, write};
use crate::Ending;
use crate::commands::search::RunForm;
use crate::printer::Printer;
use crate::words::counted;

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  mrmr judge nbest lists.jsonl -o qrels.txt --run nbest.run")]
pub(crate) struct NbestArguments {
    /// Lists, one JSON object a line: {"id", "hypotheses": [{"label", "score"}, ...], "label"}, higher scores better
    pub(crate) lists: PathBuf,
    /// Write the judgements to this file, as TREC lines
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Write the lists to this file as a run: .trec, .run, .txt, .json or .parquet
    #[arg(long, value_name = "FILE")]
    pub(crate) run: PathBuf,
    /// The name of the run
    #[arg(long, value_name = "NAME", default_value = "nbest")]
    pub(crate) name: String,
}

pub(super) fn run(arguments: &NbestArguments, printer: Printer) -> Result<Ending> {
    let form = RunForm::of(None, Some(&arguments.run))?;
    check_files(&[&arguments.file, &arguments.run], &[&arguments.lists])?;
    let judged = judge_nbest(&Input::new(&arguments.lists), &arguments.name)?;
    write(&judged.qrels, &arguments.file)?;
    form.deliver(&judged.run, Some(&arguments.run), printer)?;
    printer.say(&format!(
        "{}: {}",
        counted(judged.qrels.queries().len(), "item", "items"),
        counted(judged.run.len(), "hypothesis", "hypotheses"),
    ));
    for (names, what) in [
        (&judged.absent, "whose right label is not in the list"),
        (&judged.without_hypotheses, "without a hypothesis"),
    ] {
        if !names.is_empty() {
            printer.say(&format!(
                "{} {what} ({}): every measure counts 0",
                counted(names.len(), "item", "items"),
                first(names.iter().map(String::as_str)),
            ));
        }
    }
    let ties = match judged.tied {
        0 => "",
        tied => {
            printer.say(&format!(
                "{} equal scores, kept: --ties expected takes the mean over their orders",
                match tied {
                    1 => "1 list has".to_owned(),
                    tied => format!("{tied} lists have"),
                }
            ));
            " --ties expected"
        }
    };
    printer.say(&format!(
        "next: mrmr score {} {} -m Success@1 -m Success@5 -m RR@10{ties}",
        quoted(&arguments.file),
        quoted(&arguments.run)
    ));
    Ok(Ending::Done)
}
