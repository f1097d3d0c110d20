//! Judgements from what people have: answers to questions, lists with the right label.

mod answers;
mod json_lines;
mod nbest;
mod tokens;

pub use answers::{AnswerOptions, AnswersJudged, NoisyAnswer, judge_answers};
pub use nbest::{NbestJudged, judge_nbest};
pub use tokens::Normalization;
