//! What becomes of a worker whose thread blocks in a join.
//!
//! The task that is joined makes progress by itself: it is being polled by another thread, or
//! some worker will poll it when it is woken. So a thread may just sleep, as long as one worker is
//! left whose thread does not. The last one gives its core to another thread before it sleeps, and
//! so does everyone whose target is not even being polled, as that may take long. A thread that
//! comes back without a core goes on with its poll, and ends after it.
//!
//! For a paused clock a thread is at work from the moment at which it leaves its core, but for the
//! time that it sleeps: whoever wakes it counts it.
//!
//! Tasks in the queues of a core that stays are there for others to take; the one in the LIFO slot
//! is moved to the ring for that.

use super::core::Core;
use super::current;
use super::shared::Shared;
use super::threads::start_thread;
use super::worker::Worker;
use crate::loom::sync::Arc;

/// How long the thread is expected to be away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
    /// Somebody polls what it waits for.
    Short,
    /// Nobody does.
    Long,
}

/// Calls `sleep`, which blocks until a task is complete, and sees to it that nobody needs this
/// thread's worker meanwhile. It counts as at work in `sleep`, until that says otherwise.
///
/// # Panics
///
/// If another thread is needed and the system grants none.
pub(crate) fn asleep<R>(absence: Absence, sleep: impl FnOnce() -> R) -> R {
    current::with(|worker| match worker {
        Some(worker) => worker.leave(absence, sleep),
        None => sleep(),
    })
}

impl Worker {
    fn leave<R>(&self, absence: Absence, sleep: impl FnOnce() -> R) -> R {
        let taken = self.core.borrow_mut().take();
        let Some(mut core) = taken else {
            return sleep();
        };
        let work = self.shared.bell.work();
        if core.in_order {
            // It stays on its thread, and so do its tasks: they rest meanwhile.
            *self.core.borrow_mut() = Some(core);
            return sleep();
        }
        let Some(_left) = Left::unless_last(&self.shared, absence) else {
            self.hand_over(core);
            self.adrift.replace(Some(work));
            return sleep();
        };
        core.offer_all(&self.shared);
        *self.core.borrow_mut() = Some(core);
        sleep()
    }

    fn hand_over(&self, core: Box<Core>) {
        let other = Self::new(Arc::clone(&self.shared), core);
        if let Err((error, mut other)) = start_thread(other) {
            *self.core.borrow_mut() = other.core.get_mut().take();
            panic!("no thread for the worker of one that blocks in a join: {error}");
        }
    }
}

/// A core whose thread sleeps.
struct Left<'a>(&'a Shared);

impl<'a> Left<'a> {
    /// Counts one more, unless it has to be on another thread.
    fn unless_last(shared: &'a Shared, absence: Absence) -> Option<Self> {
        // Not `then_some`: one that is made is dropped.
        (absence == Absence::Short && shared.leave_core()).then(|| Self(shared))
    }
}

impl Drop for Left<'_> {
    fn drop(&mut self) {
        self.0.return_to_core();
    }
}
