//! The settings to choose from.

use mrmr_core::{Error, Result};
use mrmr_search::fusion::{FusionSpec, Method, Normalization, Parameter, ParameterKind};

use super::TuneOptions;

/// Up to so many settings are all looked at.
const SMALL: usize = 500;

/// The fewest parts that weights are made of.
const PARTS: usize = 10;

/// One setting of all parameters, as places in a [`Space`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Setting {
    /// Parts for each run; none for a method without weights.
    pub(super) parts: Vec<u32>,
    pub(super) number: usize,
    pub(super) normalization: usize,
    pub(super) depth: usize,
}

/// Everything that a method's parameters may be; the default is the first of each list.
#[derive(Debug)]
pub(super) struct Space {
    method: Method,
    runs: usize,
    parts: usize,
    parameter: Option<&'static Parameter>,
    numbers: Vec<f64>,
    normalizations: Vec<Normalization>,
    depths: Vec<Option<usize>>,
}

impl Space {
    pub(super) fn new(method: &Method, runs: usize, options: &TuneOptions) -> Result<Self> {
        let definition = method.definition();
        let name = definition.name;
        if definition.is_trained() {
            return Err(Error::usage(format!(
                "{name} learns from judgements, it has no parameters that are searched for"
            ))
            .hint("mrmr fuse --qrels"));
        }
        if method.given().any(|(name, _)| name == "weights") {
            return Err(
                Error::usage(format!("{method}: the weights are what is searched for"))
                    .hint(format!("--method {name}")),
            );
        }
        let mut parameters = definition.parameters.iter();
        let parameter = parameters.find(|parameter| parameter.kind != ParameterKind::Weights);
        let numbers = parameter.map_or(Vec::new(), |parameter| {
            let own = method.number(parameter.name);
            let others = parameter.grid.iter().copied().filter(|value| *value != own);
            std::iter::once(own).chain(others).collect()
        });
        let mut normalizations = Vec::new();
        for normalization in &options.normalizations {
            if !normalizations.contains(normalization) {
                normalizations.push(*normalization);
            }
        }
        if normalizations.is_empty() {
            normalizations.push(method.default_normalization());
        } else if definition.reads == mrmr_search::fusion::Reads::Ranks {
            return Err(Error::usage(format!(
                "{name} reads ranks alone: no normalization has an effect"
            )));
        }
        let mut depths = vec![None];
        for depth in &options.depths {
            if !depths.contains(&Some(*depth)) {
                depths.push(Some(*depth));
            }
        }
        let space = Space {
            method: method.clone(),
            runs: if definition.takes_weights() { runs } else { 0 },
            // Equal weights are among them.
            parts: PARTS.div_ceil(runs.max(1)).max(2) * runs,
            parameter,
            numbers,
            normalizations,
            depths,
        };
        if space.count() == 1 {
            return Err(Error::usage(format!("{name} has nothing to choose"))
                .hint("several --norm or --depth are something to choose from"));
        }
        Ok(space)
    }

    /// What the method is where nothing is chosen.
    pub(super) fn default_setting(&self) -> Setting {
        let each = self.parts.checked_div(self.runs).unwrap_or(0);
        Setting {
            parts: vec![each as u32; self.runs],
            number: 0,
            normalization: 0,
            depth: 0,
        }
    }

    /// How many settings there are.
    fn count(&self) -> usize {
        let weights = match self.runs {
            0 => 1,
            // Ways to share the parts out.
            runs => (1..runs).fold(1usize, |ways, i| ways.saturating_mul(self.parts + i) / i),
        };
        let others = self.numbers.len().max(1) * self.normalizations.len() * self.depths.len();
        weights.saturating_mul(others)
    }

    /// Whether all settings are looked at.
    pub(super) fn is_small(&self) -> bool {
        self.count() <= SMALL
    }

    /// All settings, the simplest first.
    pub(super) fn all(&self) -> Vec<Setting> {
        let mut shares = Vec::new();
        share_out(self.runs, self.parts as u32, &mut Vec::new(), &mut shares);
        let mut all = Vec::new();
        for parts in shares {
            for number in 0..self.numbers.len().max(1) {
                for normalization in 0..self.normalizations.len() {
                    for depth in 0..self.depths.len() {
                        all.push(Setting {
                            parts: parts.clone(),
                            number,
                            normalization,
                            depth,
                        });
                    }
                }
            }
        }
        self.simplest_first(all)
    }

    /// The settings that differ in one parameter, of weights by one part, the simplest first.
    pub(super) fn neighbours(&self, of: &Setting) -> Vec<Setting> {
        let mut all = Vec::new();
        for from in 0..of.parts.len() {
            for to in (0..of.parts.len()).filter(|to| *to != from && of.parts[from] > 0) {
                let mut next = of.clone();
                next.parts[from] -= 1;
                next.parts[to] += 1;
                all.push(next);
            }
        }
        all.extend((0..self.numbers.len()).map(|number| Setting {
            number,
            ..of.clone()
        }));
        let normalizations = 0..self.normalizations.len();
        all.extend(normalizations.map(|normalization| Setting {
            normalization,
            ..of.clone()
        }));
        all.extend((0..self.depths.len()).map(|depth| Setting {
            depth,
            ..of.clone()
        }));
        all.retain(|setting| setting != of);
        self.simplest_first(all)
    }

    fn simplest_first(&self, mut settings: Vec<Setting>) -> Vec<Setting> {
        let default = self.default_setting();
        settings.sort_by_cached_key(|setting| {
            let pairs = setting.parts.iter().zip(&default.parts);
            let distance: u64 = pairs.map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2)).sum();
            let changed = [
                distance > 0,
                setting.number != 0,
                setting.normalization != 0,
                setting.depth != 0,
            ];
            let changed = changed.into_iter().filter(|changed| *changed).count();
            (changed, distance, setting.clone())
        });
        settings
    }

    /// A setting as a fusion.
    pub(super) fn spec(&self, setting: &Setting) -> Result<FusionSpec> {
        let mut method = self.method.clone();
        // Equal weights are those of the default.
        if setting.parts.windows(2).any(|pair| pair[0] != pair[1]) {
            let share = |parts: &u32| f64::from(*parts) / self.parts as f64;
            method = method.with_weights(&setting.parts.iter().map(share).collect::<Vec<_>>())?;
        }
        if let Some(parameter) = self.parameter {
            method = method.with_number(parameter.name, self.numbers[setting.number])?;
        }
        Ok(FusionSpec {
            normalization: self.normalizations[setting.normalization],
            depth: self.depths[setting.depth],
            ..FusionSpec::new(method)
        })
    }
}

/// All ways to give `rest` parts to so many runs.
fn share_out(runs: usize, rest: u32, given: &mut Vec<u32>, out: &mut Vec<Vec<u32>>) {
    match runs - given.len().min(runs) {
        0 => out.push(given.clone()),
        1 => {
            given.push(rest);
            out.push(given.clone());
            given.pop();
        }
        _ => {
            for part in 0..=rest {
                given.push(part);
                share_out(runs, rest - part, given, out);
                given.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(method: &str, runs: usize, options: &TuneOptions) -> Space {
        Space::new(&method.parse().unwrap(), runs, options).unwrap()
    }

    #[test]
    fn weights_go_in_whole_steps_from_equal_ones() {
        let options = TuneOptions::default();
        let two = space("wsum", 2, &options);
        let texts: Vec<String> = two
            .all()
            .iter()
            .map(|s| two.spec(s).unwrap().method.to_string())
            .collect();
        assert_eq!(
            texts[..3],
            ["wsum", "wsum(weights=0.4,0.6)", "wsum(weights=0.6,0.4)"]
        );
        assert_eq!(texts.len(), 11);
        let three = space("wsum", 3, &options);
        assert_eq!((three.all().len(), three.count()), (91, 91));
        assert_eq!(three.all()[0], three.default_setting());
        assert!(!space("wsum", 6, &options).is_small());
        assert_eq!(
            space("wsum", 6, &options)
                .neighbours(&space("wsum", 6, &options).default_setting())
                .len(),
            30
        );
    }

    #[test]
    fn other_parameters_start_at_what_is_given() {
        let options = TuneOptions {
            depths: vec![10],
            ..TuneOptions::default()
        };
        let space = space("rrf(k=20)", 3, &options);
        let first = space.spec(&space.all()[0]).unwrap();
        assert_eq!(
            (first.method.to_string(), first.depth),
            ("rrf(k=20)".to_owned(), None)
        );
        assert_eq!(space.all().len(), space.numbers.len() * 2);
    }

    #[test]
    fn what_has_nothing_to_choose_is_refused() {
        let told = |method: &str| {
            let space = Space::new(&method.parse().unwrap(), 2, &TuneOptions::default());
            space.unwrap_err().to_string()
        };
        assert_eq!(told("combsum"), "combsum has nothing to choose");
        assert_eq!(
            told("wsum(weights=1,2)"),
            "wsum(weights=1,2): the weights are what is searched for"
        );
        assert!(told("posfuse").starts_with("posfuse learns from judgements"));
    }
}
