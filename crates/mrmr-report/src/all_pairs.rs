//! Each run compared to each.

use mrmr_measures::{AllPairs, MeasurePairs};
use serde_json::{Value, json};

use crate::compare::{p_value, paired_json, pairing, runs_json};
use crate::document::{Block, Cell, Datum, Document, Mark, Records, Sheet, mark_best};
use crate::format::Format;
use crate::number::Numbers;
use crate::score::{QrelsFacts, RunFacts};
use crate::{interval, json};

/// Each run compared to each, ready to be written.
#[derive(Clone, Debug)]
pub struct AllPairsReport {
    /// The qrels.
    pub qrels: QrelsFacts,
    /// The runs, in the order in which they were named.
    pub runs: Vec<RunFacts>,
    /// What was found.
    pub compared: AllPairs,
    /// How numbers are printed for people.
    pub numbers: Numbers,
}

impl AllPairsReport {
    /// The report in a format.
    pub fn write(&self, format: Format) -> String {
        format.exporter().export(&self.document())
    }

    fn document(&self) -> Document {
        let AllPairs {
            options,
            permutations,
            runs,
            paired,
            measures,
        } = &self.compared;
        let mut setting = vec![format!(
            "each of {} runs against each: randomised Tukey HSD test, {permutations} permutations; a difference is shown where p < {}",
            runs.len(),
            options.alpha,
        )];
        setting.extend(pairing(paired, options.different_queries.name()));
        let mut blocks = vec![Block::Notes(setting), Block::Sheet(self.overview())];
        let mut verdicts = Vec::new();
        let pairs = runs.len() * (runs.len() - 1) / 2;
        for measure in measures {
            let sheet = self.shown(measure);
            verdicts.push(match sheet.rows.len() {
                0 => format!(
                    "no difference shown in {}, between no pair of {} runs",
                    measure.spec,
                    runs.len()
                ),
                shown => format!(
                    "{}: a difference is shown in {shown} of {pairs} pairs",
                    measure.spec
                ),
            });
            if !sheet.rows.is_empty() {
                blocks.push(Block::Heading(format!(
                    "pairs that differ in {}",
                    measure.spec
                )));
                blocks.push(Block::Sheet(sheet));
            }
        }
        Document {
            title: format!("Each of {} runs against each", runs.len()),
            verdicts,
            blocks,
            records: self.records(),
            json: self.json(),
            gates: Vec::new(),
        }
    }

    /// The means, with the letters of the runs that each is better than.
    fn overview(&self) -> Sheet {
        let AllPairs {
            options,
            runs,
            measures,
            ..
        } = &self.compared;
        let names = measures.iter().map(|measure| measure.spec.to_string());
        let headers = ["".to_owned(), "run".to_owned()].into_iter().chain(names);
        let caption = format!(
            "Means over {} queries of {}.",
            self.compared.paired.queries.len(),
            self.qrels.source
        );
        let mut sheet = Sheet::new(caption, 2, headers);
        for (at, run) in runs.iter().enumerate() {
            let cells = measures.iter().map(|measure| {
                let beaten =
                    (0..runs.len()).filter(|other| measure.is_better(at, *other, options.alpha));
                let letters: Vec<String> = beaten.map(letter).collect();
                // Past z a letter is several, and needs a comma to be read.
                let separator = if runs.len() > 26 { "," } else { "" };
                let mut cell = Cell::new(self.numbers.show(&measure.spec, measure.means[at]));
                if !letters.is_empty() {
                    cell.marks = vec![Mark::Letters(letters.join(separator))];
                }
                cell
            });
            let ids = [Cell::new(letter(at)), Cell::new(run)];
            sheet.row(ids.into_iter().chain(cells));
        }
        for (at, measure) in measures.iter().enumerate() {
            if crate::score::has_best(&measure.spec) {
                mark_best(&mut sheet.rows, at + 2, &measure.means);
            }
        }
        sheet.legend = vec![(
            Mark::Letters("a, b, ..".to_owned()),
            format!(
                "better than the run of that letter (randomised Tukey HSD test, p < {})",
                options.alpha
            ),
        )];
        sheet
    }

    /// The pairs whose difference is shown, the better run first.
    fn shown(&self, measure: &MeasurePairs) -> Sheet {
        let AllPairs { options, runs, .. } = &self.compared;
        let caption = format!("Pairs of runs that differ in {}.", measure.spec);
        let mut sheet = Sheet::new(caption, 2, ["better", "worse", "difference", "p"]);
        for better in 0..runs.len() {
            for worse in
                (0..runs.len()).filter(|worse| measure.is_better(better, *worse, options.alpha))
            {
                let difference = measure.means[better] - measure.means[worse];
                sheet.row([
                    runs[better].clone(),
                    runs[worse].clone(),
                    format!("+{}", self.numbers.show(&measure.spec, difference)),
                    p_value(measure.p[better][worse]),
                ]);
            }
        }
        sheet
    }

    fn records(&self) -> Records {
        let runs = &self.compared.runs;
        let mut rows = Vec::new();
        for measure in &self.compared.measures {
            for a in 0..runs.len() {
                for b in a + 1..runs.len() {
                    rows.push(vec![
                        Datum::text(&runs[b]),
                        Datum::text(&runs[a]),
                        Datum::text(measure.spec.to_string()),
                        Datum::Count(self.compared.paired.queries.len()),
                        Datum::Number(measure.means[b]),
                        Datum::Number(measure.means[a]),
                        Datum::Number(measure.means[b] - measure.means[a]),
                        Datum::Number(measure.p[a][b]),
                    ]);
                }
            }
        }
        Records {
            columns: vec![
                "run",
                "reference",
                "measure",
                "queries",
                "mean",
                "reference_mean",
                "difference",
                "corrected_p",
            ],
            rows,
        }
    }

    fn json(&self) -> Value {
        let AllPairs {
            options,
            permutations,
            runs,
            paired,
            measures,
        } = &self.compared;
        let measures = measures.iter().map(|measure| {
            let mut out = json::measure(&measure.spec);
            out.insert("means".to_owned(), json!(measure.means));
            let intervals = measure.intervals.iter().map(interval::value);
            out.insert("intervals".to_owned(), Value::Array(intervals.collect()));
            out.insert("corrected_p".to_owned(), json!(measure.p));
            Value::Object(out)
        });
        let first = self.runs.first();
        json!({
            "schema": "mrmr.pairs/1",
            "version": env!("CARGO_PKG_VERSION"),
            "qrels": json::qrels(&self.qrels),
            "policies": first.map(|run| json::policies(&run.evaluation.policies)),
            "test": "tukey-hsd",
            "permutations": permutations,
            "alpha": options.alpha,
            "queries": paired_json(paired, options.different_queries.name()),
            "names": runs,
            "runs": runs_json(&self.runs),
            "measures": measures.collect::<Vec<_>>(),
        })
    }
}

/// `a` to `z`, then `aa`, `ab`, ...
fn letter(at: usize) -> String {
    let last = char::from(b'a' + (at % 26) as u8);
    match at / 26 {
        0 => last.to_string(),
        more => letter(more - 1) + &last.to_string(),
    }
}
