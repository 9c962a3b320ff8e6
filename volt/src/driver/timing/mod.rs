//! Time: the clock, the timers, and the timers of the system that end waits.

mod coarse_instant;
mod clock;
mod wheel;
mod timers;
mod firing_rate;
#[cfg(all(target_os = "linux", not(all(test, shuttle))))]
mod timerfd;
mod wait_timer;
mod countdown;

pub(crate) use self::clock::was_no_clock_paused;
pub(super) use self::clock::{Clock, Tick};
pub(crate) use self::coarse_instant::CoarseInstant;
pub(crate) use self::countdown::Countdown;
pub(super) use self::firing_rate::FiringRate;
pub(super) use self::timers::{Inserted, Timers};
pub(super) use self::wait_timer::WaitTimer;
