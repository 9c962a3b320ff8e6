//! Inspection polls: polls of a runtime that find the futures for which a task waits.
//!
//! A future that polls its children only when they were woken would hide the others. So in such a
//! poll it polls all of them. The number of threads in such polls is zero but for these moments, so
//! the check is one load.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

use crate::registry::is_inspecting;

/// The number of inspection polls of all threads.
static POLLS: AtomicU32 = AtomicU32::new(0);

/// A guard for the time of an inspection poll.
#[doc(hidden)]
#[derive(Debug)]
#[must_use = "the inspection poll ends when this is dropped"]
pub struct InspectionPollGuard(());

impl InspectionPollGuard {
    /// Begins an inspection poll on this thread.
    #[expect(
        clippy::new_without_default,
        reason = "the begin of a poll is no default value"
    )]
    pub fn new() -> Self {
        // ORDERING: Relaxed, here and below. This thread reads its own write, and for other threads
        // the hook returns `false`.
        POLLS.fetch_add(1, Relaxed);
        Self(())
    }
}

impl Drop for InspectionPollGuard {
    fn drop(&mut self) {
        POLLS.fetch_sub(1, Relaxed);
    }
}

/// Returns `true` if the current poll is an inspection poll of a runtime.
///
/// A future that polls a child only if the child was woken should then poll each child with the
/// waker that it was given, and once more with the waker of the child. The first poll shows the
/// child to the runtime, and the second one leaves its waker as it was.
#[inline]
#[must_use]
pub fn is_inspection_poll() -> bool {
    POLLS.load(Relaxed) != 0 && is_inspecting()
}
