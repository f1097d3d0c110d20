//! The clock that requests are paced and retried by.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use std::time::Instant;

/// A clock, and waiting by it.
pub trait Time: Send + Sync {
    /// The time since some moment in the past; it never runs backwards.
    fn now(&self) -> Duration;

    /// The time since 1970, as dates in headers count it.
    fn date(&self) -> SystemTime;

    /// Waits.
    fn wait(&self, duration: Duration);
}

/// The machine's clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock(Instant);

impl Default for Clock {
    fn default() -> Self {
        Clock(Instant::now())
    }
}

impl Time for Clock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    fn date(&self) -> SystemTime {
        SystemTime::now()
    }

    fn wait(&self, duration: Duration) {
        thread::sleep(duration);
    }
}

type Variables = dyn Fn(&str) -> Option<String> + Send + Sync;

/// What endpoints take from around them: a clock, the environment, whether to stop.
#[derive(Clone)]
pub struct Surroundings {
    /// The clock.
    pub time: Arc<dyn Time>,
    /// The value of an environment variable.
    pub variable: Arc<Variables>,
    /// When set, no other request is sent and the work ends with an error of the kind `Interrupted`.
    pub stop: Arc<AtomicBool>,
}

impl Default for Surroundings {
    /// The machine's clock and environment; nobody stops.
    fn default() -> Self {
        Surroundings {
            time: Arc::new(Clock::default()),
            variable: Arc::new(|name| std::env::var(name).ok().filter(|value| !value.is_empty())),
            stop: Arc::new(AtomicBool::new(false)),
        }
    }
}

impl Surroundings {
    /// Whether to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Waits in short pieces, so that a wish to stop is seen soon.
    pub(crate) fn wait(&self, duration: Duration) {
        const PIECE: Duration = Duration::from_millis(100);
        let mut left = duration;
        while !left.is_zero() && !self.is_stopped() {
            let piece = left.min(PIECE);
            self.time.wait(piece);
            left -= piece;
        }
    }

    /// A share of the time from 0 to 1 that differs from call to call; nothing that is measured depends on it.
    pub(crate) fn jitter(&self) -> f64 {
        let date = self.time.date().duration_since(UNIX_EPOCH);
        let nanos = date.unwrap_or_default().subsec_nanos() ^ self.time.now().subsec_nanos();
        f64::from(nanos.wrapping_mul(0x9e37_79b9) >> 8) / f64::from(1u32 << 24)
    }
}

impl fmt::Debug for Surroundings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Surroundings")
            .field("stop", &self.is_stopped())
            .finish_non_exhaustive()
    }
}
