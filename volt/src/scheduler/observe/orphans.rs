//! The reports of orphans: tasks that wait although no waker for them exists.

use std::fmt;

use crate::loom::sync::atomic::AtomicU64;
use crate::loom::sync::atomic::Ordering::Relaxed;
use crate::task::{Orphan, OrphanAction};

/// A hook that is called with each orphan, on the thread that found it.
pub(crate) type OrphanHook = Box<dyn Fn(&Orphan) + Send + Sync>;

/// Counts orphans, reports them to the hook, and stores the action for them.
pub(crate) struct OrphanReporter {
    count: AtomicU64,
    hook: Option<OrphanHook>,
    fate: OrphanAction,
}

impl OrphanReporter {
    pub(crate) fn new(fate: OrphanAction, hook: Option<OrphanHook>) -> Self {
        Self {
            count: AtomicU64::new(0),
            hook,
            fate,
        }
    }

    /// Counts an orphan, and calls the hook.
    pub(crate) fn report(&self, orphan: &Orphan) {
        // ORDERING: Relaxed: a statistic.
        self.count.fetch_add(1, Relaxed);
        if let Some(hook) = &self.hook {
            hook(orphan);
        }
    }

    pub(crate) fn fate(&self) -> OrphanAction {
        self.fate
    }

    /// Returns the number of orphans so far.
    pub(crate) fn count(&self) -> u64 {
        self.count.load(Relaxed)
    }
}

impl Default for OrphanReporter {
    fn default() -> Self {
        Self::new(OrphanAction::Keep, None)
    }
}

impl fmt::Debug for OrphanReporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OrphanReporter")
            .field("count", &self.count())
            .field("fate", &self.fate)
            .finish_non_exhaustive()
    }
}
