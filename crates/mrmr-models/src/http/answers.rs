//! Answers of endpoints: vectors and scores, put where their index says.

use std::fmt;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde::de::{self, DeserializeOwned, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use super::problem::is_page;

/// Vectors as they came.
#[derive(Debug)]
pub(crate) struct Vectors {
    /// Where each belongs, if the answer says; else they are in order.
    pub(crate) rows: Vec<(Option<usize>, Numbers)>,
    pub(crate) tokens: usize,
}

/// The numbers of one vector, from a list or from base64 of little-endian floats; `null` is NaN.
#[derive(Debug, PartialEq)]
pub(crate) struct Numbers(pub(crate) Vec<f32>);

impl<'de> Deserialize<'de> for Numbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Numbers;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("one vector: a list of numbers, or base64 of 32-bit floats")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Numbers, E> {
                let bytes = BASE64_STANDARD.decode(text).map_err(E::custom)?;
                if bytes.len() % 4 != 0 {
                    return Err(E::custom(format!(
                        "expected base64 of 32-bit floats, found {} bytes",
                        bytes.len()
                    )));
                }
                let numbers = bytes
                    .as_chunks::<4>()
                    .0
                    .iter()
                    .map(|four| f32::from_le_bytes(*four));
                Ok(Numbers(numbers.collect()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Numbers, A::Error> {
                let mut numbers = Vec::with_capacity(list.size_hint().unwrap_or(0));
                while let Some(number) = list.next_element::<Option<f32>>()? {
                    numbers.push(number.unwrap_or(f32::NAN));
                }
                Ok(Numbers(numbers))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// What an endpoint counts; each convention has some of these.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct Usage {
    total_tokens: Option<f64>,
    prompt_tokens: Option<f64>,
}

impl Usage {
    pub(crate) fn tokens(&self) -> usize {
        self.total_tokens.or(self.prompt_tokens).unwrap_or(0.0) as usize
    }
}

#[derive(Deserialize)]
struct OpenAiRow {
    index: Option<usize>,
    embedding: Numbers,
}

#[derive(Deserialize)]
struct OpenAiAnswer {
    data: Vec<OpenAiRow>,
    #[serde(default)]
    usage: Option<Usage>,
}

/// `{"data": [{"index", "embedding"}], "usage"}`, which most conventions have.
pub(crate) fn openai_vectors(body: &[u8]) -> Result<Vectors, String> {
    let answer: OpenAiAnswer = json(body)?;
    Ok(Vectors {
        rows: answer
            .data
            .into_iter()
            .map(|row| (row.index, row.embedding))
            .collect(),
        tokens: answer.usage.unwrap_or_default().tokens(),
    })
}

#[derive(Deserialize)]
struct ScoreRow {
    index: usize,
    #[serde(alias = "relevance_score")]
    score: Option<f32>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum ScoreAnswer {
    List(Vec<ScoreRow>),
    Object {
        #[serde(alias = "data")]
        results: Vec<ScoreRow>,
        #[serde(default)]
        usage: Option<Usage>,
    },
}

/// Scores as they came: where each belongs, and the tokens.
pub(crate) type Scored = (Vec<(Option<usize>, Option<f32>)>, usize);

/// `[{"index", "score"}]`, or the same in `results` or `data`, with `relevance_score` too.
pub(crate) fn scores(body: &[u8]) -> Result<Scored, String> {
    let (rows, tokens) = match json(body)? {
        ScoreAnswer::List(rows) => (rows, 0),
        ScoreAnswer::Object { results, usage } => (results, usage.unwrap_or_default().tokens()),
    };
    let rows = rows.into_iter().map(|row| (Some(row.index), row.score));
    Ok((rows.collect(), tokens))
}

/// JSON, in which numbers that JSON lacks (`NaN`, `Infinity`) are `null`.
pub(crate) fn json<T: DeserializeOwned>(body: &[u8]) -> Result<T, String> {
    let error = match serde_json::from_slice(body) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let tamed = without_nan(body);
    if tamed.len() != body.len()
        && let Ok(value) = serde_json::from_slice(&tamed)
    {
        return Ok(value);
    }
    let text = String::from_utf8_lossy(&body[..body.len().min(64)]);
    Err(if body.iter().all(u8::is_ascii_whitespace) {
        "expected JSON, found nothing".to_owned()
    } else if is_page(&text) {
        "expected JSON, found an HTML page".to_owned()
    } else {
        format!("expected JSON of this convention: {error}")
    })
}

/// `NaN`, `Infinity` and `-Infinity` outside of texts become `null`.
fn without_nan(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len());
    let (mut at, mut in_text) = (0, false);
    while at < body.len() {
        let rest = &body[at..];
        let word = [&b"NaN"[..], b"Infinity", b"-Infinity"]
            .into_iter()
            .find(|word| !in_text && rest.starts_with(word));
        if let Some(word) = word {
            out.extend(b"null");
            at += word.len();
            continue;
        }
        if in_text && rest[0] == b'\\' {
            out.extend(&rest[..rest.len().min(2)]);
            at += 2;
            continue;
        }
        in_text ^= rest[0] == b'"';
        out.push(rest[0]);
        at += 1;
    }
    out
}

/// Values in the order of their indices: each of `count` places has exactly one.
pub(crate) fn placed<T>(
    rows: Vec<(Option<usize>, T)>,
    count: usize,
    of: &str,
) -> Result<Vec<T>, String> {
    if rows.len() != count {
        return Err(format!("expected {count} {of}, found {}", rows.len()));
    }
    let mut places: Vec<Option<T>> = (0..count).map(|_| None).collect();
    for (number, (index, value)) in rows.into_iter().enumerate() {
        let index = index.unwrap_or(number);
        let Some(place) = places.get_mut(index) else {
            return Err(format!("expected indices under {count}, found {index}"));
        };
        if place.replace(value).is_some() {
            return Err(format!("expected each index once, found {index} twice"));
        }
    }
    Ok(places.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_base64_are_the_same_numbers() {
        let list = openai_vectors(br#"{"data": [{"index": 0, "embedding": [0.5, -2]}]}"#).unwrap();
        let text =
            openai_vectors(br#"{"data": [{"index": 0, "embedding": "AAAAPwAAAMA="}]}"#).unwrap();
        assert_eq!(list.rows, text.rows);
        assert_eq!(list.rows[0].1, Numbers(vec![0.5, -2.0]));
    }

    #[test]
    fn what_json_lacks_is_no_number_and_spoils_no_neighbour() {
        let body = br#"{"data": [{"index": 0, "embedding": [NaN, -Infinity]}, {"index": 1, "embedding": [1, 2]}],
            "model": "NaN\"NaN"}"#;
        let answer = openai_vectors(body).unwrap();
        assert!(answer.rows[0].1.0.iter().all(|number| number.is_nan()));
        assert_eq!(answer.rows[1].1, Numbers(vec![1.0, 2.0]));
    }

    #[test]
    fn every_makers_form_of_scores_is_read() {
        let expected = vec![(Some(1), Some(0.75)), (Some(0), Some(0.25))];
        for (body, tokens) in [
            (
                r#"[{"index": 1, "score": 0.75, "text": "x"}, {"index": 0, "score": 0.25}]"#,
                0,
            ),
            (
                r#"{"results": [{"index": 1, "relevance_score": 0.75}, {"index": 0, "relevance_score": 0.25}], "usage": {"total_tokens": 9}}"#,
                9,
            ),
            (
                r#"{"object": "list", "data": [{"index": 1, "score": 0.75}, {"index": 0, "score": 0.25}]}"#,
                0,
            ),
            (
                r#"{"data": [{"index": 1, "relevance_score": 0.75}, {"index": 0, "relevance_score": 0.25}], "usage": {"total_tokens": 3}}"#,
                3,
            ),
        ] {
            assert_eq!(scores(body.as_bytes()).unwrap(), (expected.clone(), tokens));
        }
    }

    #[test]
    fn every_place_has_one_value() {
        let rows = |indices: &[usize]| indices.iter().map(|i| (Some(*i), *i)).collect::<Vec<_>>();
        assert_eq!(placed(rows(&[2, 0, 1]), 3, "vectors"), Ok(vec![0, 1, 2]));
        assert_eq!(
            placed(vec![(None, 'a'), (None, 'b')], 2, "vectors"),
            Ok(vec!['a', 'b'])
        );
        for (indices, message) in [
            (&[0, 1][..], "expected 3 vectors, found 2"),
            (&[0, 1, 1], "expected each index once, found 1 twice"),
            (&[0, 1, 3], "expected indices under 3, found 3"),
        ] {
            assert_eq!(placed(rows(indices), 3, "vectors"), Err(message.to_owned()));
        }
    }
}
