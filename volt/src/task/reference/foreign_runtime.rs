//! Polls of a task on threads that are not in its runtime.

/// The runtime of a task, for a thread outside of it.
pub(crate) trait ForeignRuntime {
    /// Enters the runtime on this thread. The thread may poll the task until the guard is dropped.
    fn enter(&self) -> ForeignPoll<'_>;
}

/// Permits this thread to poll a task of a runtime that it is not in. The drop leaves the runtime.
#[must_use = "the thread leaves the runtime when this is dropped"]
pub(crate) struct ForeignPoll<'a> {
    _guards: Box<dyn Guards + 'a>,
}

impl<'a> ForeignPoll<'a> {
    /// Keeps the guards of the runtime, and drops them in the order of the tuple.
    #[cfg(not(loom))]
    pub(crate) fn new(guards: impl Sized + 'a) -> Self {
        Self {
            _guards: Box::new(guards),
        }
    }
}

/// Values that are kept for their drop.
trait Guards {}

impl<T> Guards for T {}
