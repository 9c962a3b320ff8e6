//! What ends a wait on time.
//!
//! mio counts timeouts in whole milliseconds. On Linux the alarm is a timer descriptor among the
//! others that the reactor waits for, exact to the microsecond; elsewhere it is mio's timeout.

#[cfg(all(target_os = "linux", not(all(test, shuttle))))]
pub(super) use self::linux::Alarm;
#[cfg(any(not(target_os = "linux"), all(test, shuttle)))]
pub(super) use self::portable::Alarm;

#[cfg(all(target_os = "linux", not(all(test, shuttle))))]
mod linux {
    use std::io;
    use std::os::fd::AsRawFd;
    use std::time::Duration;

    use mio::unix::SourceFd;
    use mio::{Interest, Registry, Token};

    use crate::driver::clock::Tick;
    use crate::driver::timer_descriptor::TimerDescriptor;

    /// A timer of the system that ends the reactor's wait.
    #[derive(Debug)]
    pub(crate) struct Alarm {
        timer: TimerDescriptor,
        /// The tick it is set for, unless it has gone off.
        set_for: Option<Tick>,
    }

    impl Alarm {
        pub(crate) fn new(registry: &Registry, token: Token) -> io::Result<Self> {
            let timer = TimerDescriptor::new()?;
            let mut source = SourceFd(&timer.descriptor().as_raw_fd());
            registry.register(&mut source, token, Interest::READABLE)?;
            Ok(Self {
                timer,
                set_for: None,
            })
        }

        /// Sees to it that the next wait ends when `tick` comes, which is `left` away.
        ///
        /// Returns the timeout to give to that wait: none, unless the system refuses.
        pub(crate) fn set(
            &mut self,
            tick: Option<Tick>,
            left: Option<Duration>,
        ) -> Option<Duration> {
            if left == Some(Duration::ZERO) {
                return left;
            }
            let set_for = tick.filter(|_| left.is_some());
            if set_for == self.set_for {
                return None;
            }
            match self.timer.set(left.unwrap_or_default()) {
                Ok(()) => {
                    self.set_for = set_for;
                    None
                }
                Err(_) => left,
            }
        }

        /// Notes that it has gone off.
        pub(crate) fn rang(&mut self) {
            self.set_for = None;
        }
    }
}

#[cfg(any(not(target_os = "linux"), all(test, shuttle)))]
mod portable {
    use std::io;
    use std::time::Duration;

    use mio::{Registry, Token};

    use crate::driver::clock::Tick;

    /// The timeout of the reactor's wait.
    #[derive(Debug)]
    pub(crate) struct Alarm;

    impl Alarm {
        pub(crate) fn new(_: &Registry, _: Token) -> io::Result<Self> {
            Ok(Self)
        }

        /// Returns the timeout to give to a wait that must end in `left`.
        pub(crate) fn set(&mut self, _: Option<Tick>, left: Option<Duration>) -> Option<Duration> {
            left
        }

        pub(crate) fn rang(&mut self) {}
    }
}
