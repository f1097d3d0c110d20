//! Tuning a fusion: what matters is found, what is chance is called so.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use mrmr_bench::tuning::{TuneOptions, Tuned, describe, tune};
use mrmr_core::{DuplicatePolicy, Origin, Qrels, RankingPolicy, Run};
use mrmr_measures::{Evaluator, MeasureSpec, Policies};
use mrmr_search::fusion::{Fusion, FusionSpec, Normalization};

/// Numbers from 0 to 1 that look random.
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 40) as f64 / (1u64 << 24) as f64
    }
}

/// Runs over `queries` queries and 12 documents, of which the first is relevant: for each run, how much it knows of that.
fn made(queries: usize, knowledge: &[f64], seed: u64) -> (Qrels, Vec<Run>) {
    let mut draws = Draws(seed);
    let mut judged = Qrels::builder(Origin::memory("qrels"));
    let names = ["a", "b", "c", "d", "e", "f"];
    let new = |name: &&str| Run::builder(*name, Origin::memory(*name));
    let mut runs: Vec<_> = names[..knowledge.len()].iter().map(new).collect();
    for query in 0..queries {
        let name = format!("q{query:03}");
        judged.add(&name, "d00", 1.0, 0).unwrap();
        for (run, knows) in runs.iter_mut().zip(knowledge) {
            for document in 0..12 {
                let score = draws.next() + if document == 0 { *knows } else { 0.0 };
                run.add(&name, &format!("d{document:02}"), score, 0)
                    .unwrap();
            }
        }
    }
    let finish = |run: mrmr_core::RunBuilder| run.finish(DuplicatePolicy::Error).unwrap().0;
    (
        judged.finish().unwrap().0,
        runs.into_iter().map(finish).collect(),
    )
}

fn tuned(qrels: &Qrels, runs: &[Run], method: &str, options: &TuneOptions) -> Tuned {
    let runs: Vec<&Run> = runs.iter().collect();
    let (method, measure) = (method.parse().unwrap(), "RR@10".parse().unwrap());
    tune(qrels, &runs, &method, &measure, options, &()).unwrap()
}

fn value(qrels: &Qrels, run: &Run) -> f64 {
    let measure: Vec<MeasureSpec> = vec!["RR@10".parse().unwrap()];
    let evaluator = Evaluator::new(qrels, measure, Policies::default()).unwrap();
    evaluator.evaluate(run).unwrap().measures[0].value
}

#[test]
fn a_weight_that_matters_is_found_and_its_gain_shown() {
    // b knows nothing: what it adds is noise.
    let (qrels, runs) = made(200, &[0.6, 0.0], 1);
    let found = tuned(&qrels, &runs, "wsum", &TuneOptions::default());
    let weights: Vec<(&str, String)> = found.chosen.method.given().collect();
    let first: f64 = weights[0].1.split(',').next().unwrap().parse().unwrap();
    assert!(first >= 0.8, "{}", found.chosen.method);
    assert_eq!(
        (found.single.as_str(), found.settings, found.exhaustive),
        ("a", 11, true)
    );
    assert!(found.held_out > found.untuned_value + 0.1);
    assert!(found.against_untuned.is_significant(0.05));
    // It is no better than a alone, and says so.
    assert!(
        found.warnings[0].starts_with("a gain over a is not shown"),
        "{:?}",
        found.warnings
    );
    // What is held out is what the run holds.
    assert!((value(&qrels, &found.run) - found.held_out).abs() < 1e-12);
    let chosen = found.chosen.fuse(&[&runs[0], &runs[1]], "f").unwrap().run;
    assert!((value(&qrels, &chosen) - found.in_sample).abs() < 1e-12);
}

#[test]
fn runs_that_know_different_things_gain_without_a_warning() {
    let (qrels, runs) = made(300, &[0.45, 0.3], 5);
    let found = tuned(&qrels, &runs, "wsum", &TuneOptions::default());
    assert!(found.against_single.is_significant(0.05) && found.held_out > found.single_value);
    assert!(
        !found
            .warnings
            .iter()
            .any(|warning| warning.contains("over a ")),
        "{:?}",
        found.warnings
    );
}

#[test]
fn a_gain_that_is_chance_is_called_so() {
    let (qrels, runs) = made(60, &[0.0, 0.0, 0.0], 3);
    let options = TuneOptions {
        normalizations: Normalization::ALL.to_vec(),
        ..TuneOptions::default()
    };
    let found = tuned(&qrels, &runs, "wsum", &options);
    // Among 637 settings the search goes uphill.
    assert!(!found.exhaustive && found.settings < 637);
    // Chosen and measured on the same queries it looks like a gain.
    assert!(found.in_sample > found.untuned_value);
    let warnings = found.warnings.join("\n");
    assert!(
        warnings.contains("a gain over wsum, none as it is is not shown"),
        "{warnings}"
    );
    assert!(warnings.contains("different settings: "), "{warnings}");
    assert!(found.verdicts(0.05)[1].starts_with("no difference shown between"));
}

#[test]
fn of_equal_settings_the_simplest_is_chosen() {
    // Both runs are perfect: no setting is better than another.
    let (qrels, runs) = made(30, &[2.0, 2.0], 1);
    for method in ["wsum", "rrf", "wrrf", "rbc", "combgmnz"] {
        let options = TuneOptions {
            depths: vec![5, 3],
            ..TuneOptions::default()
        };
        let found = tuned(&qrels, &runs, method, &options);
        assert_eq!(
            found.chosen,
            FusionSpec::new(method.parse().unwrap()),
            "{method}"
        );
        assert_eq!(found.folds.len(), 5);
        assert!(found.folds.iter().all(|fold| fold.spec == found.chosen));
    }
}

#[test]
fn neither_threads_nor_the_order_of_runs_lines_change_a_choice_and_a_seed_does() {
    let (qrels, runs) = made(80, &[0.3, 0.2, 0.1, 0.1, 0.0], 9);
    let of = |seed| {
        tuned(
            &qrels,
            &runs,
            "wsum",
            &TuneOptions {
                seed,
                ..TuneOptions::default()
            },
        )
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let (many, one, other) = (of(1), pool.install(|| of(1)), of(2));
    assert_eq!(
        (many.held_out.to_bits(), &many.folds),
        (one.held_out.to_bits(), &one.folds)
    );
    assert_eq!((&many.chosen, many.settings), (&one.chosen, one.settings));
    // All queries together choose the same whatever the folds are.
    assert_eq!(many.chosen, other.chosen);
    assert_ne!(many.folds, other.folds);
}

#[test]
fn queries_of_a_group_are_fused_with_one_setting() {
    let (qrels, runs) = made(40, &[0.5, 0.1], 4);
    let group = |query: usize| (format!("q{query:03}"), format!("g{}", query % 4));
    let groups: BTreeMap<String, String> = (0..40).map(group).collect();
    let options = TuneOptions {
        folds: 4,
        groups,
        ..TuneOptions::default()
    };
    let found = tuned(&qrels, &runs, "wsum", &options);
    assert!(found.folds.iter().all(|fold| fold.queries == 10));
    // Every group's lists are those of one fold's setting.
    let lists = |run: &Run, query: &str| {
        let ranking = run.ranking(run.queries().get(query).unwrap(), RankingPolicy::default());
        let entries = ranking.entries().iter();
        entries
            .map(|e| {
                (
                    run.documents().name(e.document).to_owned(),
                    e.score.to_bits(),
                )
            })
            .collect::<Vec<_>>()
    };
    for group in 0..4 {
        let fits = found.folds.iter().any(|fold| {
            let whole = fold.spec.fuse(&[&runs[0], &runs[1]], "f").unwrap().run;
            (group..40).step_by(4).all(|q| {
                lists(&whole, &format!("q{q:03}")) == lists(&found.run, &format!("q{q:03}"))
            })
        });
        assert!(fits, "g{group}");
    }
}

#[test]
fn parameters_are_written_as_a_table_of_a_system() {
    let (qrels, runs) = made(50, &[0.6, 0.0], 1);
    let options = TuneOptions {
        depths: vec![1],
        ..TuneOptions::default()
    };
    let mut found = tuned(&qrels, &runs, "wsum", &options);
    found.chosen = FusionSpec {
        depth: Some(10),
        ..FusionSpec::new("wsum(weights=0.7,0.3)".parse().unwrap())
    };
    found.runs[1] = "b \"c\"".to_owned();
    assert_eq!(
        found.to_toml(),
        "[fuse]\nruns = [\"a\", \"b \\\"c\\\"\"]\nmethod = \"wsum\"\nweights = [0.7, 0.3]\nnorm = \"min-max\"\ndepth = 10\n"
    );
    assert_eq!(
        describe(&found.chosen),
        "wsum(weights=0.7,0.3), min-max, depth 10"
    );
    let measure: MeasureSpec = "NumRet".parse().unwrap();
    let runs: Vec<&Run> = runs.iter().collect();
    let method = "wsum".parse().unwrap();
    let error = tune(
        &qrels,
        &runs,
        &method,
        &measure,
        &TuneOptions::default(),
        &(),
    )
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "parameters are chosen by the mean of a measure; NumRet has none"
    );
    let options = TuneOptions {
        folds: 1,
        ..TuneOptions::default()
    };
    let error = tune(
        &qrels,
        &runs,
        &method,
        &"RR".parse().unwrap(),
        &options,
        &(),
    )
    .unwrap_err();
    assert_eq!(error.to_string(), "expected 2 folds or more, found 1");
}
