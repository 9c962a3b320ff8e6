//! A clock that stands still, for tests of code that waits.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use crate::driver::WaitForQuiescence;
use crate::runtime::context;

/// Stops the clock of this thread's runtime, so that a test need not wait for the time to pass.
///
/// From here on [`now`](super::now) stands still, and so do all timers of the runtime. Whenever
/// everybody waits (the workers have no task to run, no thread that blocks in the runtime is awake
/// and no blocking job runs), the clock jumps to the next deadline, and whoever waits for that
/// goes on. So a test that sleeps for an hour takes no time, and everything happens in the order
/// of its deadlines. [`advance`](fn@advance) moves the clock by hand.
///
/// A thread that the runtime does not know of, say one that will spawn into it, does not hold the
/// clock, and neither does a peer outside the process: what comes through a socket from there may
/// find its timeouts passed. A clock that is paused already stays so. [`Instant::now`] and
/// everything else that asks the system goes on as ever. A program that never pauses a clock pays
/// nothing for this.
///
/// [`Instant::now`]: std::time::Instant::now
///
/// # Panics
///
/// On a thread that is in no runtime.
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

/// Lets the paused clock of this thread's runtime run on, from where it stands.
///
/// It then differs from the system's by as much as it was advanced, and by the length of the
/// pause: [`now`](super::now) tells its time. A clock that runs is left alone.
///
/// # Panics
///
/// On a thread that is in no runtime.
#[track_caller]
pub fn resume() {
    context::driver().resume();
}

/// Moves the paused clock of this thread's runtime on at once, by the whole duration.
///
/// The clock moves at the first poll. The future is ready when everything that has come due by
/// then has happened: when each task that was woken has run until it waits again. Unlike a sleep,
/// it does not stop at the deadlines in between, so whoever waits for several of them finds that
/// they have all passed.
///
/// # Panics
///
/// The future panics on a thread that is in no runtime, if the clock is not paused, and if no
/// clock counts that far.
///
/// # Cancel safety
///
/// Once it was polled the clock has moved, also if the future is dropped then.
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
#[allow(
    non_camel_case_types,
    reason = "the type stands under its function's name"
)]
pub type advance = Advance;

/// A step of a paused clock, and what comes of it; see [`advance`](fn@advance).
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Advance {
    duration: Duration,
    /// There from the first poll, which moves the clock.
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
                "only a paused clock is advanced: call `volt::time::pause` before"
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
