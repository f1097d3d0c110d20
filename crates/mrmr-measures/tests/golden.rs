//! Values worked out by hand, and values that the reference tools gave for the same data.

#![allow(clippy::unwrap_used)]

use mrmr_core::{Origin, Qrels, RankingPolicy, Run, ScorePrecision, TiePolicy};
use mrmr_measures::{Evaluation, Evaluator, Policies, TieMethod};

/// Judgements are `query document grade` or `query subtopic document grade`, answers `query document score`; `/`
/// ends a line.
fn evaluate(qrels: &str, run: &str, measures: &[&str], ranking: RankingPolicy) -> Evaluation {
    let mut judged = Qrels::builder(Origin::memory("qrels"));
    for (number, line) in lines(qrels) {
        match line[..] {
            [query, document, grade] => judged.add(query, document, grade.parse().unwrap(), number),
            [query, subtopic, document, grade] => {
                judged.add_subtopic(query, subtopic, document, grade.parse().unwrap(), number)
            }
            _ => panic!("{line:?}"),
        }
        .unwrap();
    }
    let mut scored = Run::builder("run", Origin::memory("run"));
    for (number, line) in lines(run) {
        scored
            .add(line[0], line[1], line[2].parse().unwrap(), number)
            .unwrap();
    }
    let policies = Policies {
        ranking,
        ..Policies::default()
    };
    let measures = measures.iter().map(|text| text.parse().unwrap()).collect();
    let (qrels, run) = (
        judged.finish().unwrap().0,
        scored.finish(Default::default()),
    );
    Evaluator::new(&qrels, measures, policies)
        .unwrap()
        .evaluate(&run.unwrap().0)
        .unwrap()
}

fn lines(text: &str) -> impl Iterator<Item = (u64, Vec<&str>)> {
    let lines = text.split('/').map(str::split_whitespace);
    lines
        .map(Iterator::collect)
        .enumerate()
        .map(|(n, line)| (n as u64, line))
}

fn check(qrels: &str, run: &str, ties: TiePolicy, expected: &[(&str, f64)]) {
    let measures: Vec<&str> = expected.iter().map(|(measure, _)| *measure).collect();
    let precision = ScorePrecision::F64;
    let found = evaluate(qrels, run, &measures, RankingPolicy { ties, precision });
    for ((measure, value), found) in expected.iter().zip(&found.measures) {
        // As many digits as are given.
        let text = value.to_string();
        let digits = text
            .split_once('.')
            .map_or(0, |(_, digits)| digits.len() as i32);
        let near = (0.51 * 10f64.powi(-digits)).max(1e-12);
        assert!(
            (found.value - value).abs() < near,
            "{measure} of {run}: {} for {value}",
            found.value
        );
    }
}

#[test]
fn values_worked_out_by_hand() {
    let trec = TiePolicy::Trec;
    check(
        "q a 1 / q b 3 / other c 4",
        "q a 2 / q b 1 / other c 1",
        trec,
        &[("NumQ", 2.0), ("nDCG@10", (0.79670758 + 1.0) / 2.0)],
    );
    check(
        "q a 1 / q b 3",
        "q a 2 / q b 1",
        trec,
        &[
            ("nDCG@10", 0.79670758),
            ("nDCG(gain=exp2)@10", 0.70981),
            ("ERR(max_rel=4)@5", 0.26758),
        ],
    );
    check(
        "q a 1 / q gone 1",
        "q a 1",
        trec,
        &[("nDCG@10", 0.61314719), ("R@10", 0.5)],
    );
    let candidates = "q q_1 0.5 / q q_2 0.5 / q q_3 0.5 / q q_4 0.5";
    check(
        "q q_1 1",
        candidates,
        trec,
        &[("RR", 0.25), ("nDCG@10", 0.43067656), ("Hit@1", 0.0)],
    );
    check(
        "q q_1 1",
        candidates,
        TiePolicy::Expected,
        &[("Hit@1", 0.25), ("RR", 25.0 / 48.0)],
    );
    check("q 9 1", "q 9 1 / q 10 1", trec, &[("RR", 1.0)]);
    check(
        "q a 1 / p b 1",
        "q a 1",
        trec,
        &[("RR", 0.5), ("GMAP", 0.00001f64.sqrt())],
    );
    check(
        "q a 3 / q b 3 / q c 3",
        "q a 3 / q b 2 / q c 1",
        trec,
        &[("RBP(p=0.5)", 0.875)],
    );
    check("abc-7 a 5", "abc-7 a 1", trec, &[("ERR@5", 31.0 / 32.0)]);
    check(
        "q a -0.89 / q b -0.53 / q c -0.47 / q d 0.39 / q e 0.56",
        "q a .07 / q b .31 / q c .75 / q d .33 / q e .27",
        trec,
        &[("nDCG", 0.60447)],
    );
}

#[test]
fn scores_that_are_equal_as_32_bit_numbers_tie_in_that_precision() {
    for (precision, value) in [(ScorePrecision::F64, 1.0), (ScorePrecision::F32, 0.5)] {
        let ties = TiePolicy::Trec;
        let ranking = RankingPolicy { ties, precision };
        let found = evaluate("q a 1", "q a 16777217 / q b 16777216", &["RR"], ranking);
        assert_eq!(found.measures[0].value, value);
    }
}

const GRADED: &str = "q d01 2 / q d02 0 / q d03 -1 / q d05 1 / q d06 0 / q d08 3 / q d09 1 / q m1 1 / q m2 0 / q m3 4";
const TEN: &str = "q d01 99 / q d02 98 / q d03 97 / q d04 96 / q d05 95 / q d06 94 / q d07 93 / q d08 92 / q d09 91 / q d10 90";

#[test]
fn values_are_those_of_the_reference_tools() {
    let expected = [
        // pytrec_eval-terrier 0.5.11.
        ("AP", 0.36990740740740735),
        ("nDCG", 0.45053812724927933),
        ("Rprec", 0.3333333333333333),
        ("Rprec(multiple=0.2)", 0.5),
        ("Rprec(multiple=1.2)", 0.375),
        ("Rprec(multiple=1.8)", 0.36363636363636365),
        ("bpref", 0.3888888888888889),
        ("infAP", 0.4081018074075852),
        ("GMAP", 0.36990740740740735),
        ("IPrec@0", 1.0),
        ("IPrec@0.5", 0.4444444444444444),
        ("IPrec@0.8", 0.0),
        ("SetP", 0.4),
        ("SetR", 0.6666666666666666),
        ("SetF", 0.5),
        ("SetF(beta=2)", 0.5454545454545454),
        ("SetAP", 0.26666666666666666),
        // gdeval 1.2a, printed in full.
        ("ERR@3", 0.1875),
        ("ERR@10", 0.242288208007813),
        ("nDCG(gain=exp2)@10", 0.266911344191212),
        // compatibility.py of Clarke et al.
        ("Compat", 0.40726751065285316),
        ("Compat(p=0.8)", 0.23348361527189707),
        // cwl_eval by ir_measures 0.4.3.
        ("RBP(rel=1)", 0.35741747199999996),
        ("RBP(rel=2,p=0.5)", 0.50390625),
    ];
    check(GRADED, TEN, TiePolicy::Trec, &expected);
    // pyndeval 0.0.8.
    let by_subtopic = "q 1 d01 1 / q 2 d01 1 / q 1 d02 2 / q 3 d04 1 / q 1 d05 0 / q 2 d06 1 / q 3 d06 1 / q 4 m1 1 / q 1 m1 1 / q 2 m2 1";
    let expected = [
        ("alpha_nDCG@5", 0.6740798812139007),
        ("alpha_nDCG@10", 0.7452261243651941),
        ("alpha_nDCG(alpha=0.9)@10", 0.7516828975977634),
        ("ERR_IA@5", 0.4538577912254161),
        ("ERR_IA@20", 0.48089837714902606),
    ];
    check(by_subtopic, TEN, TiePolicy::Trec, &expected);
}

#[test]
fn rbp_says_how_much_is_unknown_and_which_grade_is_the_highest() {
    let measures = ["RBP", "RBP@2", "RBP(rel=1)", "nDCG"];
    let found = evaluate(
        "q a 2 / p x 1",
        "q a 3 / q b 2 / q c 1",
        &measures,
        RankingPolicy::default(),
    );
    let [whole, cut, binary, ndcg] = &found.measures[..] else {
        panic!("four measures");
    };
    // By query, p is missing from the run: nothing of it is known. In q, rank 1 is.
    assert_eq!(whole.residuals.len(), 2);
    assert_eq!(whole.residuals[0], 1.0);
    for value in [whole.residuals[1], cut.residuals[1], binary.residuals[1]] {
        assert!((value - 0.8).abs() < 1e-15);
    }
    assert!((whole.residual.unwrap() - 0.9).abs() < 1e-15);
    assert_eq!((ndcg.residual, ndcg.residuals.len()), (None, 0));
    let texts = |at: usize| -> Vec<String> {
        let parameters = found.measures[at].parameters.iter();
        parameters
            .map(|(name, value)| format!("{name}={value}"))
            .collect()
    };
    assert_eq!(texts(0), ["p=0.8", "max_rel=2"]);
    assert_eq!(texts(2), ["p=0.8", "rel=1"]);
}

#[test]
fn what_a_measure_cannot_be_taken_with_is_an_error() {
    let mut judged = Qrels::builder(Origin::memory("qrels"));
    judged.add("q", "a", 3.0, 0).unwrap();
    let (qrels, _) = judged.finish().unwrap();
    for (measure, message) in [
        (
            "alpha_nDCG@10",
            "alpha_nDCG@10 needs judgements by subtopic, and these have none",
        ),
        (
            "ERR(max_rel=2)",
            "ERR(max_rel=2): the qrels hold grade 3, above max_rel",
        ),
        (
            "RBP(rel=1,max_rel=4)",
            "RBP(rel=1,max_rel=4): with rel every gain is 0 or 1, so max_rel means nothing",
        ),
    ] {
        let specs = vec![measure.parse().unwrap()];
        let error = Evaluator::new(&qrels, specs, Policies::default()).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}

/// So many documents with one score, the first of them relevant; with every other order of the names, the run is
/// the same up to names.
fn tied(documents: usize, relevant: usize, name: impl Fn(usize) -> String) -> (String, String) {
    let line = |n: usize, value: usize| format!("q {} {value}", name(n));
    let grades = (0..documents).map(|n| line(n, usize::from(n < relevant)));
    let scores = (0..documents).map(|n| line(n, 1));
    (
        grades.collect::<Vec<_>>().join("/"),
        scores.collect::<Vec<_>>().join("/"),
    )
}

#[test]
fn too_many_orders_are_sampled_the_same_ones_whatever_the_names() {
    let ranking = RankingPolicy {
        ties: TiePolicy::Expected,
        precision: ScorePrecision::F64,
    };
    let measures = ["infAP", "AP", "IPrec@0.5", "RR"];
    let (qrels, run) = tied(40, 8, |n| format!("d{n:02}"));
    let found = evaluate(&qrels, &run, &measures, ranking);
    let (qrels, run) = tied(40, 8, |n| format!("x{:02}", (n * 7) % 40));
    let renamed = evaluate(&qrels, &run, &measures, ranking);
    for (a, b) in found.measures.iter().zip(&renamed.measures) {
        assert_eq!(a.value.to_bits(), b.value.to_bits(), "{}", a.spec);
    }
    let [inf_ap, ap, iprec, rr] = &found.measures[..] else {
        panic!("four measures");
    };
    // Where all are judged, infAP is AP but for its epsilon.
    assert!(
        (inf_ap.value - ap.value).abs() < 0.01,
        "{} {}",
        inf_ap.value,
        ap.value
    );
    let methods = |m: &mrmr_measures::MeasureValues| (m.averaged_by, m.extremes_by);
    assert_eq!(methods(inf_ap), (TieMethod::Sampled, TieMethod::Sampled));
    assert_eq!(methods(iprec), (TieMethod::Sampled, TieMethod::Closed));
    assert_eq!(methods(ap), (TieMethod::Closed, TieMethod::Closed));
    assert_eq!(methods(rr), (TieMethod::Closed, TieMethod::Closed));
    assert_eq!((iprec.lowest, iprec.highest), (8.0 / 40.0, 1.0));
    let warned: Vec<String> = found.warnings.iter().map(ToString::to_string).collect();
    assert!(warned.contains(
        &"infAP has too many orders of tied documents: its mean is that of 1,000 drawn ones a query"
            .to_owned()
    ));
}

#[test]
fn orders_that_a_measure_cannot_tell_apart_are_one() {
    // 40 documents have 40! orders; with one relevant, 40 differ.
    let (qrels, run) = tied(40, 1, |n| format!("d{n:02}"));
    let found = evaluate(&qrels, &run, &["IPrec@1", "RR"], RankingPolicy::default());
    assert_eq!(found.measures[0].averaged_by, TieMethod::Enumerated);
    let averaged = |at: usize| found.measures[at].tie_averaged;
    assert!((averaged(0) - averaged(1)).abs() < 1e-12);
}
