//! The timer that ends a wait on time.
//!
//! mio counts timeouts in whole milliseconds. On Linux this is a timer descriptor that the reactor
//! waits for, exact to the microsecond. Elsewhere it is the timeout of mio, and so it is in a
//! sandbox that forbids timer descriptors.

#[cfg(all(target_os = "linux", not(all(test, shuttle))))]
pub(crate) use self::linux::WaitTimer;
#[cfg(any(not(target_os = "linux"), all(test, shuttle)))]
pub(crate) use self::portable::WaitTimer;

#[cfg(all(target_os = "linux", not(all(test, shuttle))))]
mod linux {
    use std::io;
    use std::os::fd::AsRawFd;
    use std::time::Duration;

    use mio::unix::SourceFd;
    use mio::{Interest, Registry, Token};
    use rustix::io::Errno;

    use crate::driver::timing::clock::Tick;
    use crate::driver::timing::timerfd::TimerFd;

    /// A timer of the system that ends the reactor's wait.
    #[derive(Debug)]
    pub(crate) struct WaitTimer {
        /// `None` if the system forbids it.
        timer: Option<TimerFd>,
        /// The tick for which the timer is set, until it fires.
        set_for: Option<Tick>,
    }

    impl WaitTimer {
        pub(crate) fn new(registry: &Registry, token: Token) -> io::Result<Self> {
            Self::with(TimerFd::new(), registry, token)
        }

        /// Does the same as [`new`](Self::new), with the result of the system.
        pub(crate) fn with(
            timer: io::Result<TimerFd>,
            registry: &Registry,
            token: Token,
        ) -> io::Result<Self> {
            let timer = match timer {
                Ok(timer) => Some(timer),
                Err(error) if is_forbidden(&error) => None,
                Err(error) => return Err(error),
            };
            if let Some(timer) = &timer {
                let mut source = SourceFd(&timer.descriptor().as_raw_fd());
                registry.register(&mut source, token, Interest::READABLE)?;
            }
            Ok(Self {
                timer,
                set_for: None,
            })
        }

        /// Makes the next wait end at `tick`, which is `left` away.
        ///
        /// Returns the timeout of that wait: `None`, unless the system refuses the timer.
        pub(crate) fn set(
            &mut self,
            tick: Option<Tick>,
            left: Option<Duration>,
        ) -> Option<Duration> {
            if left == Some(Duration::ZERO) {
                return left;
            }
            let Some(timer) = &self.timer else {
                return left;
            };
            let set_for = tick.filter(|_| left.is_some());
            if set_for == self.set_for {
                return None;
            }
            match timer.set(left.unwrap_or_default()) {
                Ok(()) => {
                    self.set_for = set_for;
                    None
                }
                Err(_) => left,
            }
        }

        /// Records that the timer has fired.
        pub(crate) fn mark_fired(&mut self) {
            self.set_for = None;
        }
    }

    /// Returns `true` if a sandbox or an old kernel answers so, and not one that is out of
    /// descriptors or memory.
    fn is_forbidden(error: &io::Error) -> bool {
        let exhausted = [Errno::MFILE, Errno::NFILE, Errno::NOMEM];
        let errno = Errno::from_io_error(error);
        errno.is_some_and(|errno| !exhausted.contains(&errno))
    }

    #[cfg(all(test, not(any(loom, miri))))]
    mod tests {
        use std::io;
        use std::time::{Duration, Instant};

        use super::WaitTimer;
        use crate::driver::readiness::{Reactor, WAIT_TIMER};
        use rustix::io::Errno;

        const LEFT: Duration = Duration::from_millis(5);

        #[test]
        fn forbidden_timer_leaves_the_timeout() {
            for errno in [Errno::PERM, Errno::NOSYS, Errno::ACCESS, Errno::NODEV] {
                let (mut reactor, registry) = Reactor::new().unwrap();
                let refused = Err(io::Error::from(errno));
                let mut alarm = WaitTimer::with(refused, registry.system(), WAIT_TIMER).unwrap();
                let begin = Instant::now();
                let timeout = alarm.set(Some(1), Some(LEFT));
                assert_eq!(timeout, Some(LEFT), "{errno:?}");
                reactor.wait(timeout).unwrap();
                assert!(begin.elapsed() >= LEFT);
                assert_eq!(alarm.set(None, None), None);
            }
        }

        #[test]
        fn lack_of_descriptors_is_an_error() {
            let (_reactor, registry) = Reactor::new().unwrap();
            let refused = Err(io::Error::from(Errno::MFILE));
            assert!(WaitTimer::with(refused, registry.system(), WAIT_TIMER).is_err());
        }
    }
}

#[cfg(any(not(target_os = "linux"), all(test, shuttle)))]
mod portable {
    use std::io;
    use std::time::Duration;

    use mio::{Registry, Token};

    use crate::driver::timing::clock::Tick;

    /// The timeout of the reactor's wait.
    #[derive(Debug)]
    pub(crate) struct WaitTimer;

    impl WaitTimer {
        pub(crate) fn new(_: &Registry, _: Token) -> io::Result<Self> {
            Ok(Self)
        }

        /// Returns the timeout of a wait that must end in `left`.
        pub(crate) fn set(&mut self, _: Option<Tick>, left: Option<Duration>) -> Option<Duration> {
            left
        }

        pub(crate) fn mark_fired(&mut self) {}
    }
}
