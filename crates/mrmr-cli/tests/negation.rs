//! The authors' own prediction files for Negation give the values that they published.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

fn data() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/mrmr-negation");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: there is no ../shared/data/mrmr-negation beside the repository");
    None
}

fn score(folder: &Path, model: &str, arguments: &[&str]) -> (Value, String) {
    let output = Command::cargo_bin("mrmr")
        .unwrap()
        .arg("score")
        .arg(folder.join("qrels.tsv"))
        .arg(folder.join(format!("{model}.predictions.json")))
        .args(["--format", "json"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let json = serde_json::from_slice(&output.stdout).unwrap();
    (json, String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn published_values_come_out_to_five_decimals() {
    let Some(folder) = data() else { return };
    for model in ["qwen3-embedding-8b", "vlm2vec-lora"] {
        let published = std::fs::read(folder.join(format!("{model}.published.json"))).unwrap();
        let published: Value = serde_json::from_slice(&published).unwrap();
        let published = published.as_object().unwrap();
        let mut arguments = vec!["--compat", "trec_eval-9"];
        for name in published.keys() {
            arguments.extend(["-m", name.as_str()]);
        }
        let (json, _) = score(&folder, model, &arguments);
        let measures = json["runs"][0]["measures"].as_array().unwrap();
        assert_eq!(measures.len(), published.len());
        for (measure, (name, expected)) in measures.iter().zip(published) {
            let rounded = format!("{:.5}", measure["value"].as_f64().unwrap());
            assert_eq!(
                rounded,
                format!("{:.5}", expected.as_f64().unwrap()),
                "{model} {name}"
            );
        }
    }
}

#[test]
fn a_model_with_one_score_for_all_candidates_is_called_out() {
    let Some(folder) = data() else { return };
    let (json, stderr) = score(
        &folder,
        "qwen3-embedding-8b",
        &["-m", "Hit@1", "-m", "nDCG@3", "-m", "nDCG@10"],
    );
    let hit = &json["runs"][0]["measures"][0];
    assert_eq!(hit["measure"], "Success@1");
    assert!(
        (hit["tie_averaged"].as_f64().unwrap() - 0.25).abs() < 0.02,
        "{hit}"
    );
    assert!(stderr.contains("all scores equal in"), "{stderr}");
    assert!(
        stderr.contains("Success@1 depends on the order of tied documents"),
        "{stderr}"
    );
}
