//! Statistics of numbers from standard input, a JSON object a line, and the same to standard output.
//!
//! ```text
//! echo '{"baseline": [0.1, 0.5, 0.3], "run": [0.2, 0.5, 0.6]}' | cargo run --example statistics
//! ```
//!
//! `bench/statistics/check.py` compares its answers with scipy's.

use std::error::Error;
use std::io::{BufRead, Write};

use mrmr_measures::statistics::{
    Bootstrap, Comparison, Correction, Interval, PairedTest, Power, Resampling, SEED,
    mean_interval, rbo, tukey_hsd,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// What can be asked.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Question {
    /// Paired values: every test, the effect size, the intervals.
    Pair {
        baseline: Vec<f64>,
        run: Vec<f64>,
        #[serde(default = "resamples")]
        resamples: usize,
        #[serde(default = "permutations")]
        permutations: usize,
    },
    /// Values: the interval of their mean, by drawing and by the saddlepoint.
    Values { values: Vec<f64>, resamples: usize },
    /// P values: every correction.
    Corrections { p: Vec<f64> },
    /// Values of many runs: the matrix of Tukey's test.
    Runs {
        runs: Vec<Vec<f64>>,
        permutations: usize,
    },
    /// An experiment: the smallest detectable difference, and the queries needed.
    Experiment {
        alpha: f64,
        power: f64,
        deviation: f64,
        queries: usize,
        difference: f64,
    },
    /// Two rankings: their overlap.
    Rankings {
        one: Vec<String>,
        other: Vec<String>,
        persistence: f64,
    },
}

fn resamples() -> usize {
    Bootstrap::default().resamples
}

fn permutations() -> usize {
    100_000
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let question: Question = serde_json::from_str(&line?)?;
        writeln!(out, "{}", answer(question)?)?;
    }
    Ok(())
}

fn answer(question: Question) -> Result<Value, Box<dyn Error>> {
    Ok(match question {
        Question::Pair {
            baseline,
            run,
            resamples,
            permutations,
        } => {
            let bootstrap = Bootstrap {
                resamples,
                ..Bootstrap::default()
            };
            let mut tests = Map::new();
            for test in [
                PairedTest::Randomization {
                    permutations,
                    seed: SEED,
                },
                PairedTest::T,
                PairedTest::Wilcoxon,
                PairedTest::Sign,
            ] {
                let compared = Comparison::new(&baseline, &run, test, &bootstrap)?;
                let name = test.to_string();
                let name = name.split('(').next().unwrap_or_default();
                tests.insert(
                    name.to_owned(),
                    json!({"p": compared.p, "method": compared.method.to_string()}),
                );
            }
            let compared = Comparison::new(&baseline, &run, PairedTest::T, &bootstrap)?;
            json!({
                "difference": compared.difference,
                "effect_size": compared.effect_size,
                "counts": [compared.wins, compared.ties, compared.losses],
                "interval": interval(compared.interval),
                "tests": tests,
            })
        }
        Question::Values { values, resamples } => {
            let by = |resampling| {
                let bootstrap = Bootstrap {
                    resamples,
                    resampling,
                    ..Bootstrap::default()
                };
                interval(mean_interval(&values, &bootstrap))
            };
            json!({
                "automatic": by(Resampling::Automatic),
                "drawn": by(Resampling::Drawn),
                "saddlepoint": by(Resampling::Saddlepoint),
            })
        }
        Question::Corrections { p } => Correction::ALL
            .iter()
            .map(|correction| (correction.to_string(), json!(correction.adjust(&p))))
            .collect::<Map<_, _>>()
            .into(),
        Question::Runs { runs, permutations } => json!(tukey_hsd(&runs, permutations, SEED)?),
        Question::Experiment {
            alpha,
            power,
            deviation,
            queries,
            difference,
        } => {
            let power = Power { alpha, power };
            json!({
                "difference": power.smallest_detectable_difference(deviation, queries)?,
                "queries": power.queries_needed(difference, deviation)?,
            })
        }
        Question::Rankings {
            one,
            other,
            persistence,
        } => json!(rbo(&one, &other, persistence)?),
    })
}

fn interval(interval: Interval) -> Value {
    json!({"low": interval.low, "high": interval.high, "method": interval.method.to_string()})
}
