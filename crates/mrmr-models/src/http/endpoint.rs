//! The text form of an endpoint: `CONVENTION[+URL][:MODEL][,OPTION=VALUE]...`.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use mrmr_core::{Error, Result, closest};

use super::convention::Convention;
use super::url::BaseUrl;

/// What an option's value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    /// A whole number from 1.
    Count,
    /// A whole number from 0.
    Number,
    /// A number above 0.
    Seconds,
    /// `yes` or `no`.
    Switch,
    /// `base64` or `float`.
    Encoding,
    /// The name of an environment variable.
    Variable,
    /// Any text.
    Text,
}

/// Every option: its name, what it may be, what it is for.
const OPTIONS: &[(&str, Value, &str)] = &[
    ("bytes", Value::Count, "the most bytes a request has"),
    (
        "document",
        Value::Text,
        "what documents are called: the input type, prompt name or task",
    ),
    (
        "encoding",
        Value::Encoding,
        "how vectors are sent: base64 or float",
    ),
    (
        "insecure",
        Value::Switch,
        "yes: send without encryption to another machine",
    ),
    ("items", Value::Count, "the most items a request has"),
    (
        "key",
        Value::Variable,
        "the environment variable that holds the key",
    ),
    (
        "query",
        Value::Text,
        "what queries are called: the input type, prompt name or task",
    ),
    (
        "requests-per-minute",
        Value::Count,
        "how many requests are sent a minute at most",
    ),
    (
        "retries",
        Value::Number,
        "how often a request is sent again",
    ),
    (
        "timeout",
        Value::Seconds,
        "the seconds that a request may take",
    ),
    (
        "tokens",
        Value::Count,
        "the most tokens a request has, as estimated",
    ),
    (
        "tokens-per-minute",
        Value::Count,
        "how many tokens are sent a minute at most, as estimated",
    ),
    (
        "truncate",
        Value::Switch,
        "yes: let the endpoint cut texts that are too long",
    ),
    (
        "workers",
        Value::Count,
        "how many requests are under way at once",
    ),
];

/// Where a model is served and how it is asked.
///
/// ```
/// use mrmr_models::{Convention, Endpoint};
/// let endpoint: Endpoint = "infinity+http://127.0.0.1:7997:BAAI/bge-small-en-v1.5,items=64".parse()?;
/// assert_eq!(endpoint.convention(), Convention::Infinity);
/// assert_eq!(endpoint.model(), Some("BAAI/bge-small-en-v1.5"));
/// assert_eq!(endpoint.to_string(), "infinity+http://127.0.0.1:7997:BAAI/bge-small-en-v1.5,items=64");
///
/// let error = "opena:text-embedding-3-small".parse::<Endpoint>().unwrap_err();
/// assert_eq!(error.hints(), ["did you mean openai?"]);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    convention: Convention,
    url: Option<BaseUrl>,
    model: Option<String>,
    options: BTreeMap<&'static str, String>,
}

impl Endpoint {
    /// Whether a name is meant as an endpoint rather than as a folder or the id of a model.
    pub fn is_meant(name: &str) -> bool {
        let end = name.find(['+', ':', ',', '/']).unwrap_or(name.len());
        let (word, rest) = name.split_at(end);
        let known = Convention::ALL.iter().any(|c| c.name() == word);
        // A letter and a colon begin a path on Windows.
        known && !rest.starts_with('/')
            || name.contains("://")
            || word.len() > 1
                && word.chars().all(|c| c.is_ascii_lowercase())
                && rest.starts_with(':')
                && !std::path::Path::new(name).exists()
    }

    /// The interface that it has.
    pub fn convention(&self) -> Convention {
        self.convention
    }

    /// The model's name, where one is given.
    pub fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// Where it is: as given, or where the convention says.
    pub(crate) fn url(&self) -> Result<BaseUrl> {
        match &self.url {
            Some(url) => Ok(url.clone()),
            None => BaseUrl::split(self.convention.wire().url)
                .map(|(url, _)| url)
                .map_err(Error::usage),
        }
    }

    /// Whether the address was given.
    pub(crate) fn has_own_url(&self) -> bool {
        self.url.is_some()
    }

    /// The value of an option that is a text.
    pub(crate) fn text(&self, option: &str) -> Option<&str> {
        self.options.get(option).map(String::as_str)
    }

    /// The value of an option that is a number.
    pub(crate) fn number(&self, option: &str) -> Option<usize> {
        self.text(option)?.parse().ok()
    }

    /// The value of an option that is a time.
    pub(crate) fn seconds(&self, option: &str) -> Option<Duration> {
        Duration::try_from_secs_f64(self.text(option)?.parse().ok()?).ok()
    }

    /// Whether an option is `yes`.
    pub(crate) fn is_on(&self, option: &str) -> bool {
        self.text(option) == Some("yes")
    }

    /// The names of all options and what each is for.
    pub fn options() -> impl Iterator<Item = (&'static str, &'static str)> {
        OPTIONS.iter().map(|(name, _, what)| (*name, *what))
    }

    fn check(&self) -> Result<()> {
        let wire = self.convention.wire();
        if wire.model_required && self.model.is_none() {
            return Err(Error::usage(format!("{} expects a model", wire.name))
                .hint(format!("for example {}", wire.example)));
        }
        for option in ["document", "encoding", "query", "truncate"] {
            if self.text(option).is_some() && !wire.heeds.contains(&option) {
                return Err(Error::usage(format!(
                    "{} knows no {option}; leave this option out",
                    wire.name
                )));
            }
        }
        let url = self.url()?;
        if !url.is_encrypted() && !url.is_loopback() && !self.is_on("insecure") {
            return Err(
                Error::usage(format!("expected https for another machine, found {url}")).hint(
                    "add ,insecure=yes to send texts, pictures and the key without encryption",
                ),
            );
        }
        Ok(())
    }
}

impl FromStr for Endpoint {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut pieces = text.split(',');
        let head = pieces.next().unwrap_or_default();
        let end = head.find(['+', ':']).unwrap_or(head.len());
        let (name, rest) = head.split_at(end);
        let Some(convention) = Convention::ALL.iter().find(|c| c.name() == name).copied() else {
            let names: Vec<&str> = Convention::ALL.iter().map(|c| c.name()).collect();
            let near = closest(name, names.iter().copied());
            return Err(Error::usage(format!(
                "unknown convention '{name}'; expected {}",
                names.join(", ")
            ))
            .hint(match near {
                Some(near) => format!("did you mean {near}?"),
                None => "an endpoint is CONVENTION[+URL][:MODEL][,OPTION=VALUE]".to_owned(),
            }));
        };
        let (url, rest) = match rest.strip_prefix('+') {
            Some(rest) => {
                let (url, rest) =
                    BaseUrl::split(rest).map_err(|why| Error::usage(format!("{name}: {why}")))?;
                (Some(url), rest)
            }
            None => (None, rest),
        };
        let model = match rest.strip_prefix(':') {
            Some("") => return Err(Error::usage(format!("{name}: expected a model behind ':'"))),
            Some(model) => Some(model.to_owned()),
            None => None,
        };
        let mut options = BTreeMap::new();
        for piece in pieces {
            let (name, value) = option(piece)?;
            if options.insert(name, value).is_some() {
                return Err(Error::usage(format!(
                    "the option {name} stands there twice"
                )));
            }
        }
        let endpoint = Endpoint {
            convention,
            url,
            model,
            options,
        };
        endpoint.check()?;
        Ok(endpoint)
    }
}

/// `NAME=VALUE`.
fn option(piece: &str) -> Result<(&'static str, String)> {
    let (name, value) = piece.split_once('=').unwrap_or((piece, ""));
    let Some((name, kind, _)) = OPTIONS.iter().find(|(known, ..)| *known == name) else {
        let names: Vec<&str> = OPTIONS.iter().map(|(name, ..)| *name).collect();
        return Err(Error::usage(format!(
            "unknown option '{name}' of an endpoint; expected {}",
            names.join(", ")
        ))
        .hint_maybe(closest(name, names).map(|near| format!("did you mean {near}?"))));
    };
    let number = || value.parse::<u32>().ok();
    let variable = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let (good, expected) = match kind {
        Value::Count => (number().is_some_and(|n| n > 0), "a whole number from 1"),
        Value::Number => (number().is_some(), "a whole number from 0"),
        Value::Seconds => (
            value.parse().is_ok_and(|s: f64| (0.001..1e6).contains(&s)),
            "seconds from 0.001",
        ),
        Value::Switch => (matches!(value, "yes" | "no"), "yes or no"),
        Value::Encoding => (matches!(value, "base64" | "float"), "base64 or float"),
        Value::Variable => (
            !value.is_empty() && value.chars().all(variable),
            "the name of an environment variable in capitals, such as MY_KEY",
        ),
        Value::Text => (!value.is_empty(), "a text"),
    };
    match (good, kind) {
        (true, Value::Count | Value::Number) => {
            Ok((name, number().unwrap_or_default().to_string()))
        }
        (true, _) => Ok((name, value.to_owned())),
        // What stands there may be the key itself.
        (false, Value::Variable) => Err(Error::usage(format!("{name}: expected {expected}"))
            .hint("a key is read from the environment and never given in a name")),
        (false, _) => Err(Error::usage(format!(
            "{name}: expected {expected}, found '{value}'"
        ))),
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.convention.name())?;
        if let Some(url) = &self.url {
            write!(f, "+{url}")?;
        }
        if let Some(model) = &self.model {
            let between = self
                .url
                .as_ref()
                .is_some_and(|url| url.needs_slash_before(model));
            write!(f, "{}:{model}", if between { "/" } else { "" })?;
        }
        for (name, value) in &self.options {
            write!(f, ",{name}={value}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_form_round_trips() {
        for text in [
            "openai:text-embedding-3-small",
            "openai+https://llm.example.org/v1:a/b:latest,key=MY_KEY,retries=0",
            "tei+http://127.0.0.1:3000",
            "tei+http://[::1]:3000/embedder",
            "tei+https://host/:123",
            "ollama:nomic-embed-text:latest",
            "vllm+http://gpu.example.org:8000:Qwen/Q,insecure=yes,items=8",
        ] {
            let endpoint: Endpoint = text.parse().unwrap();
            assert_eq!(endpoint.to_string(), text);
            assert_eq!(endpoint.to_string().parse::<Endpoint>().unwrap(), endpoint);
            assert!(Endpoint::is_meant(text));
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_what_is_expected() {
        for (text, message, hint) in [
            (
                "opena:x",
                "unknown convention 'opena'",
                "did you mean openai?",
            ),
            (
                "openai",
                "openai expects a model",
                "openai:text-embedding-3-small",
            ),
            ("openai:", "expected a model behind ':'", ""),
            ("tei+ftp://x", "https:// or http://", ""),
            (
                "tei+http://gpu:3000",
                "expected https for another machine",
                "insecure=yes",
            ),
            ("tei,item=3", "unknown option 'item'", "did you mean items?"),
            (
                "tei,items=0",
                "items: expected a whole number from 1, found '0'",
                "",
            ),
            ("tei,items=3,items=4", "twice", ""),
            ("ollama:m,query=q", "ollama knows no query", ""),
            ("tei+http://127.0.0.1:99999", "expected a port", ""),
        ] {
            let error = text.parse::<Endpoint>().unwrap_err();
            assert!(error.message().contains(message), "{text}: {error}");
            assert!(
                error.hints().join(" ").contains(hint),
                "{text}: {:?}",
                error.hints()
            );
        }
    }

    #[test]
    fn a_key_in_a_name_is_refused_and_not_repeated() {
        let error = "openai:m,key=sk-secret".parse::<Endpoint>().unwrap_err();
        assert!(!format!("{error:?}").contains("sk-secret"));
    }

    #[test]
    fn folders_and_ids_of_models_are_no_endpoints() {
        for name in [
            "./model",
            "org/name",
            "org/name@main",
            "hashing",
            "C:\\models",
            "openai/clip",
        ] {
            assert!(!Endpoint::is_meant(name), "{name}");
        }
        for name in ["opena:text", "tei", "tei,items=3", "foo+http://host"] {
            assert!(Endpoint::is_meant(name), "{name}");
        }
    }
}
