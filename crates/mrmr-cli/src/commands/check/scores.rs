//! Queries whose scores do not make an order on their own.

use mrmr_core::Error;
use mrmr_formats::findings::{Code, Findings};
use mrmr_formats::scan::ScannedRun;

/// The ranks across which ties are looked for: the cut-offs of most measures.
const CUTOFFS: [usize; 2] = [10, 100];

pub(super) fn scores(scanned: &ScannedRun, findings: &mut Findings) {
    let run = &scanned.run;
    let mut scores = Vec::new();
    for query in run.queries().keys() {
        scores.clear();
        scores.extend(run.entries(query).iter().map(|entry| entry.score));
        // Scores are never NaN; minus zero is sorted below zero, and equal to it.
        scores.sort_unstable_by(|a, b| b.total_cmp(a));
        let name = run.queries().name(query);
        let mut add = |code, message: &dyn Fn() -> String| {
            findings.add(code, || {
                let message = format!("query '{name}': {}", message());
                Error::data(message).at(scanned.place(name))
            });
        };
        let is_equal = scores.len() > 1 && scores.first() == scores.last();
        if is_equal {
            add(Code::AllScoresEqual, &|| {
                format!(
                    "all {} documents have the score {}",
                    scores.len(),
                    scores[0]
                )
            });
            continue;
        }
        let is_tied =
            |cutoff: &&usize| scores.len() > **cutoff && scores[**cutoff - 1] == scores[**cutoff];
        if CUTOFFS.iter().any(|cutoff| is_tied(&cutoff)) {
            add(Code::TiesAtCutoff, &|| {
                let tied = CUTOFFS.iter().filter(is_tied).map(|cutoff| {
                    let score = scores[*cutoff];
                    let count = scores.iter().filter(|other| **other == score).count();
                    format!("{count} documents with score {score} stand across rank {cutoff}")
                });
                tied.collect::<Vec<_>>().join(", ")
            });
        }
        let close = scores
            .windows(2)
            .find(|pair| pair[0] != pair[1] && pair[0] as f32 == pair[1] as f32);
        if let Some(pair) = close {
            add(Code::ScorePrecision, &|| {
                format!(
                    "scores such as {} and {} differ in 64 bits and not in 32",
                    pair[0], pair[1]
                )
            });
        }
    }
}
