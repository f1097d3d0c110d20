//! One command a file.

mod bench;
mod cache;
pub(crate) mod caption;
mod check;
pub(crate) mod compare;
mod data_show;
mod demo;
pub(crate) mod diff;
mod encode;
pub(crate) mod explain;
mod fuse;
mod inputs;
pub(crate) mod judge;
mod list_measures;
mod models;
mod rerank;
mod score;
pub(crate) mod search;
mod settings;
mod slicing;
pub(crate) mod trec;
mod tune;
mod waterfall;

use mrmr_core::Result;

use crate::Ending;
use crate::arguments::{Command, DataCommand};
use crate::printer::Printer;

pub(crate) fn run(command: &Command, printer: &Printer) -> Result<Ending> {
    match command {
        Command::Demo(arguments) => demo::run(arguments, *printer),
        Command::Bench(arguments) => bench::run(arguments, *printer),
        Command::Score(arguments) => score::run(arguments, *printer),
        Command::Compare(arguments) => compare::run(arguments, *printer),
        Command::Diff(arguments) => diff::run(arguments, *printer),
        Command::Explain(arguments) => explain::run(arguments, *printer),
        Command::Check(arguments) => check::run(arguments, *printer),
        Command::Trec(arguments) => trec::run(arguments, *printer),
        Command::Search(arguments) => search::run(arguments, *printer),
        Command::Caption(arguments) => caption::run(arguments, *printer),
        Command::Encode(arguments) => encode::run(arguments, *printer),
        Command::Rerank(arguments) => rerank::run(arguments, *printer),
        Command::Fuse(arguments) => fuse::run(arguments, *printer),
        Command::Tune(arguments) => tune::run(arguments, *printer),
        Command::Judge(command) => judge::run(command, *printer),
        Command::Data(DataCommand::Show(arguments)) => data_show::run(arguments, *printer),
        Command::Cache(command) => cache::run(command, *printer),
    }
}
