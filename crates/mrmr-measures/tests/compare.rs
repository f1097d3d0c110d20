//! Runs compared over the right queries, as one family of tests.

#![allow(clippy::unwrap_used)]

use mrmr_core::{MissingPolicy, Origin, Qrels, Run};
use mrmr_measures::statistics::Correction;
use mrmr_measures::{
    CompareOptions, DifferentQueries, Evaluation, Evaluator, Policies, compare, compare_all_pairs,
};

fn qrels(queries: usize) -> Qrels {
    let mut judged = Qrels::builder(Origin::memory("qrels"));
    for query in 0..queries {
        judged
            .add(&format!("q{query}"), "d", 1.0, query as u64)
            .unwrap();
    }
    judged.finish().unwrap().0
}

/// A run that has the relevant document of each query at a rank; 0 where it lacks the query.
fn run(name: &str, ranks: &[usize]) -> Run {
    let mut scored = Run::builder(name, Origin::memory("run"));
    for (query, relevant) in ranks.iter().enumerate() {
        for rank in 1..=*relevant {
            let document = if rank == *relevant {
                "d".to_owned()
            } else {
                format!("x{rank}")
            };
            scored
                .add(&format!("q{query}"), &document, -(rank as f64), rank as u64)
                .unwrap();
        }
    }
    scored.finish(Default::default()).unwrap().0
}

fn evaluations(qrels: &Qrels, runs: &[Run], missing: MissingPolicy) -> Vec<Evaluation> {
    let measures = ["RR", "Success@1"]
        .iter()
        .map(|text| text.parse().unwrap())
        .collect();
    let policies = Policies {
        missing,
        ..Policies::default()
    };
    let evaluator = Evaluator::new(qrels, measures, policies).unwrap();
    runs.iter()
        .map(|run| evaluator.evaluate(run).unwrap())
        .collect()
}

#[test]
fn all_measures_and_runs_are_one_family() {
    let qrels = qrels(8);
    let runs = [
        run("base", &[2; 8]),
        run("better", &[1; 8]),
        run("worse", &[3, 3, 3, 3, 2, 2, 2, 2]),
        run("same", &[2; 8]),
    ];
    let evaluations = evaluations(&qrels, &runs, MissingPolicy::Zero);
    let all: Vec<&Evaluation> = evaluations.iter().collect();
    let compared = compare(&all, 0, &CompareOptions::default()).unwrap();
    assert_eq!(compared.runs, ["better", "worse", "same"]);
    let pairs = compared.measures.iter().flat_map(|measure| &measure.pairs);
    let p: Vec<f64> = pairs.clone().map(|pair| pair.comparison.p).collect();
    let adjusted: Vec<f64> = pairs.map(|pair| pair.comparison.adjusted_p).collect();
    assert_eq!(adjusted, Correction::Holm.adjust(&p));
    let rr = &compared.measures[0];
    assert!(rr.pairs[0].is_better(0.05) && !rr.pairs[1].is_worse(0.05));
    let same = &rr.pairs[2];
    assert_eq!((same.comparison.p, same.comparison.difference), (1.0, 0.0));
    assert_eq!(same.detectable, None);
    assert!(same.verdict.starts_with("no difference shown"));
}

#[test]
fn a_regression_is_worse_and_shown_and_beyond_the_tolerance() {
    let qrels = qrels(8);
    let runs = [run("base", &[1; 8]), run("worse", &[2; 8])];
    let evaluations = evaluations(&qrels, &runs, MissingPolicy::Zero);
    let all: Vec<&Evaluation> = evaluations.iter().collect();
    let compared = compare(&all, 0, &CompareOptions::default()).unwrap();
    let passed = |tolerance| -> Vec<bool> {
        let gates = compared.regressions(tolerance);
        gates.iter().map(|gate| gate.passed).collect()
    };
    // RR falls by 0.5, Success@1 by 1.
    assert_eq!(passed(0.0), [false, false]);
    assert_eq!(passed(0.5), [true, false]);
    assert_eq!(passed(1.0), [true, true]);
    // The other way round it is a gain.
    let gains = compare(&all, 1, &CompareOptions::default()).unwrap();
    assert!(gains.regressions(0.0).iter().all(|gate| gate.passed));
}

#[test]
fn different_queries_are_refused_zeroed_or_left_out() {
    let qrels = qrels(6);
    // The first lacks q5, the second q0; both lack q4.
    let runs = [run("a", &[1, 2, 1, 2, 0, 0]), run("b", &[0, 1, 1, 1, 0, 1])];
    let of = |policy, missing| {
        let evaluations = evaluations(&qrels, &runs, missing);
        let all: Vec<&Evaluation> = evaluations.iter().collect();
        let options = CompareOptions {
            different_queries: policy,
            ..CompareOptions::default()
        };
        compare(&all, 0, &options).map(|compared| compared.paired)
    };
    let error = of(DifferentQueries::Refuse, MissingPolicy::Zero).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the runs answer different queries: of 6 judged queries a lacks 2, b lacks 2; 2 of them ('q0' for one) are in one run and not in another"
    );
    let zero = of(DifferentQueries::Zero, MissingPolicy::Zero).unwrap();
    assert_eq!((zero.queries.len(), zero.different), (6, 2));
    for missing in [MissingPolicy::Zero, MissingPolicy::Skip] {
        let common = of(DifferentQueries::Common, missing).unwrap();
        assert_eq!(common.left_out, ["q0", "q4", "q5"]);
    }
    of(DifferentQueries::Zero, MissingPolicy::Skip).unwrap_err();
    // What all runs lack is no difference.
    let same = [run("a", &[1, 2, 1, 2, 0, 1]), run("b", &[2, 1, 1, 1, 0, 1])];
    let evaluations = evaluations(&qrels, &same, MissingPolicy::Skip);
    let all: Vec<&Evaluation> = evaluations.iter().collect();
    let compared = compare(&all, 0, &CompareOptions::default()).unwrap();
    assert_eq!(compared.paired.left_out, ["q4"]);
}

#[test]
fn all_pairs_are_symmetric_and_identical_runs_have_p_1() {
    let qrels = qrels(8);
    let runs = [run("a", &[1; 8]), run("b", &[4; 8]), run("c", &[1; 8])];
    let evaluations = evaluations(&qrels, &runs, MissingPolicy::Zero);
    let all: Vec<&Evaluation> = evaluations.iter().collect();
    let pairs = compare_all_pairs(&all, &CompareOptions::default(), 999, 7).unwrap();
    let rr = &pairs.measures[0];
    assert_eq!(rr.p[0][2], 1.0);
    assert_eq!(rr.p[0][1], rr.p[1][0]);
    assert!(rr.is_better(0, 1, 0.05) && !rr.is_better(1, 0, 0.05));
}

#[test]
fn one_run_is_no_comparison() {
    let qrels = qrels(2);
    let evaluations = evaluations(&qrels, &[run("a", &[1, 1])], MissingPolicy::Zero);
    let error = compare(&[&evaluations[0]], 0, &CompareOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a comparison needs a reference and another run"
    );
}
