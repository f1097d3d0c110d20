//! `mrmr judge`: judgements from what people have.

mod answers;
mod clicks;
mod nbest;
mod spans;

use std::path::{Path, PathBuf};

use clap::Subcommand;

use mrmr_core::{Error, Place, Qrels, Result};
use mrmr_formats::output::{write_atomically, write_qrels_trec};

use super::{inputs, settings};
use crate::Ending;
use crate::printer::Printer;

#[derive(Debug, Subcommand)]
pub(crate) enum JudgeCommand {
    /// Passages that contain an answer to a question are relevant
    Answers(answers::AnswersArguments),
    /// Chunks that have enough of a gold span are relevant
    Spans(spans::SpansArguments),
    /// Documents that are clicked are relevant, by the class of the query
    Clicks(clicks::ClicksArguments),
    /// The right label of an N-best list is relevant; writes the lists as a run too
    Nbest(nbest::NbestArguments),
}

pub(crate) fn run(command: &JudgeCommand, printer: Printer) -> Result<Ending> {
    match command {
        JudgeCommand::Answers(arguments) => answers::run(arguments, printer),
        JudgeCommand::Spans(arguments) => spans::run(arguments, printer),
        JudgeCommand::Clicks(arguments) => clicks::run(arguments, printer),
        JudgeCommand::Nbest(arguments) => nbest::run(arguments, printer),
    }
}

/// Refuses what cannot be read or written, before the work begins.
fn check_files(outputs: &[&Path], read: &[&PathBuf]) -> Result<()> {
    inputs::refuse_two_standard_inputs(read.iter().copied())?;
    for (at, output) in outputs.iter().enumerate() {
        settings::refuse_overwriting(Some(output), read.iter().copied())?;
        if outputs[..at].contains(output) {
            return Err(Error::usage("two results would be written to one file")
                .at(Place::whole(output.display().to_string())));
        }
    }
    Ok(())
}

fn write(qrels: &Qrels, file: &Path) -> Result<()> {
    write_atomically(file, |out| write_qrels_trec(qrels, out))
}

/// The first few of a list in a sentence.
fn first<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names = names.into_iter();
    let shown: Vec<&str> = names.by_ref().take(5).collect();
    match names.count() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A path as a shell reads it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./+=:,@".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}
