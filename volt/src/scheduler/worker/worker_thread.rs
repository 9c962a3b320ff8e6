//! A worker: a thread that runs a core.

use std::cell::{Cell, RefCell};
use std::time::Instant;

use crate::driver::BusyGuard;
use crate::loom::sync::Arc;

use super::core::Core;
use super::poll_watch::PollWatch;
use crate::scheduler::shared::Shared;

/// A thread that runs a core while it has one.
#[derive(Debug)]
pub(crate) struct Worker {
    pub(crate) shared: Arc<Shared>,
    /// Empty while the core is on another thread. It is not borrowed while a task runs.
    pub(crate) core: RefCell<Option<Box<Core>>>,
    /// The time of this thread's last check of the driver.
    pub(crate) driver_turned: Cell<Instant>,
    /// Present if the core is on another thread: this thread is busy until its poll is over.
    pub(crate) detached_busy_guard: RefCell<Option<BusyGuard>>,
    /// `true` if there are hooks, or the next polls are watched.
    pub(crate) is_observed: Cell<bool>,
    pub(crate) watch: PollWatch,
}

impl Worker {
    pub(crate) fn new(shared: Arc<Shared>, core: Box<Core>) -> Self {
        let driver_turned = Cell::new(shared.started);
        let is_observed = Cell::new(shared.config.hooks.is_some());
        Self {
            shared,
            core: RefCell::new(Some(core)),
            driver_turned,
            detached_busy_guard: RefCell::new(None),
            is_observed,
            watch: PollWatch::default(),
        }
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Returns the index of the core, if this thread has one.
    pub(crate) fn index(&self) -> Option<usize> {
        self.with_core(|core| core.index)
    }

    /// Calls `access` with the core, if this thread has one and is not already using it.
    #[inline]
    pub(crate) fn with_core<R>(&self, access: impl FnOnce(&mut Core) -> R) -> Option<R> {
        let mut slot = self.core.try_borrow_mut().ok()?;
        slot.as_deref_mut().map(access)
    }
}
