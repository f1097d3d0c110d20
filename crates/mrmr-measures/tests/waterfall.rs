//! Laws of the waterfall, over generated pipelines.

#![allow(clippy::unwrap_used)]

use std::num::NonZeroUsize;

use mrmr_core::{MissingPolicy, Origin, Qrels, Run};
use mrmr_measures::{Evaluator, MeasureSpec, Policies, Stage, Waterfall};
use proptest::prelude::*;

/// How many queries there are: of a power of two the mean of dyadic values is exact.
const QUERIES: usize = 4;

/// Grades by query; document `d<n>` has the n-th of them, none if it is not judged.
type Grades = Vec<Vec<Option<i8>>>;

fn grades() -> impl Strategy<Value = Grades> {
    let grade = proptest::option::weighted(0.7, -1i8..4);
    proptest::collection::vec(proptest::collection::vec(grade, 8), QUERIES)
}

/// A ranking of some of the eight documents for each query.
fn rankings() -> impl Strategy<Value = Vec<Vec<usize>>> {
    let documents: Vec<usize> = (0..8).collect();
    let ranking = proptest::sample::subsequence(documents, 0..=8).prop_shuffle();
    proptest::collection::vec(ranking, QUERIES)
}

fn judged(grades: &Grades) -> Qrels {
    let mut judged = Qrels::builder(Origin::memory("qrels"));
    for (query, grades) in grades.iter().enumerate() {
        let query = format!("q{query}");
        judged.add(&query, "elsewhere", 1.0, 0).unwrap();
        for (document, grade) in grades.iter().enumerate() {
            if let Some(grade) = grade {
                let document = format!("d{document}");
                judged.add(&query, &document, f64::from(*grade), 0).unwrap();
            }
        }
    }
    judged.finish().unwrap().0
}

fn run(name: &str, rankings: &[Vec<usize>]) -> Run {
    let mut answers = Run::builder(name, Origin::memory(name));
    for (query, ranking) in rankings.iter().enumerate() {
        let query = format!("q{query}");
        answers.add_empty(&query);
        for (rank, document) in ranking.iter().enumerate() {
            let document = format!("d{document}");
            answers
                .add(&query, &document, -(rank as f64), rank as u64)
                .unwrap();
        }
    }
    answers.finish(Default::default()).unwrap().0
}

fn waterfall(qrels: &Qrels, measure: &str, stages: &[(Stage, &Run)]) -> Waterfall {
    cut(qrels, measure, stages, None)
}

fn cut(qrels: &Qrels, measure: &str, stages: &[(Stage, &Run)], depth: Option<usize>) -> Waterfall {
    let spec: MeasureSpec = measure.parse().unwrap();
    let evaluator = Evaluator::new(qrels, vec![spec.clone()], Policies::default()).unwrap();
    let depth = depth.and_then(NonZeroUsize::new);
    evaluator.waterfall(stages, &spec, depth).unwrap()
}

const MEASURES: &[&str] = &[
    "RR",
    "RR@3",
    "RR(rel=2)@4",
    "nDCG",
    "nDCG@3",
    "nDCG(gain=exp2)@4",
    "AP",
    "AP@3",
    "P@2",
    "R@3",
    "R_cap@2",
    "F@3",
    "Success@2",
    "Rprec",
    "bpref",
    "infAP",
    "IPrec@0.5",
    "ERR@4",
    "nERR@4",
    "RBP",
    "Compat",
    "SetR",
    "DCG@3",
];

proptest! {
    #[test]
    fn no_order_of_the_candidates_is_above_their_ceiling(
        grades in grades(),
        (first, second) in rankings().prop_flat_map(|first| {
            let orders: Vec<_> = first.iter().map(|r| Just(r.clone()).prop_shuffle()).collect();
            (Just(first), orders)
        }),
    ) {
        let qrels = judged(&grades);
        let (candidates, reranked) = (run("candidates", &first), run("reranked", &second));
        for measure in MEASURES {
            let stages = [(Stage::Candidates, &candidates), (Stage::Reranked, &reranked)];
            let found = waterfall(&qrels, measure, &stages);
            for stage in &found.stages {
                prop_assert!(stage.value <= found.ceiling, "{measure}: {stage:?} of {}", found.ceiling);
            }
            let below = found.below_ceiling.unwrap();
            prop_assert!(below.higher.is_empty(), "{measure}: {below:?}");
            prop_assert!(found.beyond_candidates.is_empty());
        }
    }

    #[test]
    fn candidates_with_every_relevant_document_reach_the_ideal(grades in grades(), order in rankings()) {
        let mut everything: Vec<Vec<usize>> = order;
        for ranking in &mut everything {
            let rest: Vec<usize> = (0..8).filter(|d| !ranking.contains(d)).collect();
            ranking.extend(rest);
        }
        let mut qrels = Qrels::builder(Origin::memory("qrels"));
        for (query, grades) in grades.iter().enumerate() {
            qrels.add(&format!("q{query}"), "d0", 1.0, 0).unwrap();
            for (document, grade) in grades.iter().enumerate().skip(1) {
                let Some(grade) = grade else { continue };
                qrels.add(&format!("q{query}"), &format!("d{document}"), f64::from(*grade), 0).unwrap();
            }
        }
        let (qrels, _) = qrels.finish().unwrap();
        let all = run("all", &everything);
        for measure in MEASURES {
            let found = waterfall(&qrels, measure, &[(Stage::Ann, &all), (Stage::Candidates, &all)]);
            prop_assert_eq!(found.ceiling, found.ideal, "{}", measure);
            prop_assert!(found.lacking.lower.is_empty());
        }
    }

    #[test]
    fn steps_add_up_to_the_final_value(
        grades in grades(), a in rankings(), b in rankings(), c in rankings(), depth in 1usize..8,
    ) {
        let qrels = judged(&grades);
        let (a, b, c) = (run("a", &a), run("b", &b), run("c", &c));
        let stages = [(Stage::Exact, &a), (Stage::Ann, &b), (Stage::Reranked, &c)];
        // Eighths of quarters are exact in binary, and so are their sums.
        for (measure, exact) in [("Success@3", true), ("P@4", true), ("nDCG@3", false), ("AP", false)] {
            let found = cut(&qrels, measure, &stages, Some(depth));
            prop_assert_eq!(found.stages.len(), 4);
            let steps = found.stages.iter().filter_map(|stage| stage.change.as_ref());
            let sum = found.stages[0].value + steps.clone().map(|change| change.difference).sum::<f64>();
            let tolerance = if exact { 0.0 } else { 1e-15 };
            prop_assert!((sum - found.end()).abs() <= tolerance, "{measure}: {sum} {}", found.end());
            for change in steps.chain([&found.lacking]).chain(&found.below_ceiling) {
                prop_assert!((change.gained - change.lost - change.difference).abs() <= tolerance);
            }
            let below = found.below_ceiling.as_ref().unwrap();
            prop_assert!((found.ideal + found.lacking.difference + below.difference - found.end()).abs() <= tolerance);
        }
    }

    #[test]
    fn identical_stages_lose_nothing(grades in grades(), ranking in rankings()) {
        let qrels = judged(&grades);
        let same = run("same", &ranking);
        for measure in MEASURES {
            let stages = Stage::ALL.iter().map(|stage| (*stage, &same));
            let found = waterfall(&qrels, measure, &stages.collect::<Vec<_>>());
            for change in found.stages.iter().filter_map(|stage| stage.change.as_ref()) {
                prop_assert_eq!((change.difference, change.lost, change.gained), (0.0, 0.0, 0.0));
                prop_assert!(change.lower.is_empty() && change.higher.is_empty());
            }
        }
    }
}

#[test]
fn queries_that_a_stage_lacks_count_as_the_policy_says() {
    let mut judged = Qrels::builder(Origin::memory("qrels"));
    judged.add("q0", "d0", 1.0, 0).unwrap();
    judged.add("q1", "d0", 1.0, 0).unwrap();
    let (qrels, _) = judged.finish().unwrap();
    let (exact, ann) = (run("exact", &[vec![0], vec![0]]), run("ann", &[vec![1, 0]]));
    let spec: MeasureSpec = "RR".parse().unwrap();
    let with = |missing| {
        let policies = Policies {
            missing,
            ..Policies::default()
        };
        let evaluator = Evaluator::new(&qrels, vec![spec.clone()], policies).unwrap();
        evaluator.waterfall(&[(Stage::Exact, &exact), (Stage::Ann, &ann)], &spec, None)
    };
    let zero = with(MissingPolicy::Zero).unwrap();
    assert_eq!((zero.end(), zero.ceiling), (0.25, 0.5));
    let lost: Vec<&str> = zero.stages[1]
        .change
        .as_ref()
        .unwrap()
        .lower
        .iter()
        .map(|q| q.query.as_str())
        .collect();
    assert_eq!(lost, ["q1", "q0"]);
    assert_eq!(zero.lacking.lower[0].lost_documents, ["d0"]);

    let skip = with(MissingPolicy::Skip).unwrap();
    assert_eq!((skip.stages[0].value, skip.end()), (1.0, 0.5));
    assert_eq!(skip.left_out, ["q1"]);
    assert!(with(MissingPolicy::Error).is_err());
}

#[test]
fn what_makes_no_waterfall_is_refused() {
    let qrels = judged(&vec![vec![Some(1); 8]; QUERIES]);
    let one = run("one", &vec![vec![0, 1]; QUERIES]);
    let error = |measure: &str, stages: &[Stage], depth: Option<usize>| {
        let spec: MeasureSpec = measure.parse().unwrap();
        let evaluator = Evaluator::new(&qrels, vec![spec.clone()], Policies::default()).unwrap();
        let stages: Vec<(Stage, &Run)> = stages.iter().map(|stage| (*stage, &one)).collect();
        let found = evaluator.waterfall(&stages, &spec, depth.and_then(NonZeroUsize::new));
        found.unwrap_err().to_string()
    };
    let both = [Stage::Ann, Stage::Reranked];
    for (measure, stages, depth, message) in [
        (
            "RR",
            &[Stage::Ann][..],
            None,
            "a waterfall needs two stages or more",
        ),
        (
            "RR",
            &[Stage::Ann, Stage::Ann],
            None,
            "the stage ann is given twice",
        ),
        (
            "RR",
            &[Stage::Reranked],
            Some(2),
            "there is a depth of candidates and no run that they are of",
        ),
        (
            "NumRelRet",
            &both,
            None,
            "NumRelRet is no mean over queries: there is no share of it that a query loses",
        ),
        (
            "Unjudged@5",
            &both,
            None,
            "Unjudged@5 is not decided by the order of the grades alone: a perfect reranker has no ceiling by it",
        ),
    ] {
        assert_eq!(error(measure, stages, depth), message);
    }
    let error = "rerank".parse::<Stage>().unwrap_err();
    assert_eq!(error.hints(), ["did you mean reranked?"]);
}
