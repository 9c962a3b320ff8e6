//! Reports the round that does not end, or that fails.

use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use volt::Handle;

/// So long no round takes, on however busy a machine.
const LIMIT: Duration = Duration::from_secs(300);

/// The runtimes of the round.
static RUNTIMES: Mutex<Vec<Handle>> = Mutex::new(Vec::new());

/// Watches until it is dropped.
#[derive(Debug)]
pub(crate) struct Watch {
    what: String,
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    pub(crate) fn begin(what: String) -> Self {
        let (end, ended) = channel();
        let about = what.clone();
        RUNTIMES.lock().unwrap().clear();
        let thread = thread::spawn(move || {
            if ended.recv_timeout(LIMIT) == Err(RecvTimeoutError::Timeout) {
                eprintln!("HANGS: {about}");
                for runtime in RUNTIMES.lock().unwrap().iter() {
                    eprintln!("{}\n{:?}", runtime.dump(), runtime.stats());
                }
                std::process::abort();
            }
        });
        Self {
            what,
            end: Some(end),
            thread: Some(thread),
        }
    }
}

/// Has the runtime dumped if the round hangs.
pub(crate) fn include(runtime: &Handle) {
    RUNTIMES.lock().unwrap().push(runtime.clone());
}

impl Drop for Watch {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("FAILED: {}", self.what);
        }
        drop(self.end.take());
        // Until it is over: what a thread has when the program ends counts as a leak.
        let watched = self.thread.take().map(JoinHandle::join);
        drop(watched);
    }
}
