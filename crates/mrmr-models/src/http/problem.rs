//! What an endpoint says is wrong, in few words.

use serde_json::Value;

/// What the body of an error says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) message: String,
    /// Whether waiting does not help: nothing is left to spend.
    pub(crate) is_quota: bool,
}

impl Problem {
    /// Reads the body of an error, whatever its form.
    pub(crate) fn read(body: &[u8]) -> Problem {
        let value: Option<Value> = serde_json::from_slice(body).ok();
        let text = String::from_utf8_lossy(&body[..body.len().min(4_096)]);
        let message = match &value {
            Some(value) => message_of(value).unwrap_or_else(|| value.to_string()),
            None if text.trim().is_empty() => "nothing".to_owned(),
            None if is_page(&text) => "an HTML page".to_owned(),
            None => text.into_owned(),
        };
        let codes = value
            .as_ref()
            .map(codes_of)
            .unwrap_or_default()
            .to_lowercase();
        let any = |text: &str, words: &[&str]| words.iter().any(|word| text.contains(word));
        Problem {
            is_quota: any(
                &codes,
                &["insufficient_quota", "insufficient_balance", "billing"],
            ),
            message: short(&message),
        }
    }
}

/// Whether a text is a page for people.
pub(crate) fn is_page(text: &str) -> bool {
    let start = text.trim_start().to_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

/// A text of one line and at most 300 characters.
pub(crate) fn short(text: &str) -> String {
    let line: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    let line = line.join(" ");
    match line.char_indices().nth(300) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line,
    }
}

/// `error.message`, `error`, `message` or `detail`; of a list of details, what each says.
fn message_of(value: &Value) -> Option<String> {
    for key in ["error", "message", "detail", "msg"] {
        match value.get(key) {
            Some(Value::String(text)) => return Some(text.clone()),
            Some(inner @ Value::Object(_)) => return message_of(inner),
            Some(Value::Array(list)) => {
                let texts: Vec<String> = list.iter().filter_map(message_of).collect();
                return Some(texts.join("; ")).filter(|text| !text.is_empty());
            }
            _ => {}
        }
    }
    None
}

/// All codes and types that an error names.
fn codes_of(value: &Value) -> String {
    let mut codes = String::new();
    for value in [Some(value), value.get("error")].into_iter().flatten() {
        for key in ["code", "type", "error_type"] {
            if let Some(Value::String(code)) = value.get(key) {
                codes.push_str(code);
                codes.push(' ');
            }
        }
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_makers_form_of_an_error_is_read() {
        for (body, message) in [
            (
                r#"{"error": {"message": "No such model", "code": "model_not_found"}}"#,
                "No such model",
            ),
            (
                r#"{"error": "`inputs` cannot be empty", "error_type": "Empty"}"#,
                "`inputs` cannot be empty",
            ),
            (r#"{"message": "invalid api token"}"#, "invalid api token"),
            (
                r#"{"detail": [{"loc": ["body"], "msg": "Field required"}, {"msg": "Bad"}]}"#,
                "Field required; Bad",
            ),
            (r#"{"detail": "overloaded"}"#, "overloaded"),
            (r#"{"other": 1}"#, r#"{"other":1}"#),
            ("  ", "nothing"),
            ("\n<!DOCTYPE html><html>", "an HTML page"),
            ("upstream\n  timed out\x1b[31m", "upstream timed out [31m"),
        ] {
            assert_eq!(Problem::read(body.as_bytes()).message, message);
        }
    }

    #[test]
    fn nothing_left_to_spend_is_told_from_too_much_at_once() {
        let read = |body: &str| Problem::read(body.as_bytes());
        let quota = read(
            r#"{"error": {"message": "You exceeded your quota", "type": "insufficient_quota"}}"#,
        );
        assert!(quota.is_quota);
        assert!(!read(r#"{"error": {"message": "Rate limit reached"}}"#).is_quota);
    }
}
