//! JUnit's XML, as continuous integration reads it: a gate is a test case.

use super::Exporter;
use super::html::escaped;
use crate::document::Document;

/// A test suite.
pub(crate) struct Junit;

impl Exporter for Junit {
    fn export(&self, document: &Document) -> String {
        let gates = &document.gates;
        let failures = gates.iter().filter(|gate| !gate.passed).count();
        let counts = format!("tests=\"{}\" failures=\"{failures}\"", gates.len());
        let title = escaped(&document.title);
        let mut out = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"mrmr\" {counts}>\n<testsuite name=\"{title}\" {counts}>\n"
        );
        for gate in gates {
            let case = format!(
                "<testcase classname=\"{}\" name=\"{}\"",
                escaped(&gate.run),
                escaped(&gate.condition)
            );
            let sentence = escaped(&gate.sentence);
            out += &if gate.passed {
                format!("{case}>\n<system-out>{sentence}</system-out>\n</testcase>\n")
            } else {
                format!("{case}>\n<failure message=\"{sentence}\"/>\n</testcase>\n")
            };
        }
        out + "</testsuite>\n</testsuites>\n"
    }
}
