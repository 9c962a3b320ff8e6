//! Dumps: lists of the live tasks and of the threads that block on futures.
//!
//! `dump` collects the tasks; `blocked_threads` records the threads in `block_on`; `wait_cycles`
//! finds tasks that wait for each other.

mod blocked_threads;
mod wait_cycles;
#[expect(
    clippy::module_inception,
    reason = "the file is named for the type it defines"
)]
mod dump;
#[cfg(feature = "serde")]
mod dump_serde;
#[cfg(all(feature = "signal", unix))]
mod dump_on_signal;

pub use self::blocked_threads::BlockedThread;
pub(super) use self::blocked_threads::recorded_while_pending;
pub use self::dump::Dump;
#[cfg(all(feature = "signal", unix))]
pub use self::dump_on_signal::DumpOnSignal;
