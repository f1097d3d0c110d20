//! A run against judgements: which queries and documents they share.

use mrmr_core::{Entry, Error, Place, Qrels, QueryId, Ranking, RankingPolicy, Result, Run};
use mrmr_formats::findings::{Code, Findings};
use mrmr_formats::scan::{ScannedDataset, ScannedQrels, ScannedRun};
use mrmr_measures::{Evaluator, Policies, Warning};

/// How many ranks the unjudged share is told for.
const TOP: usize = 10;

/// Judgements that runs are checked against.
pub(super) struct Judged {
    source: String,
    judgements: Judgements,
    pub(super) is_dataset: bool,
}

enum Judgements {
    File(Box<ScannedQrels>),
    Dataset(Box<ScannedDataset>),
}

impl Judged {
    pub(super) fn file(source: String, scanned: ScannedQrels) -> Self {
        Judged {
            source,
            judgements: Judgements::File(Box::new(scanned)),
            is_dataset: false,
        }
    }

    pub(super) fn dataset(source: String, scanned: ScannedDataset) -> Self {
        Judged {
            source,
            judgements: Judgements::Dataset(Box::new(scanned)),
            is_dataset: true,
        }
    }

    fn qrels(&self) -> &Qrels {
        match &self.judgements {
            Judgements::File(scanned) => &scanned.qrels,
            Judgements::Dataset(scanned) => &scanned.dataset.qrels,
        }
    }

    fn place(&self, query: &str) -> Place {
        match &self.judgements {
            Judgements::File(scanned) => scanned.place(query),
            Judgements::Dataset(scanned) => scanned.place(query),
        }
    }
}

/// Adds what does not fit together; what is left to say is given back.
pub(super) fn against(
    source: &str,
    scanned: &ScannedRun,
    judged: &Judged,
    findings: &mut Findings,
) -> Result<Option<String>> {
    let (run, qrels) = (&scanned.run, judged.qrels());
    if qrels.is_empty() || run.queries().is_empty() {
        return Ok(None);
    }
    let common = |name: &&str| qrels.queries().get(name).is_some();
    if !run.queries().names().any(|name| common(&name)) {
        if let Err(error) = evaluated(run, qrels) {
            findings.add(Code::NoCommonQuery, || error);
        }
        return Ok(None);
    }
    for name in qrels.queries().names() {
        if run.queries().get(name).is_none() {
            findings.add(Code::MissingQuery, || {
                Error::data(format!(
                    "query '{name}' is judged, and missing from {source}"
                ))
                .at(judged.place(name))
            });
        }
    }
    for name in run.queries().names().filter(|name| !common(name)) {
        findings.add(Code::ExtraQuery, || {
            Error::data(format!(
                "query '{name}' is not judged in {}; it is left out",
                judged.source
            ))
            .at(scanned.place(name))
        });
    }
    unjudged(scanned, qrels, findings)
}

/// Counts the unjudged documents at the first ranks.
fn unjudged(
    scanned: &ScannedRun,
    qrels: &Qrels,
    findings: &mut Findings,
) -> Result<Option<String>> {
    let run = &scanned.run;
    let (mut first, mut unjudged, mut any) = (0, 0, false);
    for query in run.queries().keys() {
        let name = run.queries().name(query);
        let Some(key) = qrels.queries().get(name) else {
            continue;
        };
        let is_judged = |entry: &Entry| {
            let document = qrels.documents().get(run.documents().name(entry.document));
            document.is_some_and(|document| qrels.grade(key, document).is_some())
        };
        any = any || run.entries(query).iter().any(is_judged);
        let top = top(run, query);
        let missing = top.iter().filter(|entry| !is_judged(entry)).count();
        first += top.len();
        unjudged += missing;
        if missing > 0 {
            findings.add(Code::UnjudgedTop10, || {
                let of = top.len();
                let message = format!("query '{name}': {missing} of the first {of} are unjudged");
                Error::data(message).at(scanned.place(name))
            });
        }
    }
    if !any && !run.is_empty() {
        for warning in evaluated(run, qrels)? {
            if let Warning::NothingJudged { .. } = warning {
                findings.add(Code::NothingJudged, || Error::data(warning.to_string()));
            }
        }
    }
    Ok(Some(format!(
        "{unjudged} of {first} documents at ranks 1 to {TOP} of the judged queries are unjudged"
    )))
}

/// The first documents of a query; those below the last of their scores need no order.
fn top(run: &Run, query: QueryId) -> Vec<Entry> {
    let entries = run.entries(query);
    let mut scores: Vec<f64> = entries.iter().map(|entry| entry.score).collect();
    let lowest = if scores.len() > TOP {
        *scores
            .select_nth_unstable_by(TOP - 1, |a, b| b.total_cmp(a))
            .1
    } else {
        f64::NEG_INFINITY
    };
    let best: Vec<Entry> = entries
        .iter()
        .filter(|entry| entry.score >= lowest)
        .copied()
        .collect();
    let ranking = Ranking::new(&best, run.documents(), RankingPolicy::default());
    ranking.entries()[..best.len().min(TOP)].to_vec()
}

/// What an evaluation says about ids that do not meet, and why that may be.
fn evaluated(run: &Run, qrels: &Qrels) -> Result<Vec<Warning>> {
    let evaluator = Evaluator::new(qrels, vec!["NumRet".parse()?], Policies::default())?;
    Ok(evaluator.evaluate(run)?.warnings)
}
