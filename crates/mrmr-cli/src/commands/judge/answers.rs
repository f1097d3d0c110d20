//! `mrmr judge answers`: passages that contain an answer.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use mrmr_bench::judge::{AnswerOptions, AnswersJudged, Normalization, judge_answers};
use mrmr_core::{Error, Place, Result};
use mrmr_formats::Input;
use mrmr_formats::dataset::{DatasetOptions, read_corpus};

use super::{check_files, first, quoted, write};
use crate::Ending;
use crate::printer::Printer;
use crate::words::counted;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mrmr judge answers questions.jsonl corpus.jsonl -o qrels.txt\n  mrmr judge answers questions.jsonl data/wiki --titles --unanswered drop -o qrels.txt"
)]
pub(crate) struct AnswersArguments {
    /// Questions with their answers, one JSON object a line: {"_id", "answers": [text, ...]}
    pub(crate) questions: PathBuf,
    /// Passages: a file of BEIR's form ({"_id", "title", "text"} a line), or the folder of a data set
    pub(crate) passages: PathBuf,
    /// How texts are made comparable: dpr = NFD, lower case, words and single signs; squad = lower case, no
    /// punctuation, no articles
    #[arg(long, value_name = "RULE", default_value = "dpr", value_parser = PossibleValuesParser::new(Normalization::NAMES))]
    pub(crate) normalization: String,
    /// Look for answers in titles too
    #[arg(long)]
    pub(crate) titles: bool,
    /// Questions that no passage answers: zero = they stay, and every measure counts them 0; drop = they are left out
    #[arg(long, value_name = "POLICY", default_value = "zero", value_parser = PossibleValuesParser::new(["zero", "drop"]))]
    pub(crate) unanswered: String,
    /// The split of the data
    #[arg(long, value_name = "SPLIT")]
    pub(crate) split: Option<String>,
    /// Write the judgements to this file, as TREC lines
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub(crate) file: PathBuf,
}

pub(super) fn run(arguments: &AnswersArguments, printer: Printer) -> Result<Ending> {
    let options = AnswerOptions {
        normalization: arguments.normalization.parse()?,
        titles: arguments.titles,
        drop_unanswered: arguments.unanswered == "drop",
    };
    if arguments.passages.as_os_str() == "-" {
        return Err(Error::usage("passages are read from a file or a folder")
            .at(Place::whole("standard input")));
    }
    let read = [&arguments.questions, &arguments.passages];
    check_files(&[&arguments.file], &read)?;
    let dataset = DatasetOptions {
        split: arguments.split.clone(),
        name: None,
    };
    let passages = read_corpus(&arguments.passages, &dataset)?;
    let judged = judge_answers(&Input::new(&arguments.questions), &passages, options)
        .map_err(|error| error.at(Place::whole(arguments.passages.display().to_string())))?;
    write(&judged.qrels, &arguments.file)?;
    warn(&judged, options, printer);
    printer.say(&format!(
        "{}, {}: {}, by a match of tokens (normalization {}, titles {}, unanswered {})",
        counted(judged.questions, "question", "questions"),
        counted(passages.len(), "passage", "passages"),
        counted(judged.relevant, "relevant pair", "relevant pairs"),
        options.normalization.name(),
        if options.titles {
            "searched"
        } else {
            "not searched"
        },
        arguments.unanswered,
    ));
    printer.say(&format!(
        "next: mrmr score {} RUN -m Success@5 -m Success@20 -m Success@100 -m RR@10",
        quoted(&arguments.file)
    ));
    Ok(Ending::Done)
}

fn warn(judged: &AnswersJudged, options: AnswerOptions, printer: Printer) {
    if !judged.unanswered.is_empty() {
        let then = match options.drop_unanswered {
            true => "left out of the judgements",
            false => "judged 0 for the first passage, so that every measure counts 0",
        };
        printer.say(&format!(
            "{} without any passage ({}): {then}",
            counted(judged.unanswered.len(), "question", "questions"),
            first(judged.unanswered.iter().map(String::as_str)),
        ));
    }
    if !judged.empty.is_empty() {
        let shown = judged.empty.iter().map(|(question, _)| question.as_str());
        printer.warning(&format!(
            "{} without any token left out, of {}",
            counted(judged.empty.len(), "answer", "answers"),
            first(shown)
        ));
    }
    if !judged.noisy.is_empty() {
        let shown = judged.noisy.iter();
        let shown: Vec<String> = shown
            .map(|noisy| format!("{} '{}' ({})", noisy.question, noisy.answer, noisy.why))
            .collect();
        printer.warning(&format!(
            "{} found in passages that say nothing of the question: {}",
            match judged.noisy.len() {
                1 => "1 answer is likely to be".to_owned(),
                count => format!("{count} answers are likely to be"),
            },
            first(shown.iter().map(String::as_str)),
        ));
    }
}
