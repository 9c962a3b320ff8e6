//! A thread that waits in a driver, for tests of other folders.

use super::driver::Driver;
use super::driver_handle::DriverHandle;
use crate::loom::sync::Arc;
use crate::loom::sync::atomic::{AtomicBool, Ordering};
use crate::loom::thread::{JoinHandle, spawn};

/// A thread that runs a driver until this is dropped.
#[derive(Debug)]
pub(crate) struct DriverThread {
    handle: DriverHandle,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl DriverThread {
    pub(crate) fn start() -> Self {
        let (mut driver, handle) = Driver::new().expect("the system grants three descriptors");
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = spawn(move || {
            while !stopped.load(Ordering::SeqCst) {
                driver.wait();
            }
        });
        Self {
            handle,
            stop,
            thread: Some(thread),
        }
    }

    pub(crate) fn handle(&self) -> DriverHandle {
        self.handle.clone()
    }
}

impl Drop for DriverThread {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        self.handle.unpark();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
