//! What asking an endpoint took.

use std::fmt;
use std::time::Duration;

use mrmr_core::counted;

/// Requests, tokens and time of an endpoint so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Requests that were sent, those sent again among them.
    pub requests: usize,
    /// Requests that were sent again.
    pub retries: usize,
    /// Tokens, as the endpoint counts them.
    pub tokens: usize,
    /// Bytes of the requests' bodies.
    pub bytes_sent: u64,
    /// How long requests waited for their turn or for another trial.
    pub waited: Duration,
    /// How long each request took, in microseconds.
    latencies: Vec<u32>,
}

impl Traffic {
    /// Takes note of a request.
    pub(crate) fn add_request(&mut self, bytes: usize, took: Duration) {
        self.requests += 1;
        self.bytes_sent += bytes as u64;
        self.latencies
            .push(u32::try_from(took.as_micros()).unwrap_or(u32::MAX));
    }

    /// The time that this share (0 to 1) of the requests took at most; none without requests.
    pub fn latency(&self, share: f64) -> Option<Duration> {
        let mut sorted = self.latencies.clone();
        sorted.sort_unstable();
        let rank = (share.clamp(0.0, 1.0) * sorted.len() as f64).ceil() as usize;
        let micros = sorted.get(rank.saturating_sub(1))?;
        Some(Duration::from_micros(u64::from(*micros)))
    }
}

impl fmt::Display for Traffic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&counted(self.requests, "request", "requests"))?;
        if self.retries > 0 {
            write!(f, ", {} of them again", self.retries)?;
        }
        if self.tokens > 0 {
            write!(f, ", {}", counted(self.tokens, "token", "tokens"))?;
        }
        if let (Some(half), Some(most)) = (self.latency(0.5), self.latency(0.95)) {
            let ms = |time: Duration| time.as_secs_f64() * 1000.0;
            write!(
                f,
                ", median {:.0} ms, 95 % under {:.0} ms",
                ms(half),
                ms(most)
            )?;
        }
        if !self.waited.is_zero() {
            write!(f, ", waited {:.1} s", self.waited.as_secs_f64())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latencies_are_those_of_ranks() {
        let mut traffic = Traffic::default();
        assert_eq!(traffic.latency(0.5), None);
        for ms in [40, 10, 30, 20] {
            traffic.add_request(100, Duration::from_millis(ms));
        }
        assert_eq!(traffic.latency(0.5), Some(Duration::from_millis(20)));
        assert_eq!(traffic.latency(0.95), Some(Duration::from_millis(40)));
        assert_eq!(
            traffic.to_string(),
            "4 requests, median 20 ms, 95 % under 40 ms"
        );
    }
}
