//! A value taken apart, rank by rank.

use mrmr_measures::{ExplainedJudgement, ExplainedRank, Explanation};
use serde_json::{Value, json};

use crate::document::{Block, Cell, Datum, Document, Records, Sheet};
use crate::format::Format;
use crate::json;
use crate::number::Numbers;
use crate::score::QrelsFacts;

/// A value taken apart, ready to be written.
#[derive(Clone, Debug)]
pub struct ExplainReport {
    /// The qrels.
    pub qrels: QrelsFacts,
    /// The run's file as the user named it.
    pub source: String,
    /// BLAKE3 of its bytes, in hexadecimal; none for standard input.
    pub hash: Option<String>,
    /// The value and its parts.
    pub explanation: Explanation,
    /// How many ranks are shown in tables.
    pub top: usize,
    /// How numbers are printed for people.
    pub numbers: Numbers,
}

impl ExplainReport {
    /// The report in a format.
    pub fn write(&self, format: Format) -> String {
        format.exporter().export(&self.document())
    }

    fn document(&self) -> Document {
        let Explanation {
            spec, run, query, ..
        } = &self.explanation;
        let mut blocks = vec![Block::Sheet(self.sheet())];
        blocks.push(Block::Notes(self.notes()));
        let beyond = self.beyond();
        if !beyond.rows.is_empty() {
            blocks.push(Block::Heading(
                "judged as relevant, and not shown above".to_owned(),
            ));
            blocks.push(Block::Sheet(beyond));
        }
        Document {
            title: format!("{spec} of query {query} in {run}"),
            verdicts: vec![self.explanation.to_string()],
            blocks,
            records: self.records(),
            json: self.json(),
            gates: Vec::new(),
        }
    }

    fn weight(&self) -> Option<&'static str> {
        self.explanation.sum.and_then(|sum| sum.weight)
    }

    fn sheet(&self) -> Sheet {
        let sum = self.explanation.sum;
        let mut headers = vec!["rank", "document", "score", "grade"];
        if sum.is_some() {
            headers.push("gain");
            headers.extend(self.weight());
            headers.extend(["contribution", "running"]);
        }
        headers.extend(["ties", "ideal", "gain"]);
        let caption = format!(
            "{} of query {} in {}, rank by rank.",
            self.explanation.spec, self.explanation.query, self.explanation.run
        );
        let mut sheet = Sheet::new(caption, 2, headers);
        let ideal: Vec<&ExplainedJudgement> = self.explanation.gaining().collect();
        let rows = self.explanation.ranks.len().max(ideal.len()).min(self.top);
        for at in 0..rows {
            let mut cells = vec![Cell::new((at + 1).to_string())];
            match self.explanation.ranks.get(at) {
                Some(ranked) => cells.extend(self.cells(ranked)),
                None => {
                    let filled = 3 + sum.map_or(0, |_| 3) + self.weight().map_or(0, |_| 1) + 1;
                    cells.extend(std::iter::repeat_n(Cell::default(), filled));
                }
            }
            match ideal.get(at) {
                Some(judged) => cells.extend([
                    Cell::new(&judged.document),
                    Cell::new(judged.gain.to_string()),
                ]),
                None => cells.extend([Cell::default(), Cell::default()]),
            }
            sheet.row(cells);
        }
        sheet
    }

    fn cells(&self, ranked: &ExplainedRank) -> Vec<Cell> {
        let digits = self.numbers.digits;
        let mut cells = vec![
            Cell::new(&ranked.document),
            Cell::new(ranked.score.to_string()),
            Cell::new(
                ranked
                    .grade
                    .map_or("-".to_owned(), |grade| grade.to_string()),
            ),
        ];
        if let Some(part) = ranked.part {
            cells.push(Cell::new(part.gain.to_string()));
            if self.weight().is_some() {
                cells.push(Cell::new(format!("{:.digits$}", part.weight)));
            }
            let spec = &self.explanation.spec;
            cells.push(Cell::new(self.numbers.show(spec, part.contribution)));
            cells.push(Cell::new(self.numbers.show(spec, part.running)));
        }
        cells.push(match ranked.tied {
            Some((first, last)) => Cell::new(format!("{first}-{last}")),
            None => Cell::default(),
        });
        cells
    }

    fn notes(&self) -> Vec<String> {
        let explanation = &self.explanation;
        let mut notes = Vec::new();
        if let Some(sum) = explanation.sum {
            let weight = sum
                .weight
                .map_or(String::new(), |weight| format!(" * {weight}"));
            let divisor = if sum.divisor_name == "nothing" {
                String::new()
            } else {
                format!(" / {} ({})", trimmed(sum.divisor), sum.divisor_name)
            };
            notes.push(format!("contribution = gain{weight}{divisor}"));
        }
        notes.push(format!(
            "{} retrieved, {} judged; equal scores: {}, scores compared as {}",
            explanation.ranks.len(),
            explanation.judged.len(),
            explanation.policies.ranking.ties,
            explanation.policies.ranking.precision,
        ));
        if explanation.is_averaged() {
            notes.push(format!(
                "the value is the mean over the orders of tied documents; in the order shown it is {}",
                self.numbers.show(&explanation.spec, explanation.as_ranked)
            ));
        }
        notes
    }

    /// Documents that gain something and stand below what is shown, or nowhere.
    fn beyond(&self) -> Sheet {
        let caption = format!(
            "Judged as relevant for query {} and not among the first {} ranks.",
            self.explanation.query, self.top
        );
        let mut sheet = Sheet::new(caption, 1, ["document", "grade", "rank"]);
        for judged in self.explanation.gaining() {
            if judged.rank.is_some_and(|rank| rank <= self.top) {
                continue;
            }
            let rank = judged
                .rank
                .map_or("not retrieved".to_owned(), |rank| rank.to_string());
            sheet.row([judged.document.clone(), judged.grade.to_string(), rank]);
        }
        sheet
    }

    fn records(&self) -> Records {
        let rows = self.explanation.ranks.iter().map(|ranked| {
            let part = |pick: fn(&mrmr_measures::ExplainedPart) -> f64| {
                Datum::maybe(ranked.part.as_ref().map(pick))
            };
            vec![
                Datum::Count(ranked.rank),
                Datum::text(&ranked.document),
                Datum::Score(ranked.score),
                Datum::maybe(ranked.grade),
                part(|part| part.gain),
                part(|part| part.weight),
                part(|part| part.contribution),
                part(|part| part.running),
            ]
        });
        Records {
            columns: vec![
                "rank",
                "document",
                "score",
                "grade",
                "gain",
                "weight",
                "contribution",
                "running",
            ],
            rows: rows.collect(),
        }
    }

    fn json(&self) -> Value {
        let explanation = &self.explanation;
        let ranks = explanation.ranks.iter().map(|ranked| {
            json!({
                "rank": ranked.rank,
                "document": ranked.document,
                "score": json::score(ranked.score),
                "grade": ranked.grade,
                "gain": ranked.part.map(|part| part.gain),
                "weight": ranked.part.map(|part| part.weight),
                "contribution": ranked.part.map(|part| part.contribution),
                "running": ranked.part.map(|part| part.running),
                "tied_ranks": ranked.tied.map(|(first, last)| [first, last]),
            })
        });
        let judged = explanation.judged.iter().map(|judged| {
            json!({
                "document": judged.document,
                "grade": judged.grade,
                "gain": judged.gain,
                "rank": judged.rank,
                "ideal_contribution": judged.ideal_contribution,
            })
        });
        json!({
            "schema": "mrmr.explain/1",
            "version": env!("CARGO_PKG_VERSION"),
            "qrels": json::qrels(&self.qrels),
            "run": { "name": explanation.run, "source": self.source, "blake3": self.hash },
            "policies": json::policies(&explanation.policies),
            "query": explanation.query,
            "measure": json::measure(&explanation.spec),
            "value": explanation.value,
            "as_ranked": explanation.as_ranked,
            "tie_averaged": explanation.tie_averaged,
            "lowest_over_ties": explanation.lowest,
            "highest_over_ties": explanation.highest,
            "reason": explanation.to_string(),
            "sum": explanation.sum.map(|sum| json!({
                "weight": sum.weight, "divisor": sum.divisor, "divisor_name": sum.divisor_name,
            })),
            "ranks": ranks.collect::<Vec<_>>(),
            "judged": judged.collect::<Vec<_>>(),
        })
    }
}

/// A number in at most four digits behind the point.
fn trimmed(number: f64) -> String {
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
