//! Which query is in which part.

use std::collections::BTreeMap;

use mrmr_core::{Error, Result};

use super::TuneOptions;

/// A fold for each query. Groups stay together: in an order that the seed decides, each goes to the smallest fold so far.
pub(super) fn assign(queries: &[String], options: &TuneOptions) -> Result<Vec<usize>> {
    let folds = options.folds;
    if folds < 2 {
        return Err(
            Error::usage(format!("expected 2 folds or more, found {folds}"))
                .hint("with one there would be no query to choose by that is not measured too"),
        );
    }
    // A query without a group is on its own, whatever groups are called.
    let mut groups: BTreeMap<(bool, &str), Vec<usize>> = BTreeMap::new();
    for (at, query) in queries.iter().enumerate() {
        let group = options.groups.get(query);
        let key = group.map_or((false, query.as_str()), |group| (true, group.as_str()));
        groups.entry(key).or_default().push(at);
    }
    if groups.len() < folds {
        let what = if options.groups.is_empty() {
            "queries"
        } else {
            "groups of queries"
        };
        return Err(Error::data(format!(
            "{folds} folds need as many {what}, found {}",
            groups.len()
        ))
        .hint("--folds with a smaller number"));
    }
    let mut order: Vec<(blake3::Hash, &(bool, &str))> = groups
        .keys()
        .map(|key| {
            let mut hasher = blake3::Hasher::new();
            hasher.update(&options.seed.to_le_bytes());
            hasher.update(&[u8::from(key.0)]);
            hasher.update(key.1.as_bytes());
            (hasher.finalize(), key)
        })
        .collect();
    order.sort_unstable_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()).then(a.1.cmp(b.1)));
    let mut sizes = vec![0; folds];
    let mut fold_of = vec![0; queries.len()];
    for (_, key) in order {
        let smallest = (0..folds).min_by_key(|fold| sizes[*fold]).unwrap_or(0);
        for at in &groups[key] {
            fold_of[*at] = smallest;
            sizes[smallest] += 1;
        }
    }
    Ok(fold_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queries(count: usize) -> Vec<String> {
        (0..count).map(|n| format!("q{n:03}")).collect()
    }

    #[test]
    fn folds_are_of_one_size_and_depend_on_the_seed() {
        let of = |seed| {
            let options = TuneOptions {
                seed,
                ..TuneOptions::default()
            };
            assign(&queries(52), &options).unwrap()
        };
        let mut sizes: Vec<usize> = (0..5)
            .map(|fold| of(1).iter().filter(|f| **f == fold).count())
            .collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [10, 10, 10, 11, 11]);
        assert_eq!(of(1), of(1));
        assert_ne!(of(1), of(2));
    }

    #[test]
    fn groups_stay_together() {
        let queries = queries(60);
        let group = |at: usize| format!("g{}", at % 7);
        let named = queries.iter().enumerate().filter(|(at, _)| at % 7 < 6);
        let groups = named
            .map(|(at, query)| (query.clone(), group(at)))
            .collect();
        let options = TuneOptions {
            folds: 3,
            groups,
            ..TuneOptions::default()
        };
        let fold_of = assign(&queries, &options).unwrap();
        for at in 7..60 {
            assert!(at % 7 == 6 || fold_of[at] == fold_of[at % 7]);
        }
        // Those without a group are spread.
        let alone: std::collections::BTreeSet<usize> = (0..60)
            .filter(|at| at % 7 == 6)
            .map(|at| fold_of[at])
            .collect();
        assert!(alone.len() > 1);
    }

    #[test]
    fn too_few_groups_are_an_error() {
        let all: BTreeMap<String, String> = queries(9)
            .into_iter()
            .map(|q| (q, "one".to_owned()))
            .collect();
        let options = TuneOptions {
            groups: all,
            ..TuneOptions::default()
        };
        let error = assign(&queries(9), &options).unwrap_err();
        assert_eq!(
            error.to_string(),
            "5 folds need as many groups of queries, found 1"
        );
    }
}
