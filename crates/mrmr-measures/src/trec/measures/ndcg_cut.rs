//! nDCG at cut-offs, with the grades as gains.

use super::super::arguments::Parameters;
use super::super::family::Family;
use super::super::gains::discounted;
use super::super::judged::Judged;
use super::CUTOFFS;

/// nDCG at cut-offs.
pub(super) const NDCG_CUT: Family = Family::mean(
    "ndcg_cut",
    Parameters::Cutoffs(CUTOFFS),
    |query, arguments, values| {
        let cutoffs = arguments.cutoffs();
        let sums = query.up_to(cutoffs, add);
        let highest = ideal(query).up_to(cutoffs, add);
        for ((value, sum), highest) in values.iter_mut().zip(sums).zip(highest) {
            *value = if highest > 0.0 { sum / highest } else { sum };
        }
    },
);

fn add(sum: f64, place: usize, grade: i64) -> f64 {
    if grade > 0 {
        sum + discounted(grade as f64, place)
    } else {
        sum
    }
}

/// All positive judged grades, from the highest.
fn ideal(query: &Judged) -> Judged {
    let levels = query.levels.iter().enumerate().skip(1).rev();
    let grades = levels.flat_map(|(grade, documents)| (0..*documents).map(move |_| grade as i64));
    Judged {
        grades: grades.collect(),
        ..Judged::default()
    }
}
