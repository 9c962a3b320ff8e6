//! The limit of time on the heads of one connection's requests.
//!
//! hyper creates a timer for each head, and drops it when the head has arrived. Inserting a timer
//! into the driver's wheel and removing it costs more than all other work for the head. So the
//! timers of one connection share one of volt's, which stays in the wheel. The first poll of a head
//! keeps that timer if it fires no later than the head's deadline. The timer then wakes the task,
//! whose next poll sets it to the deadline.

use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use volt::time;

use crate::timer::Timer;

/// Timers for the heads of a connection, one of which is used at a time.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeadTimer {
    shared: Arc<Mutex<TimerState>>,
}

#[derive(Debug, Default)]
struct TimerState {
    /// The last result of `now`: hyper calls it just before it creates a timer.
    now: Option<Instant>,
    sleep: Option<time::Sleep>,
    /// The time at which the timer fires, and the waker that it calls, if it was polled since it
    /// was set.
    wakes: Option<(Instant, Waker)>,
}

impl TimerState {
    /// Returns `true` if the timer wakes the task at the deadline or before.
    fn will_wake(&self, waker: &Waker, created_at: Instant, deadline: Instant) -> bool {
        self.wakes.as_ref().is_some_and(|(due, known)| {
            created_at < *due && *due <= deadline && known.will_wake(waker)
        })
    }
}

impl HeadTimer {
    fn shared(&self) -> MutexGuard<'_, TimerState> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakers are foreign code, which does not run under the lock.
    fn poll(&self, cx: &mut Context<'_>, deadline: Instant) -> Poll<()> {
        let sleep = self.shared().sleep.take();
        let mut sleep = sleep.unwrap_or_else(|| time::sleep_until(deadline));
        sleep.reset(deadline);
        // Without a budget the task is woken at once, and the timer not set.
        let wakes = volt::task::has_budget_remaining().then(|| (deadline, cx.waker().clone()));
        let polled = Pin::new(&mut sleep).poll(cx);
        let mut shared = self.shared();
        let former = (
            mem::replace(&mut shared.wakes, wakes),
            shared.sleep.replace(sleep),
        );
        drop(shared);
        drop(former);
        polled
    }
}

impl hyper::rt::Timer for HeadTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn hyper::rt::Sleep>> {
        match self.now().checked_add(duration) {
            Some(deadline) => self.sleep_until(deadline),
            // No clock shows a time so late.
            None => Timer.sleep(duration),
        }
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn hyper::rt::Sleep>> {
        Box::pin(HeadSleep {
            timer: self.clone(),
            deadline,
            created_at: self.shared().now.take(),
        })
    }

    fn now(&self) -> Instant {
        let now = time::now();
        self.shared().now = Some(now);
        now
    }
}

/// The deadline of one head.
#[derive(Debug)]
struct HeadSleep {
    timer: HeadTimer,
    deadline: Instant,
    /// The time of its creation, until it is polled.
    created_at: Option<Instant>,
}

impl Future for HeadSleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let (deadline, created_at) = (self.deadline, self.created_at.take());
        let will_wake = |created_at| {
            self.timer
                .shared()
                .will_wake(cx.waker(), created_at, deadline)
        };
        if created_at.is_some_and(will_wake) {
            return Poll::Pending;
        }
        self.timer.poll(cx, deadline)
    }
}

impl hyper::rt::Sleep for HeadSleep {}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use hyper::rt::Timer as _;
    use volt::task::consume_budget;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// Runs on a paused clock, which jumps to the next timer.
    fn run<F: Future>(future: F) -> F::Output {
        volt::Runtime::new().unwrap().block_on(async {
            time::pause();
            future.await
        })
    }

    async fn polled_once(head: &mut Pin<Box<dyn hyper::rt::Sleep>>) -> Poll<()> {
        poll_fn(|cx| Poll::Ready(head.as_mut().poll(cx))).await
    }

    #[test]
    fn head_without_a_countable_deadline_never_fires() {
        run(async {
            let timer = HeadTimer::default();
            let mut head = timer.sleep(Duration::MAX);
            assert!(polled_once(&mut head).await.is_pending());
            time::sleep(SECOND).await;
            assert!(polled_once(&mut head).await.is_pending());
        });
    }

    #[test]
    fn later_head_fires_at_its_own_deadline() {
        run(async {
            let timer = HeadTimer::default();
            let mut first = timer.sleep(3 * SECOND);
            assert!(polled_once(&mut first).await.is_pending());
            drop(first);
            let begun = time::now();
            time::sleep(SECOND).await;
            timer.sleep(3 * SECOND).await;
            assert_eq!((time::now() - begun).as_secs(), 4);
        });
    }

    #[test]
    fn nearer_head_fires_at_its_own_deadline() {
        run(async {
            let timer = HeadTimer::default();
            let mut first = timer.sleep(30 * SECOND);
            assert!(polled_once(&mut first).await.is_pending());
            drop(first);
            let begun = time::now();
            timer.sleep(3 * SECOND).await;
            assert_eq!((time::now() - begun).as_secs(), 3);
        });
    }

    #[test]
    fn head_after_a_fired_timer_has_its_deadline() {
        run(async {
            let timer = HeadTimer::default();
            let mut first = timer.sleep(SECOND);
            assert!(polled_once(&mut first).await.is_pending());
            // The timer fires while a request is answered, and no head is awaited.
            time::sleep(2 * SECOND).await;
            let begun = time::now();
            timer.sleep(3 * SECOND).await;
            assert_eq!((time::now() - begun).as_secs(), 3);
        });
    }

    /// The timer is not in the wheel, so the next head must set it.
    #[test]
    fn head_timer_without_budget_is_not_registered() {
        run(async {
            let task = volt::spawn(async {
                let timer = HeadTimer::default();
                while volt::task::has_budget_remaining() {
                    consume_budget().await;
                }
                let mut first = timer.sleep(SECOND);
                assert!(polled_once(&mut first).await.is_pending());
                drop(first);
                volt::task::yield_now().await;
                timer.sleep(SECOND).await;
            });
            task.await.unwrap();
        });
    }
}
