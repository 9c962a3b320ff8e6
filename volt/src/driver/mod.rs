//! The driver: where a runtime waits for timers and sockets.
//!
//! Each runtime has one [`Driver`]. The thread that owns it may wait in it. All other threads use
//! clones of its [`DriverHandle`], which registers timers and sources and can interrupt the waiting
//! thread.
//!
//! ```text
//!   Sleep ──► Timer ────────┐                       ┌── Clock      Instant ↔ ticks
//!                           ├─► DriverHandle ─► DriverShared ─ Timers      lock over the Wheel
//!   TcpStream ► Registration┘        │              └── IoRegistry token → IoSource
//!                                    │ unpark
//!                                    ▼
//!                                 Driver ─► Reactor (the system's poll) + WaitTimer
//! ```
//!
//! The wheel and the slab are pure: no clock, no I/O, no lock. A driver without timers waits
//! without a timeout, so an idle runtime makes no system call. Wakers are called in batches and
//! outside of all locks. A panic of a waker affects neither the driver nor other wakers.
//!
//! Under a paused clock, the thread that is about to wait in the driver advances the clock instead
//! if all other threads are idle; see [`Driver::auto_advance`].

mod slab;
mod wake_batch;
mod timing;
mod readiness;
mod busy_count;
mod quiescence_waiters;
mod driver_handle;
#[expect(
    clippy::module_inception,
    reason = "the file is named for the type it defines"
)]
mod driver;
mod timer;
mod wait_for_quiescence;
mod registration;
#[cfg(all(test, not(loom)))]
mod test_thread;

pub(crate) use self::busy_count::BusyCount;
pub(crate) use self::driver::Driver;
pub(crate) use self::driver_handle::{BusyGuard, DriverHandle};
pub(crate) use self::readiness::{Direction, ReadyEvent, SocketWaiter};
pub(crate) use self::registration::{ReadinessWait, Registration};
#[cfg(all(test, not(loom)))]
pub(crate) use self::test_thread::DriverThread;
pub(crate) use self::timer::Timer;
pub(crate) use self::timing::{CoarseInstant, Countdown, was_no_clock_paused};
pub(crate) use self::wait_for_quiescence::WaitForQuiescence;
