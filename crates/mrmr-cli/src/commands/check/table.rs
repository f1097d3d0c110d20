//! The findings for people.

use std::fmt::Write as _;

use mrmr_core::{Place, Position};
use mrmr_formats::findings::{Finding, Found};

use super::report::Report;

/// How many places of one code are shown unless all are asked for.
const SHOWN: usize = 20;

pub(super) fn table(reports: &[Report], all: bool) -> String {
    let mut out = String::new();
    for report in reports {
        if !out.is_empty() {
            out.push('\n');
        }
        let format = report.format.as_ref();
        let format = format.map_or(String::new(), |format| format!(" ({format})"));
        let kind = match report.unread {
            Some(_) => "could not be read",
            None => report.kind,
        };
        let _ = writeln!(out, "{}: {kind}{format}", printable(&report.source));
        for fact in &report.facts {
            let _ = writeln!(out, "  {}", printable(fact));
        }
        for found in report.findings.lists() {
            list(&found, all, &mut out);
        }
        if report.unread.is_none() {
            let _ = writeln!(out, "  found: {}", summary(report));
        }
    }
    out
}

fn list(found: &Found, all: bool, out: &mut String) {
    let code = found.code;
    let _ = writeln!(
        out,
        "  {}: {code} ({}): {}",
        code.severity(),
        found.count,
        code.meaning()
    );
    let shown = if all { found.listed.len() } else { SHOWN };
    let mut hinted: Vec<&str> = Vec::new();
    for finding in found.listed.iter().take(shown) {
        let _ = writeln!(out, "    {}", printable(&line(finding)));
        // What is said of one line helps with all others too.
        for hint in &finding.hints {
            if !hinted.contains(&hint.as_str()) {
                hinted.push(hint);
                let _ = writeln!(out, "      hint: {}", printable(hint));
            }
        }
    }
    let more = found.count.saturating_sub(shown as u64);
    if more > 0 {
        let how = if all { "" } else { " (--all lists them)" };
        let _ = writeln!(out, "    and {more} more{how}");
    }
}

/// A named entry is named by the message already.
fn line(finding: &Finding) -> String {
    let place = match &finding.place.position {
        Some(Position::Item(_)) => Place::whole(&finding.place.source),
        _ => finding.place.clone(),
    };
    format!("{place}: {}", finding.message)
}

fn summary(report: &Report) -> String {
    let counts = report.counts();
    let counts: Vec<String> = counts
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(severity, count)| {
            format!("{count} {severity}{}", if *count == 1 { "" } else { "s" })
        })
        .collect();
    match counts.is_empty() {
        true => "nothing".to_owned(),
        false => counts.join(", "),
    }
}

/// Text whose control characters do nothing to a terminal.
fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() {
            out.extend(character.escape_default());
        } else {
            out.push(character);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(printable("q\u{1b}[31m\nü"), "q\\u{1b}[31m\\nü");
    }
}
