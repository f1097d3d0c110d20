//! A passage that contains an answer is relevant.

use std::collections::{BTreeSet, HashMap};

use mrmr_core::{Collection, DocId, Error, Origin, Part, Qrels, Record, Result};
use mrmr_formats::Input;
use rayon::prelude::*;
use serde_json::Value;

use super::Normalization;
use super::json_lines::{self, found};

/// What counts as containing an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerOptions {
    /// How texts are made comparable.
    pub normalization: Normalization,
    /// Whether a passage's title is searched too; DPR searches its text alone.
    pub titles: bool,
    /// Whether questions that no passage answers are left out, and so count nothing instead of 0.
    pub drop_unanswered: bool,
}

/// An answer that stands in many passages for another reason than that they answer the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoisyAnswer {
    /// The question.
    pub question: String,
    /// The answer as it was given.
    pub answer: String,
    /// Why: `yes or no`, `a number`, `short`.
    pub why: &'static str,
}

/// What came of answers and passages.
#[derive(Clone, Debug)]
pub struct AnswersJudged {
    /// Grade 1 for a passage that contains an answer; of a question without one, grade 0 for the first passage, so
    /// that it is counted.
    pub qrels: Qrels,
    /// How many questions there are.
    pub questions: usize,
    /// How many pairs are relevant.
    pub relevant: usize,
    /// Questions that no passage answers, in their order.
    pub unanswered: Vec<String>,
    /// Answers without any token, left out: their question and the answer.
    pub empty: Vec<(String, String)>,
    /// Answers whose match says little, in their order.
    pub noisy: Vec<NoisyAnswer>,
}

/// Judges passages by whether they contain an answer, a sequence of tokens, as DPR's `has_answer` does (Karpukhin et
/// al. 2020). Questions are JSON lines `{"_id", "answers": [text, ...]}`.
///
/// # Errors
/// If a line has another form, a question stands twice, or there is no passage.
pub fn judge_answers(
    questions: &Input,
    passages: &Collection<DocId>,
    options: AnswerOptions,
) -> Result<AnswersJudged> {
    let mut trie = Trie::default();
    let (mut names, mut seen) = (Vec::new(), HashMap::new());
    let (mut empty, mut noisy) = (Vec::new(), Vec::new());
    for line in json_lines::read(questions)? {
        let name = line.id(&["_id", "id"])?;
        if let Some(first) = seen.insert(name.clone(), line.number) {
            return Err(Error::data(format!(
                "question '{name}' stands at line {first} already; expected each once"
            ))
            .at(line.place())
            .hint("give all answers of a question in one list"));
        }
        for answer in line.list("answers")? {
            let Value::String(answer) = answer else {
                return Err(line.of("answers", found("texts", answer)));
            };
            let tokens = options.normalization.tokens(answer);
            if tokens.is_empty() {
                empty.push((name.clone(), answer.clone()));
                continue;
            }
            if let Some(why) = noise(&tokens) {
                noisy.push(NoisyAnswer {
                    question: name.clone(),
                    answer: answer.clone(),
                    why,
                });
            }
            trie.insert(&tokens, names.len());
        }
        names.push(name);
    }
    let Some((_, first, _)) = passages.iter().next() else {
        return Err(Error::data("expected passages, found none"));
    };
    let keys: Vec<DocId> = passages.ids().keys().collect();
    let found: Vec<BTreeSet<usize>> = keys
        .par_iter()
        .map(|key| {
            let text = text_of(passages.record(*key), options.titles);
            trie.questions(&options.normalization.tokens(&text))
        })
        .collect();
    let mut by_question = vec![Vec::new(); names.len()];
    for (key, questions) in keys.iter().zip(&found) {
        for question in questions {
            by_question[*question].push(*key);
        }
    }
    let mut judged = Qrels::builder(Origin::rows("judgements"));
    let (mut unanswered, mut relevant) = (Vec::new(), 0);
    for (name, keys) in names.iter().zip(&by_question) {
        for key in keys {
            judged.add(name, passages.ids().name(*key), 1.0, relevant as u64)?;
            relevant += 1;
        }
        if keys.is_empty() {
            unanswered.push(name.clone());
            if !options.drop_unanswered {
                judged.add(name, first, 0.0, relevant as u64)?;
            }
        }
    }
    Ok(AnswersJudged {
        qrels: judged.finish()?.0,
        questions: names.len(),
        relevant,
        unanswered,
        empty,
        noisy,
    })
}

/// The text of a passage; BEIR's title stands in front of it.
pub(super) fn text_of(record: &Record, titles: bool) -> String {
    let texts = record.content.parts().iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let text = texts.collect::<Vec<_>>().join("\n");
    match record.field("title") {
        Some(title) if !titles && !title.is_empty() => match text.strip_prefix(title) {
            Some(rest) => rest.strip_prefix(' ').unwrap_or(rest).to_owned(),
            None => text,
        },
        _ => text,
    }
}

fn noise(tokens: &[String]) -> Option<&'static str> {
    let numeric = |token: &String| token.chars().all(|c| !c.is_alphabetic());
    match tokens {
        [one] if ["yes", "no", "true", "false"].contains(&one.as_str()) => Some("yes or no"),
        all if all.iter().all(numeric) => Some("a number"),
        [one] if one.chars().count() <= 3 => Some("short"),
        _ => None,
    }
}

/// The answers of all questions by their tokens, so that a passage is gone through once.
#[derive(Default)]
struct Trie {
    tokens: HashMap<String, u32>,
    next: HashMap<(u32, u32), u32>,
    ends: HashMap<u32, Vec<usize>>,
}

impl Trie {
    fn insert(&mut self, answer: &[String], question: usize) {
        let mut node = 0;
        for token in answer {
            let fresh = self.tokens.len() as u32;
            let token = *self.tokens.entry(token.clone()).or_insert(fresh);
            let fresh = self.next.len() as u32 + 1;
            node = *self.next.entry((node, token)).or_insert(fresh);
        }
        self.ends.entry(node).or_default().push(question);
    }

    fn questions(&self, text: &[String]) -> BTreeSet<usize> {
        let text: Vec<Option<u32>> = text
            .iter()
            .map(|token| self.tokens.get(token).copied())
            .collect();
        let mut found = BTreeSet::new();
        for start in 0..text.len() {
            let mut node = 0;
            for token in &text[start..] {
                let next = token.and_then(|token| self.next.get(&(node, token)));
                let Some(next) = next else { break };
                node = *next;
                found.extend(self.ends.get(&node).into_iter().flatten());
            }
        }
        found
    }
}
