//! The folder list is the data flow: a crate uses only those before it.

#![allow(clippy::unwrap_used)]

use std::process::Command;

use mrmr_dev::{LADDER, may_use};
use serde_json::Value;

#[test]
fn every_crate_uses_only_those_before_it_in_the_ladder() {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--format-version",
            "1",
            "--offline",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut edges = 0;
    for package in metadata["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        assert!(LADDER.contains(&name), "{name} has no place in the ladder");
        for dependency in package["dependencies"].as_array().unwrap() {
            let used = dependency["name"].as_str().unwrap();
            if used.starts_with("mrmr-") {
                edges += 1;
                assert!(
                    may_use(name, used),
                    "{name} uses {used}, which does not stand before it"
                );
            }
        }
    }
    assert!(edges > 10, "only {edges} uses were looked at");
}
