//! The command `mrmr`: measures retrieval, runs it and explains it.

mod arguments;
mod commands;
mod interruption;
mod printer;
mod progress;
mod reading;
mod words;

use std::process::ExitCode;

use clap::Parser;
use mrmr_formats::output::remove_unfinished;

use crate::arguments::Arguments;
use crate::printer::Printer;

/// How a command ended, beside an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// Everything was done.
    Done,
    /// Everything was done, and something was found that the user asked to be told of.
    Found,
    /// It ended as another tool would end, with its exit code.
    Code(u8),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let printer = Printer::new(arguments.global.quiet, arguments.global.color);
    let heard = ctrlc::set_handler(move || {
        // Nothing half-written stays; 130 is what a shell expects of an interrupted program.
        remove_unfinished();
        if let Some(kept) = interruption::kept() {
            printer.warning(&kept);
        }
        std::process::exit(130);
    });
    if let Err(error) = heard {
        printer.warning(&format!("Ctrl-C will not clean up: {error}"));
    }
    if let Some(threads) = arguments.global.threads {
        let built = rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(threads))
            .build_global();
        if let Err(error) = built {
            printer.warning(&format!("--threads {threads} has no effect: {error}"));
        }
    }
    match commands::run(&arguments.command, &printer) {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::Found) => ExitCode::from(1),
        Ok(Ending::Code(code)) => ExitCode::from(code),
        Err(error) => {
            printer.error(&error);
            ExitCode::from(2)
        }
    }
}
