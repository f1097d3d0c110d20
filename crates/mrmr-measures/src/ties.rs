//! Values over the orders of tied documents.

mod orders;

use crate::measure::{Hit, JudgedRanking, Measure};

/// How values over the orders of tied documents were found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum TieMethod {
    /// Without going through orders: by a closed form, by the best and the worst order, or because no order
    /// changes anything.
    #[default]
    Closed,
    /// From every order that the measure can tell apart.
    Enumerated,
    /// From a sample of orders, the same for the same data.
    Sampled,
}

impl TieMethod {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            TieMethod::Closed => "closed",
            TieMethod::Enumerated => "enumerated",
            TieMethod::Sampled => "sampled",
        }
    }
}

/// A measure's values over the orders of one query's tied documents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TieSpread {
    /// Their mean.
    pub averaged: f64,
    /// How it was found.
    pub averaged_by: TieMethod,
    /// The lowest of them; where orders were sampled, of the sample and the order of the ranking.
    pub lowest: f64,
    /// The highest of them, likewise.
    pub highest: f64,
    /// How the two were found.
    pub extremes_by: TieMethod,
}

/// The values of a measure over the orders of tied documents.
pub(crate) fn spread<M: Measure + ?Sized>(measure: &M, query: &JudgedRanking<'_>) -> TieSpread {
    let ordered = measure.is_ordered().then(|| best_and_worst(measure, query));
    let closed = measure.averaged(query);
    let (averaged, averaged_by, extremes, extremes_by) = match (closed, ordered) {
        (Some(averaged), Some(extremes)) => {
            (averaged, TieMethod::Closed, extremes, TieMethod::Closed)
        }
        (None, Some((lowest, highest))) if lowest == highest => (
            lowest,
            TieMethod::Closed,
            (lowest, highest),
            TieMethod::Closed,
        ),
        (closed, ordered) => {
            let found = orders::visit(measure, query);
            let (averaged, averaged_by) = match closed {
                Some(averaged) => (averaged, TieMethod::Closed),
                None => (found.mean, found.method),
            };
            match ordered {
                Some(extremes) => (averaged, averaged_by, extremes, TieMethod::Closed),
                None => (
                    averaged,
                    averaged_by,
                    (found.lowest, found.highest),
                    found.method,
                ),
            }
        }
    };
    let (lowest, highest) = extremes;
    TieSpread {
        // Rounding must not lift a mean over what it is a mean of.
        averaged: averaged.max(lowest).min(highest),
        averaged_by,
        lowest,
        highest,
        extremes_by,
    }
}

/// The values with tied documents by rising and by falling worth.
fn best_and_worst<M: Measure + ?Sized>(measure: &M, query: &JudgedRanking<'_>) -> (f64, f64) {
    let ordered = |best_first: bool| {
        let worth = |grade: Option<f64>| {
            let worth = measure.worth(grade);
            if best_first { worth } else { -worth }
        };
        let hits = reordered(query, worth);
        measure.as_ranked(&JudgedRanking {
            hits: &hits,
            ..*query
        })
    };
    (ordered(false), ordered(true))
}

/// The hits with tied documents by falling worth, those without a judgement among them.
fn reordered(query: &JudgedRanking<'_>, worth: impl Fn(Option<f64>) -> f64) -> Vec<Hit> {
    let mut hits = query.hits.to_vec();
    let unjudged = worth(None);
    let mut start = 0;
    for group in query.groups {
        let own = &mut hits[start..start + group.judged];
        start += group.judged;
        own.sort_by(|a, b| worth(Some(b.grade)).total_cmp(&worth(Some(a.grade))));
        let ahead = own.partition_point(|hit| worth(Some(hit.grade)) > unjudged);
        for (at, hit) in own.iter_mut().enumerate() {
            // Behind the unjudged ones stand those that are worth less, or as much.
            let skipped = if at < ahead {
                0
            } else {
                group.size - group.judged
            };
            hit.rank = group.before + at + skipped + 1;
        }
    }
    hits
}
