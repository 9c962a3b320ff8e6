//! Which runtime is this thread in?

use std::cell::RefCell;

use crate::driver::DriverHandle;

thread_local! {
    static DRIVER: RefCell<Option<DriverHandle>> = const { RefCell::new(None) };
}

/// Keeps a thread in a runtime; dropping it takes the thread back to where it was.
#[derive(Debug)]
#[must_use = "the thread leaves the runtime when this is dropped"]
pub(crate) struct Entered {
    previous: Option<DriverHandle>,
}

/// Takes this thread into the runtime that the driver belongs to.
pub(crate) fn enter(driver: DriverHandle) -> Entered {
    let previous = DRIVER.with_borrow_mut(|current| current.replace(driver));
    Entered { previous }
}

impl Drop for Entered {
    fn drop(&mut self) {
        let left =
            DRIVER.with_borrow_mut(|current| std::mem::replace(current, self.previous.take()));
        drop(left);
    }
}

/// The driver of this thread's runtime.
///
/// # Panics
///
/// Panics when the thread is in no runtime.
pub(crate) fn driver() -> DriverHandle {
    with_driver(|driver| driver.cloned()).expect(
        "there is no volt runtime on this thread: timers and sockets are made inside a task, \
         inside `block_on`, or while a handle is entered",
    )
}

/// Lends the driver of this thread's runtime, if the thread is in one.
pub(crate) fn with_driver<R>(look: impl FnOnce(Option<&DriverHandle>) -> R) -> R {
    DRIVER.with_borrow(|current| look(current.as_ref()))
}
