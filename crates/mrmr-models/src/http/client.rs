//! Sends requests of one endpoint: in their turn, again where that helps, within a time.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use mrmr_core::{Error, ErrorKind, Place, Result};
use serde_json::Value;
use ureq::Agent;
use ureq::http::HeaderMap;
use ureq::tls::{RootCerts, TlsConfig, TlsProvider};

use super::convention::{Request, Wire};
use super::endpoint::Endpoint;
use super::key::Key;
use super::pace::Pace;
use super::problem::{Problem, short};
use super::retry::{RetryHeaders, backoff, wait_after_status};
use super::time::Surroundings;
use super::traffic::Traffic;
use super::url::BaseUrl;

/// How often a request is sent again unless the user says.
const RETRIES: usize = 5;
/// How long a request may take unless the user says.
const TIMEOUT: Duration = Duration::from_secs(120);
/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);
/// How many requests are under way at once unless the user says.
const WORKERS: usize = 4;
/// The most bytes of an answer.
const ANSWER: u64 = 1 << 30;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Failed {
    /// The endpoint does not take what it was sent; a part of it may pass.
    Refused(String),
    /// Nothing that is sent would pass.
    Ended(Error),
}

/// One endpoint.
pub(crate) struct Client {
    agent: Agent,
    url: BaseUrl,
    key: Option<Key>,
    pace: Pace,
    retries: usize,
    workers: usize,
    around: Surroundings,
    traffic: Mutex<Traffic>,
}

/// What came back: the status, the headers that count, the body.
struct Answer {
    status: u16,
    headers: RetryHeaders,
    location: Option<String>,
    body: Vec<u8>,
}

impl Client {
    pub(crate) fn new(endpoint: &Endpoint, around: Surroundings) -> Result<Self> {
        let url = endpoint.url()?;
        let workers = endpoint.number("workers").unwrap_or(WORKERS);
        let timeout = endpoint.seconds("timeout").unwrap_or(TIMEOUT);
        let tls = TlsConfig::builder()
            .provider(TlsProvider::Rustls)
            .root_certs(RootCerts::PlatformVerifier)
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .build();
        let config = Agent::config_builder()
            .tls_config(tls)
            .http_status_as_error(false)
            // A key is not carried to where somebody else points.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(timeout.min(CONNECT)))
            .timeout_global(Some(timeout))
            .max_idle_connections_per_host(workers)
            .user_agent(concat!("mrmr-eval/", env!("CARGO_PKG_VERSION")));
        let config = match url.is_loopback() {
            true => config.proxy(None),
            false => config,
        };
        Ok(Client {
            agent: Agent::new_with_config(config.build()),
            key: Key::find(endpoint, &around)?,
            pace: Pace::new(
                endpoint.number("requests-per-minute"),
                endpoint.number("tokens-per-minute"),
            ),
            retries: endpoint.number("retries").unwrap_or(RETRIES),
            workers,
            around,
            traffic: Mutex::default(),
            url,
        })
    }

    /// How many requests are under way at once.
    pub(crate) fn workers(&self) -> usize {
        self.workers
    }

    /// What was sent so far.
    pub(crate) fn traffic(&self) -> Traffic {
        self.traffic
            .lock()
            .map(|traffic| traffic.clone())
            .unwrap_or_default()
    }

    /// Takes note of tokens that the endpoint counted.
    pub(crate) fn count_tokens(&self, tokens: usize) {
        self.tally(|traffic| traffic.tokens += tokens);
    }

    /// An error about this endpoint.
    pub(crate) fn error(&self, path: &str, message: &str) -> Error {
        Error::data(self.without_key(message)).at(Place::whole(self.url.with(path)))
    }

    /// A text that an endpoint gave, without the key.
    pub(crate) fn without_key(&self, text: &str) -> String {
        match &self.key {
            Some(key) => key.remove_from(text),
            None => text.to_owned(),
        }
    }

    /// The body of the answer to a request of about so many tokens.
    pub(crate) fn send(&self, request: &Request, tokens: usize) -> Result<Vec<u8>, Failed> {
        let url = self.url.with(request.path);
        let body = bytes_of(&request.body);
        let mut retry = 0;
        loop {
            self.wait(self.pace.take(self.around.time.now(), tokens))?;
            let start = self.around.time.now();
            let answer = self.post(&url, &body);
            let took = self.around.time.now().saturating_sub(start);
            self.tally(|traffic| traffic.add_request(body.len(), took));
            let last = retry >= self.retries;
            let wait = match answer {
                Ok(answer) if (200..300).contains(&answer.status) => return Ok(answer.body),
                Ok(answer) => {
                    let problem = Problem::read(&answer.body);
                    let wait = wait_after_status(
                        answer.status,
                        &answer.headers,
                        retry as u32,
                        self.around.time.date(),
                        self.around.jitter(),
                    );
                    match wait.filter(|_| !last && !problem.is_quota) {
                        Some(wait) => wait,
                        None => return Err(self.failed(&url, &answer, &problem, retry)),
                    }
                }
                Err(error) if !last && is_transient(&error) => {
                    backoff(retry as u32, self.around.jitter())
                }
                Err(error) => return Err(self.unreachable(&url, &error, retry)),
            };
            self.wait(wait)?;
            retry += 1;
            self.tally(|traffic| traffic.retries += 1);
        }
    }

    fn post(&self, url: &str, body: &[u8]) -> Result<Answer, ureq::Error> {
        let mut request = self
            .agent
            .post(url)
            .header("content-type", "application/json")
            .header("accept", "application/json");
        if let Some(key) = &self.key {
            request = request.header("authorization", key.bearer());
        }
        let mut response = request.send(body)?;
        let text =
            |headers: &HeaderMap, name: &str| headers.get(name)?.to_str().ok().map(str::to_owned);
        let headers = response.headers();
        Ok(Answer {
            status: response.status().as_u16(),
            headers: RetryHeaders {
                after_ms: text(headers, "retry-after-ms"),
                after: text(headers, "retry-after"),
                should: text(headers, "x-should-retry"),
            },
            location: text(headers, "location"),
            body: response
                .body_mut()
                .with_config()
                .limit(ANSWER)
                .read_to_vec()?,
        })
    }

    /// Waits for a turn, and sees before it whether to stop.
    fn wait(&self, duration: Duration) -> Result<(), Failed> {
        if !duration.is_zero() {
            self.around.wait(duration);
            self.tally(|traffic| traffic.waited += duration);
        }
        match self.around.is_stopped() {
            true => Err(Failed::Ended(Error::new(
                ErrorKind::Interrupted,
                "stopped between two requests",
            ))),
            false => Ok(()),
        }
    }

    fn failed(&self, url: &str, answer: &Answer, problem: &Problem, retries: usize) -> Failed {
        let status = answer.status;
        let said = self.without_key(&problem.message);
        if matches!(status, 400 | 413 | 422) && !problem.is_quota {
            return Failed::Refused(format!("the endpoint answered {status}: {said}"));
        }
        let again = match retries {
            0 => String::new(),
            1 => " after one retry".to_owned(),
            many => format!(" after {many} retries"),
        };
        let error = Error::data(format!("the endpoint answered {status}{again}: {said}"));
        let location = answer.location.as_deref().unwrap_or("another address");
        let hint = match status {
            300..=399 => Some(format!(
                "it points to {}; give that address if it is right",
                self.without_key(&short(location))
            )),
            401 | 403 if self.key.is_none() => {
                Some("name the environment variable that holds a key: ,key=NAME".to_owned())
            }
            401 | 403 => Some("is the key valid for this endpoint and model?".to_owned()),
            404 | 405 => Some("are the address and the model right?".to_owned()),
            _ if problem.is_quota => {
                Some("waiting does not help: nothing is left to spend".to_owned())
            }
            429 => Some("send less: ,requests-per-minute=N or ,tokens-per-minute=N".to_owned()),
            _ => None,
        };
        Failed::Ended(error.at(Place::whole(url)).hint_maybe(hint))
    }

    fn unreachable(&self, url: &str, error: &ureq::Error, retries: usize) -> Failed {
        let again = if retries > 0 {
            format!(" after {retries} retries")
        } else {
            String::new()
        };
        let what = self.without_key(&error.to_string());
        let hint = match error {
            ureq::Error::Timeout(_) => Some("give it longer: ,timeout=SECONDS"),
            ureq::Error::ConnectionFailed | ureq::Error::HostNotFound => Some("is it running?"),
            ureq::Error::Io(_) => Some("is it running, and is this its address?"),
            _ => None,
        };
        Failed::Ended(
            Error::new(ErrorKind::Io, format!("expected an answer{again}: {what}"))
                .at(Place::whole(url))
                .hint_maybe(hint.map(str::to_owned)),
        )
    }

    fn tally(&self, note: impl FnOnce(&mut Traffic)) {
        if let Ok(mut traffic) = self.traffic.lock() {
            note(&mut traffic);
        }
    }
}

/// Whether the connection failed, rather than what was asked for.
fn is_transient(error: &ureq::Error) -> bool {
    matches!(
        error,
        ureq::Error::Io(_)
            | ureq::Error::Timeout(_)
            | ureq::Error::ConnectionFailed
            | ureq::Error::HostNotFound
            | ureq::Error::Protocol(_)
    )
}

fn bytes_of(body: &Value) -> Vec<u8> {
    body.to_string().into_bytes()
}

/// The limits of a request: what the user says, else what the convention has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) items: Option<usize>,
    pub(crate) bytes: usize,
    pub(crate) tokens: usize,
}

impl Sizes {
    pub(crate) fn new(endpoint: &Endpoint, wire: &Wire) -> Self {
        Sizes {
            items: endpoint.number("items"),
            bytes: endpoint.number("bytes").unwrap_or(wire.bytes),
            tokens: endpoint.number("tokens").unwrap_or(wire.tokens),
        }
    }
}
