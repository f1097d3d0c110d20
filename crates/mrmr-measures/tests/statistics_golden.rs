//! Numbers that scipy and statsmodels gave.

#![allow(clippy::unwrap_used)]

use mrmr_measures::statistics::{
    Bootstrap, Comparison, Correction, PairedTest, Power, mean_interval,
};
use serde::Deserialize;

fn bootstrap(resamples: usize) -> Bootstrap {
    Bootstrap {
        resamples,
        ..Bootstrap::default()
    }
}

/// What scipy and statsmodels gave; `bench/statistics/check.py --golden` writes it.
#[derive(Deserialize)]
struct Golden {
    pairs: Vec<Pair>,
    corrections: Vec<Corrected>,
    power: Vec<Experiment>,
    intervals: Vec<Mean>,
}

#[derive(Deserialize)]
struct Pair {
    baseline: Vec<f64>,
    run: Vec<f64>,
    expected: Expected,
}

#[derive(Deserialize)]
struct Expected {
    difference: f64,
    t: Option<f64>,
    effect_size: Option<f64>,
    wilcoxon: f64,
    sign: f64,
    randomization: Option<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Corrected {
    p: Vec<f64>,
    holm: Vec<f64>,
    bonferroni: Vec<f64>,
    benjamini_hochberg: Vec<f64>,
}

#[derive(Deserialize)]
struct Experiment {
    alpha: f64,
    power: f64,
    deviation: f64,
    queries: usize,
    expected: f64,
}

#[derive(Deserialize)]
struct Mean {
    values: Vec<f64>,
    expected: [f64; 2],
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("fixtures/statistics.json")).unwrap()
}

fn assert_close(found: f64, expected: f64, relative: f64, what: &str) {
    assert!(
        (found - expected).abs() <= relative * expected.abs().max(1e-12),
        "{what}: {found}, not {expected}"
    );
}

#[test]
fn paired_tests_agree_with_scipy() {
    let pairs = golden().pairs;
    assert!(pairs.len() >= 50);
    for (at, pair) in pairs.into_iter().enumerate() {
        let compare =
            |test| Comparison::new(&pair.baseline, &pair.run, test, &bootstrap(10)).unwrap();
        let (t, expected) = (compare(PairedTest::T), pair.expected);
        assert_close(t.difference, expected.difference, 1e-12, "difference");
        for (test, expected) in [
            (PairedTest::T, expected.t),
            (PairedTest::Wilcoxon, Some(expected.wilcoxon)),
            (PairedTest::Sign, Some(expected.sign)),
            (PairedTest::default(), expected.randomization),
        ] {
            if let Some(expected) = expected {
                assert_close(
                    compare(test).p,
                    expected,
                    1e-9,
                    &format!("pair {at}, {test}"),
                );
            }
        }
        if let Some(expected) = expected.effect_size {
            assert_close(t.effect_size.unwrap(), expected, 1e-9, "effect size");
        }
    }
}

#[test]
fn corrections_agree_with_statsmodels() {
    for row in golden().corrections {
        let expected = [&row.p, &row.holm, &row.bonferroni, &row.benjamini_hochberg];
        for (correction, expected) in Correction::ALL.into_iter().zip(expected) {
            for (found, expected) in correction.adjust(&row.p).into_iter().zip(expected) {
                assert_close(found, *expected, 1e-12, &correction.to_string());
            }
        }
    }
}

#[test]
fn power_agrees_with_statsmodels() {
    for row in golden().power {
        let power = Power {
            alpha: row.alpha,
            power: row.power,
        };
        let found = power
            .smallest_detectable_difference(row.deviation, row.queries)
            .unwrap();
        assert_close(found, row.expected, 1e-9, "smallest detectable difference");
    }
}

#[test]
fn drawn_intervals_agree_with_scipy() {
    for row in golden().intervals {
        let interval = mean_interval(&row.values, &bootstrap(100_000));
        let mean = row.values.iter().sum::<f64>() / row.values.len() as f64;
        let squares: f64 = row.values.iter().map(|value| (value - mean).powi(2)).sum();
        let error = squares.sqrt() / row.values.len() as f64;
        // Some 0.01 standard errors are left open, and more where a mean has few possible values.
        for (found, expected) in [
            (interval.low, row.expected[0]),
            (interval.high, row.expected[1]),
        ] {
            assert!(
                (found - expected).abs() < 0.15 * error,
                "{found}, not {expected}"
            );
        }
    }
}

#[test]
#[ignore = "installs scipy and takes minutes"]
fn the_whole_comparison_with_scipy_passes() {
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../bench/statistics/check.py"
    );
    let status = std::process::Command::new("python3").arg(script).status();
    assert!(status.unwrap().success());
}
