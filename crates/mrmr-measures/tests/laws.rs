//! Laws that every measure obeys, over generated rankings and judgements.

#![allow(clippy::unwrap_used)]

use mrmr_core::{
    Interned, Origin, Qrels, QrelsBuilder, RankingPolicy, Run, ScorePrecision, TiePolicy,
};
use mrmr_measures::{Evaluation, Evaluator, MeasureSpec, Policies, Range, TieMethod, definitions};
use proptest::prelude::*;

/// A query's documents: (score, grade or unjudged), and further judged grades that were not retrieved.
type Query = (Vec<(u8, Option<i8>)>, Vec<i8>);

fn queries(most: usize) -> impl Strategy<Value = Vec<Query>> {
    let document = (0u8..4, proptest::option::weighted(0.8, -1i8..4));
    let query = (
        proptest::collection::vec(document, 0..=most),
        proptest::collection::vec(-1i8..4, 1..3),
    );
    proptest::collection::vec(query, 1..4)
}

/// Every measure, with cutoffs and parameters where it takes them.
fn measures() -> Vec<MeasureSpec> {
    let texts = [
        "AP",
        "AP@3",
        "AP(norm=min)@2",
        "AP(rel=2)",
        "DCG",
        "DCG@2",
        "F@3",
        "F(beta=2)@2",
        "Judged@3",
        "nDCG",
        "nDCG@2",
        "nDCG(gain=exp2)@3",
        "nDCG(min_rel=2)@3",
        "NumQ",
        "NumRel",
        "NumRelRet",
        "NumRet",
        "P@1",
        "P@3",
        "P(rel=2)@5",
        "R@2",
        "R(rel=0)@3",
        "R_cap@2",
        "Rprec",
        "Rprec(rel=2)",
        "RR",
        "RR@1",
        "RR@3",
        "RR(rel=3)@4",
        "Success@1",
        "Success@3",
        "Unjudged@2",
        "bpref",
        "bpref(rel=2)",
        "infAP",
        "infAP(rel=2)",
        "IPrec@0",
        "IPrec@0.5",
        "IPrec(rel=2)@1",
        "GMAP",
        "SetP",
        "SetR(rel=2)",
        "SetF(beta=0.5)",
        "SetAP",
        "Rprec(multiple=1.4)",
        "Rprec(multiple=0.2)",
        "ERR",
        "ERR@2",
        "ERR(max_rel=5)@3",
        "nERR",
        "nERR@2",
        "RBP",
        "RBP(p=0.5)@3",
        "RBP(rel=2)",
        "Compat",
        "Compat(p=0.5)",
        "alpha_nDCG",
        "alpha_nDCG(alpha=0.3)@2",
        "ERR_IA@2",
        "ERR_IA(rel=2)@4",
    ];
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn build(queries: &[Query], rename: impl Fn(usize, usize) -> (String, String)) -> (Qrels, Run) {
    let mut judged = Qrels::builder(Origin::memory("qrels"));
    let mut scored = Run::builder("run", Origin::memory("run"));
    for (q, (documents, rest)) in queries.iter().enumerate() {
        for (d, (score, grade)) in documents.iter().enumerate() {
            let (query, document) = rename(q, d);
            scored
                .add(&query, &document, f64::from(*score), d as u64)
                .unwrap();
            if let Some(grade) = grade {
                judge(&mut judged, (&query, &document), d, *grade);
            }
        }
        for (d, grade) in rest.iter().enumerate() {
            let (query, document) = rename(q, documents.len() + d);
            judge(
                &mut judged,
                (&query, &document),
                documents.len() + d,
                *grade,
            );
        }
    }
    (
        judged.finish().unwrap().0,
        scored.finish(Default::default()).unwrap().0,
    )
}

/// Judges a document for two of three subtopics; the higher grade is the one that is given.
fn judge(judged: &mut QrelsBuilder, (query, document): (&str, &str), number: usize, grade: i8) {
    let other = grade.min((number % 2) as i8);
    for (subtopic, grade) in [(number % 3, grade), ((number + 1) % 3, other)] {
        judged
            .add_subtopic(
                query,
                &subtopic.to_string(),
                document,
                f64::from(grade),
                number as u64,
            )
            .unwrap();
    }
}

fn plain(query: usize, document: usize) -> (String, String) {
    (format!("q{query}"), format!("d{document}"))
}

fn evaluate(qrels: &Qrels, run: &Run, ties: TiePolicy) -> Evaluation {
    let policies = Policies {
        ranking: RankingPolicy {
            ties,
            precision: ScorePrecision::F64,
        },
        ..Policies::default()
    };
    Evaluator::new(qrels, measures(), policies)
        .unwrap()
        .evaluate(run)
        .unwrap()
}

/// All orders of the numbers below `n`.
fn orders(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for order in orders(n - 1) {
        for at in 0..n {
            let mut longer = order.clone();
            longer.insert(at, n - 1);
            all.push(longer);
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn values_lie_in_the_range_that_the_measure_declares(queries in queries(8)) {
        let (qrels, run) = build(&queries, plain);
        for measure in evaluate(&qrels, &run, TiePolicy::Trec).measures {
            for value in &measure.values {
                match measure.spec.definition().range {
                    Range::Unit => prop_assert!((0.0..=1.0).contains(value), "{} {value}", measure.spec),
                    Range::NonNegative => prop_assert!(*value >= 0.0),
                    Range::Count => prop_assert!(*value >= 0.0 && value.fract() == 0.0),
                }
            }
        }
    }

    #[test]
    fn averages_and_extremes_over_ties_are_those_of_all_orders(queries in queries(5)) {
        let (qrels, run) = build(&queries[..1], plain);
        let found = evaluate(&qrels, &run, TiePolicy::Expected);
        let documents = &queries[0].0;
        // Every order of the lines is an order of the ties under the policy `input`.
        let mut values: Vec<Vec<f64>> = vec![Vec::new(); found.measures.len()];
        for order in orders(documents.len()) {
            let mut scored = Run::builder("run", Origin::memory("run"));
            for (at, d) in order.into_iter().enumerate() {
                let (query, document) = plain(0, d);
                scored.add(&query, &document, f64::from(documents[d].0), at as u64).unwrap();
            }
            let (run, _) = scored.finish(Default::default()).unwrap();
            let ordered = evaluate(&qrels, &run, TiePolicy::Input);
            for (values, measure) in values.iter_mut().zip(ordered.measures) {
                values.push(measure.value);
            }
        }
        for (values, measure) in values.iter().zip(&found.measures) {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
            let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            prop_assert!((measure.value - mean).abs() < 1e-12, "{}: {} against {mean}", measure.spec, measure.value);
            prop_assert!((measure.lowest - lowest).abs() < 1e-12, "{} lowest {} {lowest}", measure.spec, measure.lowest);
            prop_assert!((measure.highest - highest).abs() < 1e-12, "{} highest {} {highest}", measure.spec, measure.highest);
            prop_assert!(measure.averaged_by <= TieMethod::Enumerated && measure.extremes_by <= TieMethod::Enumerated);
        }
    }

    #[test]
    fn under_expected_renamed_documents_change_nothing(queries in queries(8)) {
        let (qrels, run) = build(&queries, plain);
        let (qrels_2, run_2) = build(&queries, |q, d| (format!("q{q}"), format!("x{}", 99 - d)));
        let (a, b) = (evaluate(&qrels, &run, TiePolicy::Expected), evaluate(&qrels_2, &run_2, TiePolicy::Expected));
        for (a, b) in a.measures.iter().zip(&b.measures) {
            // Its ideal order goes by ids where two documents gain the same, as ndeval's does.
            if a.spec.definition().name != "alpha_nDCG" {
                prop_assert!((a.value - b.value).abs() < 1e-12, "{}", a.spec);
            }
        }
    }

    #[test]
    fn renamed_queries_and_shuffled_lines_leave_every_bit(queries in queries(8)) {
        let (qrels, run) = build(&queries, plain);
        let (renamed_qrels, renamed) = build(&queries, |q, d| (format!("z{}", 9 - q), format!("d{d}")));
        let first = evaluate(&qrels, &run, TiePolicy::Trec);
        let second = evaluate(&renamed_qrels, &renamed, TiePolicy::Trec);

        let mut backwards = Run::builder("run", Origin::memory("run"));
        for query in run.queries().sorted_keys().into_iter().rev() {
            for (n, entry) in run.entries(query).iter().rev().enumerate() {
                let document = run.documents().name(entry.document);
                backwards.add(run.queries().name(query), document, entry.score, n as u64).unwrap();
            }
        }
        let backwards = backwards.finish(Default::default()).unwrap().0;
        let third = evaluate(&qrels, &backwards, TiePolicy::Trec);
        for ((a, b), c) in first.measures.iter().zip(&second.measures).zip(&third.measures) {
            prop_assert_eq!(a.value.to_bits(), b.value.to_bits());
            prop_assert_eq!(a.value.to_bits(), c.value.to_bits());
        }
    }

    #[test]
    fn cutoffs_only_add(queries in queries(8)) {
        let (qrels, run) = build(&queries, plain);
        for name in ["RR", "R", "Success"] {
            let specs = (1..=9).map(|k| format!("{name}@{k}").parse().unwrap()).collect();
            let values = Evaluator::new(&qrels, specs, Policies::default()).unwrap().evaluate(&run).unwrap();
            for pair in values.measures.windows(2) {
                prop_assert!(pair[0].value <= pair[1].value, "{name}");
            }
        }
    }

    #[test]
    fn with_one_relevant_document_ap_is_rr(scores in proptest::collection::vec(0u8..5, 1..9), relevant in 0usize..9) {
        let documents = scores.iter().enumerate().map(|(i, s)| (*s, (i == relevant % scores.len()).then_some(1))).collect();
        let (qrels, run) = build(&[(documents, vec![0])], plain);
        let values = evaluate(&qrels, &run, TiePolicy::Trec);
        let value = |text: &str| values.measure(&text.parse().unwrap()).unwrap().value;
        prop_assert_eq!(value("AP"), value("RR"));
    }

    #[test]
    fn the_ideal_order_gives_ndcg_1_and_scaled_gains_leave_it(grades in proptest::collection::vec(0i8..4, 1..9)) {
        prop_assume!(grades.iter().any(|grade| *grade > 0));
        let documents = grades.iter().map(|grade| (*grade as u8, Some(*grade))).collect();
        let (qrels, run) = build(&[(documents, vec![-1])], plain);
        let values = evaluate(&qrels, &run, TiePolicy::Trec);
        prop_assert_eq!(values.measure(&"nDCG".parse().unwrap()).unwrap().value, 1.0);

        let scaled = |factor: f64| {
            let mut judged = Qrels::builder(Origin::memory("qrels"));
            for (d, grade) in grades.iter().enumerate() {
                judged.add("q0", &format!("d{d}"), f64::from(*grade) * factor, d as u64).unwrap();
            }
            let qrels = judged.finish().unwrap().0;
            let mut shuffled = Run::builder("run", Origin::memory("run"));
            for d in 0..grades.len() {
                shuffled.add("q0", &format!("d{d}"), (d * 7 % 5) as f64, d as u64).unwrap();
            }
            let run = shuffled.finish(Default::default()).unwrap().0;
            let spec = vec!["nDCG@5".parse().unwrap()];
            Evaluator::new(&qrels, spec, Policies::default()).unwrap().evaluate(&run).unwrap().measures[0].value
        };
        prop_assert!((scaled(1.0) - scaled(0.25)).abs() < 1e-12);
    }
}

#[test]
fn every_measure_is_covered_by_the_laws() {
    let covered = measures();
    for definition in definitions() {
        assert!(
            covered.iter().any(|spec| spec.definition() == *definition),
            "{}",
            definition.name
        );
    }
}

#[test]
fn evaluating_twice_or_in_another_order_changes_nothing() {
    let queries: Vec<Query> = vec![
        (vec![(1, Some(1)), (1, None), (2, Some(0))], vec![2]),
        (vec![(3, Some(-1)), (2, Some(-1))], vec![-1]),
    ];
    let (qrels, run) = build(&queries, plain);
    let evaluator = Evaluator::new(&qrels, measures(), Policies::default()).unwrap();
    let first = evaluator.evaluate(&run).unwrap();
    assert_eq!(first, evaluator.evaluate(&run).unwrap());
    // A query whose judgements are all negative scores 0 everywhere but in the counts.
    let negative = &first.measure(&"nDCG".parse().unwrap()).unwrap().values;
    assert_eq!(negative[1], 0.0);
    assert_eq!(
        run.queries()
            .keys()
            .map(|key| key.index())
            .collect::<Vec<_>>(),
        [0, 1]
    );
}
