//! A policy of one's own: the library's backoff, which counts what it sees.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use examples::middleware::{Backoff, Policy, TimeoutError};

use crate::kitchen::{Burnt, Log, Order};

/// Tries again by the intervals of `backoff`, and records why.
#[derive(Debug, Clone)]
pub(crate) struct Patience {
    backoff: Backoff,
    log: Arc<Log>,
}

impl Patience {
    pub(crate) fn new(backoff: Backoff, log: Arc<Log>) -> Self {
        Self { backoff, log }
    }
}

impl<Response> Policy<Order, Response, TimeoutError<Burnt>> for Patience {
    fn retry(
        &mut self,
        order: &Order,
        result: &Result<Response, TimeoutError<Burnt>>,
    ) -> Option<Duration> {
        match result {
            Ok(_) => return None,
            Err(TimeoutError::Late(_)) => self.log.late.fetch_add(1, Relaxed),
            Err(TimeoutError::Inner(Burnt { .. })) => self.log.broken.fetch_add(1, Relaxed),
        };
        self.backoff.retry(order, result)
    }
}
