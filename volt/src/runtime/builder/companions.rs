//! The threads that a new runtime starts in addition to its workers.

use std::io;

use crate::runtime::handle::Handle;

/// A function that starts a thread, which ends with the runtime.
type StartThread = Box<dyn FnOnce(&Handle) -> io::Result<()> + Send + Sync>;

/// The functions that start these threads.
#[derive(Default)]
pub(super) struct CompanionSettings(Vec<StartThread>);

impl CompanionSettings {
    pub(super) fn add(
        &mut self,
        start: impl FnOnce(&Handle) -> io::Result<()> + Send + Sync + 'static,
    ) {
        self.0.push(Box::new(start));
    }

    /// Starts the threads of a new runtime.
    pub(super) fn start(self, handle: &Handle) -> io::Result<()> {
        self.0.into_iter().try_for_each(|start| start(handle))
    }
}
