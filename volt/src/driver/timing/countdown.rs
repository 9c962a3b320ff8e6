//! A wait that ends by an interrupt, or when a countdown that another thread has started runs out.
//!
//! A thread that waits with a timeout of its own has to wake up to change it. Here other threads
//! start and stop the countdown. The waiting thread sleeps until one of them runs out.
//!
//! Linux has a descriptor for that. Other systems have no such wait, and callers must do without.

use std::io;
use std::time::Duration;

/// The place in which one thread at a time waits.
#[derive(Debug)]
pub(crate) struct Countdown(imp::Descriptors);

impl Countdown {
    /// Creates a countdown that does not run.
    ///
    /// # Errors
    ///
    /// Returns an error if the system has no such timer, or grants no more descriptors; it needs
    /// two.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self(imp::Descriptors::new()?))
    }

    /// Blocks until a countdown has run out or an interrupt has arrived, also one before the wait.
    /// May return without a reason.
    ///
    /// Returns `true` if a countdown has run out since the last wait, and was not stopped after
    /// that.
    pub(crate) fn wait(&self) -> bool {
        self.0.wait()
    }

    /// Starts a countdown. Returns `true` if the system has started it.
    #[must_use = "without a countdown, no worker is woken"]
    pub(crate) fn start(&self, time: Duration) -> bool {
        !time.is_zero() && self.0.set(time).is_ok()
    }

    /// Stops the countdown, if it has not run out.
    pub(crate) fn stop(&self) {
        // If the system refuses, the wait ends without a reason.
        let _ = self.0.set(Duration::ZERO);
    }

    /// Ends the wait, or the next one.
    pub(crate) fn interrupt(&self) {
        self.0.interrupt();
    }
}

#[cfg(all(test, loom))]
#[path = "countdown_model.rs"]
mod imp;

#[cfg(all(target_os = "linux", not(all(test, any(loom, shuttle)))))]
mod imp {
    use std::io;
    use std::os::fd::OwnedFd;
    use std::time::Duration;

    use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd, poll};
    use rustix::io::{read, write};

    use crate::driver::timing::timerfd::TimerFd;

    /// Resets the count of the descriptor to zero; returns `false` if it was zero.
    fn take(descriptor: &OwnedFd) -> bool {
        read(descriptor, &mut [0; 8]).is_ok()
    }

    #[derive(Debug)]
    pub(crate) struct Descriptors {
        timer: TimerFd,
        interrupts: OwnedFd,
    }

    impl Descriptors {
        pub(crate) fn new() -> io::Result<Self> {
            let timer = TimerFd::new()?;
            let interrupts = eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)?;
            Ok(Self { timer, interrupts })
        }

        pub(crate) fn wait(&self) -> bool {
            let mut both = [
                PollFd::new(self.timer.descriptor(), PollFlags::IN),
                PollFd::new(&self.interrupts, PollFlags::IN),
            ];
            // A failed poll was interrupted by a signal: the wait ends without a reason.
            if poll(&mut both, None).is_err() {
                return false;
            }
            let [is_due, is_interrupted] = both.map(|polled| !polled.revents().is_empty());
            if is_interrupted {
                take(&self.interrupts);
            }
            is_due && take(self.timer.descriptor())
        }

        /// Sets the timer, or stops it if `time` is zero.
        pub(crate) fn set(&self, time: Duration) -> io::Result<()> {
            self.timer.set(time)
        }

        pub(crate) fn interrupt(&self) {
            // It fails only if so many interrupts are pending that another one has no effect.
            let _ = write(&self.interrupts, &1_u64.to_ne_bytes());
        }
    }
}

#[cfg(any(
    all(not(target_os = "linux"), not(all(test, loom))),
    all(test, shuttle)
))]
mod imp {
    use std::io;
    use std::time::Duration;

    /// A type without values.
    #[derive(Debug)]
    pub(crate) enum Descriptors {}

    impl Descriptors {
        pub(crate) fn new() -> io::Result<Self> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(crate) fn wait(&self) -> bool {
            match *self {}
        }

        pub(crate) fn set(&self, _: Duration) -> io::Result<()> {
            match *self {}
        }

        pub(crate) fn interrupt(&self) {
            match *self {}
        }
    }
}

#[cfg(all(test, target_os = "linux", not(any(loom, shuttle, miri))))]
mod tests {
    use std::thread;
    use std::time::{Duration, Instant};

    use super::Countdown;

    const LONG: Duration = Duration::from_secs(3_600);
    const SHORT: Duration = Duration::from_millis(5);

    #[test]
    fn wait_ends_when_the_countdown_runs_out() {
        let countdown = Countdown::new().unwrap();
        let begin = Instant::now();
        thread::scope(|scope| {
            scope.spawn(|| assert!(countdown.wait()));
            assert!(countdown.start(SHORT));
        });
        assert!(begin.elapsed() >= SHORT);
    }

    #[test]
    fn call_ends_one_wait_before_the_countdown_does() {
        let countdown = Countdown::new().unwrap();
        assert!(countdown.start(LONG));
        countdown.interrupt();
        countdown.interrupt();
        assert!(!countdown.wait());
        assert!(countdown.start(SHORT));
        let begin = Instant::now();
        assert!(countdown.wait());
        assert!(begin.elapsed() >= SHORT / 2, "the interrupts were used up");
    }

    #[test]
    fn stopped_countdown_does_not_run_out() {
        let countdown = Countdown::new().unwrap();
        assert!(countdown.start(SHORT));
        countdown.stop();
        let begin = Instant::now();
        thread::scope(|scope| {
            scope.spawn(|| assert!(!countdown.wait()));
            thread::sleep(10 * SHORT);
            countdown.interrupt();
        });
        assert!(begin.elapsed() >= 10 * SHORT);
    }

    #[test]
    fn countdown_without_time_is_refused() {
        assert!(!Countdown::new().unwrap().start(Duration::ZERO));
    }
}
