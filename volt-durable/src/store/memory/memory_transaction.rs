//! `MemoryTransaction`: the transaction of a step on a store in memory.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A write of a step.
type Write = Box<dyn FnOnce() + Send>;

/// The transaction of a step on a [`MemoryStore`](super::MemoryStore).
///
/// The store has no tables for the writes of steps. So a write is a function, which the store calls
/// when it saves the next snapshot.
#[derive(Clone)]
pub struct MemoryTransaction {
    /// The writes, or `None` after the end.
    writes: Arc<Mutex<Option<Vec<Write>>>>,
}

impl MemoryTransaction {
    pub(super) fn new() -> Self {
        Self {
            writes: Arc::new(Mutex::new(Some(Vec::new()))),
        }
    }

    /// Calls a function if and when the next snapshot is saved. After the end of the transaction
    /// the function is not called.
    ///
    /// The store is locked during the call, so the function must not use it.
    pub fn on_commit(&self, write: impl FnOnce() + Send + 'static) {
        if let Some(writes) = &mut *self.writes() {
            writes.push(Box::new(write));
        }
    }

    /// Undoes the writes of the step.
    pub fn rollback(&self) {
        if let Some(writes) = &mut *self.writes() {
            writes.clear();
        }
    }

    /// Ends the transaction, and returns its writes.
    pub(super) fn end(&self) -> Vec<Write> {
        self.writes().take().unwrap_or_default()
    }

    fn writes(&self) -> MutexGuard<'_, Option<Vec<Write>>> {
        self.writes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for MemoryTransaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryTransaction").finish_non_exhaustive()
    }
}
