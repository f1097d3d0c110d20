//! BayesFuse: the log odds of relevance by rank.

use crate::fusion::candidates::Answers;
use crate::fusion::definition::{Bind, Combine, Definition, Reads, bound};
use crate::fusion::training::Training;

pub(super) const DEFINITION: Definition = Definition {
    name: "bayesfuse",
    aliases: &["bayes-fuse"],
    summary: "the sum of the log odds that a document at about the run's rank is relevant; log(0.001 / 0.999) where the run lacks it",
    parameters: &[],
    reads: Reads::Ranks,
    source: "Aslam & Montague 2001, Models for metasearch (SIGIR)",
    bind: Bind::Trained(|_, runs| {
        bound(BayesFuse {
            odds: runs.iter().map(log_odds).collect(),
        })
    }),
};

struct BayesFuse {
    odds: Vec<[f64; ENDS.len()]>,
}

/// Behind which rank each stretch of ranks ends: those of trec_eval's precisions.
const ENDS: [usize; 9] = [5, 10, 15, 20, 30, 100, 200, 500, 1000];

/// What a share of 0, or what is left of a share of 1, counts.
const LEAST: f64 = 0.001;

impl Combine for BayesFuse {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        let lacking = (LEAST / (1.0 - LEAST)).ln();
        let mut odds = vec![0.0; answers.documents];
        for (known, list) in self.odds.iter().zip(answers.lists) {
            odds.fill(lacking);
            for (rank, scored) in list.iter().enumerate() {
                let stretch = ENDS.partition_point(|end| *end <= rank);
                // Nothing is known of the ranks beyond the last.
                odds[scored.slot as usize] = known.get(stretch).copied().unwrap_or(lacking);
            }
            for (score, odds) in scores.iter_mut().zip(&odds) {
                *score += odds;
            }
        }
    }
}

fn log_odds(run: &Training) -> [f64; ENDS.len()] {
    std::array::from_fn(|stretch| {
        let start = if stretch == 0 { 0 } else { ENDS[stretch - 1] };
        let ranks = start..ENDS[stretch];
        let share = run.mean(|list| list.hits_within(ranks.clone()) as f64 / ranks.len() as f64);
        let share = if share == 0.0 { LEAST } else { share };
        let rest = if share >= 1.0 { LEAST } else { 1.0 - share };
        (share / rest).ln()
    })
}
