//! The limit of time on the heads of one connection's requests.
//!
//! hyper makes a timer for each head, and drops it when the head has come. To take a timer into the
//! driver's wheel and out again costs more than all else that is done for it. So the timers of one
//! connection share one of volt's, which stays in the wheel. The first poll of a head leaves it as it
//! is if it comes due no later than the head's deadline: it then wakes the task, and the poll that
//! follows sets it to the deadline.

use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use volt::time;

/// Timers for the heads of a connection, of which one is waited for at a time.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeadTimer {
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug, Default)]
struct Shared {
    /// What hyper was told last: it asks for the time just before it makes a timer.
    now: Option<Instant>,
    sleep: Option<time::Sleep>,
    /// When that comes due and whom it wakes then, if it was polled since it was set.
    wakes: Option<(Instant, Waker)>,
}

impl Shared {
    /// Whether the task is woken at the deadline, or before, without anything being done.
    fn will_wake(&self, waker: &Waker, made: Instant, deadline: Instant) -> bool {
        self.wakes
            .as_ref()
            .is_some_and(|(due, known)| made < *due && *due <= deadline && known.will_wake(waker))
    }
}

impl HeadTimer {
    fn shared(&self) -> MutexGuard<'_, Shared> {
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
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn hyper::rt::Sleep>> {
        Box::pin(Head {
            timer: self.clone(),
            deadline,
            made: self.shared().now.take(),
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
struct Head {
    timer: HeadTimer,
    deadline: Instant,
    /// When it was made; there until it is polled.
    made: Option<Instant>,
}

impl Future for Head {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let (deadline, made) = (self.deadline, self.made.take());
        let will_wake = |made| self.timer.shared().will_wake(cx.waker(), made, deadline);
        if made.is_some_and(will_wake) {
            return Poll::Pending;
        }
        self.timer.poll(cx, deadline)
    }
}

impl hyper::rt::Sleep for Head {}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use hyper::rt::Timer as _;
    use volt::task::consume_budget;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// On a paused clock, which jumps to what comes due next.
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
    fn later_head_is_due_at_its_own_deadline() {
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
    fn nearer_head_is_due_at_its_own_deadline() {
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
    fn head_behind_a_due_one_is_waited_for() {
        run(async {
            let timer = HeadTimer::default();
            let mut first = timer.sleep(SECOND);
            assert!(polled_once(&mut first).await.is_pending());
            // It comes due while a request is answered, and nobody waits for a head.
            time::sleep(2 * SECOND).await;
            let begun = time::now();
            timer.sleep(3 * SECOND).await;
            assert_eq!((time::now() - begun).as_secs(), 3);
        });
    }

    /// The timer is not in the wheel then, which the next head has to know.
    #[test]
    fn head_polled_without_a_budget_is_not_taken_for_set() {
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
