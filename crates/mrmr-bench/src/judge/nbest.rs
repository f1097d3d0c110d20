//! N-best lists with the right label: a run and its judgements.

use std::collections::{HashMap, HashSet};

use mrmr_core::{DuplicatePolicy, Error, Origin, Qrels, Result, Run};
use mrmr_formats::Input;
use serde_json::Value;

use super::json_lines::{self, found, id};

/// What came of lists with the right label.
#[derive(Clone, Debug)]
pub struct NbestJudged {
    /// Grade 1 for the right label of each item, whether it is in the list or not.
    pub qrels: Qrels,
    /// The labels with their scores, ties as they were.
    pub run: Run,
    /// Items whose right label is not in their list: every measure counts them 0.
    pub absent: Vec<String>,
    /// Items without any hypothesis.
    pub without_hypotheses: Vec<String>,
    /// How many lists have equal scores.
    pub tied: usize,
}

/// Reads JSON lines `{"id", "hypotheses": [{"label", "score"}, ...], "label"}`; a higher score is better.
///
/// # Errors
/// If a line has another form, an item stands twice, a label stands twice in one list, or a score is not a number.
pub fn judge_nbest(input: &Input, name: &str) -> Result<NbestJudged> {
    let origin = Origin::lines(input.name());
    let mut judged = Qrels::builder(origin.clone());
    let mut run = Run::builder(name, origin);
    let (mut absent, mut without_hypotheses, mut tied) = (Vec::new(), Vec::new(), 0);
    let mut seen = HashMap::new();
    for line in json_lines::read(input)? {
        let item = line.id(&["id", "_id"])?;
        if let Some(first) = seen.insert(item.clone(), line.number) {
            return Err(Error::data(format!(
                "item '{item}' stands at line {first} already; expected each once"
            ))
            .at(line.place()));
        }
        let right = line.id(&["label"])?;
        judged.add(&item, &right, 1.0, line.number)?;
        run.add_empty(&item);
        let (mut labels, mut scores) = (HashSet::new(), Vec::new());
        for hypothesis in line.list("hypotheses")? {
            let form = || found("{\"label\": ..., \"score\": number}", hypothesis);
            let label = hypothesis.get("label").map(id).and_then(Result::ok);
            let score = hypothesis.get("score").and_then(Value::as_f64);
            let (Some(label), Some(score)) = (label, score) else {
                return Err(line.of("hypotheses", form()));
            };
            if !labels.insert(label.clone()) {
                return Err(Error::data(format!(
                    "item '{item}': label '{label}' stands twice in one list"
                ))
                .at(line.place())
                .hint("keep each label once, with its best score"));
            }
            run.add(&item, &label, score, line.number)?;
            scores.push(score);
        }
        scores.sort_by(f64::total_cmp);
        tied += usize::from(scores.windows(2).any(|pair| pair[0] == pair[1]));
        match labels.is_empty() {
            true => without_hypotheses.push(item.clone()),
            false if !labels.contains(&right) => absent.push(item.clone()),
            false => {}
        }
    }
    Ok(NbestJudged {
        qrels: judged.finish()?.0,
        run: run.finish(DuplicatePolicy::default())?.0,
        absent,
        without_hypotheses,
        tied,
    })
}
