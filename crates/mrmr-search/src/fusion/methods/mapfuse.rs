//! MAPFuse: runs count by their average precision.

use crate::fusion::candidates::Answers;
use crate::fusion::definition::{Bind, Combine, Definition, Reads, bound};
use crate::fusion::training::Training;

pub(super) const DEFINITION: Definition = Definition {
    name: "mapfuse",
    aliases: &["map-fuse"],
    summary: "the sum of the run's mean average precision / rank",
    parameters: &[],
    reads: Reads::Ranks,
    source: "Lillis et al. 2010, Estimating probabilities for effective data fusion (SIGIR)",
    bind: Bind::Trained(|_, runs| {
        bound(MapFuse {
            precisions: runs.iter().map(average_precision).collect(),
        })
    }),
};

struct MapFuse {
    precisions: Vec<f64>,
}

impl Combine for MapFuse {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        answers.add(scores, |run, rank, _| {
            self.precisions[run] / (rank + 1) as f64
        });
    }
}

/// The mean of AP over the judged queries.
fn average_precision(run: &Training) -> f64 {
    run.mean(|list| {
        let (mut found, mut sum) = (0, 0.0);
        for (rank, hit) in list.hits.iter().enumerate() {
            if *hit {
                found += 1;
                sum += f64::from(found) / (rank + 1) as f64;
            }
        }
        sum / list.relevant.max(1) as f64
    })
}
