//! The findings for programs: `mrmr.check/1`.

use mrmr_core::{Error, Place, Position};
use mrmr_formats::findings::Found;
use serde_json::{Map, Value, json};

use super::report::Report;

pub(super) fn json(reports: &[Report]) -> String {
    let sources: Vec<Value> = reports.iter().map(source).collect();
    let mut total = Map::new();
    for (severity, count) in reports.iter().flat_map(Report::counts) {
        let before = total.get(severity.name()).and_then(Value::as_u64);
        total.insert(
            severity.name().to_owned(),
            json!(before.unwrap_or_default() + count),
        );
    }
    format!(
        "{:#}\n",
        json!({ "schema": "mrmr.check/1", "counts": total, "sources": sources })
    )
}

fn source(report: &Report) -> Value {
    let lists: Vec<Found> = report.findings.lists().collect();
    let codes: Vec<Value> = lists
        .iter()
        .map(|found| {
            json!({
                "code": found.code.name(),
                "severity": found.code.severity().name(),
                "meaning": found.code.meaning(),
                "count": found.count,
                "listed": found.listed.len(),
            })
        })
        .collect();
    let findings: Vec<Value> = lists
        .iter()
        .flat_map(|found| &found.listed)
        .map(|finding| {
            json!({
                "code": finding.code.name(),
                "severity": finding.code.severity().name(),
                "place": place(&finding.place),
                "message": finding.message,
                "hints": finding.hints,
            })
        })
        .collect();
    json!({
        "source": report.source,
        "kind": report.kind,
        "format": report.format,
        "facts": report.facts,
        "codes": codes,
        "findings": findings,
        "unread": report.unread.as_ref().map(unread),
    })
}

fn place(place: &Place) -> Value {
    match &place.position {
        None => json!({ "source": place.source }),
        Some(Position::Line(line)) => json!({ "source": place.source, "line": line }),
        Some(Position::Row(row)) => json!({ "source": place.source, "row": row }),
        Some(Position::Item(item)) => json!({ "source": place.source, "item": item }),
    }
}

fn unread(error: &Error) -> Value {
    json!({ "message": error.message(), "hints": error.hints() })
}
