//! What a pipeline loses from stage to stage.

use mrmr_measures::{Change, Policies, QueryChange, Stage, StageValue, Waterfall};
use serde_json::{Value, json};

use crate::document::{Block, Cell, Datum, Document, Records, Sheet};
use crate::format::Format;
use crate::json;
use crate::number::Numbers;
use crate::score::{QrelsFacts, RunFacts};

/// How many queries a sentence names.
const SHOWN: usize = 5;

/// The waterfall of a pipeline by one or more measures, ready to be written.
#[derive(Clone, Debug)]
pub struct WaterfallReport {
    /// The qrels.
    pub qrels: QrelsFacts,
    /// The runs that were read, with their stages.
    pub runs: Vec<(Stage, RunFacts)>,
    /// The assumptions.
    pub policies: Policies,
    /// What was found, a measure each.
    pub waterfalls: Vec<Waterfall>,
    /// How numbers are printed for people.
    pub numbers: Numbers,
}

impl WaterfallReport {
    /// The report in a format.
    pub fn write(&self, format: Format) -> String {
        format.exporter().export(&self.document())
    }

    pub(crate) fn document(&self) -> Document {
        let mut blocks = Vec::new();
        let mut verdicts = Vec::new();
        for waterfall in &self.waterfalls {
            blocks.push(Block::Sheet(self.sheet(waterfall)));
            blocks.push(Block::Notes(self.notes(waterfall)));
            verdicts.extend(self.sentences(waterfall));
        }
        Document {
            title: format!("Where the pipeline loses, against {}", self.qrels.source),
            verdicts,
            blocks,
            records: self.records(),
            json: self.json(),
            gates: Vec::new(),
        }
    }

    fn sheet(&self, waterfall: &Waterfall) -> Sheet {
        let spec = &waterfall.spec;
        let headers = [
            "stage".to_owned(),
            "run".to_owned(),
            spec.to_string(),
            "change".to_owned(),
            "lower".to_owned(),
            "higher".to_owned(),
            "affected".to_owned(),
        ];
        let count = waterfall.queries.len();
        let caption = format!(
            "{spec} from stage to stage, over {count} queries of {}.",
            self.qrels.source
        );
        let mut sheet = Sheet::new(caption, 2, headers);
        for stage in &waterfall.stages {
            let mut row = vec![
                Cell::new(stage.stage.name()),
                Cell::new(run_name(waterfall, stage)),
                Cell::new(self.numbers.show(spec, stage.value)),
            ];
            match &stage.change {
                None => row.extend((0..4).map(|_| Cell::default())),
                Some(change) => {
                    let changed = change.lower.len() + change.higher.len();
                    let share = 100.0 * changed as f64 / count as f64;
                    row.extend([
                        Cell::new(self.numbers.show_signed(spec, change.difference)),
                        Cell::new(change.lower.len().to_string()),
                        Cell::new(change.higher.len().to_string()),
                        Cell::new(format!("{share:.1} %")),
                    ]);
                }
            }
            sheet.row(row);
        }
        sheet
    }

    fn notes(&self, waterfall: &Waterfall) -> Vec<String> {
        let spec = &waterfall.spec;
        let show = |value| self.numbers.show(spec, value);
        let mut notes = vec![format!(
            "ceiling: {spec} {}, of a perfect reranker over {}; {} if they held every relevant document",
            show(waterfall.ceiling),
            candidates(waterfall),
            show(waterfall.ideal),
        )];
        notes.push(format!(
            "{} queries; lower, higher, affected: queries whose value changed from the stage before",
            waterfall.queries.len()
        ));
        if !waterfall.left_out.is_empty() {
            notes.push(format!(
                "{} judged queries left out",
                waterfall.left_out.len()
            ));
        }
        if waterfall.tied_at_depth > 0 {
            notes.push(format!(
                "in {} the order of equal scores decided what is a candidate",
                queries(waterfall.tied_at_depth)
            ));
        }
        if !waterfall.beyond_candidates.is_empty() {
            notes.push(format!(
                "in {} the reranked run has documents that are not among the candidates, and may be above the ceiling: {}",
                queries(waterfall.beyond_candidates.len()),
                some(waterfall.beyond_candidates.iter())
            ));
        }
        notes
    }

    fn sentences(&self, waterfall: &Waterfall) -> Vec<String> {
        let mut sentences = Vec::new();
        for stage in &waterfall.stages {
            let Some(change) = &stage.change else {
                continue;
            };
            let who = match (stage.stage, waterfall.depth) {
                (Stage::Exact, _) => "exact search".to_owned(),
                (Stage::Ann, _) => "ANN".to_owned(),
                (Stage::Candidates, Some(depth)) => format!("the cut at depth {depth}"),
                (Stage::Candidates, None) => "the choice of candidates".to_owned(),
                (Stage::Reranked, _) => "the reranker".to_owned(),
            };
            sentences.push(self.step(waterfall, &who, change));
        }
        let spec = &waterfall.spec;
        let lacking = &waterfall.lacking;
        sentences.push(match lacking.lower.len() {
            0 => format!("the candidates lack nothing that counts for {spec}"),
            count => format!(
                "the candidates lack relevant documents for {} of {spec} in {}: {}",
                self.numbers.show(spec, lacking.lost),
                queries(count),
                ids(&lacking.lower)
            ),
        });
        if let Some(below) = &waterfall.below_ceiling {
            sentences.push(match below.lower.len() {
                0 => format!("nothing of {spec} remains below the ceiling"),
                count => format!(
                    "{} of {spec} remains below the ceiling in {}: {}",
                    self.numbers.show(spec, below.lost),
                    queries(count),
                    ids(&below.lower)
                ),
            });
        }
        sentences
    }

    /// `ANN lost 0.0120 of RR@10 in 17 queries: q4, q9, ...; it gained 0.0010 in 2: q7, q8`.
    fn step(&self, waterfall: &Waterfall, who: &str, change: &Change) -> String {
        let spec = &waterfall.spec;
        let show = |value| self.numbers.show(spec, value);
        let lost = |of: &str| {
            let down = change.lower.iter().filter(|query| moved_down(query));
            let mut text = format!(
                "lost {}{of} in {}: {}",
                show(change.lost),
                queries(change.lower.len()),
                ids(&change.lower)
            );
            let down = down.count();
            if down > 0 {
                text += &format!(" (first relevant document further down or gone in {down})");
            }
            text
        };
        let gained = |of: &str| {
            format!(
                "gained {}{of} in {}: {}",
                show(change.gained),
                queries(change.higher.len()),
                ids(&change.higher)
            )
        };
        let of = format!(" of {spec}");
        match (change.lower.is_empty(), change.higher.is_empty()) {
            (true, true) => format!("{who} left {spec} as it was in every query"),
            (false, true) => format!("{who} {}", lost(&of)),
            (true, false) => format!("{who} {}", gained(&of)),
            (false, false) if change.gained > change.lost => {
                format!("{who} {}; it {}", gained(&of), lost(""))
            }
            (false, false) => format!("{who} {}; it {}", lost(&of), gained("")),
        }
    }

    fn records(&self) -> Records {
        let mut rows = Vec::new();
        for waterfall in &self.waterfalls {
            let measure = waterfall.spec.to_string();
            let mut before = None;
            for stage in &waterfall.stages {
                let name = stage.stage.name();
                add(
                    &mut rows,
                    &measure,
                    name,
                    (before, stage.value),
                    &stage.change,
                );
                before = Some(stage.value);
            }
            let (ideal, ceiling) = (waterfall.ideal, waterfall.ceiling);
            let lacking = Some(waterfall.lacking.clone());
            add(
                &mut rows,
                &measure,
                "lacking",
                (Some(ideal), ceiling),
                &lacking,
            );
            if waterfall.below_ceiling.is_some() {
                let values = (Some(ceiling), waterfall.end());
                let below = &waterfall.below_ceiling;
                add(&mut rows, &measure, "below_ceiling", values, below);
            }
        }
        Records {
            columns: vec![
                "measure",
                "step",
                "query",
                "before",
                "after",
                "difference",
                "first_relevant_before",
                "first_relevant_after",
            ],
            rows,
        }
    }

    fn json(&self) -> Value {
        let facts: Vec<RunFacts> = self.runs.iter().map(|(_, run)| run.clone()).collect();
        let mut runs = crate::compare::runs_json(&facts);
        for (run, (stage, _)) in runs.as_array_mut().into_iter().flatten().zip(&self.runs) {
            run["stage"] = json!(stage.name());
        }
        let waterfalls = self.waterfalls.iter().map(|waterfall| {
            let mut out = json::measure(&waterfall.spec);
            let stages = waterfall.stages.iter().map(|stage| {
                json!({
                    "stage": stage.stage.name(),
                    "run": stage.run,
                    "value": stage.value,
                    "change": stage.change.as_ref().map(change_json),
                })
            });
            let below = waterfall.below_ceiling.as_ref();
            for (key, value) in [
                ("queries_in_all", json!(waterfall.queries.len())),
                ("left_out", json!(waterfall.left_out)),
                ("depth", json!(waterfall.depth)),
                ("queries_tied_at_depth", json!(waterfall.tied_at_depth)),
                ("candidates_of", json!(waterfall.candidates.name())),
                ("stages", stages.collect()),
                ("ideal", json!(waterfall.ideal)),
                ("ceiling", json!(waterfall.ceiling)),
                ("lacking", change_json(&waterfall.lacking)),
                ("below_ceiling", json!(below.map(change_json))),
                ("beyond_candidates", json!(waterfall.beyond_candidates)),
            ] {
                out.insert(key.to_owned(), value);
            }
            Value::Object(out)
        });
        json!({
            "schema": "mrmr.waterfall/1",
            "version": env!("CARGO_PKG_VERSION"),
            "qrels": json::qrels(&self.qrels),
            "policies": json::policies(&self.policies),
            "runs": runs,
            "waterfalls": waterfalls.collect::<Vec<_>>(),
        })
    }
}

/// A step's row of means, and one of each query that changed.
fn add(
    rows: &mut Vec<Vec<Datum>>,
    measure: &str,
    step: &str,
    (before, after): (Option<f64>, f64),
    change: &Option<Change>,
) {
    rows.push(vec![
        Datum::text(measure),
        Datum::text(step),
        Datum::All,
        Datum::maybe(before),
        Datum::Number(after),
        Datum::maybe(change.as_ref().map(|change| change.difference)),
        Datum::None,
        Datum::None,
    ]);
    let changed = change.iter().flat_map(|c| c.lower.iter().chain(&c.higher));
    rows.extend(changed.map(|query| {
        let rank = |rank: Option<usize>| rank.map_or(Datum::None, Datum::Count);
        vec![
            Datum::text(measure),
            Datum::text(step),
            Datum::text(&query.query),
            Datum::Number(query.before),
            Datum::Number(query.after),
            Datum::Number(query.difference()),
            rank(query.first_relevant_before),
            rank(query.first_relevant_after),
        ]
    }));
}

fn change_json(change: &Change) -> Value {
    let queries = |changed: &[QueryChange]| -> Value {
        let changed = changed.iter().map(|query| {
            json!({
                "query": query.query,
                "before": query.before,
                "after": query.after,
                "difference": query.difference(),
                "first_relevant_before": query.first_relevant_before,
                "first_relevant_after": query.first_relevant_after,
                "lost_documents": query.lost_documents,
            })
        });
        changed.collect()
    };
    json!({
        "difference": change.difference,
        "lost": change.lost,
        "gained": change.gained,
        "lower": queries(&change.lower),
        "higher": queries(&change.higher),
    })
}

fn run_name(waterfall: &Waterfall, stage: &StageValue) -> String {
    match (stage.stage, waterfall.depth) {
        (Stage::Candidates, Some(depth)) => format!("first {depth} of {}", stage.run),
        _ => stage.run.clone(),
    }
}

/// Whose documents the candidates are, in words.
fn candidates(waterfall: &Waterfall) -> String {
    let stage = waterfall.stages.iter();
    let mut stage = stage.filter(|stage| stage.stage == waterfall.candidates);
    let run = stage.next().map(|stage| run_name(waterfall, stage));
    format!("the candidates ({})", run.unwrap_or_default())
}

fn moved_down(query: &QueryChange) -> bool {
    let place = |rank: Option<usize>| rank.unwrap_or(usize::MAX);
    place(query.first_relevant_after) > place(query.first_relevant_before)
}

fn queries(count: usize) -> String {
    match count {
        1 => "1 query".to_owned(),
        count => format!("{count} queries"),
    }
}

fn ids(changed: &[QueryChange]) -> String {
    some(changed.iter().map(|query| &query.query))
}

/// The first ids, with dots for more.
fn some<'a>(ids: impl ExactSizeIterator<Item = &'a String>) -> String {
    let more = if ids.len() > SHOWN { ", ..." } else { "" };
    let ids: Vec<&str> = ids.take(SHOWN).map(String::as_str).collect();
    ids.join(", ") + more
}
