//! Whether a request is sent again, and when: the rules that the makers' own clients follow.

use std::time::{Duration, SystemTime};

/// The headers that say when to come back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RetryHeaders {
    /// `retry-after-ms`.
    pub(crate) after_ms: Option<String>,
    /// `retry-after`: seconds or a date.
    pub(crate) after: Option<String>,
    /// `x-should-retry`.
    pub(crate) should: Option<String>,
}

/// The longest wait that an endpoint may ask for.
const LONGEST: Duration = Duration::from_secs(120);

/// How long to wait before trial `retry` (from 0) of a request that ended with this status; none: not again.
pub(crate) fn wait_after_status(
    status: u16,
    headers: &RetryHeaders,
    retry: u32,
    date: SystemTime,
    jitter: f64,
) -> Option<Duration> {
    let transient = match headers.should.as_deref() {
        Some("true") => true,
        Some("false") => false,
        _ => matches!(status, 408 | 409 | 429) || status >= 500,
    };
    if !transient {
        return None;
    }
    match asked(headers, date) {
        Some(wait) if wait > LONGEST => None,
        Some(wait) if !wait.is_zero() => Some(wait),
        _ => Some(backoff(retry, jitter)),
    }
}

/// Half a second, doubled each time up to 8, less up to a quarter of it.
pub(crate) fn backoff(retry: u32, jitter: f64) -> Duration {
    let seconds = (0.5 * f64::from(1u32 << retry.min(4))).min(8.0);
    Duration::from_secs_f64(seconds * (1.0 - 0.25 * jitter.clamp(0.0, 1.0)))
}

/// What the endpoint asks for.
fn asked(headers: &RetryHeaders, date: SystemTime) -> Option<Duration> {
    let number = |text: &Option<String>| text.as_ref()?.trim().parse::<f64>().ok();
    let seconds =
        |seconds: f64| Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX);
    if let Some(milliseconds) = number(&headers.after_ms).filter(|ms| !ms.is_nan()) {
        return Some(seconds(milliseconds / 1000.0));
    }
    if let Some(after) = number(&headers.after).filter(|after| !after.is_nan()) {
        return Some(seconds(after));
    }
    let until = httpdate::parse_http_date(headers.after.as_ref()?.trim()).ok()?;
    Some(until.duration_since(date).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(after: &str) -> RetryHeaders {
        RetryHeaders {
            after: Some(after.to_owned()),
            ..RetryHeaders::default()
        }
    }

    fn wait(status: u16, headers: &RetryHeaders, retry: u32) -> Option<f64> {
        let date = httpdate::parse_http_date("Mon, 30 Nov 2026 22:00:00 GMT").unwrap();
        wait_after_status(status, headers, retry, date, 0.0).map(|wait| wait.as_secs_f64())
    }

    #[test]
    fn transient_statuses_are_tried_again_with_doubled_waits() {
        let none = RetryHeaders::default();
        for status in [408, 409, 429, 500, 503, 529] {
            let waits: Vec<_> = (0..7).map(|retry| wait(status, &none, retry)).collect();
            assert_eq!(waits, [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0].map(Some));
        }
        for status in [400, 401, 403, 404, 413, 422] {
            assert_eq!(wait(status, &none, 0), None);
        }
        assert_eq!(backoff(0, 1.0), Duration::from_millis(375));
    }

    #[test]
    fn what_the_endpoint_asks_for_counts_up_to_two_minutes() {
        assert_eq!(wait(429, &headers("7"), 0), Some(7.0));
        assert_eq!(wait(429, &headers("120"), 0), Some(120.0));
        assert_eq!(wait(429, &headers("121"), 0), None);
        assert_eq!(wait(429, &headers("1e300"), 0), None);
        assert_eq!(wait(429, &headers("0"), 1), Some(1.0));
        assert_eq!(wait(429, &headers("-5"), 1), Some(1.0));
        assert_eq!(wait(429, &headers("soon"), 0), Some(0.5));
        assert_eq!(
            wait(429, &headers("Mon, 30 Nov 2026 22:00:30 GMT"), 0),
            Some(30.0)
        );
        assert_eq!(
            wait(429, &headers("Mon, 30 Nov 2026 22:30:00 GMT"), 0),
            None
        );
        assert_eq!(
            wait(429, &headers("Mon, 30 Nov 2026 21:00:00 GMT"), 0),
            Some(0.5)
        );
        let both = RetryHeaders {
            after_ms: Some("250".to_owned()),
            ..headers("60")
        };
        assert_eq!(wait(503, &both, 0), Some(0.25));
    }

    #[test]
    fn the_endpoint_may_say_itself_whether_to_try_again() {
        let says = |should: &str| RetryHeaders {
            should: Some(should.to_owned()),
            ..RetryHeaders::default()
        };
        assert_eq!(wait(500, &says("false"), 0), None);
        assert_eq!(wait(400, &says("true"), 0), Some(0.5));
    }
}
