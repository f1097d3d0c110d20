//! From judgements and a run to what is printed.

use std::fmt::Write as _;

use mrmr_core::{Qrels, QueryId, Run};

use super::arguments::{Arguments, bind};
use super::family::{Compute, Family};
use super::judged::{Judge, Judged};
use super::number::fixed;
use super::options::{Failure, Options, Version};
use super::selection::{Selected, select};
use super::summary::Summary;

/// Grades are counted level by level, in memory.
const HIGHEST: f64 = 1e6;

/// trec_eval with its options and measures.
#[derive(Clone, Debug)]
pub struct TrecEval {
    options: Options,
    selected: Vec<Selected>,
}

/// What trec_eval prints, and how it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Standard output; it may stand before a failure.
    pub output: String,
    /// Why it stopped, if it did.
    pub failure: Option<Failure>,
}

impl TrecEval {
    /// Reads the values of `-m`; `official` where there is none.
    ///
    /// # Errors
    /// If a measure is not known.
    pub fn new(options: Options, measures: &[&str]) -> Result<Self, Failure> {
        let measures = if measures.is_empty() {
            &["official"]
        } else {
            measures
        };
        Ok(TrecEval {
            options,
            selected: select(options.version, measures)?,
        })
    }

    /// Evaluates a run; `run_id` is what trec_eval reads in the last column of its last line.
    pub fn evaluate(&self, qrels: &Qrels, run: &Run, run_id: &str) -> Outcome {
        let mut output = String::new();
        let failure = self.print(qrels, run, run_id, &mut output).err();
        Outcome { output, failure }
    }

    fn print(
        &self,
        qrels: &Qrels,
        run: &Run,
        run_id: &str,
        output: &mut String,
    ) -> Result<(), Failure> {
        if qrels.max_grade().is_some_and(|grade| grade > HIGHEST) {
            return Err(Failure::new(
                2,
                format!(
                    "mrmr trec: expected grades up to {HIGHEST}: their levels are counted one by one"
                ),
            ));
        }
        let bound = self.selected.iter().map(Bound::new);
        let mut bound = bound.collect::<Result<Vec<_>, _>>()?;
        let mut judge = Judge::new(qrels, run, &self.options);
        let mut evaluated = 0;
        for name in self.queries(qrels, run) {
            let Some(judged) = qrels.queries().get(name) else {
                continue;
            };
            let answered = run.queries().get(name);
            let ranking = self.ranking(&mut judge, name, judged, answered)?;
            for measure in &mut bound {
                if ranking.levels.is_empty() && measure.family.reads_ranking() {
                    return Err(measure.no_level());
                }
                measure.compute(&ranking)?;
                if answered.is_none() {
                    measure.repair();
                }
            }
            for measure in &mut bound {
                measure.add();
                if self.options.per_query {
                    measure.print_query(name, output);
                }
            }
            evaluated += 1;
        }
        if evaluated == 0 {
            return Err(Failure::new(
                7,
                "trec_eval: No queries with both results and relevance info",
            ));
        }
        if self.options.summary {
            for measure in &bound {
                let summary = |sum| {
                    let summary = measure.family.summary;
                    summary.of(sum, evaluated, qrels, &self.options)
                };
                measure.print_summary(summary, run_id, output);
            }
        }
        Ok(())
    }

    /// The queries that version 9 finds in the run, version 10 in the qrels, by their bytes.
    fn queries<'a>(&self, qrels: &'a Qrels, run: &'a Run) -> Vec<&'a str> {
        let ids = match self.options.version {
            Version::V9 => run.queries(),
            Version::V10 => qrels.queries(),
        };
        let mut names: Vec<&str> = ids.names().collect();
        names.sort_unstable();
        names
    }

    fn ranking(
        &self,
        judge: &mut Judge<'_>,
        name: &str,
        judged: QueryId,
        answered: Option<QueryId>,
    ) -> Result<Judged, Failure> {
        match answered {
            Some(answered) => Ok(judge.judge(judged, answered)),
            None if self.options.complete => Ok(judge.stand_in(judged)),
            // The words are those of version 10, though it is the run that lacks the query.
            None => Err(Failure::new(
                4,
                format!("trec_eval: result qid '{name}' not found in qrels"),
            )),
        }
    }
}

/// A measure with its arguments and values.
#[derive(Debug)]
struct Bound {
    family: &'static Family,
    arguments: Arguments,
    names: Vec<String>,
    values: Vec<f64>,
    sums: Vec<f64>,
    text: String,
}

impl Bound {
    fn new(selected: &Selected) -> Result<Self, Failure> {
        let family = selected.family;
        let (names, arguments) = bind(family.name, family.parameters, selected.given.as_deref())?;
        Ok(Bound {
            family,
            arguments,
            values: vec![0.0; names.len()],
            sums: vec![0.0; names.len()],
            names,
            text: String::new(),
        })
    }

    fn compute(&mut self, ranking: &Judged) -> Result<(), Failure> {
        self.values.fill(0.0);
        match self.family.compute {
            Compute::Numbers(values) => values(ranking, &self.arguments, &mut self.values),
            Compute::Checked(values) => values(ranking, &self.arguments, &mut self.values)?,
            Compute::Count(count) => self.values[0] = count(ranking) as f64,
            Compute::Text(text) => self.text = text(ranking, &self.arguments),
            Compute::RunName => {}
        }
        Ok(())
    }

    /// trec_eval takes the memory for grades from 0 on that it has not asked for yet as memory that it was denied.
    fn no_level(&self) -> Failure {
        let name = self.family.name;
        Failure::new(4, format!("trec_eval: Can't calculate measure '{name}'"))
    }

    /// What version 10 takes back of the document that it made up.
    fn repair(&mut self) {
        for (name, value) in self.names.iter().zip(&mut self.values) {
            match name.as_str() {
                "num_ret" | "utility" | "rbp_resid" => *value = 0.0,
                "relstring" => self.text.clear(),
                _ if name.starts_with("unj") => *value = 0.0,
                _ => {}
            }
        }
    }

    fn add(&mut self) {
        for (sum, value) in self.sums.iter_mut().zip(&self.values) {
            *sum += value;
        }
    }

    fn print_query(&self, query: &str, output: &mut String) {
        if self.family.per_query {
            for (name, value) in self.names.iter().zip(&self.values) {
                self.print_line(name, query, *value, &format!("'{}'", self.text), output);
            }
        }
    }

    fn print_summary(&self, summary: impl Fn(f64) -> f64, run_id: &str, output: &mut String) {
        if self.family.summary != Summary::None {
            for (name, sum) in self.names.iter().zip(&self.sums) {
                self.print_line(name, "all", summary(*sum), run_id, output);
            }
        }
    }

    fn print_line(&self, name: &str, query: &str, value: f64, text: &str, output: &mut String) {
        let value = match self.family.compute {
            Compute::Numbers(_) | Compute::Checked(_) => fixed(value),
            Compute::Count(_) => format!("{}", value as i64),
            Compute::Text(_) | Compute::RunName => text.to_owned(),
        };
        // A string takes whatever is written to it.
        let _ = writeln!(output, "{name:<22}\t{query}\t{value}");
    }
}
