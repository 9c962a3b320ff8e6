//! A limit for machines that are stored in boxes of each other.
//!
//! A machine without boxes has a fixed depth. A machine in a box may be of the same type as the
//! machine around it, so the input determines the depth, and a hostile input could overflow the
//! stack. The limit also applies to writing: otherwise a snapshot could be written that nothing
//! can read.

use core::fmt;
#[cfg(feature = "std")]
use std::cell::Cell;

/// The maximum number of boxed machines within each other, as in `serde_json`.
const LIMIT: u32 = 128;

#[cfg(feature = "std")]
std::thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// One level, until it is dropped.
#[derive(Debug)]
pub(super) struct Level(());

impl Level {
    /// Enters a level. Returns `None` at the limit. Without `std` there is no limit, because core
    /// has no storage for each thread.
    #[cfg(feature = "std")]
    pub(super) fn enter() -> Option<Self> {
        DEPTH.with(|depth| {
            let next = depth.get() + 1;
            (next <= LIMIT).then(|| {
                depth.set(next);
                Self(())
            })
        })
    }

    #[cfg(not(feature = "std"))]
    pub(super) fn enter() -> Option<Self> {
        Some(Self(()))
    }
}

/// The error at the limit.
#[derive(Debug)]
pub(super) struct TooDeep;

impl fmt::Display for TooDeep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "more than {LIMIT} boxed machines within each other")
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        #[cfg(feature = "std")]
        DEPTH.with(|depth| depth.set(depth.get() - 1));
    }
}
