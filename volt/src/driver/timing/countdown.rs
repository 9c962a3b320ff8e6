//! A wait that ends when it is called, or when a countdown that another thread has started runs
//! out.
//!
//! A thread that waits with a timeout of its own has to wake up to change it. Here others start and
//! stop the countdown, and the waiting thread sleeps through all of them but the one that runs out.
//!
//! Linux has a descriptor for that. Elsewhere there is no such wait, and whoever wants one does
//! without.

use std::io;
use std::time::Duration;

/// What one thread at a time waits in.
#[derive(Debug)]
pub(crate) struct Countdown(imp::Descriptors);

impl Countdown {
    /// A countdown that does not run.
    ///
    /// # Errors
    ///
    /// Fails where there is none, and when the system grants no more descriptors; it takes two.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self(imp::Descriptors::new()?))
    }

    /// Blocks until a countdown has run out or a call has come, one that came before the wait too.
    /// May return without a reason.
    ///
    /// Returns whether a countdown has run out since the last wait, and was not stopped after it.
    pub(crate) fn wait(&self) -> bool {
        self.0.wait()
    }

    /// Begins to count. Returns whether the system does.
    #[must_use = "else nobody is woken"]
    pub(crate) fn start(&self, time: Duration) -> bool {
        !time.is_zero() && self.0.set(time).is_ok()
    }

    /// Ends the counting, if it has not run out.
    pub(crate) fn stop(&self) {
        // If the system refuses, the wait ends for nothing.
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

    /// Has the descriptor count from zero again; false if it did so already.
    fn take(descriptor: &OwnedFd) -> bool {
        read(descriptor, &mut [0; 8]).is_ok()
    }

    #[derive(Debug)]
    pub(crate) struct Descriptors {
        timer: TimerFd,
        calls: OwnedFd,
    }

    impl Descriptors {
        pub(crate) fn new() -> io::Result<Self> {
            let timer = TimerFd::new()?;
            let calls = eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)?;
            Ok(Self { timer, calls })
        }

        pub(crate) fn wait(&self) -> bool {
            let mut both = [
                PollFd::new(self.timer.descriptor(), PollFlags::IN),
                PollFd::new(&self.calls, PollFlags::IN),
            ];
            // What fails is an interruption: then the wait ends without a reason.
            if poll(&mut both, None).is_err() {
                return false;
            }
            let [is_due, is_called] = both.map(|it| !it.revents().is_empty());
            if is_called {
                take(&self.calls);
            }
            is_due && take(self.timer.descriptor())
        }

        /// Sets the timer, or stops it if `time` is zero.
        pub(crate) fn set(&self, time: Duration) -> io::Result<()> {
            self.timer.set(time)
        }

        pub(crate) fn interrupt(&self) {
            // It fails only where so many calls have come that the next one makes no difference.
            let _ = write(&self.calls, &1_u64.to_ne_bytes());
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

    /// Never made.
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
        assert!(begin.elapsed() >= SHORT / 2, "the calls were used up");
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
