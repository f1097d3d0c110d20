//! `mrmr cache`: what bench keeps.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use mrmr_bench::store::{Entry, EntryKind, Limits, Store};
use mrmr_core::{Error, Place, Result};
use mrmr_report::Table;

use super::settings;
use crate::Ending;
use crate::arguments::{CacheArguments, CacheCommand, PruneArguments};
use crate::printer::Printer;
use crate::words::{counted, parse_size, size};

/// How many digits of a key are shown.
const DIGITS: usize = 12;

pub(crate) fn run(command: &CacheCommand, printer: Printer) -> Result<Ending> {
    match command {
        CacheCommand::Ls(arguments) => list(arguments, printer),
        CacheCommand::Size(arguments) => sizes(arguments, printer),
        CacheCommand::Prune(arguments) => prune(arguments, printer),
    }
}

/// The store, which is not made for being looked at.
fn opened(arguments: &CacheArguments) -> Result<Store> {
    let folder = settings::store_folder(arguments.store.as_deref());
    if !folder.is_dir() {
        return Err(Error::usage("there is no store here")
            .at(Place::whole(folder.display().to_string()))
            .hint("--store FOLDER names the one that mrmr bench was given"));
    }
    Store::open(folder)
}

fn list(arguments: &CacheArguments, printer: Printer) -> Result<Ending> {
    let now = SystemTime::now();
    let mut table = Table::new(["key", "kind", "size", "last used"]).text_columns(2);
    for entry in opened(arguments)?.entries()? {
        let age = now.duration_since(entry.used).unwrap_or_default();
        let key: String = entry.key.chars().take(DIGITS).collect();
        table.row([
            key,
            entry.kind.to_string(),
            size(entry.bytes),
            format!("{} ago", ago(age)),
        ]);
    }
    printer.data(&table.text())?;
    Ok(Ending::Done)
}

fn sizes(arguments: &CacheArguments, printer: Printer) -> Result<Ending> {
    let store = opened(arguments)?;
    let mut kinds: BTreeMap<EntryKind, (usize, u64)> = BTreeMap::new();
    for entry in store.entries()? {
        let known = kinds.entry(entry.kind).or_default();
        *known = (known.0 + 1, known.1 + entry.bytes);
    }
    let mut table = Table::new(["kind", "files", "size"]);
    let (mut files, mut bytes) = (0, 0);
    for (kind, (count, sum)) in kinds {
        table.row([kind.to_string(), count.to_string(), size(sum)]);
        (files, bytes) = (files + count, bytes + sum);
    }
    table.row(["all".to_owned(), files.to_string(), size(bytes)]);
    printer.data(&table.text())?;
    Ok(Ending::Done)
}

fn prune(arguments: &PruneArguments, printer: Printer) -> Result<Ending> {
    let limits = Limits {
        unused_for: match &arguments.unused_for {
            Some(text) => Some(parse_time(text)?),
            None => None,
        },
        most_bytes: match (&arguments.max_size, arguments.all) {
            (Some(text), _) => Some(parse_size("--max-size", text)?),
            (None, true) => Some(0),
            (None, false) => None,
        },
    };
    if limits == Limits::default() {
        return Err(Error::usage("nothing says what is to go")
            .hint("--unused-for 30d, --max-size 2G or --all"));
    }
    let store = opened(&arguments.cache)?;
    let gone = store.beyond(limits, SystemTime::now())?;
    let bytes: u64 = gone.iter().map(|entry: &Entry| entry.bytes).sum();
    let told = format!("{}, {}", counted(gone.len(), "file", "files"), size(bytes));
    match arguments.dry_run {
        true => printer.say(&format!("would remove {told}")),
        false => {
            store.remove_entries(&gone)?;
            printer.say(&format!("removed {told}"));
        }
    }
    Ok(Ending::Done)
}

/// Seconds of the units of time, the largest first.
const UNITS: [(&str, u64); 5] = [
    ("w", 7 * 24 * 3600),
    ("d", 24 * 3600),
    ("h", 3600),
    ("m", 60),
    ("s", 1),
];

fn parse_time(text: &str) -> Result<Duration> {
    let known = UNITS.iter().find_map(|(unit, seconds)| {
        let number: u64 = text.strip_suffix(unit)?.trim().parse().ok()?;
        number.checked_mul(*seconds)
    });
    known.map(Duration::from_secs).ok_or_else(|| {
        Error::usage(format!(
            "--unused-for {text}: expected a whole number with its unit, as in 12h, 30d or 8w"
        ))
    })
}

/// A time in its largest unit that has one.
fn ago(age: Duration) -> String {
    let seconds = age.as_secs();
    let unit = UNITS[1..].iter().find(|(_, size)| seconds >= *size);
    match unit {
        Some((unit, size)) => format!("{}{unit}", seconds / size),
        None => "0s".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit() {
        assert_eq!(parse_time("30d").unwrap().as_secs(), 30 * 24 * 3600);
        assert_eq!(parse_time("8 w").unwrap().as_secs(), 8 * 7 * 24 * 3600);
        for text in ["", "30", "d", "-1d", "1.5h", "3y", "99999999999999999999w"] {
            assert!(parse_time(text).is_err(), "{text}");
        }
        assert_eq!(ago(Duration::from_secs(7300)), "2h");
        assert_eq!(ago(Duration::from_millis(3)), "0s");
    }
}
