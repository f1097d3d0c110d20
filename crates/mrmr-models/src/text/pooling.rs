//! One vector from the vectors of the tokens.

use mrmr_core::{Error, Result};
use serde_json::Value;

use crate::folder::PoolingConfig;

/// A way to make one vector of many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    First,
    Max,
    Mean,
    MeanOfRoot,
    WeightedMean,
    Last,
}

/// One way or several, whose vectors are then joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pooling {
    modes: Vec<Mode>,
    /// Whether the tokens of a prompt count.
    pub(crate) include_prompt: bool,
}

impl Default for Pooling {
    /// The mean, as sentence-transformers has it for a model that does not say.
    fn default() -> Self {
        Pooling {
            modes: vec![Mode::Mean],
            include_prompt: true,
        }
    }
}

impl Pooling {
    /// As the settings of a pooling step say.
    pub(crate) fn of(config: &PoolingConfig) -> Result<Self> {
        let modes = match &config.pooling_mode {
            Some(Value::String(name)) => vec![Mode::named(name)?],
            Some(Value::Array(names)) => {
                let names = names.iter().map(|name| name.as_str().unwrap_or_default());
                names.map(Mode::named).collect::<Result<_>>()?
            }
            _ => {
                // Joined in this order, whatever the order in the file.
                let known = [
                    (config.pooling_mode_cls_token, Mode::First),
                    (config.pooling_mode_max_tokens, Mode::Max),
                    (config.pooling_mode_mean_tokens, Mode::Mean),
                    (config.pooling_mode_mean_sqrt_len_tokens, Mode::MeanOfRoot),
                    (config.pooling_mode_weightedmean_tokens, Mode::WeightedMean),
                    (config.pooling_mode_lasttoken, Mode::Last),
                ];
                known
                    .into_iter()
                    .filter_map(|(on, mode)| on.then_some(mode))
                    .collect()
            }
        };
        if modes.is_empty() {
            return Err(Error::format(
                "expected a pooling mode that is true, found none",
            ));
        }
        Ok(Pooling {
            modes,
            include_prompt: config.include_prompt.unwrap_or(true),
        })
    }

    /// How many numbers come of vectors with `width` numbers.
    pub(crate) fn dimension(&self, width: usize) -> usize {
        self.modes.len() * width
    }

    /// One vector of those in `tokens`, each of `width` numbers; the first `skipped` do not count in means and maxima.
    pub(crate) fn pool(&self, tokens: &[f32], width: usize, skipped: usize) -> Vec<f32> {
        let skipped = if self.include_prompt { 0 } else { skipped };
        let all = tokens.len() / width;
        let counted = &tokens[skipped.min(all.saturating_sub(1)) * width..];
        let mut pooled = Vec::with_capacity(self.dimension(width));
        for mode in &self.modes {
            match mode {
                Mode::First => pooled.extend_from_slice(&tokens[..width]),
                Mode::Last => pooled.extend_from_slice(&tokens[(all - 1) * width..]),
                Mode::Max => {
                    pooled.extend(columns(counted, width, f32::NEG_INFINITY, |max, x, _| {
                        max.max(x)
                    }))
                }
                Mode::Mean | Mode::MeanOfRoot | Mode::WeightedMean => {
                    let rows = (counted.len() / width) as f64;
                    let weighted = *mode == Mode::WeightedMean;
                    let weight = |row: usize| if weighted { (row + 1) as f64 } else { 1.0 };
                    let sums = columns(counted, width, 0.0, |sum, x, row| {
                        sum + weight(row) * f64::from(x)
                    });
                    let divisor = match mode {
                        Mode::Mean => rows,
                        Mode::MeanOfRoot => rows.sqrt(),
                        _ => rows * (rows + 1.0) / 2.0,
                    };
                    pooled.extend(sums.into_iter().map(|sum| (sum / divisor) as f32));
                }
            }
        }
        pooled
    }
}

impl Mode {
    fn named(name: &str) -> Result<Self> {
        Ok(match name {
            "cls" => Mode::First,
            "max" => Mode::Max,
            "mean" => Mode::Mean,
            "mean_sqrt_len_tokens" => Mode::MeanOfRoot,
            "weightedmean" => Mode::WeightedMean,
            "lasttoken" => Mode::Last,
            _ => {
                return Err(Error::unsupported(format!(
                    "unknown pooling mode '{name}'; expected cls, max, mean, mean_sqrt_len_tokens, weightedmean or lasttoken"
                )));
            }
        })
    }
}

/// Folds each column, from the first row to the last.
fn columns<T: Clone>(
    rows: &[f32],
    width: usize,
    start: T,
    fold: impl Fn(T, f32, usize) -> T,
) -> Vec<T> {
    let mut folded = vec![start; width];
    for (at, row) in rows.chunks_exact(width).enumerate() {
        for (value, number) in folded.iter_mut().zip(row) {
            *value = fold(value.clone(), *number, at);
        }
    }
    folded
}

/// Gives a vector the length 1; a vector of zeros stays as it is.
pub(crate) fn normalize(vector: &mut [f32]) {
    let square: f64 = vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum();
    let length = square.sqrt().max(1e-12);
    for number in vector {
        *number = (f64::from(*number) / length) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pooled(mode: &str, skipped: usize) -> Vec<f32> {
        let config = PoolingConfig {
            pooling_mode: Some(mode.into()),
            include_prompt: Some(false),
            ..PoolingConfig::default()
        };
        let tokens = [1.0, 8.0, 3.0, 4.0, 8.0, -6.0, 0.0, 2.0];
        Pooling::of(&config).unwrap().pool(&tokens, 2, skipped)
    }

    #[test]
    fn each_mode_is_what_its_name_says() {
        assert_eq!(pooled("cls", 0), [1.0, 8.0]);
        assert_eq!(pooled("lasttoken", 0), [0.0, 2.0]);
        assert_eq!(pooled("max", 0), [8.0, 8.0]);
        assert_eq!(pooled("mean", 0), [3.0, 2.0]);
        assert_eq!(pooled("mean_sqrt_len_tokens", 0), [6.0, 4.0]);
        assert_eq!(pooled("weightedmean", 0), [3.1, 0.6]);
        assert_eq!(pooled("mean", 2), [4.0, -2.0]);
        assert_eq!(pooled("max", 1), [8.0, 4.0]);
    }

    #[test]
    fn the_older_form_joins_modes_in_one_order() {
        let config: PoolingConfig = serde_json::from_str(
            r#"{"word_embedding_dimension": 2, "pooling_mode_mean_tokens": true, "pooling_mode_cls_token": true}"#,
        )
        .unwrap();
        let pooling = Pooling::of(&config).unwrap();
        assert_eq!(
            pooling.pool(&[1.0, 2.0, 3.0, 6.0], 2, 0),
            [1.0, 2.0, 2.0, 4.0]
        );
        assert!(Pooling::of(&PoolingConfig::default()).is_err());
    }
}
