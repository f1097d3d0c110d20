//! Judgements from what people have: answers to questions, gold spans, lists with the right label, clicks.

mod answers;
mod clicks;
mod json_lines;
mod nbest;
mod spans;
mod tokens;

pub use answers::{AnswerOptions, AnswersJudged, NoisyAnswer, judge_answers};
pub use clicks::{ClickOptions, ClicksJudged, judge_clicks};
pub use nbest::{NbestJudged, judge_nbest};
pub use spans::{Share, SpanOptions, SpansJudged, Unit, judge_spans};
pub use tokens::Normalization;
