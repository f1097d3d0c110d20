//! Limits of requests and tokens a minute, kept on this side.

use std::sync::Mutex;
use std::time::Duration;

/// Spaces requests evenly, so that no minute has more than it may.
#[derive(Debug)]
pub(crate) struct Pace {
    /// Between two requests, if limited.
    request: Duration,
    /// For each token, if limited.
    token: Duration,
    /// When the next request may go.
    free: Mutex<Duration>,
}

const MINUTE: Duration = Duration::from_secs(60);

impl Pace {
    pub(crate) fn new(requests: Option<usize>, tokens: Option<usize>) -> Self {
        let each = |count: Option<usize>| {
            count.map_or(Duration::ZERO, |count| MINUTE.div_f64(count.max(1) as f64))
        };
        Pace {
            request: each(requests),
            token: each(tokens),
            free: Mutex::new(Duration::ZERO),
        }
    }

    /// Takes the next place for a request of so many tokens; says how long to wait for it.
    pub(crate) fn take(&self, now: Duration, tokens: usize) -> Duration {
        let Ok(mut free) = self.free.lock() else {
            return Duration::ZERO;
        };
        let start = now.max(*free);
        *free = start + self.request.max(self.token.mul_f64(tokens as f64));
        start - now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_and_tokens_are_spaced_and_idle_time_is_not_saved_up() {
        let seconds = Duration::from_secs;
        let pace = Pace::new(Some(60), Some(600));
        assert_eq!(pace.take(seconds(100), 1), seconds(0));
        assert_eq!(pace.take(seconds(100), 50), seconds(1));
        assert_eq!(pace.take(seconds(101), 1), seconds(5));
        assert_eq!(pace.take(seconds(500), 1), seconds(0));
        assert_eq!(pace.take(seconds(500), 1), seconds(1));
        let free = Pace::new(None, None);
        assert_eq!(free.take(seconds(1), 1_000_000), seconds(0));
        assert_eq!(free.take(seconds(1), 1_000_000), seconds(0));
    }
}
