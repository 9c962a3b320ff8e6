//! The loop of a retry, as one writes it.

use core::time::Duration;

use crate::{Backoff, Sleeper};

/// Repeats the operation until it succeeds or the policy allows no further attempt.
#[volt::state_machine(explicit)]
pub async fn retrying<B, T, E, Fut, FutureFn, SF, RF, NF, AF>(
    mut backoff: B,
    mut attempt_fn: FutureFn,
    sleep_fn: SF,
    mut retryable_fn: RF,
    mut notify_fn: NF,
    mut adjust_fn: AF,
) -> Result<T, E>
where
    B: Backoff,
    Fut: Future<Output = Result<T, E>>,
    FutureFn: FnMut() -> Fut,
    SF: Sleeper,
    RF: FnMut(&E) -> bool,
    NF: FnMut(&E, Duration),
    AF: FnMut(&E, Option<Duration>) -> Option<Duration>,
{
    loop {
        let attempt: Fut = attempt_fn();
        let outcome: Result<T, E> = attempt.await;
        let pause: Duration = match outcome {
            Ok(value) => return Ok(value),
            Err(error) => {
                if !retryable_fn(&error) {
                    return Err(error);
                }
                let Some(pause) = adjust_fn(&error, backoff.next()) else {
                    return Err(error);
                };
                notify_fn(&error, pause);
                pause
            }
        };
        let sleep: SF::Sleep = sleep_fn.sleep(pause);
        sleep.await;
    }
}
