//! The service at the bottom. An order sets how often it fails and how slow it is.

use std::collections::BTreeMap;
use std::error;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tower::Service;
use volt::time::{now, sleep_until};

/// An order, and how the kitchen reacts to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Order {
    pub(crate) dish: &'static str,
    pub(crate) mood: Mood,
}

/// How the attempts at an order go.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Mood {
    Steady,
    /// The first few break.
    Breaks {
        attempts: u32,
    },
    /// The first few take longer than the timeout.
    Slow {
        attempts: u32,
    },
}

/// The counters of the kitchen.
#[derive(Debug, Default)]
pub(crate) struct Log {
    attempts: Mutex<BTreeMap<&'static str, u32>>,
    cooking: AtomicUsize,
    pub(crate) peak: AtomicUsize,
    pub(crate) broken: AtomicUsize,
    pub(crate) late: AtomicUsize,
}

impl Log {
    /// How often `dish` was tried.
    pub(crate) fn attempts(&self, dish: &str) -> u32 {
        let attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner);
        attempts.get(dish).copied().unwrap_or(0)
    }

    fn attempt(&self, dish: &'static str) -> u32 {
        let mut attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = attempts.entry(dish).or_default();
        *count += 1;
        *count
    }
}

/// An order on the stove; it counts as long as it lives.
#[derive(Debug)]
pub(crate) struct Stove(Arc<Log>);

impl Stove {
    fn take(log: Arc<Log>) -> Self {
        let cooking = log.cooking.fetch_add(1, SeqCst) + 1;
        log.peak.fetch_max(cooking, SeqCst);
        Self(log)
    }
}

impl Drop for Stove {
    fn drop(&mut self) {
        self.0.cooking.fetch_sub(1, SeqCst);
    }
}

/// Cooks one order a call.
#[derive(Debug, Clone)]
pub(crate) struct Kitchen {
    log: Arc<Log>,
}

impl Kitchen {
    pub(crate) fn new(log: Arc<Log>) -> Self {
        Self { log }
    }
}

impl Service<Order> for Kitchen {
    type Response = &'static str;
    type Error = Burnt;
    type Future = Cook;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Burnt>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, order: Order) -> Cook {
        let attempt = self.log.attempt(order.dish);
        let time = match order.mood {
            Mood::Slow { attempts } if attempt <= attempts => Duration::from_secs(60),
            _ => Duration::from_millis(3),
        };
        let stove = Stove::take(Arc::clone(&self.log));
        cook(stove, order, attempt, now() + time)
    }
}

/// Cooks until the dish is done.
#[volt::state_machine]
pub(crate) async fn cook(
    stove: Stove,
    order: Order,
    attempt: u32,
    done: Instant,
) -> Result<&'static str, Burnt> {
    sleep_until(done).await;
    drop(stove);
    match order.mood {
        Mood::Breaks { attempts } if attempt <= attempts => Err(Burnt { dish: order.dish }),
        _ => Ok(order.dish),
    }
}

/// An attempt that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Burnt {
    dish: &'static str,
}

impl fmt::Display for Burnt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} is burnt", self.dish)
    }
}

impl error::Error for Burnt {}
