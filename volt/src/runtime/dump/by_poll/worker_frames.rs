//! The functions of a thread in a long poll or job, and of samples of long polls.

use super::lookup::{learn_root, relative_path};
use super::stack_frame::{StackFrame, frames_at_drop, frames_in_poll, innermost_files};
use crate::runtime::dump::dump::{Dump, PollSample};
use crate::runtime::dump::place::{Place, path_of_type};
use crate::runtime::dump::thread_activity::PollingThread;
use crate::task::{TaskInfo, last_waker_drop};

impl PollSample {
    /// Returns the functions of the program, the innermost first.
    pub(in crate::runtime::dump) fn places(&self, task: &TaskInfo) -> Vec<Place> {
        let frames = frames_in_poll(&self.addresses);
        places(frames, task.type_name, task.location.file())
    }
}

#[cfg(not(any(loom, all(test, shuttle))))]
impl Dump {
    /// Returns the functions of the program that have dropped the last waker of an orphan, the
    /// innermost first. The list is empty if they are unknown.
    pub(in crate::runtime::dump) fn drop_of_last_waker(&self, orphan: &TaskInfo) -> Vec<Place> {
        let Some(addresses) = last_waker_drop(self.runtime.id, orphan.id) else {
            return Vec::new();
        };
        let frames = frames_at_drop(&addresses);
        let places = places(frames, "", orphan.location.file()).into_iter();
        places.filter(|place| !place.name.is_empty()).collect()
    }
}

/// Returns the places of the functions of a task with a future of this type.
pub(super) fn places(
    mut frames: Vec<StackFrame>,
    type_name: &'static str,
    spawned_in: &'static str,
) -> Vec<Place> {
    for frame in &frames {
        learn_root(frame.file, spawned_in);
    }
    if let Some(root) = frames.last_mut() {
        root.name_function_of_task(path_of_type(type_name));
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
        // The future of a job is part of the runtime.
        let is_future_of_job = |frame: &mut StackFrame| frame.name.starts_with("volt::");
        if self.worker.is_none() {
            frames.pop_if(is_future_of_job);
        }
        places(frames, self.type_name, self.spawned_in)
    }

    /// Returns the files of the functions of the standard library that the innermost function of
    /// the program has called.
    pub(in crate::runtime::dump) fn files_of_std(&self) -> Vec<&'static str> {
        innermost_files(&self.addresses)
    }
}
