//! A value taken apart adds up to the value.

#![allow(clippy::unwrap_used)]

use mrmr_core::{
    MissingPolicy, NoRelevantPolicy, Origin, Qrels, RankingPolicy, Run, TiePolicy, UnjudgedPolicy,
};
use mrmr_measures::{Evaluator, LeftOut, MeasureSpec, Policies};
use proptest::prelude::*;

const SUMS: &[&str] = &[
    "DCG@3",
    "nDCG",
    "nDCG@3",
    "nDCG(gain=exp2)@4",
    "nDCG(min_rel=2)@3",
    "ERR@3",
    "nERR@3",
    "RBP(p=0.5)",
    "RBP(rel=2)@3",
    "RR",
    "RR@2",
    "RR(rel=2)",
    "Success@2",
    "P@3",
    "P(rel=2)@3",
    "R@3",
    "Rprec",
    "R_cap@2",
    "F(beta=2)@3",
    "AP",
    "AP@3",
    "AP(norm=min)@2",
    "Judged@3",
    "Unjudged@3",
];
const OTHERS: &[&str] = &[
    "bpref",
    "infAP",
    "IPrec@0.5",
    "NumRel",
    "Compat",
    "SetP",
    "Rprec(multiple=0.5)",
];

fn data(documents: &[(u8, Option<i8>)], rest: &[i8]) -> (Qrels, Run) {
    let mut judged = Qrels::builder(Origin::memory("qrels"));
    let mut scored = Run::builder("run", Origin::memory("run"));
    scored.add_empty("q");
    for (at, (score, grade)) in documents.iter().enumerate() {
        let document = format!("d{at}");
        scored
            .add("q", &document, f64::from(*score), at as u64)
            .unwrap();
        if let Some(grade) = grade {
            judged
                .add("q", &document, f64::from(*grade), at as u64)
                .unwrap();
        }
    }
    for (at, grade) in rest.iter().enumerate() {
        judged
            .add("q", &format!("r{at}"), f64::from(*grade), 100 + at as u64)
            .unwrap();
    }
    (
        judged.finish().unwrap().0,
        scored.finish(Default::default()).unwrap().0,
    )
}

proptest! {
    #[test]
    fn parts_add_up_to_the_value(
        documents in proptest::collection::vec((0u8..5, proptest::option::weighted(0.6, -1i8..4)), 0..9),
        rest in proptest::collection::vec(-1i8..4, 1..4),
        drop in any::<bool>(),
        expected in any::<bool>(),
    ) {
        let (qrels, run) = data(&documents, &rest);
        let specs: Vec<MeasureSpec> = SUMS.iter().chain(OTHERS).map(|text| text.parse().unwrap()).collect();
        let policies = Policies {
            unjudged: if drop { UnjudgedPolicy::Drop } else { UnjudgedPolicy::NonRelevant },
            ranking: RankingPolicy {
                ties: if expected { TiePolicy::Expected } else { TiePolicy::Trec },
                ..RankingPolicy::default()
            },
            ..Policies::default()
        };
        let evaluator = Evaluator::new(&qrels, specs, policies).unwrap();
        let evaluation = evaluator.evaluate(&run).unwrap();
        for (at, measure) in evaluation.measures.iter().enumerate() {
            let why = evaluator.explain(&run, "q", &measure.spec).unwrap();
            prop_assert_eq!(why.value, measure.values[0], "{}", measure.spec);
            prop_assert_eq!(why.tie_averaged, measure.tie_averaged, "{}", measure.spec);
            prop_assert_eq!((why.lowest, why.highest), (measure.lowest, measure.highest), "{}", measure.spec);
            // Without a relevant document F divides by nothing that there is.
            let is_sum = at < SUMS.len() && !(measure.spec.definition().name == "F" && why.gaining().next().is_none());
            prop_assert_eq!(why.sum.is_some(), is_sum, "{}", measure.spec);
            if is_sum {
                let last = why.ranks.last().map_or(0.0, |ranked| ranked.part.unwrap().running);
                prop_assert!((last - why.as_ranked).abs() < 1e-12, "{}: {last} {}", measure.spec, why.as_ranked);
            }
            let start = if (why.value - why.as_ranked).abs() > 1e-12 {
                format!(
                    "{} is {:.4}, the mean over the orders of tied documents; in the order shown it is {:.4} because ",
                    measure.spec, why.value, why.as_ranked
                )
            } else {
                format!("{} is {:.4} because ", measure.spec, why.value)
            };
            prop_assert!(why.to_string().starts_with(&start), "{why}");
        }
    }

    #[test]
    fn differences_are_those_of_the_evaluations(
        a in proptest::collection::vec((0u8..5, proptest::option::weighted(0.6, 0i8..3)), 0..9),
        order in proptest::collection::vec(0u8..5, 9),
    ) {
        let (qrels, first) = data(&a, &[1]);
        let mut scored = Run::builder("other", Origin::memory("run"));
        for (at, score) in order.iter().enumerate() {
            scored.add("q", &format!("d{at}"), f64::from(*score), at as u64).unwrap();
        }
        let second = scored.finish(Default::default()).unwrap().0;
        let spec: MeasureSpec = "nDCG@3".parse().unwrap();
        let evaluator = Evaluator::new(&qrels, vec![spec.clone()], Policies::default()).unwrap();
        let value = |run: &Run| evaluator.evaluate(run).unwrap().measures[0].values[0];
        let there = evaluator.differences(&first, &second, &spec).unwrap();
        let back = evaluator.differences(&second, &first, &spec).unwrap();
        let (there, back) = (&there.queries[0], &back.queries[0]);
        prop_assert_eq!(there.difference, value(&second) - value(&first));
        prop_assert_eq!(there.difference, -back.difference);
        prop_assert_eq!(there.gained.len(), back.lost.len());
        prop_assert_eq!(there.overlap, back.overlap);
    }
}

#[test]
fn a_reason_names_what_decides() {
    // d1 (grade 2) at rank 1, d2 unjudged, d3 (grade 1) at rank 3; d9 (grade 3) is not retrieved.
    let (qrels, run) = data(&[(9, Some(2)), (8, None), (7, Some(1))], &[3]);
    for (measure, reason) in [
        (
            "nDCG@10",
            "nDCG@10 is 0.5250 because 2 of the 3 documents that gain anything are in the top 10, at ranks 1, 3: DCG 2.5000 of an ideal 4.7619; most is lost by 'r0' (grade 3), which was not retrieved",
        ),
        (
            "RR(rel=3)@10",
            "RR(rel=3)@10 is 0.0000 because the one relevant document that there is was not retrieved",
        ),
        (
            "RR",
            "RR is 1.0000 because the first relevant document, 'd0' (grade 2), is at rank 1",
        ),
        (
            "P@2",
            "P@2 is 0.5000 because 1 of the 3 relevant documents is in the top 2, at rank 1; 1 / 2",
        ),
        (
            "AP",
            "AP is 0.5556 because 2 of the 3 relevant documents are retrieved, at ranks 1, 3; the precision at these ranks adds up to 1.6667, divided by 3",
        ),
        (
            "Judged@2",
            "Judged@2 is 0.5000 because 1 of the first 2 documents are judged",
        ),
        (
            "P(rel=9)@2",
            "P(rel=9)@2 is 0.0000 because none of the 3 judged documents of the query counts as relevant",
        ),
    ] {
        let spec: MeasureSpec = measure.parse().unwrap();
        let evaluator = Evaluator::new(&qrels, vec![spec.clone()], Policies::default()).unwrap();
        assert_eq!(
            evaluator.explain(&run, "q", &spec).unwrap().to_string(),
            reason
        );
    }
    let spec: MeasureSpec = "RR".parse().unwrap();
    let evaluator = Evaluator::new(&qrels, vec![spec.clone()], Policies::default()).unwrap();
    let error = evaluator.explain(&run, "Q", &spec).unwrap_err();
    assert_eq!(error.to_string(), "query 'Q' is not judged");
    assert_eq!(error.hints(), ["did you mean 'q'?"]);
}

#[test]
fn a_mean_over_orders_is_not_said_to_come_of_the_order_shown() {
    let (qrels, run) = data(&[(5, Some(1)), (5, None), (5, None)], &[1]);
    let spec: MeasureSpec = "nDCG@10".parse().unwrap();
    let reason = |ties: TiePolicy| {
        let policies = Policies {
            ranking: RankingPolicy {
                ties,
                ..RankingPolicy::default()
            },
            ..Policies::default()
        };
        let evaluator = Evaluator::new(&qrels, vec![spec.clone()], policies).unwrap();
        evaluator.explain(&run, "q", &spec).unwrap().to_string()
    };
    let why = "because 1 of the 2 documents that gain anything is in the top 10, at rank 3: DCG 0.5000 of an ideal 1.6309; \
               most is lost by 'r0' (grade 1), which was not retrieved";
    assert_eq!(
        reason(TiePolicy::Expected),
        format!(
            "nDCG@10 is 0.4355, the mean over the orders of tied documents; in the order shown it is 0.3066 {why}; \
             over all these orders it is 0.3066 to 0.6131"
        )
    );
    assert_eq!(
        reason(TiePolicy::Trec),
        format!(
            "nDCG@10 is 0.3066 {why}; over the orders of tied documents it is 0.3066 to 0.6131, 0.4355 on average"
        )
    );
}

#[test]
fn a_query_that_is_left_out_has_no_value() {
    let mut judged = Qrels::builder(Origin::memory("qrels"));
    judged.add("gone", "d", 1.0, 0).unwrap();
    judged.add("hopeless", "d", 0.0, 1).unwrap();
    let qrels = judged.finish().unwrap().0;
    let mut scored = Run::builder("run", Origin::memory("run"));
    scored.add("hopeless", "d", 1.0, 0).unwrap();
    let run = scored.finish(Default::default()).unwrap().0;
    let spec: MeasureSpec = "RR".parse().unwrap();
    let explained = |query, missing| {
        let policies = Policies {
            missing,
            no_relevant: NoRelevantPolicy::Skip,
            ..Policies::default()
        };
        let evaluator = Evaluator::new(&qrels, vec![spec.clone()], policies).unwrap();
        evaluator.explain(&run, query, &spec)
    };
    let gone = explained("gone", MissingPolicy::Skip).unwrap();
    assert_eq!(gone.left_out(), Some(LeftOut::Missing));
    assert_eq!(
        gone.to_string(),
        "RR has no value: the run has no answer to the query, which is left out (policy for missing queries: skip)"
    );
    let hopeless = explained("hopeless", MissingPolicy::Skip).unwrap();
    assert_eq!(hopeless.left_out(), Some(LeftOut::NoRelevant));
    assert_eq!(
        hopeless.to_string(),
        "RR has no value: the query has no relevant document and is left out \
         (policy for queries without a relevant document: skip)"
    );
    let counted = explained("gone", MissingPolicy::Zero).unwrap();
    assert_eq!(counted.left_out(), None);
    let error = explained("gone", MissingPolicy::Error).unwrap_err();
    assert!(error.to_string().contains("'gone'"), "{error}");
}
