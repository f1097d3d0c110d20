//! The sign test.

use super::differences::Differences;
use super::paired_test::{TestMethod, TestResult};

/// Twice the chance of as few signs of the rarer kind, from fair coins.
pub(super) fn test(differences: &Differences) -> TestResult {
    let (above, below) = differences.signs();
    let p = if above == below {
        1.0
    } else {
        2.0 * up_to(above.min(below), above + below)
    };
    TestResult {
        p: p.min(1.0),
        method: TestMethod::Exact,
    }
}

/// The chance of up to `few` heads of `count` fair coins.
fn up_to(few: usize, count: usize) -> f64 {
    // term * 2^exponent is the binomial coefficient by 2^count; the sum has the same exponent.
    let (mut term, mut sum, mut exponent) = (1.0f64, 1.0f64, -(count as i64));
    for heads in 1..=few {
        term *= (count - heads + 1) as f64 / heads as f64;
        sum += term;
        if sum > 1e200 {
            let down = libm::ldexp(1.0, -600);
            (term, sum, exponent) = (term * down, sum * down, exponent + 600);
        }
    }
    libm::ldexp(sum, exponent.max(-5000) as i32)
}
