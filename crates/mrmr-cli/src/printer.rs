//! The one place that writes to the terminal: data to stdout, talk to stderr.

use std::io::{self, IsTerminal, Write};

use mrmr_core::{Error, Place, Result};

use crate::arguments::ColorChoice;

/// Writes results, warnings and errors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Printer {
    quiet: bool,
    color: bool,
}

const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const CYAN: &str = "\x1b[1;36m";
const RESET: &str = "\x1b[0m";

impl Printer {
    /// Decides on colour once: the flag, then `NO_COLOR`, `FORCE_COLOR`, then whether stderr is a terminal.
    pub(crate) fn new(quiet: bool, color: ColorChoice) -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let color = match color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto if set("NO_COLOR") => false,
            ColorChoice::Auto if set("FORCE_COLOR") => true,
            ColorChoice::Auto => io::stderr().is_terminal(),
        };
        Printer { quiet, color }
    }

    /// Whether talk is left out.
    pub(crate) fn is_quiet(self) -> bool {
        self.quiet
    }

    /// Writes data to stdout; a reader that went away ends the program as if all were said.
    pub(crate) fn data(self, text: &str) -> Result<()> {
        self.bytes(text.as_bytes())
    }

    /// Writes data that need not be text to stdout.
    pub(crate) fn bytes(self, bytes: &[u8]) -> Result<()> {
        let mut out = io::stdout().lock();
        match out.write_all(bytes).and_then(|()| out.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
            Err(error) => Err(Error::io(error).at(Place::whole("standard output"))),
            Ok(()) => Ok(()),
        }
    }

    /// Says something to people.
    pub(crate) fn say(self, text: &str) {
        if !self.quiet {
            self.talk(&harmless(text));
        }
    }

    /// Warns people; shown under `--quiet` too.
    pub(crate) fn warning(self, text: &str) {
        self.talk(&format!(
            "{} {}",
            self.label("warning:", YELLOW),
            harmless(text)
        ));
    }

    /// Says which condition was not met; shown under `--quiet` too.
    pub(crate) fn failed(self, text: &str) {
        self.talk(&format!(
            "{} {}",
            self.label("failed:", RED),
            harmless(text)
        ));
    }

    /// Says what went wrong, and the hints last.
    pub(crate) fn error(self, error: &Error) {
        let text = error.to_string();
        self.talk(&format!(
            "{} {}",
            self.label("error:", RED),
            harmless(&text)
        ));
        for hint in error.hints() {
            self.hint(hint);
        }
    }

    /// Says what helps.
    pub(crate) fn hint(self, text: &str) {
        self.talk(&format!("{} {}", self.label("hint:", CYAN), harmless(text)));
    }

    /// Says what another tool would say, in its words; shown under `--quiet` too.
    pub(crate) fn plain(self, text: &str) {
        self.talk(text);
    }

    fn label(self, text: &str, color: &str) -> String {
        if self.color {
            format!("{color}{text}{RESET}")
        } else {
            text.to_owned()
        }
    }

    fn talk(self, text: &str) {
        // Nobody is left to tell where stderr is gone.
        let _ = writeln!(io::stderr().lock(), "{text}");
    }
}

/// Text with control characters as escapes, line ends aside: an id from a file must not steer a terminal.
pub(crate) fn harmless(text: &str) -> String {
    let steers = |c: char| (c.is_control() && c != '\n') || c == '\u{feff}';
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if steers(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}
