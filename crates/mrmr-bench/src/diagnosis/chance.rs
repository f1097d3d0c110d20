//! What a system reaches that knows nothing.

use mrmr_core::{Origin, Result, Run, TiePolicy};
use mrmr_measures::{Evaluator, MeasureSpec, Policies};

use crate::candidates::Candidates;
use crate::task::Task;

/// Answers of all queries together, above which chance is not computed.
const MOST: usize = 30_000_000;

/// The value of a measure where every document (of the candidates, where there are some) has the same score, averaged
/// over all orders; none where that is too much to compute.
///
/// # Errors
/// If the measure cannot be taken of the judgements.
pub fn chance(task: &Task, spec: &MeasureSpec, policies: Policies) -> Result<Option<f64>> {
    let dataset = &task.dataset;
    let candidates = Candidates::of(task.spec.candidates, dataset)?;
    let all = dataset.corpus.len().saturating_mul(dataset.queries.len());
    if candidates.is_none() && all > MOST {
        return Ok(None);
    }
    let mut run = Run::builder("chance", Origin::memory("chance"));
    for query in dataset.queries.ids().names() {
        run.add_empty(query);
        let own = candidates.as_ref().and_then(|known| known.get(query));
        let documents: Vec<&str> = match own {
            Some(own) => own.iter().map(String::as_str).collect(),
            None => dataset.corpus.ids().names().collect(),
        };
        let never = dataset.excluded.get(query);
        for (number, document) in documents.into_iter().enumerate() {
            if never.is_none_or(|never| never.iter().all(|other| other != document)) {
                run.add(query, document, 0.0, number as u64)?;
            }
        }
    }
    let (run, _) = run.finish(Default::default())?;
    let mut expected = policies;
    expected.ranking.ties = TiePolicy::Expected;
    let evaluator = Evaluator::new(&dataset.qrels, vec![spec.clone()], expected)?;
    let evaluation = evaluator.evaluate(&run)?;
    Ok(evaluation.measure(spec).map(|measure| measure.value))
}
