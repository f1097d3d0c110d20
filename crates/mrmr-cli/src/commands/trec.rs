//! `mrmr trec`: what trec_eval prints, byte for byte.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{ArgAction, Args};

use mrmr_core::{Error, Place, Qrels, Result};
use mrmr_formats::input::Input;
use mrmr_formats::qrels::{QrelsOptions, read_qrels};
use mrmr_formats::run::{RunOptions, read_run};
use mrmr_measures::trec::{Failure, Options, TrecEval, Version};

use crate::Ending;
use crate::printer::Printer;

#[derive(Debug, Args)]
#[command(
    args_override_self = true,
    after_help = "Examples:\n  mrmr trec qrels.txt run.txt\n  mrmr trec -q -c -m ndcg_cut.10 -m P.5,10 qrels.txt run.txt\n  mrmr trec --compat 9 -m all_trec qrels.txt run.txt\n\nExit codes are trec_eval's: 1 for an unknown measure, 2 for a file that cannot be read, 4 for a judged query that the run lacks (version 10 without -c), 7 if no query is both judged and answered."
)]
pub(crate) struct TrecArguments {
    /// Judgements
    pub(crate) qrels: PathBuf,
    /// The run; - is standard input
    pub(crate) run: PathBuf,
    /// Which trec_eval: 9 compares scores in 32 bits and leaves missing queries out, 10 does neither
    #[arg(long, value_name = "VERSION", default_value = "10", value_parser = PossibleValuesParser::new(["9", "10"]))]
    pub(crate) compat: String,
    /// Print the values of each query too
    #[arg(id = "trec_query", short = 'q')]
    pub(crate) per_query: bool,
    /// Average over all judged queries; those that the run lacks count 0
    #[arg(short = 'c')]
    pub(crate) complete: bool,
    /// Print no summary
    #[arg(short = 'n')]
    pub(crate) no_summary: bool,
    /// The lowest grade of a relevant document
    #[arg(
        short = 'l',
        value_name = "GRADE",
        default_value_t = 1,
        allow_negative_numbers = true
    )]
    pub(crate) level: i64,
    /// A measure, with parameters behind a point, or official, set, all_trec; may be given several times
    #[arg(short = 'm', value_name = "MEASURE", action = ArgAction::Append)]
    pub(crate) measures: Vec<String>,
    /// Count only the first documents of each query
    #[arg(short = 'M', value_name = "N")]
    pub(crate) depth: Option<usize>,
    /// Take documents without a judgement out first
    #[arg(short = 'J')]
    pub(crate) judged_only: bool,
    /// How many documents the collection has, for utility
    #[arg(
        short = 'N',
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub(crate) collection: i64,
    // In place of the global option of that name, whose -q means something else here.
    #[arg(id = "quiet", long = "quiet", hide = true)]
    pub(crate) quiet: bool,
}

pub(crate) fn run(arguments: &TrecArguments, printer: Printer) -> Result<Ending> {
    let options = Options {
        version: if arguments.compat == "9" {
            Version::V9
        } else {
            Version::V10
        },
        per_query: arguments.per_query,
        summary: !arguments.no_summary,
        complete: arguments.complete,
        level: arguments.level,
        depth: arguments.depth,
        judged_only: arguments.judged_only,
        collection: arguments.collection,
    };
    let measures: Vec<&str> = arguments.measures.iter().map(String::as_str).collect();
    let tool = match TrecEval::new(options, &measures) {
        Ok(tool) => tool,
        Err(failure) => return Ok(fail(&failure, printer)),
    };
    let input = Input::new(&arguments.qrels);
    let (qrels, _) = read_qrels(&input, &QrelsOptions::default())?;
    if let Some(example) = part_of_a_grade(&qrels) {
        printer.warning(&format!(
            "{}: grades such as {example} are cut to whole numbers, as trec_eval does; mrmr score keeps them",
            input.name()
        ));
    }
    let input = Input::new(&arguments.run);
    let (run, notes) = read_run(&input, &RunOptions::default())?;
    if run.is_empty() {
        return Err(Error::data("no answers, where trec_eval stops too")
            .at(Place::whole(input.name()))
            .hint("mrmr score measures empty runs"));
    }
    let run_id = notes.last_tag.as_deref().unwrap_or(run.name());
    let outcome = tool.evaluate(&qrels, &run, run_id);
    printer.data(&outcome.output)?;
    Ok(match outcome.failure {
        None => Ending::Done,
        Some(failure) => fail(&failure, printer),
    })
}

fn fail(failure: &Failure, printer: Printer) -> Ending {
    printer.plain(&failure.message);
    if let Some(hint) = &failure.hint {
        printer.hint(hint);
    }
    Ending::Code(failure.code)
}

/// A grade that is no whole number.
fn part_of_a_grade(qrels: &Qrels) -> Option<f64> {
    let queries = qrels.queries().keys();
    let grades = queries.flat_map(|query| qrels.judgements(query));
    let mut parts = grades.map(|judgement| judgement.grade);
    parts.find(|grade| grade.fract() != 0.0)
}
