//! The first grades as a text.

use super::super::arguments::{Arguments, Parameters};
use super::super::family::{Compute, Family};
use super::super::judged::{Judged, OUTSIDE_POOL, UNJUDGED};
use super::super::options::Version;
use super::super::summary::Summary;

/// One character a document: its grade, `>` above 9, `-` outside the pool, `.` in it but not judged.
pub(super) const RELSTRING: Family = Family {
    name: "relstring",
    since: Version::V9,
    parameters: Parameters::Numbers(&[10.0]),
    compute: Compute::Text(text),
    summary: Summary::None,
    per_query: true,
};

fn text(query: &Judged, arguments: &Arguments) -> String {
    let length = arguments.numbers().first().copied().unwrap_or_default() as usize;
    let grades = query.grades.iter().take(length);
    grades
        .map(|grade| match *grade {
            OUTSIDE_POOL => '-',
            UNJUDGED => '.',
            grade => u32::try_from(grade)
                .ok()
                .and_then(|grade| char::from_digit(grade, 10))
                .unwrap_or('>'),
        })
        .collect()
}
