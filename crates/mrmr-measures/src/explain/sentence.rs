//! The reason for a value in words.

use std::fmt;

use super::{ExplainedJudgement, Explanation, LeftOut};

/// How many ranks a sentence names.
const SHOWN: usize = 5;

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.left_out() {
            Some(LeftOut::Missing) => {
                return write!(
                    f,
                    "{} has no value: the run has no answer to the query, which is left out (policy for missing queries: {})",
                    self.spec, self.policies.missing
                );
            }
            Some(LeftOut::NoRelevant) => {
                return write!(
                    f,
                    "{} has no value: the query has no relevant document and is left out (policy for queries without a relevant document: {})",
                    self.spec, self.policies.no_relevant
                );
            }
            None => {}
        }
        write!(f, "{} is {:.4}", self.spec, self.value)?;
        if self.is_averaged() {
            return write!(
                f,
                ", the mean over the orders of tied documents; in the order shown it is {:.4} because {}; over all these orders it is {:.4} to {:.4}",
                self.as_ranked,
                self.reason(),
                self.lowest,
                self.highest
            );
        }
        write!(f, " because {}", self.reason())?;
        if self.depends_on_ties() {
            write!(
                f,
                "; over the orders of tied documents it is {:.4} to {:.4}, {:.4} on average",
                self.lowest, self.highest, self.tie_averaged
            )?;
        }
        Ok(())
    }
}

impl Explanation {
    fn reason(&self) -> String {
        let name = self.spec.definition().name;
        if !self.answered {
            return format!(
                "the run has no answer to the query (policy for missing queries: {})",
                self.policies.missing
            );
        }
        if self.ranks.is_empty() {
            return "the run's list of answers to the query is empty".to_owned();
        }
        if self.sum.is_some() && self.gaining().next().is_none() && name != "Unjudged" {
            return format!(
                "none of the {} judged documents of the query counts as relevant",
                self.judged.len()
            );
        }
        match name {
            "DCG" | "nDCG" | "ERR" | "nERR" | "RBP" => self.discounted(),
            "RR" | "Success" => self.first(),
            "P" | "R" | "F" | "R_cap" | "AP" | "Rprec" => self.counted(),
            "Judged" | "Unjudged" => {
                let top = self.depth().min(self.ranks.len());
                let in_top = self.ranks.iter().take(top);
                let judged = in_top.filter(|ranked| ranked.grade.is_some()).count();
                format!("{judged} of the first {top} documents are judged")
            }
            _ => format!(
                "of how its judged documents are ranked, {} of {} retrieved among {}; it is no sum over ranks, so that no rank has a share of its own",
                self.judged
                    .iter()
                    .filter(|judged| judged.rank.is_some())
                    .count(),
                self.judged.len(),
                self.ranks.len()
            ),
        }
    }

    fn depth(&self) -> usize {
        if self.spec.definition().name == "Rprec" {
            self.gaining().count()
        } else {
            self.spec.depth()
        }
    }

    /// The documents that gain anything within the cutoff, by rank.
    fn found(&self) -> Vec<(usize, &ExplainedJudgement)> {
        let mut found: Vec<_> = self
            .gaining()
            .filter_map(|judged| Some((judged.rank?, judged)))
            .filter(|(rank, _)| *rank <= self.depth())
            .collect();
        found.sort_by_key(|(rank, _)| *rank);
        found
    }

    fn whereabouts(&self) -> String {
        match self.depth() {
            usize::MAX => "retrieved".to_owned(),
            depth => format!("in the top {depth}"),
        }
    }

    /// `2 of the 3 relevant documents are in the top 10, at ranks 1, 4`.
    fn share(&self, what: &str) -> String {
        let found = self.found();
        let all = self.gaining().count();
        let is = if found.len() == 1 { "is" } else { "are" };
        let of = match (all, found.len()) {
            (1, 1) => format!("the one {what} that there is is"),
            (1, _) => format!("the one {what} that there is is not"),
            (_, 0) => format!("none of the {all} {what}s is"),
            (_, some) if some == all => format!("all {all} {what}s are"),
            (_, some) => format!("{some} of the {all} {what}s {is}"),
        };
        let mut text = format!("{of} {}", self.whereabouts());
        if !found.is_empty() {
            text += &format!(", at {}", ranks(&found));
        }
        text
    }

    fn discounted(&self) -> String {
        let found = self.found();
        let mut gaining = self.gaining();
        let mut text = match (gaining.next(), gaining.next()) {
            (Some(one), None) => format!(
                "the one document that gains anything, '{}' (grade {}), {}{}",
                one.document,
                one.grade,
                place(one),
                if found.is_empty() && one.rank.is_some() {
                    format!(", below the top {}", self.depth())
                } else {
                    String::new()
                }
            ),
            _ => self.discounted_share(&found),
        };
        if let Some(sum) = self.sum
            && sum.divisor > 0.0
            && self.spec.definition().name == "nDCG"
        {
            text += &format!(
                ": DCG {:.4} of an ideal {:.4}",
                self.as_ranked * sum.divisor,
                sum.divisor
            );
        }
        if self.gaining().count() > 1 {
            text += &match self.largest_loss() {
                Some(judged) => format!(
                    "; most is lost by '{}' (grade {}), which {}",
                    judged.document,
                    judged.grade,
                    place(judged)
                ),
                None => "; no order is better".to_owned(),
            };
        }
        text
    }

    fn discounted_share(&self, found: &[(usize, &ExplainedJudgement)]) -> String {
        let all = self.gaining().count();
        let head = match found.len() {
            0 => format!("none of the {all} documents that gain anything is"),
            1 => format!("1 of the {all} documents that gain anything is"),
            some if some == all => format!("all {all} documents that gain anything are"),
            some => format!("{some} of the {all} documents that gain anything are"),
        };
        let mut text = format!("{head} {}", self.whereabouts());
        if !found.is_empty() {
            text += &format!(", at {}", ranks(found));
        }
        text
    }

    /// The document that adds most less than it would at its place in the ideal order.
    fn largest_loss(&self) -> Option<&ExplainedJudgement> {
        let contribution = |judged: &ExplainedJudgement| {
            let rank = judged.rank?;
            Some(self.ranks[rank - 1].part?.contribution)
        };
        let mut worst: Option<(f64, &ExplainedJudgement)> = None;
        for judged in self.gaining() {
            let loss =
                judged.ideal_contribution.unwrap_or(0.0) - contribution(judged).unwrap_or(0.0);
            if loss > 1e-12 && worst.is_none_or(|(most, _)| loss > most) {
                worst = Some((loss, judged));
            }
        }
        worst.map(|(_, judged)| judged)
    }

    fn first(&self) -> String {
        let mut ranked: Vec<_> = self
            .gaining()
            .filter_map(|judged| Some((judged.rank?, judged)))
            .collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        match ranked.first() {
            Some((rank, judged)) if *rank <= self.depth() => format!(
                "the first relevant document, '{}' (grade {}), is at rank {rank}",
                judged.document, judged.grade
            ),
            Some((rank, judged)) => format!(
                "no relevant document is in the top {}; the first, '{}' (grade {}), is at rank {rank}",
                self.depth(),
                judged.document,
                judged.grade
            ),
            None => match self.gaining().count() {
                1 => "the one relevant document that there is was not retrieved".to_owned(),
                all => format!("none of the {all} relevant documents was retrieved"),
            },
        }
    }

    fn counted(&self) -> String {
        let mut text = self.share("relevant document");
        let divisor = self.sum.map_or(1.0, |sum| sum.divisor);
        match self.spec.definition().name {
            "P" => text += &format!("; {} / {divisor}", self.found().len()),
            "AP" => {
                text += &format!(
                    "; the precision at {} adds up to {:.4}, divided by {divisor}",
                    if self.found().len() == 1 {
                        "that rank"
                    } else {
                        "these ranks"
                    },
                    self.as_ranked * divisor
                );
            }
            _ => {}
        }
        text
    }
}

fn place(judged: &ExplainedJudgement) -> String {
    match judged.rank {
        Some(rank) => format!("is at rank {rank}"),
        None => "was not retrieved".to_owned(),
    }
}

/// `rank 3`, `ranks 1, 4, 9, ...`.
fn ranks(found: &[(usize, &ExplainedJudgement)]) -> String {
    let shown: Vec<String> = found
        .iter()
        .take(SHOWN)
        .map(|(rank, _)| rank.to_string())
        .collect();
    let more = if found.len() > SHOWN { ", ..." } else { "" };
    let word = if found.len() == 1 { "rank" } else { "ranks" };
    format!("{word} {}{more}", shown.join(", "))
}
