//! Runs measured against one qrels.

use std::fmt::Write as _;

use mrmr_measures::statistics::{Bootstrap, Interval};
use mrmr_measures::{Evaluation, GateOutcome, MeasureSpec, MeasureValues};
use serde_json::{Map, Value, json};

use crate::document::{Block, Cell, Datum, Document, Records, Sheet, gate_count, mark_best};
use crate::format::Format;
use crate::number::Numbers;
use crate::slices::SliceFacts;
use crate::{interval, json};

/// The qrels that were scored against.
#[derive(Clone, Debug, Default)]
pub struct QrelsFacts {
    /// The file as the user named it.
    pub source: String,
    /// BLAKE3 of the file's bytes, in hexadecimal; none for standard input.
    pub hash: Option<String>,
    /// What reading it came across, one remark each.
    pub notes: Vec<String>,
}

/// A run that was scored.
#[derive(Clone, Debug)]
pub struct RunFacts {
    /// The file as the user named it.
    pub source: String,
    /// BLAKE3 of the file's bytes, in hexadecimal; none for standard input.
    pub hash: Option<String>,
    /// What reading it came across, one remark each.
    pub notes: Vec<String>,
    /// The values.
    pub evaluation: Evaluation,
}

/// Runs measured against one qrels, ready to be written.
#[derive(Clone, Debug)]
pub struct ScoreReport {
    /// The qrels.
    pub qrels: QrelsFacts,
    /// The runs, in the order in which they were named; there is at least one.
    pub runs: Vec<RunFacts>,
    /// Whether the values of single queries are shown.
    pub per_query: bool,
    /// How intervals are computed; none are shown without.
    pub intervals: Option<Bootstrap>,
    /// Queries by what they have in common, where that was asked for.
    pub slices: Option<SliceFacts>,
    /// Conditions that were to be met.
    pub gates: Vec<GateOutcome>,
    /// How numbers are printed for people.
    pub numbers: Numbers,
}

impl ScoreReport {
    /// The report in a format.
    pub fn write(&self, format: Format) -> String {
        format.exporter().export(&self.document())
    }

    fn document(&self) -> Document {
        // Intervals by run and measure: they are shown more than once.
        let intervals: Vec<Vec<Option<Interval>>> = self
            .runs
            .iter()
            .map(|run| {
                let measures = run.evaluation.measures.iter();
                measures.map(|m| self.interval(m, None)).collect()
            })
            .collect();
        let mut blocks = vec![Block::Sheet(self.sheet(&intervals))];
        if let Some(slices) = &self.slices {
            blocks.push(Block::Sheet(self.slice_sheet(slices)));
        }
        let mut notes = Vec::new();
        for run in &self.runs {
            if self.runs.len() > 1 {
                notes.push(run.evaluation.run.clone());
            }
            notes.extend(coverage_notes(&run.evaluation));
        }
        if let Some(bootstrap) = &self.intervals
            && intervals.iter().flatten().any(Option::is_some)
        {
            notes.push(interval::note(bootstrap));
        }
        notes.extend(gate_count(&self.gates));
        blocks.push(Block::Notes(notes));
        Document {
            title: format!("Scores against {}", self.qrels.source),
            verdicts: Vec::new(),
            blocks,
            records: self.records(),
            json: self.json(&intervals),
            gates: self.gates.clone(),
        }
    }

    fn interval(&self, measure: &MeasureValues, places: Option<&[usize]>) -> Option<Interval> {
        let bootstrap = self.intervals.as_ref()?;
        interval::of(measure, places, bootstrap)
    }

    fn specs(&self) -> Vec<&MeasureSpec> {
        let first = self.runs.first().into_iter();
        first
            .flat_map(|run| run.evaluation.measures.iter().map(|m| &m.spec))
            .collect()
    }

    fn cell(&self, spec: &MeasureSpec, value: f64, interval: Option<&Interval>) -> Cell {
        let mut cell = Cell::new(self.numbers.show(spec, value));
        if let Some(interval) = interval {
            cell.behind = interval::show(&self.numbers, spec, interval);
        }
        cell
    }

    fn sheet(&self, intervals: &[Vec<Option<Interval>>]) -> Sheet {
        let specs = self.specs();
        let mut headers = vec!["run".to_owned()];
        if self.per_query {
            headers.push("query".to_owned());
        }
        headers.extend(specs.iter().map(|spec| spec.to_string()));
        let scored: Vec<String> = self
            .runs
            .iter()
            .map(|run| run.evaluation.coverage.scored.to_string())
            .collect();
        let caption = if scored.iter().all(|count| *count == scored[0]) {
            format!("Means over {} queries of {}.", scored[0], self.qrels.source)
        } else {
            format!("Means over the queries of {}.", self.qrels.source)
        };
        let mut sheet = Sheet::new(caption, if self.per_query { 2 } else { 1 }, headers);
        let mut totals = Vec::new();
        for (run, intervals) in self.runs.iter().zip(intervals) {
            let Evaluation {
                run: name,
                queries,
                measures,
                ..
            } = &run.evaluation;
            if self.per_query {
                for (at, query) in queries.iter().enumerate() {
                    let ids = [Cell::new(name), Cell::new(query)].into_iter();
                    let values = measures
                        .iter()
                        .map(|m| self.cell(&m.spec, m.values[at], None));
                    sheet.rows.push(ids.chain(values).collect());
                }
            }
            let all = self.per_query.then(|| Cell::new("all"));
            let ids = std::iter::once(Cell::new(name)).chain(all);
            let values = measures.iter().zip(intervals);
            let values = values.map(|(m, interval)| self.cell(&m.spec, m.value, interval.as_ref()));
            totals.push(ids.chain(values).collect::<Vec<Cell>>());
            if self.per_query {
                sheet.rows.extend(totals.pop());
            }
        }
        let first = sheet.text_columns;
        // With single queries shown, a run's mean stands far from those of the others.
        for (at, _) in specs.iter().enumerate().filter(|(_, spec)| has_best(spec)) {
            let values = self
                .runs
                .iter()
                .map(|run| run.evaluation.measures[at].value);
            mark_best(&mut totals, first + at, &values.collect::<Vec<f64>>());
        }
        sheet.rows.extend(totals);
        sheet
    }

    fn slice_sheet(&self, slices: &SliceFacts) -> Sheet {
        let many = self.runs.len() > 1;
        let mut headers = vec!["slice".to_owned()];
        if many {
            headers.push("run".to_owned());
        }
        headers.push("queries".to_owned());
        headers.extend(self.specs().iter().map(|spec| spec.to_string()));
        let caption = format!("Means over the queries of each slice of {}.", slices.source);
        let mut sheet = Sheet::new(caption, if many { 2 } else { 1 }, headers);
        // By slice first, so that runs stand beside each other.
        let mut rows: Vec<(usize, usize, Vec<Cell>)> = Vec::new();
        let mut names: Vec<&str> = Vec::new();
        for (place, run) in self.runs.iter().enumerate() {
            for (name, places) in slices.places(&run.evaluation.queries) {
                let slice = match names.iter().position(|own| *own == name) {
                    Some(slice) => slice,
                    None => {
                        names.push(name);
                        names.len() - 1
                    }
                };
                let mut cells = vec![Cell::new(name)];
                if many {
                    cells.push(Cell::new(&run.evaluation.run));
                }
                cells.push(Cell::new(places.len().to_string()));
                for measure in &run.evaluation.measures {
                    let value = measure.over(places.iter().copied());
                    let interval = self.interval(measure, Some(&places));
                    cells.push(self.cell(&measure.spec, value, interval.as_ref()));
                }
                rows.push((slice, place, cells));
            }
        }
        rows.sort_by_key(|(slice, place, _)| (*slice, *place));
        sheet.rows = rows.into_iter().map(|(_, _, cells)| cells).collect();
        sheet
    }

    fn records(&self) -> Records {
        let sliced = self.slices.is_some();
        let columns = if sliced {
            vec!["run", "slice", "query", "measure", "value"]
        } else {
            vec!["run", "query", "measure", "value"]
        };
        let mut rows = Vec::new();
        for run in &self.runs {
            let evaluation = &run.evaluation;
            let slices = self.slices.as_ref();
            let places = slices.map(|slices| slices.places(&evaluation.queries));
            for measure in &evaluation.measures {
                let mut add = |slice: Datum, query: Datum, value: f64| {
                    let mut row = vec![Datum::text(&evaluation.run)];
                    if sliced {
                        row.push(slice);
                    }
                    row.extend([
                        query,
                        Datum::text(measure.spec.to_string()),
                        Datum::Number(value),
                    ]);
                    rows.push(row);
                };
                if self.per_query {
                    for (query, value) in evaluation.queries.iter().zip(&measure.values) {
                        let of = slices.and_then(|slices| slices.of.get(query));
                        let slice = of.map_or(Datum::None, Datum::text);
                        add(slice, Datum::text(query), *value);
                    }
                }
                for (name, places) in places.iter().flatten() {
                    let value = measure.over(places.iter().copied());
                    add(Datum::text(*name), Datum::All, value);
                }
                add(Datum::All, Datum::All, measure.value);
            }
        }
        Records { columns, rows }
    }

    fn json(&self, intervals: &[Vec<Option<Interval>>]) -> Value {
        let runs = self.runs.iter().zip(intervals).map(|(run, intervals)| {
            let evaluation = &run.evaluation;
            let mut out = Map::new();
            out.insert("name".to_owned(), json!(evaluation.run));
            out.insert("source".to_owned(), json!(run.source));
            out.insert("blake3".to_owned(), json!(run.hash));
            out.insert("coverage".to_owned(), json::coverage(evaluation));
            let measures = evaluation.measures.iter().zip(intervals);
            let measures = measures.map(|(measure, interval)| {
                let mut out = json::measured(measure);
                if self.intervals.is_some() {
                    out["interval"] = json!(interval.as_ref().map(interval::value));
                }
                out
            });
            out.insert("measures".to_owned(), Value::Array(measures.collect()));
            if let Some(slices) = &self.slices {
                out.insert("slices".to_owned(), self.slices_json(slices, evaluation));
            }
            if self.per_query {
                out.insert("queries".to_owned(), json::by_query(evaluation));
            }
            let warnings = evaluation.warnings.iter().map(ToString::to_string);
            out.insert("warnings".to_owned(), json!(warnings.collect::<Vec<_>>()));
            out.insert("notes".to_owned(), json!(run.notes));
            Value::Object(out)
        });
        let first = self.runs.first().map(|run| &run.evaluation);
        let mut out = json!({
            "schema": "mrmr.score/1",
            "version": env!("CARGO_PKG_VERSION"),
            "qrels": json::qrels(&self.qrels),
            "policies": first.map(|evaluation| json::policies(&evaluation.policies)),
            "runs": runs.collect::<Vec<_>>(),
        });
        if let (Some(slices), Some(first)) = (&self.slices, first) {
            out["slices"] = slices.json(&first.queries);
        }
        if !self.gates.is_empty() {
            out["gates"] = json::gates(&self.gates);
        }
        out
    }

    fn slices_json(&self, slices: &SliceFacts, evaluation: &Evaluation) -> Value {
        let slices = slices.places(&evaluation.queries).into_iter();
        let slices = slices.map(|(name, places)| {
            let measures = evaluation.measures.iter().map(|measure| {
                let mut out = json!({
                    "measure": measure.spec.to_string(),
                    "value": measure.over(places.iter().copied()),
                });
                if self.intervals.is_some() {
                    let interval = self.interval(measure, Some(&places));
                    out["interval"] = json!(interval.as_ref().map(interval::value));
                }
                out
            });
            json!({
                "name": name,
                "queries": places.len(),
                "measures": measures.collect::<Vec<_>>(),
            })
        });
        Value::Array(slices.collect())
    }
}

/// Whether the largest value of a measure is the best: neither of counts nor of shares of judgements.
pub(crate) fn has_best(spec: &MeasureSpec) -> bool {
    let definition = spec.definition();
    definition.aggregate == mrmr_measures::Aggregate::Mean
        && !matches!(definition.name, "Judged" | "Unjudged")
}

/// Coverage, ties and unjudged share of a run, for people.
pub(crate) fn coverage_notes(evaluation: &Evaluation) -> Vec<String> {
    let coverage = &evaluation.coverage;
    let queries = format!(
        "queries: {} judged, {} scored, {} missing, {} without an answer, {} extra, {} without a relevant document",
        coverage.judged,
        coverage.scored,
        coverage.missing.len(),
        coverage.empty.len(),
        coverage.extra.len(),
        coverage.without_relevant.len(),
    );
    let cutoffs: Vec<String> = evaluation
        .measures
        .iter()
        .filter(|m| m.spec.cutoff().is_some())
        .map(|m| format!("{} {}", m.spec, m.tied_at_cutoff))
        .collect();
    let mut ties = format!(
        "ties ({}): {} queries with equal scores, {} with all scores equal",
        evaluation.policies.ranking.ties, evaluation.tied_queries, evaluation.all_equal_queries,
    );
    if evaluation.tied_queries > 0 && !cutoffs.is_empty() {
        let _ = write!(ties, "; across the cutoff: {}", cutoffs.join(", "));
    }
    let share = match coverage.top10 {
        0 => "nothing retrieved".to_owned(),
        top => format!(
            "{:.1} %",
            100.0 * coverage.top10_unjudged as f64 / top as f64
        ),
    };
    let mut notes = vec![queries, ties, format!("unjudged in the top 10: {share}")];
    let residuals = evaluation.measures.iter().filter_map(|measure| {
        let residual = measure.residual?;
        Some(format!("{} {residual:.4}", measure.spec))
    });
    let residuals: Vec<String> = residuals.collect();
    if !residuals.is_empty() {
        notes.push(format!(
            "residual, what documents without a judgement could add at most: {}",
            residuals.join(", ")
        ));
    }
    notes
}
