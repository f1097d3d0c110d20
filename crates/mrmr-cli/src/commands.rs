//! One command a file.

mod bench;
mod check;
mod data_show;
mod demo;
mod score;
mod settings;

use mrmr_core::Result;

use crate::Ending;
use crate::arguments::{Command, DataCommand};
use crate::printer::Printer;

pub(crate) fn run(command: &Command, printer: &Printer) -> Result<Ending> {
    match command {
        Command::Demo(arguments) => demo::run(arguments, *printer),
        Command::Bench(arguments) => bench::run(arguments, *printer),
        Command::Score(arguments) => score::run(arguments, *printer),
        Command::Check(arguments) => check::run(arguments, *printer),
        Command::Data(DataCommand::Show(arguments)) => data_show::run(arguments, *printer),
    }
}
