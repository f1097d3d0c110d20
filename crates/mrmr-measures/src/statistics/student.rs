//! Student's t distribution, its test and its power.

use super::differences::Differences;
use super::normal;
use super::paired_test::{TestMethod, TestResult};

/// The paired t-test. All differences equal, and not 0: p = 0. A single one shows nothing.
pub(super) fn test(differences: &Differences) -> TestResult {
    let Some(deviation) = differences.standard_deviation() else {
        return TestResult {
            p: 1.0,
            method: TestMethod::Nothing,
        };
    };
    let count = differences.values().len();
    let t = differences.mean() / deviation * (count as f64).sqrt();
    TestResult {
        p: two_sided(t, (count - 1) as f64),
        method: TestMethod::Student { degrees: count - 1 },
    }
}

/// Beyond so many degrees of freedom Hill's expansion is exact.
const MANY: f64 = 1e5;

/// The chance of a value as far from 0 as `t`.
pub(super) fn two_sided(t: f64, degrees: f64) -> f64 {
    let square = t * t;
    if !square.is_finite() {
        return 0.0;
    }
    if degrees > MANY {
        return 2.0 * normal::cdf(-hill(square, degrees));
    }
    // The chance is the incomplete beta function I_x(degrees / 2, 1/2) at x = degrees / (degrees + t^2).
    let (a, b) = (degrees / 2.0, 0.5);
    let x = degrees / (degrees + square);
    let y = square / (degrees + square);
    let front = (-a * (square / degrees).ln_1p()).exp() * y.sqrt() * gamma_ratio(a)
        / std::f64::consts::PI.sqrt();
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(x, a, b) / a
    } else {
        1.0 - front * fraction(y, b, a) / b
    }
}

/// The normal deviate of t: Hill 1970, algorithm 395.
fn hill(square: f64, degrees: f64) -> f64 {
    let a = degrees - 0.5;
    let b = 48.0 * a * a;
    let y = a * (square / degrees).ln_1p();
    let tail = ((-0.4 * y - 3.3) * y - 24.0) * y - 85.5;
    ((tail / (0.8 * y * y + 100.0 + b) + y + 3.0) / b + 1.0) * y.sqrt()
}

/// Gamma(a + 1/2) / Gamma(a).
fn gamma_ratio(a: f64) -> f64 {
    let (mut factor, mut a) = (1.0, a);
    while a < 25.0 {
        factor *= a / (a + 0.5);
        a += 1.0;
    }
    // The asymptotic series of Tricomi & Erdélyi 1951, from the highest power of 1 / a.
    let series = [
        39325.0 / 33554432.0,
        869.0 / 4194304.0,
        -399.0 / 262144.0,
        -21.0 / 32768.0,
        5.0 / 1024.0,
        1.0 / 128.0,
        -1.0 / 8.0,
        1.0,
    ];
    factor * a.sqrt() * series.iter().fold(0.0, |sum, c| sum / a + c)
}

/// The continued fraction of the incomplete beta function, by Lentz's method.
fn fraction(x: f64, a: f64, b: f64) -> f64 {
    let guard = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let mut d = 1.0 / guard(1.0 - (a + b) * x / (a + 1.0));
    let (mut c, mut result) = (1.0, d);
    for step in 1..100_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 / guard(1.0 + term * d);
            c = guard(1.0 + term / c);
            change = c * d;
            result *= change;
        }
        if (change - 1.0).abs() < 1e-16 {
            break;
        }
    }
    result
}

/// The value up to which a share of at least a half lies.
pub(super) fn quantile(share: f64, degrees: f64) -> f64 {
    let tails = 2.0 * (1.0 - share);
    let (mut low, mut high) = (0.0, 1.0);
    while two_sided(high, degrees) > tails {
        (low, high) = (high, 2.0 * high);
    }
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return middle;
        }
        if two_sided(middle, degrees) > tails {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// The chance that a noncentral t is as far from 0 as `critical`.
///
/// With the mean over S, the root of a chi square by its degrees, of the chance that a normal
/// value with mean `noncentrality` is beyond `critical` S; by the trapezoidal rule over ln S, which
/// converges geometrically.
pub(super) fn power(critical: f64, degrees: f64, noncentrality: f64) -> f64 {
    let width = 1.0 / (2.0 * degrees).sqrt();
    let (from, to) = (-9.5 * width - 38.0 / degrees, 9.5 * width);
    let steps = ((to - from) / (0.2 * width.min(1.0 / critical))).ceil();
    let steps = steps.min(20_000.0) as u32;
    let (mut sum, mut whole) = (0.0, 0.0);
    for step in 0..=steps {
        let u = from + (to - from) * f64::from(step) / f64::from(steps);
        let weight = (degrees * (u - (2.0 * u).exp_m1() / 2.0)).exp();
        let bound = critical * u.exp();
        sum += weight * (normal::cdf(noncentrality - bound) + normal::cdf(-noncentrality - bound));
        whole += weight;
    }
    sum / whole
}
