//! The functions of a thread in a long poll or job.

use super::source_roots::{learn_root, relative_path};
use super::stack_frame::{StackFrame, frames_in_poll, innermost_files};
use crate::runtime::dump::place::{Place, path_of_type};
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
        let mut frames = frames_in_poll(&self.addresses);
        for frame in &frames {
            learn_root(frame.file, self.spawned_in);
        }
        // The future of a job is part of the runtime.
        let is_future_of_job = |frame: &mut StackFrame| frame.name.starts_with("volt::");
        if self.worker.is_none() {
            frames.pop_if(is_future_of_job);
        }
        if let Some(root) = frames.last_mut() {
            root.name_function_of_task(path_of_type(self.type_name));
        }
        let places = frames.into_iter().map(|frame| Place {
            name: frame.name,
            file: relative_path(frame.file),
            line: frame.line,
            column: frame.column,
            ..Place::UNKNOWN
        });
        places.collect()
    }

    /// Returns the files of the functions of the standard library that the innermost function of
    /// the program has called.
    pub(in crate::runtime::dump) fn files_of_std(&self) -> Vec<&'static str> {
        innermost_files(&self.addresses)
    }
}
