//! Paused clocks, for tests of code that waits.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use crate::driver::WaitForQuiescence;
use crate::runtime::context;

/// Pauses the clock of this thread's runtime, so that a test need not wait for real time.
///
/// A paused clock advances only when the runtime is idle: the workers have no task to run, no
/// thread in `block_on` is awake, and no blocking job runs. Then it jumps to the next deadline, and
/// wakes the tasks that wait for it. So a test that sleeps for an hour takes no time, and timers
/// fire in the order of their deadlines. [`advance`](fn@advance) advances the clock explicitly.
///
/// Other threads and other processes do not stop the clock. For example, the timeout of a read from
/// a socket may elapse before a peer in another process can answer. [`Instant::now`] and other
/// functions of the system are not affected. Pausing a paused clock has no effect. A program that
/// never pauses a clock pays nothing for this.
///
/// [`Instant::now`]: std::time::Instant::now
///
/// # Panics
///
/// Panics on a thread that is in no runtime.
///
/// # Examples
///
/// ```
/// use std::time::{Duration, Instant};
/// use volt::time::{pause, sleep};
///
/// let before = Instant::now();
/// volt::block_on(async {
///     pause();
///     sleep(Duration::from_secs(3600)).await;
/// });
/// assert!(before.elapsed() < Duration::from_secs(60));
/// ```
#[track_caller]
pub fn pause() {
    context::pause_clock();
}

/// Resumes the paused clock of this thread's runtime, from its current time.
///
/// Afterwards the clock differs from that of the system by the jumps and by the length of the
/// pause. [`now`](super::now()) returns its time. Resuming a clock that runs has no effect.
///
/// # Panics
///
/// Panics on a thread that is in no runtime.
#[track_caller]
pub fn resume() {
    context::driver().resume();
}

/// Advances the paused clock of this thread's runtime by the whole duration in one step.
///
/// The clock advances at the first poll. The future is ready when each task that this has woken has
/// run until it waits again. Unlike a sleep, it does not stop at the deadlines in between: a task
/// that waits for several of them finds that all have passed.
///
/// # Panics
///
/// The future panics on a thread that is in no runtime, if the clock is not paused, and if the new
/// time cannot be represented.
///
/// # Cancel safety
///
/// The clock has advanced after the first poll, even if the future is dropped then.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use volt::time::{advance, pause, sleep};
///
/// volt::block_on(async {
///     pause();
///     let task = volt::spawn(sleep(Duration::from_secs(60)));
///     advance(Duration::from_secs(59)).await;
///     assert!(!task.is_finished());
///     advance(Duration::from_secs(1)).await;
///     assert!(task.is_finished());
/// });
/// ```
pub fn advance(duration: Duration) -> Advance {
    Advance {
        duration,
        rest: None,
    }
}

/// The future of [`advance`](fn@advance), under the function's own name.
#[doc(hidden)]
#[allow(non_camel_case_types, reason = "the type has the name of its function")]
pub type advance = Advance;

/// The future of [`advance`](fn@advance).
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Advance {
    duration: Duration,
    /// `Some` from the first poll, which advances the clock.
    rest: Option<WaitForQuiescence>,
}

impl Future for Advance {
    type Output = ();

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.rest.is_none() {
            let driver = context::driver();
            assert!(
                driver.advance(self.duration),
                "only a paused clock can be advanced: call `volt::time::pause` first"
            );
            self.rest = Some(WaitForQuiescence::new(driver));
        }
        match &mut self.rest {
            Some(rest) => rest.poll_quiescence(cx.waker()),
            None => Poll::Ready(()),
        }
    }
}

#[cfg(all(test, not(loom)))]
#[path = "paused_clock_tests.rs"]
mod tests;
