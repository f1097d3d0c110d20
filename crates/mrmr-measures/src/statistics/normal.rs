//! The standard normal distribution.

use std::f64::consts::FRAC_1_SQRT_2;

/// The chance of a value up to `z`.
pub(super) fn cdf(z: f64) -> f64 {
    libm::erfc(-z * FRAC_1_SQRT_2) / 2.0
}

/// The value up to which a share lies; infinite at 0 and 1.
///
/// Wichura 1988, algorithm AS 241 (PPND16): about 1 part in 10^16.
pub(super) fn quantile(share: f64) -> f64 {
    let center = share - 0.5;
    if center.abs() <= 0.425 {
        let r = 0.180625 - center * center;
        return center * ratio(r, &CENTRAL);
    }
    let tail = if center < 0.0 { share } else { 1.0 - share };
    if tail <= 0.0 {
        return f64::INFINITY.copysign(center);
    }
    let r = (-tail.ln()).sqrt();
    let size = if r <= 5.0 {
        ratio(r - 1.6, &MIDDLE)
    } else {
        ratio(r - 5.0, &FAR)
    };
    size.copysign(center)
}

/// Coefficients of a quotient of polynomials, from the lowest power.
type Quotient = [[f64; 8]; 2];

fn ratio(x: f64, [above, below]: &Quotient) -> f64 {
    let polynomial = |c: &[f64; 8]| c.iter().rev().fold(0.0, |sum, c| sum * x + c);
    polynomial(above) / polynomial(below)
}

#[rustfmt::skip]
#[allow(clippy::excessive_precision)] // as published
const CENTRAL: Quotient = [
    [
        3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
        4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3,
    ],
    [
        1.0, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
        2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3,
    ],
];

#[rustfmt::skip]
#[allow(clippy::excessive_precision)] // as published
const MIDDLE: Quotient = [
    [
        1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
        1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4,
    ],
    [
        1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
        1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9,
    ],
];

#[rustfmt::skip]
#[allow(clippy::excessive_precision)] // as published
const FAR: Quotient = [
    [
        6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
        2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
    ],
    [
        1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
        7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15,
    ],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quantile_undoes_the_distribution() {
        for tail in [
            1e-300, 1e-30, 1e-12, 1e-6, 0.001, 0.025, 0.07, 0.08, 0.3, 0.5,
        ] {
            let back = cdf(quantile(tail));
            assert!((back / tail - 1.0).abs() < 1e-12, "{tail} {back}");
            assert_eq!(quantile(1.0 - tail), -quantile(1.0 - (1.0 - tail)));
        }
        assert_eq!(
            (quantile(0.0), quantile(1.0)),
            (f64::NEG_INFINITY, f64::INFINITY)
        );
        assert!((quantile(0.975) - 1.959963984540054).abs() < 1e-15);
    }
}
