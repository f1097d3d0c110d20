//! What is said when Ctrl-C ends the program.

use std::sync::{Mutex, PoisonError};

static KEPT: Mutex<Option<String>> = Mutex::new(None);

/// Says what an interrupted program leaves behind, until it is said otherwise.
pub(crate) fn keep(what: Option<String>) {
    *KEPT.lock().unwrap_or_else(PoisonError::into_inner) = what;
}

/// What is left behind.
pub(crate) fn kept() -> Option<String> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
