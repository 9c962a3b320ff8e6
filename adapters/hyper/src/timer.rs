//! Time for hyper: header timeouts, keep-alive, the pool's idle connections.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// Gives hyper the timers of the volt runtime that polls it.
///
/// They follow a [paused clock](volt::time::pause), so that a test of a timeout takes no time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timer;

impl Timer {
    /// The same as the value `Timer`.
    #[must_use]
    pub fn new() -> Self {
        Self
    }
}

impl hyper::rt::Timer for Timer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn hyper::rt::Sleep>> {
        Box::pin(Sleep(volt::time::sleep(duration)))
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn hyper::rt::Sleep>> {
        Box::pin(Sleep(volt::time::sleep_until(deadline)))
    }

    fn now(&self) -> Instant {
        volt::time::now()
    }

    /// Sets the timer itself where it is one of ours, and so allocates nothing.
    fn reset(&self, sleep: &mut Pin<Box<dyn hyper::rt::Sleep>>, new_deadline: Instant) {
        match sleep.as_mut().downcast_mut_pin::<Sleep>() {
            Some(ours) => ours.get_mut().0.reset(new_deadline),
            None => *sleep = self.sleep_until(new_deadline),
        }
    }
}

/// hyper keeps its timers behind a pointer to a trait of its own.
#[derive(Debug)]
struct Sleep(volt::time::Sleep);

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.get_mut().0).poll(cx)
    }
}

impl hyper::rt::Sleep for Sleep {}
