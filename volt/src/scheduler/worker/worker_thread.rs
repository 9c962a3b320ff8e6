//! A thread with a core.

use std::cell::{Cell, RefCell};
use std::time::Instant;

use crate::driver::BusyGuard;
use crate::loom::sync::Arc;

use super::core::Core;
use crate::scheduler::shared::Shared;

/// A thread that runs a core, for as long as it has one.
#[derive(Debug)]
pub(crate) struct Worker {
    pub(crate) shared: Arc<Shared>,
    /// Empty when the core is elsewhere. Nobody borrows it while a task runs.
    pub(crate) core: RefCell<Option<Box<Core>>>,
    /// When this thread last looked into the driver.
    pub(crate) driver_turned: Cell<Instant>,
    /// Once the core is elsewhere: this thread is at work all the same, until its poll is over.
    pub(crate) detached_busy_guard: RefCell<Option<BusyGuard>>,
}

impl Worker {
    pub(crate) fn new(shared: Arc<Shared>, core: Box<Core>) -> Self {
        let driver_turned = Cell::new(shared.started);
        Self {
            shared,
            core: RefCell::new(Some(core)),
            driver_turned,
            detached_busy_guard: RefCell::new(None),
        }
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// The index of the core, if this thread has one.
    pub(crate) fn index(&self) -> Option<usize> {
        self.with_core(|core| core.index)
    }

    /// Lends the core, if this thread has one and is not in the middle of using it.
    #[inline]
    pub(crate) fn with_core<R>(&self, access: impl FnOnce(&mut Core) -> R) -> Option<R> {
        let mut slot = self.core.try_borrow_mut().ok()?;
        slot.as_deref_mut().map(access)
    }
}
