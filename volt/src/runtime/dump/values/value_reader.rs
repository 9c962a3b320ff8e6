//! `ValueReader`: dumps with values, on a thread of its own.

use std::cell::RefCell;
use std::sync::mpsc;
use std::time::Duration;

use crate::loom::thread::{self, JoinHandle};
use crate::runtime::dump::dump::Dump;
use crate::runtime::handle::Handle;
use crate::task::TaskId;

/// The time that a reader waits for the `Debug` implementations of a task.
const LIMIT: Duration = Duration::from_secs(1);

/// The note in a dump without values.
const NOTE: &str = "values are missing: a `Debug` implementation has not returned for a second";

/// Takes dumps of one task with its values.
///
/// `Debug` is code of the user and may block. So it runs on another thread, of which there is at
/// most one. Until that thread has ended, the dumps of all tasks have no values.
#[derive(Debug, Default)]
pub(in crate::runtime) struct ValueReader {
    thread: RefCell<Option<JoinHandle<()>>>,
}

impl ValueReader {
    /// Returns a dump of the task with its values, or `None` if the task is not live.
    pub(in crate::runtime) fn dump(&self, handle: &Handle, id: TaskId) -> Option<Dump> {
        let read = self.read(handle, id);
        read.unwrap_or_else(|| {
            let mut dump = handle.dump_task(id)?;
            dump.note = Some(NOTE);
            Some(dump)
        })
    }

    /// Returns the result of the other thread, or `None` if it has none in time.
    fn read(&self, handle: &Handle, id: TaskId) -> Option<Option<Dump>> {
        let mut running = self.thread.borrow_mut();
        if running.as_ref().is_some_and(|thread| !thread.is_finished()) {
            return None;
        }
        let (sender, receiver) = mpsc::channel();
        let handle = handle.clone();
        let builder = thread::Builder::new().name("volt-inspect-values".to_owned());
        let started = builder.spawn(move || {
            // The receiver is dropped if the time limit has passed.
            let _ = sender.send(handle.dump_task_with_values(id));
        });
        *running = started.ok();
        receiver.recv_timeout(LIMIT).ok()
    }
}
