//! Runs compared to a reference.

use mrmr_measures::statistics::{Correction, IntervalMethod};
use mrmr_measures::{Compared, ComparedPair, GateOutcome, MeasureSpec, Paired};
use serde_json::{Value, json};

use crate::document::{Block, Cell, Datum, Document, Mark, Records, Sheet, gate_count, mark_best};
use crate::format::Format;
use crate::number::Numbers;
use crate::score::{QrelsFacts, RunFacts};
use crate::{interval, json};

/// Of more runs than this the verdicts are short.
const FULL_VERDICTS: usize = 3;

/// Runs compared to a reference, ready to be written.
#[derive(Clone, Debug)]
pub struct CompareReport {
    /// The qrels.
    pub qrels: QrelsFacts,
    /// The runs, the reference among them, in the order in which they were named.
    pub runs: Vec<RunFacts>,
    /// What was found.
    pub compared: Compared,
    /// Conditions that were to be met.
    pub gates: Vec<GateOutcome>,
    /// How numbers are printed for people.
    pub numbers: Numbers,
}

impl CompareReport {
    /// The report in a format.
    pub fn write(&self, format: Format) -> String {
        format.exporter().export(&self.document())
    }

    pub(crate) fn document(&self) -> Document {
        let mut blocks = vec![Block::Notes(self.setting()), Block::Sheet(self.overview())];
        let reference = &self.compared.reference;
        if let [run] = self.compared.runs.as_slice() {
            // One run: the measures are the rows.
            let caption = format!("{run} against {reference}");
            blocks.push(Block::Heading(caption.clone()));
            let mut sheet = self.details(caption + ".", "measure");
            for measure in &self.compared.measures {
                let spec = &measure.spec;
                sheet.row(self.detail(spec.to_string(), spec, &measure.pairs[0]));
            }
            blocks.push(Block::Sheet(sheet));
        } else {
            for measure in &self.compared.measures {
                let caption = format!("{} against {reference}", measure.spec);
                blocks.push(Block::Heading(caption.clone()));
                let mut sheet = self.details(caption + ".", "run");
                for (run, pair) in self.compared.runs.iter().zip(&measure.pairs) {
                    sheet.row(self.detail(run.clone(), &measure.spec, pair));
                }
                blocks.push(Block::Sheet(sheet));
            }
        }
        let options = &self.compared.options;
        blocks.push(Block::Notes(vec![format!(
            "effect size: Cohen's d of the differences; could show: the smallest true difference that these queries show with power {} in one test at {}",
            options.power, options.alpha
        )]));
        blocks.extend(gate_count(&self.gates).map(|count| Block::Notes(vec![count])));
        Document {
            title: format!("Runs against {}", self.compared.reference),
            verdicts: self.verdicts(),
            blocks,
            records: self.records(),
            json: self.json(),
            gates: self.gates.clone(),
        }
    }

    fn setting(&self) -> Vec<String> {
        let Compared {
            options, paired, ..
        } = &self.compared;
        let comparisons = self.compared.measures.len() * self.compared.runs.len();
        let mut lines = vec![format!(
            "reference {}; {}, two-sided; {}; a difference is shown where p < {}",
            self.compared.reference,
            options.test.title(),
            family(options.correction, comparisons),
            options.alpha,
        )];
        lines.extend(pairing(paired, options.different_queries.name()));
        lines
    }

    fn overview(&self) -> Sheet {
        let Compared {
            measures,
            runs,
            options,
            ..
        } = &self.compared;
        let names = measures.iter().map(|measure| measure.spec.to_string());
        let caption = format!(
            "Means over {} queries of {}.",
            self.compared.paired.queries.len(),
            self.qrels.source
        );
        let mut sheet = Sheet::new(caption, 1, std::iter::once("run".to_owned()).chain(names));
        let first = Cell::new(format!("{} (reference)", self.compared.reference));
        let own = measures
            .iter()
            .map(|measure| Cell::new(self.numbers.show(&measure.spec, measure.reference)));
        sheet.row(std::iter::once(first).chain(own));
        for (at, run) in runs.iter().enumerate() {
            let cells = measures.iter().map(|measure| {
                let pair = &measure.pairs[at];
                Cell {
                    marks: marks(pair, options.alpha),
                    ..Cell::new(self.numbers.show(&measure.spec, pair.comparison.mean))
                }
            });
            sheet.row(std::iter::once(Cell::new(run)).chain(cells));
        }
        for (at, measure) in measures.iter().enumerate() {
            let others = measure.pairs.iter().map(|pair| pair.comparison.mean);
            let values: Vec<f64> = std::iter::once(measure.reference).chain(others).collect();
            if crate::score::has_best(&measure.spec) {
                mark_best(&mut sheet.rows, at + 1, &values);
            }
        }
        let test = format!(
            "than {} ({}, p < {}{})",
            self.compared.reference,
            options.test.title(),
            options.alpha,
            corrected(options.correction)
        );
        let used = |mark: &Mark| {
            let mut cells = sheet.rows.iter().flatten();
            cells.any(|cell| cell.marks.contains(mark))
        };
        sheet.legend = [(Mark::Better, "better"), (Mark::Worse, "worse")]
            .into_iter()
            .filter(|(mark, _)| used(mark))
            .map(|(mark, word)| (mark, format!("{word} {test}")))
            .collect();
        sheet
    }

    fn details(&self, caption: String, first: &str) -> Sheet {
        let options = &self.compared.options;
        let level = interval::percent(options.bootstrap.level);
        let headers = [
            first.to_owned(),
            "mean".to_owned(),
            "difference".to_owned(),
            format!("{level} % interval"),
            "p".to_owned(),
            format!("p ({})", options.correction),
            "effect size".to_owned(),
            "win/tie/loss".to_owned(),
            "could show".to_owned(),
        ];
        Sheet::new(caption, 1, headers)
    }

    fn detail(&self, first: String, spec: &MeasureSpec, pair: &ComparedPair) -> Vec<Cell> {
        let found = &pair.comparison;
        let none = || "-".to_owned();
        let interval = if found.interval.method == IntervalMethod::Point {
            none()
        } else {
            format!(
                "[{}, {}]",
                self.numbers.show_signed(spec, found.interval.low),
                self.numbers.show_signed(spec, found.interval.high)
            )
        };
        let effect = found
            .effect_size
            .map_or_else(none, |size| format!("{size:+.2}"));
        let smallest = pair.detectable;
        vec![
            Cell::new(first),
            Cell::new(self.numbers.show(spec, found.mean)),
            Cell {
                marks: marks(pair, self.compared.options.alpha),
                ..Cell::new(self.numbers.show_signed(spec, found.difference))
            },
            Cell::new(interval),
            Cell::new(p_value(found.p)),
            Cell::new(p_value(found.adjusted_p)),
            Cell::new(effect),
            Cell::new(format!("{}/{}/{}", found.wins, found.ties, found.losses)),
            Cell::new(smallest.map_or_else(none, |smallest| self.numbers.show(spec, smallest))),
        ]
    }

    /// The verdicts, run by run; of many runs in a short form.
    fn verdicts(&self) -> Vec<String> {
        let runs = 0..self.compared.runs.len();
        if runs.len() > FULL_VERDICTS {
            return runs.map(|at| self.short_verdict(at)).collect();
        }
        runs.flat_map(|at| {
            let measures = self.compared.measures.iter();
            measures.map(move |measure| measure.pairs[at].verdict.clone())
        })
        .collect()
    }

    fn short_verdict(&self, run: usize) -> String {
        let alpha = self.compared.options.alpha;
        let named = |keep: &dyn Fn(&ComparedPair) -> bool| -> Vec<String> {
            let measures = self.compared.measures.iter();
            measures
                .filter(|measure| keep(&measure.pairs[run]))
                .map(|measure| measure.spec.to_string())
                .collect()
        };
        let groups = [
            ("higher", named(&|pair| pair.is_better(alpha))),
            ("lower", named(&|pair| pair.is_worse(alpha))),
            (
                "no difference shown in",
                named(&|pair| !pair.is_better(alpha) && !pair.is_worse(alpha)),
            ),
        ];
        let parts: Vec<String> = groups
            .iter()
            .filter(|(_, measures)| !measures.is_empty())
            .map(|(what, measures)| format!("{what} {}", measures.join(", ")))
            .collect();
        format!("{}: {}", self.compared.runs[run], parts.join("; "))
    }

    fn records(&self) -> Records {
        let columns = vec![
            "run",
            "reference",
            "measure",
            "queries",
            "mean",
            "reference_mean",
            "difference",
            "low",
            "high",
            "p",
            "corrected_p",
            "effect_size",
            "wins",
            "ties",
            "losses",
            "detectable",
        ];
        let mut rows = Vec::new();
        for (at, run) in self.compared.runs.iter().enumerate() {
            for measure in &self.compared.measures {
                let pair = &measure.pairs[at];
                let found = &pair.comparison;
                rows.push(vec![
                    Datum::text(run),
                    Datum::text(&self.compared.reference),
                    Datum::text(measure.spec.to_string()),
                    Datum::Count(found.queries),
                    Datum::Number(found.mean),
                    Datum::Number(found.baseline_mean),
                    Datum::Number(found.difference),
                    Datum::Number(found.interval.low),
                    Datum::Number(found.interval.high),
                    Datum::Number(found.p),
                    Datum::Number(found.adjusted_p),
                    Datum::maybe(found.effect_size),
                    Datum::Count(found.wins),
                    Datum::Count(found.ties),
                    Datum::Count(found.losses),
                    Datum::maybe(pair.detectable),
                ]);
            }
        }
        Records { columns, rows }
    }

    pub(crate) fn json(&self) -> Value {
        let Compared {
            options,
            paired,
            runs,
            measures,
            reference,
        } = &self.compared;
        let family = runs.len() * measures.len();
        let measures = measures.iter().map(|measure| {
            let pairs = runs.iter().zip(&measure.pairs);
            let pairs = pairs.map(|(run, pair)| pair_json(run, pair, options.alpha));
            let mut out = json::measure(&measure.spec);
            out.insert("reference_mean".to_owned(), json!(measure.reference));
            out.insert(
                "reference_interval".to_owned(),
                interval::value(&measure.interval),
            );
            out.insert("runs".to_owned(), Value::Array(pairs.collect()));
            Value::Object(out)
        });
        let first = self.runs.first();
        let mut out = json!({
            "schema": "mrmr.compare/1",
            "version": env!("CARGO_PKG_VERSION"),
            "qrels": json::qrels(&self.qrels),
            "policies": first.map(|run| json::policies(&run.evaluation.policies)),
            "reference": reference,
            "test": options.test.to_string(),
            "correction": { "method": options.correction.to_string(), "family": family },
            "alpha": options.alpha,
            "power": options.power,
            "queries": paired_json(paired, options.different_queries.name()),
            "runs": runs_json(&self.runs),
            "measures": measures.collect::<Vec<_>>(),
        });
        if !self.gates.is_empty() {
            out["gates"] = json::gates(&self.gates);
        }
        out
    }
}

fn pair_json(run: &str, pair: &ComparedPair, alpha: f64) -> Value {
    let found = &pair.comparison;
    json!({
        "run": run,
        "mean": found.mean,
        "interval": interval::value(&pair.interval),
        "difference": found.difference,
        "difference_interval": interval::value(&found.interval),
        "p": found.p,
        "p_method": found.method.to_string(),
        "corrected_p": found.adjusted_p,
        "shown": found.is_significant(alpha),
        "effect_size": found.effect_size,
        "wins": found.wins,
        "ties": found.ties,
        "losses": found.losses,
        "smallest_detectable_difference": pair.detectable,
        "verdict": pair.verdict,
    })
}

/// The runs' files and coverage.
pub(crate) fn runs_json(runs: &[RunFacts]) -> Value {
    let runs = runs.iter().map(|run| {
        json!({
            "name": run.evaluation.run,
            "source": run.source,
            "blake3": run.hash,
            "coverage": json::coverage(&run.evaluation),
            "warnings": run.evaluation.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "notes": run.notes,
        })
    });
    Value::Array(runs.collect())
}

/// The queries that were compared.
pub(crate) fn paired_json(paired: &Paired, policy: &str) -> Value {
    json!({
        "compared": paired.queries.len(),
        "left_out": paired.left_out,
        "not_in_all_runs": paired.different,
        "different_queries": policy,
    })
}

/// What was compared, and what became of queries that not all runs have.
pub(crate) fn pairing(paired: &Paired, policy: &str) -> Vec<String> {
    let mut line = format!("queries: {} compared", paired.queries.len());
    if !paired.left_out.is_empty() {
        line += &format!(", {} left out", paired.left_out.len());
    }
    if paired.different > 0 {
        let fate = match policy {
            "zero" => "they count 0 where a run lacks them",
            _ => "they are left out",
        };
        line += &format!(
            "; {} not in all runs: {fate} (--different-queries {policy})",
            paired.different
        );
    }
    vec![line]
}

fn marks(pair: &ComparedPair, alpha: f64) -> Vec<Mark> {
    if pair.is_better(alpha) {
        vec![Mark::Better]
    } else if pair.is_worse(alpha) {
        vec![Mark::Worse]
    } else {
        Vec::new()
    }
}

fn family(correction: Correction, comparisons: usize) -> String {
    match correction {
        Correction::None => correction.title().to_owned(),
        other => format!(
            "{} over {comparisons} comparison{}",
            other.title(),
            if comparisons == 1 { "" } else { "s" }
        ),
    }
}

fn corrected(correction: Correction) -> String {
    match correction {
        Correction::None => String::new(),
        other => format!(" after {}", other.title()),
    }
}

/// A p value in four digits; small ones by what they are below.
pub(crate) fn p_value(p: f64) -> String {
    if p < 0.0001 {
        "<0.0001".to_owned()
    } else {
        format!("{p:.4}")
    }
}
