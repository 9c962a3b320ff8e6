//! The attempts of a call: a loop that waits, and beside it all that is decided without waiting.

use std::future::poll_fn;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::Sleep;
use tower::Service;

use crate::{RetryConfig, RetryEvent};

/// Calls the service until the policy accepts an answer or allows no further attempt.
#[volt::state_machine(explicit)]
pub async fn attempts<S, Req, Res, E>(
    mut service: S,
    request: Req,
    config: Arc<RetryConfig<Req, Res, E>>,
    limit: usize,
) -> Result<Res, E>
where
    S: Service<Req, Response = Res, Error = E>,
    Req: Clone,
{
    let mut made: usize = 0;
    loop {
        // The service was ready for the first attempt. Each further attempt waits for it again.
        if made > 0 {
            poll_fn(|cx| service.poll_ready(cx)).await?;
        }
        let attempt: S::Future = service.call(request.clone());
        let result: Result<Res, E> = attempt.await;
        made += 1;
        let pause: Duration = match after(&config, &result, made, limit) {
            Some(pause) => pause,
            None => return result,
        };
        drop(result);
        let nap: Sleep = tokio::time::sleep(pause);
        nap.await;
    }
}

/// How long to wait for the next attempt; `None` if this was the last one.
fn after<Req, Res, E>(
    config: &RetryConfig<Req, Res, E>,
    result: &Result<Res, E>,
    made: usize,
    limit: usize,
) -> Option<Duration> {
    let (is_ok, wants_another) = match result {
        Ok(response) => (true, config.policy.should_retry_response(response)),
        Err(error) => (false, config.policy.should_retry(error)),
    };
    let budget = config.budget.as_ref();
    if !wants_another && is_ok {
        if let Some(budget) = budget {
            budget.deposit();
        }
        end(config, End::Success, made);
        None
    } else if !wants_another {
        end(config, End::Ignored, made);
        None
    } else if made >= limit {
        end(config, End::Exhausted, made);
        None
    } else if budget.is_some_and(|budget| !budget.try_withdraw()) {
        end(config, End::OverBudget, made);
        None
    } else {
        let delay = config.policy.next_backoff(made - 1);
        retry(config, made, delay);
        Some(delay)
    }
}

/// Why there is no further attempt.
#[derive(Clone, Copy)]
enum End {
    Success,
    Ignored,
    Exhausted,
    OverBudget,
}

/// Notifies the listeners. Without listeners no event is made.
fn tell<Req, Res, E>(config: &RetryConfig<Req, Res, E>, event: impl FnOnce(String) -> RetryEvent) {
    if !config.event_listeners.is_empty() {
        config.event_listeners.emit(&event(config.name.clone()));
    }
}

fn end<Req, Res, E>(config: &RetryConfig<Req, Res, E>, end: End, attempts: usize) {
    #[cfg(feature = "metrics")]
    {
        let result = match end {
            End::Success => Some("success"),
            End::Ignored => None,
            End::Exhausted => Some("exhausted"),
            End::OverBudget => Some("budget_exhausted"),
        };
        if let Some(result) = result {
            metrics::counter!("retry_calls_total", "retry" => config.name.clone(), "result" => result)
                .increment(1);
        }
        if matches!(end, End::Success) {
            metrics::histogram!("retry_attempts", "retry" => config.name.clone())
                .record(attempts as f64);
        }
    }
    #[cfg(feature = "tracing")]
    match end {
        End::Success if attempts > 1 => tracing::info!(retry = %config.name, attempts, "succeeded"),
        End::Success => tracing::debug!(retry = %config.name, attempts, "succeeded"),
        End::Ignored => tracing::debug!(retry = %config.name, attempts, "not retryable"),
        End::Exhausted => tracing::warn!(retry = %config.name, attempts, "attempts exhausted"),
        End::OverBudget => tracing::warn!(retry = %config.name, attempts, "budget exhausted"),
    }
    let timestamp = Instant::now();
    tell(config, |pattern_name| match end {
        End::Success => RetryEvent::Success {
            pattern_name,
            timestamp,
            attempts,
        },
        End::Ignored => RetryEvent::IgnoredError {
            pattern_name,
            timestamp,
        },
        End::Exhausted => RetryEvent::Error {
            pattern_name,
            timestamp,
            attempts,
        },
        End::OverBudget => RetryEvent::BudgetExhausted {
            pattern_name,
            timestamp,
            attempt: attempts,
        },
    });
}

fn retry<Req, Res, E>(config: &RetryConfig<Req, Res, E>, made: usize, delay: Duration) {
    #[cfg(feature = "metrics")]
    metrics::counter!("retry_attempts_total", "retry" => config.name.clone()).increment(1);
    #[cfg(feature = "tracing")]
    tracing::debug!(retry = %config.name, attempt = made, ?delay, "another attempt");
    tell(config, |pattern_name| RetryEvent::Retry {
        pattern_name,
        timestamp: Instant::now(),
        attempt: made - 1,
        delay,
    });
}
