//! The description of a thread in a long poll or job.

#[cfg(feature = "inspect")]
use std::fmt::Write;

use crate::runtime::dump::findings::rules::Rules;
use crate::runtime::dump::thread_activity::{PollingThread, ThreadActivity};
use crate::task::TaskInfo;

impl<'a> Rules<'a> {
    /// Returns the thread of a task in a long poll, or of a long job.
    pub(super) fn thread_of(&self, task: &TaskInfo) -> Option<&'a PollingThread> {
        let mut threads = self.dump.threads.iter();
        threads.find(|thread| thread.task == task.id)
    }
}

/// Returns the activity of a thread, and the functions in which it is, if they are known.
pub(super) fn described(thread: &PollingThread) -> String {
    format!("{thread}{}{}", explained(thread), code_of(thread))
}

/// Returns the usual causes of the activity of a thread.
fn explained(thread: &PollingThread) -> &'static str {
    match &thread.activity {
        Some(ThreadActivity::Running) => ": a loop or a long computation",
        Some(ThreadActivity::Blocked { system_call, .. }) => match system_call.as_deref() {
            Some("futex") => ": a mutex, a channel or a join of the standard library",
            _ => "",
        },
        None => "",
    }
}

/// Returns the functions of the program in which a thread is, if its backtrace is known.
#[cfg(feature = "inspect")]
fn code_of(thread: &PollingThread) -> String {
    let backtrace = thread.backtrace();
    let mut lined = backtrace.iter().filter(|place| !place.file.is_empty());
    let Some(innermost) = lined.next() else {
        return String::new();
    };
    let mut text = format!(", in {innermost}");
    for caller in lined.take(MAX_CALLERS) {
        _ = write!(text, ", called by {caller}");
    }
    text
}

#[cfg(not(feature = "inspect"))]
fn code_of(_: &PollingThread) -> String {
    String::new()
}

/// The number of callers of the innermost function that a text names.
#[cfg(feature = "inspect")]
const MAX_CALLERS: usize = 2;
