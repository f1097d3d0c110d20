//! Every case of `testdata/cases.toml`, run through the binary.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;

use assert_cmd::Command;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(default)]
    rows: Vec<u32>,
    #[serde(default)]
    qrels: String,
    #[serde(default)]
    run: String,
    qrels_file: Option<String>,
    run_file: Option<String>,
    qrels_path: Option<String>,
    run_path: Option<String>,
    #[serde(default)]
    files: BTreeMap<String, String>,
    runs: Option<Vec<String>>,
    #[serde(default)]
    stdin: String,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    values: BTreeMap<String, f64>,
    #[serde(default)]
    tie_averaged: BTreeMap<String, f64>,
    #[serde(default)]
    coverage: BTreeMap<String, toml::Value>,
    #[serde(default)]
    warnings: Vec<String>,
    #[serde(default)]
    absent: Vec<String>,
    #[serde(default)]
    notes: Vec<String>,
    #[serde(default)]
    names: Vec<String>,
    error: Option<String>,
    hint: Option<String>,
}

impl Case {
    fn run(&self, root: &Path) -> std::process::Output {
        let folder = tempfile::tempdir().unwrap();
        let write =
            |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        let at_root = |path: &String| root.join(path).display().to_string();
        let qrels_file = self.qrels_file.clone().unwrap_or("qrels.txt".to_owned());
        let run_file = self.run_file.clone().unwrap_or("run.txt".to_owned());
        write(&qrels_file, &self.qrels);
        write(&run_file, &self.run);
        for (name, text) in &self.files {
            write(name, text);
        }
        let qrels = self.qrels_path.as_ref().map_or(qrels_file, at_root);
        let run = self.run_path.as_ref().map_or(run_file, at_root);
        let runs = self.runs.clone().unwrap_or(vec![run]);
        Command::cargo_bin("mrmr")
            .unwrap()
            .current_dir(folder.path())
            .args(["score", &qrels])
            .args(runs)
            .args(["--format", "json"])
            .args(&self.arguments)
            .write_stdin(self.stdin.clone())
            .output()
            .unwrap()
    }

    fn check(&self, root: &Path) -> Result<(), String> {
        let output = self.run(root);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        if let Some(error) = &self.error {
            let first = stderr
                .lines()
                .find(|line| line.starts_with("error: "))
                .unwrap_or_default();
            same("error", first, &format!("error: {error}"))?;
            same("exit code", output.status.code(), Some(2))?;
            if let Some(hint) = &self.hint {
                contained(
                    "hint",
                    hint,
                    stderr.lines().filter(|line| line.starts_with("hint: ")),
                )?;
            }
            return Ok(());
        }
        same("exit code", output.status.code(), Some(0)).map_err(|e| format!("{e}\n{stderr}"))?;
        let stdout = String::from_utf8_lossy(&output.stdout);
        for text in &self.absent {
            if stdout.contains(text) || stderr.contains(text) {
                return Err(format!("expected nowhere {text:?}"));
            }
        }
        let json: Value = serde_json::from_slice(&output.stdout).map_err(|e| e.to_string())?;
        let run = &json["runs"][0];
        for (key, expected) in [
            ("value", &self.values),
            ("tie_averaged", &self.tie_averaged),
        ] {
            for (measure, expected) in expected {
                let measures = run["measures"].as_array().unwrap();
                let found = measures.iter().find(|m| m["measure"] == measure.as_str());
                let found = found.ok_or(format!("{measure} is not there"))?[key]
                    .as_f64()
                    .unwrap();
                if (found - expected).abs() > 5e-5 {
                    return Err(format!(
                        "{measure} {key}: expected {expected}, found {found}"
                    ));
                }
            }
        }
        for (key, expected) in &self.coverage {
            let expected: Value = serde_json::to_value(expected).unwrap();
            same(key, &run["coverage"][key], &expected)?;
        }
        let texts = |value: &Value| -> Vec<String> {
            let items = value.as_array().into_iter().flatten();
            items
                .map(|item| item.as_str().unwrap().to_owned())
                .collect()
        };
        let warnings = texts(&run["warnings"]);
        for warning in &self.warnings {
            contained("warning", warning, warnings.iter().map(String::as_str))?;
            contained("warning on stderr", warning, stderr.lines())?;
        }
        let notes = [texts(&run["notes"]), texts(&json["qrels"]["notes"])].concat();
        for note in &self.notes {
            contained("note", note, notes.iter().map(String::as_str))?;
        }
        if !self.names.is_empty() {
            let runs = json["runs"].as_array().unwrap().iter();
            let names: Vec<&str> = runs.map(|run| run["name"].as_str().unwrap()).collect();
            same(
                "names",
                names,
                self.names.iter().map(String::as_str).collect(),
            )?;
        }
        Ok(())
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what}: expected {expected:?}, found {found:?}"))
}

fn contained<'a>(
    what: &str,
    part: &str,
    mut texts: impl Iterator<Item = &'a str> + Clone,
) -> Result<(), String> {
    let all = texts.clone();
    if texts.any(|text| text.contains(part)) {
        return Ok(());
    }
    Err(format!(
        "{what}: expected {part:?} in {:?}",
        all.collect::<Vec<_>>()
    ))
}

fn cases(root: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(root.join("testdata/cases.toml")).unwrap();
    toml::from_str::<Cases>(&text).unwrap().case
}

#[test]
fn every_case_gives_its_right_value() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().unwrap();
    let failures: Vec<String> = cases(&root)
        .iter()
        .filter_map(|case| Some(format!("{}: {}", case.name, case.check(&root).err()?)))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_same_input_gives_the_same_bytes_each_time() {
    // A hundred documents with one score: the order must not depend on a hash.
    let case = Case {
        run: (0..100).map(|d| format!("q Q0 d{d} 1 1 t\n")).collect(),
        qrels: (0..100).map(|d| format!("q 0 d{d} {}\n", d % 3)).collect(),
        arguments: vec!["--per-query".to_owned()],
        ..toml::from_str("name = \"one score\"").unwrap()
    };
    let root = Path::new(".");
    let first = case.run(root).stdout;
    assert!(!first.is_empty());
    assert_eq!(first, case.run(root).stdout);
}

#[test]
fn the_table_covers_the_rows_it_names() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let rows: std::collections::BTreeSet<u32> = cases(&root)
        .iter()
        .flat_map(|case| case.rows.clone())
        .collect();
    for row in (1..=18)
        .chain([20])
        .chain(22..=34)
        .chain([43, 45])
        .filter(|row| *row != 8)
    {
        assert!(rows.contains(&row), "row {row}");
    }
}
