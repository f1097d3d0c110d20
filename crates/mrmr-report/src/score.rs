//! Runs measured against one qrels.

use std::fmt::Write as _;

use mrmr_measures::{Evaluation, MeasureSpec, MeasureValues};
use serde_json::{Map, Value, json};

use crate::format::Format;
use crate::json;
use crate::number::Numbers;
use crate::table::Table;

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
    /// How numbers are printed for people.
    pub numbers: Numbers,
}

impl ScoreReport {
    /// The report in a format.
    pub fn write(&self, format: Format) -> String {
        match format {
            Format::Table => self.text(),
            Format::Json => json::pretty(&self.json()),
            Format::Tsv => self.tsv(),
            Format::Markdown => self.table().markdown(),
        }
    }

    fn text(&self) -> String {
        let mut out = self.table().text();
        out.push('\n');
        for run in &self.runs {
            if self.runs.len() > 1 {
                let _ = writeln!(out, "{}", run.evaluation.run);
            }
            out += &coverage_lines(&run.evaluation);
        }
        out
    }

    fn specs(&self) -> Vec<&MeasureSpec> {
        let first = self.runs.first().into_iter();
        first
            .flat_map(|run| run.evaluation.measures.iter().map(|m| &m.spec))
            .collect()
    }

    fn table(&self) -> Table {
        let specs = self.specs();
        let names = specs.iter().map(|spec| spec.to_string());
        let mut headers = vec!["run".to_owned()];
        if self.per_query {
            headers.push("query".to_owned());
        }
        headers.extend(names);
        let mut table = Table::new(headers).text_columns(if self.per_query { 2 } else { 1 });
        for run in &self.runs {
            let Evaluation {
                run: name,
                queries,
                measures,
                ..
            } = &run.evaluation;
            let show = |pick: &dyn Fn(&MeasureValues) -> f64| -> Vec<String> {
                measures
                    .iter()
                    .map(|m| self.numbers.show(&m.spec, pick(m)))
                    .collect()
            };
            if self.per_query {
                for (at, query) in queries.iter().enumerate() {
                    let cells = [name.clone(), query.clone()].into_iter();
                    table.row(cells.chain(show(&|m| m.values[at])));
                }
            }
            let all = self.per_query.then(|| "all".to_owned());
            let cells = std::iter::once(name.clone()).chain(all);
            table.row(cells.chain(show(&|m| m.value)));
        }
        table
    }

    fn tsv(&self) -> String {
        let mut out = String::from("run\tquery\tmeasure\tvalue\n");
        for run in &self.runs {
            let evaluation = &run.evaluation;
            let name = cell(&evaluation.run);
            for measure in &evaluation.measures {
                if self.per_query {
                    for (query, value) in evaluation.queries.iter().zip(&measure.values) {
                        let _ = writeln!(out, "{name}\t{}\t{}\t{value}", cell(query), measure.spec);
                    }
                }
                let _ = writeln!(out, "{name}\tall\t{}\t{}", measure.spec, measure.value);
            }
        }
        out
    }

    fn json(&self) -> Value {
        let runs = self.runs.iter().map(|run| {
            let evaluation = &run.evaluation;
            let mut out = Map::new();
            out.insert("name".to_owned(), json!(evaluation.run));
            out.insert("source".to_owned(), json!(run.source));
            out.insert("blake3".to_owned(), json!(run.hash));
            out.insert("coverage".to_owned(), json::coverage(evaluation));
            let measures = evaluation.measures.iter().map(json::measured);
            out.insert("measures".to_owned(), Value::Array(measures.collect()));
            if self.per_query {
                out.insert("queries".to_owned(), json::by_query(evaluation));
            }
            let warnings = evaluation.warnings.iter().map(ToString::to_string);
            out.insert("warnings".to_owned(), json!(warnings.collect::<Vec<_>>()));
            out.insert("notes".to_owned(), json!(run.notes));
            Value::Object(out)
        });
        json!({
            "schema": "mrmr.score/1",
            "version": env!("CARGO_PKG_VERSION"),
            "qrels": {
                "source": self.qrels.source,
                "blake3": self.qrels.hash,
                "notes": self.qrels.notes,
            },
            "policies": self.runs.first().map(|run| json::policies(&run.evaluation.policies)),
            "runs": runs.collect::<Vec<_>>(),
        })
    }
}

/// A cell of a tab-separated line.
pub(crate) fn cell(text: &str) -> String {
    text.replace(['\t', '\n', '\r'], " ")
}

/// Coverage, ties and unjudged share of a run, for people.
pub(crate) fn coverage_lines(evaluation: &Evaluation) -> String {
    let coverage = &evaluation.coverage;
    let mut out = format!(
        "queries: {} judged, {} scored, {} missing, {} extra, {} without a relevant document\n",
        coverage.judged,
        coverage.scored,
        coverage.missing.len(),
        coverage.extra.len(),
        coverage.without_relevant.len(),
    );
    let cutoffs: Vec<String> = evaluation
        .measures
        .iter()
        .filter(|m| m.spec.cutoff().is_some())
        .map(|m| format!("{} {}", m.spec, m.tied_at_cutoff))
        .collect();
    let _ = write!(
        out,
        "ties ({}): {} queries with equal scores, {} with all scores equal",
        evaluation.policies.ranking.ties, evaluation.tied_queries, evaluation.all_equal_queries,
    );
    if evaluation.tied_queries > 0 && !cutoffs.is_empty() {
        let _ = write!(out, "; across the cutoff: {}", cutoffs.join(", "));
    }
    out.push('\n');
    let share = match coverage.top10 {
        0 => "nothing retrieved".to_owned(),
        top => format!(
            "{:.1} %",
            100.0 * coverage.top10_unjudged as f64 / top as f64
        ),
    };
    let _ = writeln!(out, "unjudged in the top 10: {share}");
    out
}
