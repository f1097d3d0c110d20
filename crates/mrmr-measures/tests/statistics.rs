//! Laws of the statistics.

#![allow(clippy::unwrap_used)]

use mrmr_measures::statistics::{
    Bootstrap, Comparison, Correction, IntervalMethod, PairedTest, Power, Resampling, SEED,
    Subject, mean_interval, rbo, tukey_hsd,
};
use proptest::prelude::*;

const FEW: PairedTest = PairedTest::Randomization {
    permutations: 999,
    seed: 7,
};

const TESTS: [PairedTest; 4] = [FEW, PairedTest::T, PairedTest::Wilcoxon, PairedTest::Sign];

fn bootstrap(resamples: usize) -> Bootstrap {
    Bootstrap {
        resamples,
        ..Bootstrap::default()
    }
}

/// Numbers without a pattern, the same for every run of the tests.
fn numbers(count: usize, start: u64) -> Vec<f64> {
    let mut state = start;
    let mut next = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..count).map(|_| next()).collect()
}

fn in_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().unwrap().install(work)
}

/// Values of the same queries by two systems: with ties, or without.
fn pairs() -> impl Strategy<Value = Vec<(f64, f64)>> {
    let tied = (0u8..5, 0u8..5).prop_map(|(a, b)| (f64::from(a) / 10.0, f64::from(b) / 10.0));
    prop_oneof![
        proptest::collection::vec(tied, 1..60),
        proptest::collection::vec((0.0..1.0, 0.0..1.0), 1..60),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn exchanging_the_runs_changes_signs_and_nothing_else(pairs in pairs()) {
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        for test in TESTS {
            let one = Comparison::new(&a, &b, test, &bootstrap(500)).unwrap();
            let other = Comparison::new(&b, &a, test, &bootstrap(500)).unwrap();
            prop_assert!((0.0..=1.0).contains(&one.p));
            prop_assert_eq!(one.p, other.p);
            prop_assert_eq!(one.difference, -other.difference);
            prop_assert_eq!((one.interval.low, one.interval.high), (-other.interval.high, -other.interval.low));
            prop_assert_eq!(one.effect_size, other.effect_size.map(|size| -size));
            prop_assert_eq!((one.wins, one.ties, one.losses), (other.losses, other.ties, other.wins));
            prop_assert!(one.interval.low <= one.interval.high);
        }
    }

    #[test]
    fn the_order_of_the_queries_changes_nothing(pairs in pairs(), by in 0usize..60) {
        let mut turned = pairs.clone();
        turned.rotate_left(by % pairs.len());
        turned.reverse();
        let compare = |pairs: Vec<(f64, f64)>, test| {
            let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
            Comparison::new(&a, &b, test, &bootstrap(200)).unwrap()
        };
        for test in TESTS {
            prop_assert_eq!(compare(pairs.clone(), test), compare(turned.clone(), test));
        }
    }

    #[test]
    fn intervals_lie_within_the_values_and_move_with_them(values in proptest::collection::vec(0.0..1.0f64, 1..80)) {
        for resampling in [Resampling::Drawn, Resampling::Saddlepoint] {
            let bootstrap = Bootstrap { resampling, ..bootstrap(500) };
            let interval = mean_interval(&values, &bootstrap);
            let lowest = values.iter().copied().fold(1.0, f64::min);
            let highest = values.iter().copied().fold(0.0, f64::max);
            prop_assert!(lowest - 1e-9 <= interval.low && interval.low <= interval.high && interval.high <= highest + 1e-9);

            let doubled: Vec<f64> = values.iter().map(|value| 2.0 * value).collect();
            let twice = mean_interval(&doubled, &bootstrap);
            prop_assert!((twice.low - 2.0 * interval.low).abs() < 1e-9);
            prop_assert!((twice.high - 2.0 * interval.high).abs() < 1e-9);
        }
    }

    #[test]
    fn corrections_keep_the_order_and_never_lower_a_p_value(p in proptest::collection::vec(0.0..=1.0f64, 0..20)) {
        let [none, holm, bonferroni, discovery] = Correction::ALL.map(|correction| correction.adjust(&p));
        prop_assert_eq!(&none, &p);
        for i in 0..p.len() {
            prop_assert!(p[i] <= discovery[i] && discovery[i] <= holm[i] && holm[i] <= bonferroni[i] && bonferroni[i] <= 1.0);
            for j in 0..p.len() {
                prop_assert!(p[i] > p[j] || (holm[i] <= holm[j] && discovery[i] <= discovery[j]));
            }
        }
    }

    #[test]
    fn overlap_is_symmetric_and_follows_its_definition(
        one in Just((0..12u32).collect::<Vec<_>>()).prop_shuffle(),
        other in Just((4..16u32).collect::<Vec<_>>()).prop_shuffle(),
        short in 1usize..12,
        p in 0.05..0.95f64,
    ) {
        let one = &one[..short];
        let value = rbo(one, &other, p).unwrap();
        prop_assert_eq!(value, rbo(&other, one, p).unwrap());
        prop_assert!((value - rbo_by_definition(one, &other, p)).abs() < 1e-12);
        prop_assert_eq!(rbo(one, one, p).unwrap(), 1.0);
    }

    #[test]
    fn the_text_form_of_a_test_round_trips(permutations in 1usize..1_000_000, seed in any::<u64>()) {
        let test = PairedTest::Randomization { permutations, seed };
        prop_assert_eq!(test.to_string().parse::<PairedTest>().unwrap(), test);
    }
}

/// Equation 32 of Webber, Moffat & Zobel 2010, as it is written.
fn rbo_by_definition(short: &[u32], long: &[u32], p: f64) -> f64 {
    let (s, l) = (short.len(), long.len());
    let overlap = |depth: usize| {
        let short = &short[..depth.min(s)];
        long[..depth]
            .iter()
            .filter(|item| short.contains(item))
            .count() as f64
    };
    let both = (1..=l).map(|d| overlap(d) / d as f64 * p.powi(d as i32));
    let beyond =
        (s + 1..=l).map(|d| overlap(s) * (d - s) as f64 / (s * d) as f64 * p.powi(d as i32));
    let rest = (overlap(l) - overlap(s)) / l as f64 + overlap(s) / s as f64;
    (1.0 - p) / p * (both.sum::<f64>() + beyond.sum::<f64>()) + rest * p.powi(l as i32)
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let (a, b) = (numbers(300, 1), numbers(300, 2));
    let work = || {
        let compared = Comparison::new(&a, &b, PairedTest::default(), &Bootstrap::default());
        let runs = [a.clone(), b.clone(), numbers(300, 3)];
        (compared.unwrap(), tukey_hsd(&runs, 700, SEED).unwrap())
    };
    let alone = in_threads(1, work);
    assert_eq!(alone, in_threads(2, work));
    assert_eq!(alone, in_threads(5, work));
}

#[test]
fn identical_runs_have_p_1_and_difference_0() {
    let values = numbers(40, 5);
    for test in TESTS {
        let same = Comparison::new(&values, &values, test, &Bootstrap::default()).unwrap();
        assert_eq!(
            (same.p, same.difference, same.effect_size),
            (1.0, 0.0, Some(0.0))
        );
        assert_eq!((same.interval.low, same.interval.high), (0.0, 0.0));
        assert_eq!((same.wins, same.ties, same.losses), (0, 40, 0));
    }
}

#[test]
fn values_that_differ_by_rounding_are_ties() {
    let compared = Comparison::new(&[0.3, 0.5], &[0.1 + 0.2, 0.5], FEW, &bootstrap(10)).unwrap();
    assert_eq!((compared.ties, compared.p), (2, 1.0));
}

#[test]
fn degenerate_values_have_a_point_for_an_interval() {
    for (values, point) in [
        (&[][..], 0.0),
        (&[0.5], 0.5),
        (&[0.25; 9], 0.25),
        (&[-0.5; 3], -0.5),
    ] {
        let interval = mean_interval(values, &Bootstrap::default());
        assert_eq!((interval.low, interval.high), (point, point));
        assert_eq!(interval.method, IntervalMethod::Point);
    }
    assert!(
        mean_interval(&[0.1, f64::NAN], &Bootstrap::default())
            .low
            .is_nan()
    );
}

#[test]
fn many_values_are_not_drawn_unless_one_stands_out() {
    let methods = |values: &[f64]| mean_interval(values, &bootstrap(100)).method;
    let drawn = IntervalMethod::Resampled {
        resamples: 100,
        seed: SEED,
    };
    assert_eq!(methods(&numbers(1001, 1)), IntervalMethod::Saddlepoint);
    assert_eq!(methods(&numbers(1000, 1)), drawn);
    let mut rare = vec![0.0; 5000];
    rare[..3].fill(1.0);
    assert_eq!(methods(&rare), drawn);
}

#[test]
fn drawn_and_computed_intervals_agree() {
    let values: Vec<f64> = numbers(1500, 9).iter().map(|value| value.powi(3)).collect();
    let by = |resampling| {
        mean_interval(
            &values,
            &Bootstrap {
                resampling,
                ..Bootstrap::default()
            },
        )
    };
    let (drawn, computed) = (by(Resampling::Drawn), by(Resampling::Saddlepoint));
    // 0.1 standard errors, three times what 10,000 resamples leave open.
    assert!((drawn.low - computed.low).abs() < 0.1 * 0.285 / 1500f64.sqrt());
    assert!((drawn.high - computed.high).abs() < 0.1 * 0.285 / 1500f64.sqrt());
}

#[test]
fn sampled_permutations_agree_with_all_of_them() {
    // 20 differences are enumerated; a 21st of next to nothing makes the test sample.
    let (a, mut b) = (vec![0.0; 21], numbers(21, 4));
    b.iter_mut().for_each(|value| *value -= 0.3);
    let p = |b: &[f64]| {
        Comparison::new(&a, b, PairedTest::default(), &bootstrap(10))
            .unwrap()
            .p
    };
    b[20] = 0.0;
    let exact = p(&b);
    b[20] = 1e-9;
    let sampled = p(&b);
    assert!(exact > 0.001 && exact < 0.9);
    assert!((sampled - exact).abs() < 5.0 * (exact * (1.0 - exact) / 1e5).sqrt());
}

#[test]
fn tukey_of_two_runs_is_the_randomization_test() {
    let (a, b) = (numbers(60, 1), numbers(60, 2));
    let test = PairedTest::Randomization {
        permutations: 20_000,
        seed: 1,
    };
    let pair = Comparison::new(&a, &b, test, &bootstrap(10)).unwrap().p;
    let matrix = tukey_hsd(&[a.clone(), b.clone()], 20_000, 2).unwrap();
    assert!(
        (matrix[0][1] - pair).abs() < 0.02,
        "{} {pair}",
        matrix[0][1]
    );
    assert_eq!((matrix[0][0], matrix[0][1]), (1.0, matrix[1][0]));

    let swapped = tukey_hsd(&[b, a], 20_000, 2).unwrap();
    assert_eq!(swapped, matrix);
    assert!(tukey_hsd(&[], 10, 1).unwrap().is_empty());
}

#[test]
fn verdicts_are_sentences() {
    let subject = Subject {
        measure: "nDCG@10",
        baseline: "bm25",
        run: "dense",
    };
    let a: Vec<f64> = (0..10).map(|query| f64::from(query) / 16.0).collect();
    let verdict = |b: &[f64]| {
        Comparison::new(&a, b, PairedTest::default(), &Bootstrap::default())
            .unwrap()
            .verdict(&subject, 0.05)
    };
    let raised: Vec<f64> = a.iter().map(|value| value + 0.25).collect();
    let lowered: Vec<f64> = a
        .iter()
        .enumerate()
        .map(|(at, value)| value - 0.125 * (at % 3) as f64)
        .collect();
    let mixed: Vec<f64> = a.iter().rev().copied().collect();
    assert_eq!(
        [
            verdict(&raised),
            verdict(&lowered),
            verdict(&mixed),
            verdict(&a)
        ],
        [
            "dense has a higher nDCG@10 than bm25: +0.2500 (95% interval +0.2500 to +0.2500), p = 0.0020, paired randomization test, 10 queries",
            "dense has a lower nDCG@10 than bm25: -0.1125 (95% interval -0.1750 to -0.0500), p = 0.0312, paired randomization test, 10 queries",
            "no difference shown between bm25 and dense in nDCG@10: +0.0000 (95% interval -0.2125 to +0.2250), p = 1.0000, paired randomization test, 10 queries",
            "no difference shown between bm25 and dense in nDCG@10: the same value on all 10 queries",
        ]
    );
}

#[test]
fn a_verdict_says_where_the_signs_and_the_mean_disagree() {
    let a = vec![0.5; 12];
    let mut b: Vec<f64> = (0..12).map(|at| 0.5 + f64::from(at) / 100.0).collect();
    b[0] = 0.0;
    b[1] = 0.0;
    let compared = Comparison::new(&a, &b, PairedTest::Sign, &bootstrap(100)).unwrap();
    let subject = Subject {
        measure: "P",
        baseline: "a",
        run: "b",
    };
    let verdict = compared.verdict(&subject, 0.05);
    assert!(
        verdict.starts_with(
            "b and a differ in P, but b has the lower mean while b wins 10 queries to 2: -0.0292"
        ),
        "{verdict}"
    );
}

#[test]
fn a_correction_is_applied_to_a_family() {
    let a = numbers(12, 1);
    let compare =
        |start| Comparison::new(&a, &numbers(12, start), PairedTest::T, &bootstrap(10)).unwrap();
    let mut family = [compare(2), compare(3)];
    Correction::Bonferroni.apply(&mut family);
    for compared in family {
        assert_eq!(compared.adjusted_p, (2.0 * compared.p).min(1.0));
        assert_eq!(compared.correction, Correction::Bonferroni);
    }
}

#[test]
fn errors_say_what_was_expected() {
    let bootstrap = Bootstrap::default();
    let errors = [
        Comparison::new(&[1.0], &[1.0, 2.0], PairedTest::T, &bootstrap).unwrap_err(),
        Comparison::new(&[], &[], PairedTest::T, &bootstrap).unwrap_err(),
        Comparison::new(&[f64::NAN], &[1.0], PairedTest::T, &bootstrap).unwrap_err(),
        "wilcoxn".parse::<PairedTest>().unwrap_err(),
        "randomization(permutations=0)"
            .parse::<PairedTest>()
            .unwrap_err(),
        "randomization(seeds=1)".parse::<PairedTest>().unwrap_err(),
        "t(seed=1)".parse::<PairedTest>().unwrap_err(),
        "hollm".parse::<Correction>().unwrap_err(),
        Comparison::new(
            &[1.0],
            &[2.0],
            PairedTest::Randomization {
                permutations: 0,
                seed: 1,
            },
            &bootstrap,
        )
        .unwrap_err(),
        Bootstrap {
            level: 95.0,
            ..bootstrap
        }
        .check()
        .unwrap_err(),
        tukey_hsd(&[vec![1.0], vec![]], 10, 1).unwrap_err(),
        rbo(&["a"], &["b"], 1.0).unwrap_err(),
        Power::default()
            .smallest_detectable_difference(0.2, 1)
            .unwrap_err(),
        Power::default().queries_needed(0.0, 0.2).unwrap_err(),
    ];
    let lines: Vec<String> = errors
        .iter()
        .map(|error| format!("{error} | {}", error.hints().join(", ")))
        .collect();
    assert_eq!(
        lines,
        [
            "paired values are of the same queries, but the baseline has 1 and the run 2 | ",
            "there is no query to compare on | ",
            "values are compared where they are finite, and one is NaN | ",
            "there is no paired test 'wilcoxn'; there are randomization, t, wilcoxon, sign | did you mean wilcoxon?",
            "randomization(permutations=) takes a whole number above 0, not '0' | ",
            "randomization takes no parameter 'seeds'; it takes permutations (default 100000), seed (default 42) | ",
            "t takes no parameters | ",
            "there is no correction 'hollm'; there are none, holm, bonferroni, benjamini-hochberg | did you mean holm?",
            "a test needs at least one permutation | ",
            "a confidence level lies between 0 and 1, not at 95 | 0.95 is the level of most papers",
            "runs are compared on the same queries, but one has 1 and one 0 | ",
            "the persistence of RBO lies between 0 and 1, not at 1 | 0.9 is usual",
            "a t-test needs at least 2 queries, not 1 | ",
            "no number of queries shows a difference of 0 | ",
        ]
    );
}
