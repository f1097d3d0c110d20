//! Fusion: the numbers of ranx, and what holds for every method.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use mrmr_core::{DuplicatePolicy, Origin, Qrels, RankingPolicy, Run};
use mrmr_search::fusion::{
    Definition, Fused, Fusion, FusionSpec, Method, Normalization, ParameterKind, Reads, definitions,
};
use proptest::prelude::*;

type Lists<S = String> = Vec<(S, Vec<(S, f64)>)>;

fn run_of<S: AsRef<str>>(name: &str, lists: &Lists<S>) -> Run {
    let mut run = Run::builder(name, Origin::memory(name));
    for (query, documents) in lists {
        run.add_empty(query.as_ref());
        for (number, (document, score)) in documents.iter().enumerate() {
            let (query, document) = (query.as_ref(), document.as_ref());
            run.add(query, document, *score, number as u64).unwrap();
        }
    }
    run.finish(DuplicatePolicy::Error).unwrap().0
}

fn one_query(name: &str, documents: &[(&'static str, f64)]) -> Run {
    run_of(name, &vec![("q", documents.to_vec())])
}

fn spec(method: &str, normalization: Normalization) -> FusionSpec {
    FusionSpec {
        normalization,
        ..FusionSpec::new(method.parse().unwrap())
    }
}

/// Scores by query and document.
fn scores(run: &Run) -> BTreeMap<String, BTreeMap<String, f64>> {
    let list = |query| {
        let entries = run.entries(query).iter();
        entries
            .map(|entry| (run.documents().name(entry.document).to_owned(), entry.score))
            .collect()
    };
    let queries = run.queries().keys();
    queries
        .map(|query| (run.queries().name(query).to_owned(), list(query)))
        .collect()
}

fn order(run: &Run, query: &str) -> Vec<String> {
    let ranking = run.ranking(run.queries().get(query).unwrap(), RankingPolicy::default());
    let entries = ranking.entries().iter();
    entries
        .map(|entry| run.documents().name(entry.document).to_owned())
        .collect()
}

fn some_qrels() -> Qrels {
    let mut judged = Qrels::builder(Origin::memory("qrels"));
    for (number, (query, document)) in [("q0", "d1"), ("q0", "d3"), ("q1", "d0"), ("q", "a")]
        .into_iter()
        .enumerate()
    {
        judged.add(query, document, 1.0, number as u64).unwrap();
    }
    judged.finish().unwrap().0
}

/// Fuses by any method; trained ones learn from the runs themselves.
fn fused(spec: &FusionSpec, runs: &[&Run]) -> mrmr_core::Result<Fused> {
    match spec.method.definition().is_trained() {
        true => spec.fit(&some_qrels(), runs)?.fuse(runs, "fused"),
        false => spec.fuse(runs, "fused"),
    }
}

mod ranx {
    use super::*;
    use serde_json::Value;

    fn fixture() -> Value {
        let file = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/fixtures/fusion/ranx.json"
        );
        serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
    }

    fn map(value: &Value) -> impl Iterator<Item = (String, &Value)> {
        let object = value.as_object().unwrap().iter();
        object.map(|(key, value)| (key.clone(), value))
    }

    fn runs(value: &Value) -> Vec<Run> {
        let list = |documents: &Value| {
            let documents = map(documents);
            documents
                .map(|(document, score)| (document, score.as_f64().unwrap()))
                .collect()
        };
        let run = |value: &Value| -> Lists {
            map(value)
                .map(|(query, documents)| (query, list(documents)))
                .collect()
        };
        let runs = value.as_array().unwrap().iter();
        runs.map(|value| run_of("run", &run(value))).collect()
    }

    fn qrels(value: &Value) -> Qrels {
        let mut judged = Qrels::builder(Origin::memory("qrels"));
        for (query, documents) in map(value) {
            for (number, (document, grade)) in map(documents).enumerate() {
                let grade = grade.as_f64().unwrap();
                judged.add(&query, &document, grade, number as u64).unwrap();
            }
        }
        judged.finish().unwrap().0
    }

    fn check(case: &Value, runs: &[Run], train: Option<(&Qrels, &[Run])>) -> usize {
        let text = case["method"].as_str().unwrap();
        let normalization = case["normalization"].as_str().unwrap();
        let spec = spec(text, normalization.parse().unwrap());
        let runs: Vec<&Run> = runs.iter().collect();
        let fused = match train {
            Some((qrels, train)) if spec.method.definition().is_trained() => {
                let train: Vec<&Run> = train.iter().collect();
                spec.fit(qrels, &train).unwrap().fuse(&runs, "fused")
            }
            _ => spec.fuse(&runs, "fused"),
        };
        let found = scores(&fused.unwrap().run);
        let mut compared = 0;
        for (query, documents) in map(&case["expected"]) {
            let found = &found[&query];
            assert_eq!(found.len(), map(documents).count(), "{text} {query}");
            for (document, score) in map(documents) {
                let (found, expected) = (found[&document], score.as_f64().unwrap());
                assert!(
                    (found - expected).abs() <= 1e-9 * expected.abs().max(1.0),
                    "{text}, {normalization}: {query} {document}: {found}, ranx {expected}"
                );
                compared += 1;
            }
        }
        compared
    }

    #[test]
    fn every_score_of_every_method_is_that_of_ranx() {
        let fixture = fixture();
        let (own, train) = (runs(&fixture["runs"]), runs(&fixture["train"]));
        let qrels = qrels(&fixture["qrels"]);
        let cases = fixture["cases"].as_array().unwrap();
        let compared = cases
            .iter()
            .map(|case| check(case, &own, Some((&qrels, &train))));
        assert!(compared.sum::<usize>() > 2000);
        let elections = runs(&fixture["elections"]);
        let votes = fixture["votes"].as_array().unwrap();
        let compared = votes.iter().map(|case| check(case, &elections, None));
        assert!(compared.sum::<usize>() > 20);

        let all = cases.iter().chain(votes);
        let methods: Vec<Method> = all
            .map(|case| case["method"].as_str().unwrap().parse().unwrap())
            .collect();
        for definition in definitions() {
            let is_compared = methods.iter().any(|m| m.definition() == *definition);
            // ranx has no weighted RRF; a law compares it to the plain one.
            assert!(
                is_compared || definition.name == "wrrf",
                "{}",
                definition.name
            );
        }
    }
}

#[test]
fn names_and_aliases_are_those_of_one_method_each_and_round_trip() {
    let mut seen = std::collections::BTreeSet::new();
    for definition in definitions() {
        for name in [definition.name].iter().chain(definition.aliases) {
            assert!(seen.insert(*name), "{name}");
            let method: Method = name.to_uppercase().replace('-', "_").parse().unwrap();
            assert_eq!(method.definition(), *definition);
            assert_eq!(method.to_string(), definition.name);
        }
        for parameter in definition.parameters {
            let value = match parameter.kind {
                ParameterKind::Weights => "0.25,3,0",
                ParameterKind::Number { max: 1.0, .. } => "0.125",
                _ => "7",
            };
            let text = format!("{}({}={value})", definition.name, parameter.name);
            let method: Method = text.parse().unwrap();
            assert_eq!(method.to_string(), text);
            assert!(parameter.grid.is_sorted());
        }
    }
}

#[test]
fn what_is_no_method_says_what_was_expected() {
    let told = |text: &str| {
        let error = text.parse::<Method>().unwrap_err();
        let hint = error.hints().first().cloned().unwrap_or_default();
        (error.to_string(), hint)
    };
    let expect = |text: &str, message: &str, hint: &str| {
        let (found, first) = told(text);
        assert_eq!(
            (found.as_str(), first.contains(hint)),
            (message, true),
            "{first}"
        );
    };
    expect("rff", "unknown method of fusion 'rff'", "did you mean rrf?");
    expect(
        "xyzzy",
        "unknown method of fusion 'xyzzy'",
        "known methods: combmin, ",
    );
    expect(
        "rrf(k=60",
        "'rrf(k=60' is not a method of fusion",
        "wsum(weights=0.3,0.7)",
    );
    expect("rrf(60)", "'rrf(60)' is not a method of fusion", "");
    expect("rrf(k=1,k=2)", "'rrf(k=1,k=2)' sets k twice", "");
    expect(
        "isr(k=1)",
        "isr takes no parameter 'k'; it takes no parameters",
        "",
    );
    expect(
        "rrf(k=-1)",
        "rrf: expected a number from 0 up as k, found '-1'",
        "",
    );
    expect(
        "rbc(phi=2)",
        "rbc: expected a number from 0 to 1 as phi, found '2'",
        "",
    );
    expect(
        "probfuse(segments=0)",
        "probfuse: expected a whole number from 1 up as segments, found '0'",
        "",
    );
    expect(
        "wsum(weights=1,-1)",
        "wsum: expected numbers from 0 up with commas between as weights, found '1,-1'",
        "",
    );
    expect(
        "wsum(weights=0,0)",
        "wsum: expected a weight above 0 among those as weights, found '0,0'",
        "",
    );
    let error = "minmax".parse::<Normalization>().unwrap_err();
    assert_eq!(error.hints(), ["did you mean min-max?"]);
}

#[test]
fn runs_that_do_not_fit_the_method_are_refused() {
    let (a, b) = (one_query("a", &[("x", 1.0)]), one_query("b", &[("y", 1.0)]));
    let told = |result: mrmr_core::Result<Fused>| result.unwrap_err().to_string();
    let method = |text: &str| text.parse::<Method>().unwrap();
    assert_eq!(
        told(method("wsum(weights=1,2,3)").fuse(&[&a, &b], "f")),
        "wsum: expected a weight for each of 2 runs, found 3: 1,2,3"
    );
    assert_eq!(
        told(method("rrf").fuse(&[&a], "f")),
        "fusion needs two runs, found one"
    );
    assert_eq!(
        told(method("posfuse").fuse(&[&a, &b], "f")),
        "posfuse learns from judgements first"
    );
    let trained = FusionSpec::new(method("posfuse"));
    let fitted = trained.fit(&some_qrels(), &[&a, &b]).unwrap();
    assert_eq!(
        told(fitted.fuse(&[&a, &b, &a], "f")),
        "posfuse was fitted to 2 runs; expected as many in the same order, found 3"
    );
    let other = run_of("other", &vec![("p", vec![("x", 1.0)])]);
    let error = trained.fit(&some_qrels(), &[&other, &other]).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("no run answers a judged query")
    );
    let error = FusionSpec::new(method("rrf")).fit(&some_qrels(), &[&a, &b]);
    assert_eq!(
        error.unwrap_err().to_string(),
        "rrf learns nothing from judgements"
    );
}

#[test]
fn queries_and_documents_of_either_run_are_in_the_result() {
    let a = run_of(
        "a",
        &vec![("q1", vec![("x", 2.0), ("y", 1.0)]), ("q2", vec![])],
    );
    let b = run_of(
        "b",
        &vec![("q3", vec![("z", 5.0)]), ("q1", vec![("y", 9.0)])],
    );
    let method: Method = "rrf".parse().unwrap();
    let Fused { run, notes } = method.fuse(&[&a, &b], "fused").unwrap();
    assert_eq!(
        run.queries().names().collect::<Vec<_>>(),
        ["q1", "q2", "q3"]
    );
    assert_eq!(order(&run, "q1"), ["y", "x"]);
    assert!(order(&run, "q2").is_empty());
    assert_eq!(order(&run, "q3"), ["z"]);
    assert_eq!(notes.lacking, [1, 1]);
}

#[test]
fn a_depth_counts_before_and_keep_after() {
    let a = one_query("a", &[("x", 3.0), ("y", 2.0), ("z", 1.0)]);
    let b = one_query("b", &[("z", 3.0), ("w", 2.0), ("x", 1.0)]);
    let mut spec = spec("combsum", Normalization::None);
    spec.depth = Some(2);
    let run = spec.fuse(&[&a, &b], "fused").unwrap().run;
    assert_eq!(order(&run, "q"), ["z", "x", "y", "w"]);
    // Of equal scores the larger id stays.
    spec.keep = Some(1);
    assert_eq!(
        order(&spec.fuse(&[&a, &b], "fused").unwrap().run, "q"),
        ["z"]
    );
}

#[test]
fn equal_scores_and_single_documents_are_normalized_as_ranx_does() {
    let flat = one_query("flat", &[("x", 5.0), ("y", 5.0)]);
    let single = one_query("single", &[("x", -3.0)]);
    let sum = |normalization| {
        let fused = spec("combsum", normalization).fuse(&[&flat, &single], "fused");
        let all = scores(&fused.unwrap().run);
        (all["q"]["x"], all["q"]["y"])
    };
    assert_eq!(sum(Normalization::None), (2.0, 5.0));
    assert_eq!(sum(Normalization::MinMax), (0.0, 0.0));
    assert_eq!(sum(Normalization::Sum), (0.0, 0.0));
    assert_eq!(sum(Normalization::Zmuv), (0.0, 0.0));
    // The highest score is negative: 10^-9 stands in for it.
    assert_eq!(sum(Normalization::Max), (1.0 - 3.0 / 1e-9, 1.0));
    // Ties of a run are in the order of ids, the larger first.
    assert_eq!(sum(Normalization::Rank), (1.5, 1.0));
    assert_eq!(sum(Normalization::Borda), (1.5, 1.5));
}

#[test]
fn infinite_scores_are_placed_by_normalizations_and_have_no_sum_without() {
    let (up, down) = (f64::INFINITY, f64::NEG_INFINITY);
    let a = one_query("a", &[("x", up), ("y", 2.0), ("z", 1.0)]);
    let b = one_query("b", &[("x", down), ("y", 2.0), ("z", 1.0)]);
    let fused = spec("combsum", Normalization::MinMax)
        .fuse(&[&a, &b], "fused")
        .unwrap();
    // In a: 3, 2, 1; in b: 0, 2, 1.
    let all = scores(&fused.run);
    assert_eq!(
        (all["q"]["x"], all["q"]["y"], all["q"]["z"]),
        (1.0, 1.5, 0.5)
    );
    assert_eq!(fused.notes.infinite, 2);

    let bare = spec("combsum", Normalization::None);
    let error = bare.fuse(&[&a, &b], "fused").unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("query 'q', document 'x': the scores of the runs are infinite")
    );
    let alone = spec("wsum(weights=1,0)", Normalization::None)
        .fuse(&[&a, &b], "fused")
        .unwrap();
    assert_eq!(scores(&alone.run)["q"]["x"], up);
}

#[test]
fn the_largest_numbers_there_are_stay_numbers() {
    let a = one_query("a", &[("x", f64::MAX), ("y", 0.0), ("z", f64::MIN)]);
    let b = one_query("b", &[("y", 1e-300), ("x", 0.0)]);
    for normalization in Normalization::ALL {
        let run = spec("combsum", *normalization)
            .fuse(&[&a, &b], "fused")
            .unwrap()
            .run;
        assert!(
            scores(&run)["q"].values().all(|score| score.is_finite()),
            "{normalization}"
        );
    }
    let run = spec("combsum", Normalization::MinMax)
        .fuse(&[&a, &b], "fused")
        .unwrap()
        .run;
    assert_eq!(order(&run, "q")[2], "z");
}

#[test]
fn a_circle_of_majorities_is_entered_by_id() {
    // a above b above c above a, by two of three votes each; all have d last.
    let run = |name, order: [&'static str; 4]| {
        let lists = order.iter().zip([4.0, 3.0, 2.0, 1.0]);
        one_query(
            name,
            &lists.map(|(id, score)| (*id, score)).collect::<Vec<_>>(),
        )
    };
    let runs = [
        run("1", ["a", "b", "c", "d"]),
        run("2", ["b", "c", "a", "d"]),
        run("3", ["c", "a", "b", "d"]),
    ];
    let runs: Vec<&Run> = runs.iter().collect();
    let fused = spec("condorcet", Normalization::None)
        .fuse(&runs, "fused")
        .unwrap();
    // By id: d, c, b, a. Of the pairs c stands above d and a above b; of c and a, c.
    assert_eq!(order(&fused.run, "q"), ["c", "a", "b", "d"]);
    assert_eq!(scores(&fused.run)["q"]["c"], 4.0);
    let weighted = spec("wcondorcet(weights=5,1,1)", Normalization::None);
    assert_eq!(
        order(&weighted.fuse(&runs, "fused").unwrap().run, "q"),
        ["a", "b", "c", "d"]
    );
    // Two runs that disagree vote equally: the larger id.
    let fused = spec("condorcet", Normalization::None)
        .fuse(&runs[..2], "fused")
        .unwrap();
    assert_eq!(order(&fused.run, "q")[0], "b");
}

/// Lists with ties and negative scores, over few documents.
fn lists() -> impl Strategy<Value = Lists> {
    let list = prop::collection::btree_map(0..12usize, -4i32..5, 0..9);
    prop::collection::vec(list, 3).prop_map(|queries| {
        let query = |(at, list): (usize, BTreeMap<usize, i32>)| {
            let scored = list.into_iter();
            let scored = scored.map(|(id, score)| (format!("d{id}"), f64::from(score) / 2.0));
            (format!("q{at}"), scored.collect())
        };
        queries.into_iter().enumerate().map(query).collect()
    })
}

fn all_specs() -> impl Iterator<Item = FusionSpec> {
    definitions().iter().flat_map(|definition: &&Definition| {
        let normalizations = match definition.reads {
            Reads::Ranks => &[Normalization::None],
            _ => Normalization::ALL,
        };
        normalizations.iter().map(|n| spec(definition.name, *n))
    })
}

fn bits(run: &Run) -> Vec<(String, String, u64)> {
    let rows = scores(run).into_iter().flat_map(|(query, list)| {
        let row =
            move |(document, score): (String, f64)| (query.clone(), document, score.to_bits());
        list.into_iter().map(row)
    });
    rows.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn neither_the_order_of_lines_nor_the_number_of_threads_changes_a_bit(a in lists(), b in lists(), c in lists()) {
        let turned = |lists: &Lists| -> Lists {
            let reverse = |(q, l): &(String, Vec<(String, f64)>)| (q.clone(), l.iter().rev().cloned().collect());
            lists.iter().rev().map(reverse).collect()
        };
        let runs = [run_of("a", &a), run_of("b", &b), run_of("c", &c)];
        let turned = [run_of("a", &turned(&a)), run_of("b", &turned(&b)), run_of("c", &turned(&c))];
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        for spec in all_specs() {
            let of = |runs: &[Run; 3]| fused(&spec, &runs.each_ref());
            // Lists may all be empty: then there is nothing to learn from.
            let Ok(many) = of(&runs) else { prop_assume!(false); unreachable!() };
            prop_assert!(scores(&many.run).values().flatten().all(|(_, score)| !score.is_nan()));
            let one = pool.install(|| of(&turned)).unwrap();
            prop_assert_eq!(bits(&many.run), bits(&one.run), "{} {}", &spec.method, spec.normalization);
        }
    }

    #[test]
    fn equal_weights_are_no_weights(a in lists(), b in lists()) {
        let runs = [run_of("a", &a), run_of("b", &b)];
        for (weighted, plain) in [("wsum", "combsum"), ("wrrf", "rrf"), ("wborda", "borda"), ("wcondorcet", "condorcet"), ("wmnz", "combmnz")] {
            let of = |name: &str| FusionSpec::new(name.parse().unwrap()).fuse(&runs.each_ref(), "f").unwrap().run;
            prop_assert_eq!(bits(&of(&format!("{weighted}(weights=1,1)"))), bits(&of(plain)));
            prop_assert_eq!(bits(&of(weighted)), bits(&of(plain)));
        }
    }

    #[test]
    fn keeping_documents_keeps_the_first(a in lists(), b in lists(), keep in 1usize..6) {
        let runs = [run_of("a", &a), run_of("b", &b)];
        for spec in all_specs().filter(|spec| !spec.method.definition().is_trained()) {
            let whole = spec.fuse(&runs.each_ref(), "f").unwrap().run;
            let cut = FusionSpec { keep: Some(keep), ..spec }.fuse(&runs.each_ref(), "f").unwrap().run;
            for query in whole.queries().names() {
                let mut first = order(&whole, query);
                first.truncate(keep);
                prop_assert_eq!(&order(&cut, query), &first);
            }
        }
    }

    #[test]
    fn no_document_of_condorcet_is_beaten_by_the_next(a in lists(), b in lists(), c in lists()) {
        let runs = [run_of("a", &a), run_of("b", &b), run_of("c", &c)];
        let fused = spec("condorcet", Normalization::None).fuse(&runs.each_ref(), "f").unwrap().run;
        for query in fused.queries().names() {
            let lists: Vec<Vec<String>> = runs.iter().map(|run| order(run, query)).collect();
            for pair in order(&fused, query).windows(2) {
                let votes: i32 = lists.iter().map(|list| {
                    let place = |id: &String| list.iter().position(|other| other == id).unwrap_or(usize::MAX);
                    match place(&pair[0]).cmp(&place(&pair[1])) {
                        std::cmp::Ordering::Less => 1,
                        std::cmp::Ordering::Equal => 0,
                        std::cmp::Ordering::Greater => -1,
                    }
                }).sum();
                prop_assert!(votes > 0 || (votes == 0 && pair[0] > pair[1]));
            }
        }
    }
}
