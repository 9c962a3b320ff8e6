//! What becomes of a worker whose thread blocks in a join.
//!
//! The task that is joined makes progress by itself: it is being polled by another thread, or
//! some worker will poll it when it is woken. So a thread may just sleep, as long as one worker is
//! left whose thread does not. The last one gives its core to another thread before it sleeps, and
//! so does everyone whose target is not even being polled, as that may take long. A thread that
//! comes back without a core goes on with its poll, and ends after it.
//!
//! Whoever sleeps beside its core is called where all cores are needed: at the end, as the last one
//! to retire stops what is left, and when a clock is paused, whose time passes while all of them
//! rest. Then it gives its core away after all.
//!
//! For a paused clock a thread is at work from the moment at which it leaves its core, but for the
//! time that it sleeps: whoever wakes it counts it.
//!
//! Tasks in the queues of a core that stays are there for others to take; the one in the LIFO slot
//! is moved to the ring for that.

use super::current;
use super::shared::Shared;
use super::threads::start_thread;
use super::worker::Worker;
use crate::driver::Work;
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
/// `sleep` gets what it has to call once it can be woken by [`Handle::call_sleepers`], before it
/// blocks, and whenever it was woken.
///
/// [`Handle::call_sleepers`]: super::Handle::call_sleepers
///
/// # Panics
///
/// If another thread is needed and the system grants none.
pub(crate) fn asleep<R>(absence: Absence, sleep: impl FnOnce(&mut dyn FnMut()) -> R) -> R {
    current::with(|worker| match worker {
        Some(worker) => worker.leave(absence, sleep),
        None => sleep(&mut || {}),
    })
}

impl Worker {
    fn leave<R>(&self, absence: Absence, sleep: impl FnOnce(&mut dyn FnMut()) -> R) -> R {
        let Some(in_order) = self.with_core(|core| core.in_order) else {
            return sleep(&mut || {});
        };
        let mut absent = Absent {
            worker: self,
            work: Some(self.shared.bell.work()),
            left: None,
        };
        // Else it stays on its thread, and so do its tasks: they rest meanwhile.
        if !in_order {
            absent.leave_core(absence);
        }
        sleep(&mut || absent.give_way())
    }

    fn hand_over(&self) {
        let Some(core) = self.core.borrow_mut().take() else {
            return;
        };
        let other = Self::new(Arc::clone(&self.shared), core);
        if let Err((error, mut other)) = start_thread(other) {
            *self.core.borrow_mut() = other.core.get_mut().take();
            panic!("no thread for the worker of one that blocks in a join: {error}");
        }
    }
}

/// A worker whose thread sleeps.
struct Absent<'a> {
    worker: &'a Worker,
    /// There until the core is elsewhere; then the worker has it.
    work: Option<Work>,
    /// There while the core is here.
    left: Option<Left<'a>>,
}

impl Absent<'_> {
    fn leave_core(&mut self, absence: Absence) {
        let shared = &*self.worker.shared;
        if absence == Absence::Short && shared.leave_core() {
            self.left = Some(Left(shared));
            self.worker.with_core(|core| core.offer_all(shared));
        } else {
            self.hand_over();
        }
    }

    /// Gives the core away, should it be needed.
    fn give_way(&mut self) {
        if self.left.is_some() && self.worker.shared.needs_all_cores() {
            self.hand_over();
            self.left = None;
        }
    }

    fn hand_over(&mut self) {
        self.worker.hand_over();
        self.worker.adrift.replace(self.work.take());
    }
}

/// A core whose thread sleeps, as [`Shared::leave_core`] has counted.
struct Left<'a>(&'a Shared);

impl Drop for Left<'_> {
    fn drop(&mut self) {
        self.0.return_to_core();
    }
}
