//! The functions of a worker in a long poll.

use super::stack_frame::frames_in_poll;
use crate::runtime::dump::place::Place;
use crate::runtime::dump::thread_activity::PollingThread;

impl PollingThread {
    /// Returns the functions in which the thread was when the dump was taken, the innermost first.
    ///
    /// The list is empty unless the runtime was built with
    /// [`inspect_backtraces`](crate::runtime::Builder::inspect_backtraces). It leaves out functions
    /// of the standard library and of the runtime. Each call finds the names again, which takes
    /// some time for addresses that were not seen before.
    #[must_use]
    pub fn backtrace(&self) -> Vec<Place> {
        let frames = frames_in_poll(&self.addresses).into_iter();
        let places = frames.map(|frame| Place {
            name: frame.name,
            file: frame.file,
            line: frame.line,
            column: frame.column,
            ..Place::UNKNOWN
        });
        places.collect()
    }
}
