//! Which runtime is this thread in?
//!
//! A thread is in a runtime while it is one of its workers or runs one of its blocking jobs, while
//! it blocks in [`Runtime::block_on`](super::Runtime::block_on), and while it holds an
//! [`EnterGuard`]. [`volt::spawn`](crate::spawn), timers and sockets look here. (Which *worker*
//! runs on this thread is another question; the scheduler answers it, with a thread-local of its
//! own.)

use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;

use super::handle::Handle;
use crate::driver::DriverHandle;
use crate::loom::thread_local_const;

thread_local_const! {
    // Counted per thread, so that a look costs no traffic between threads.
    static CURRENT: RefCell<Option<Rc<Current>>> = RefCell::new(None);
}

/// What a thread knows of its runtime.
struct Current {
    driver: DriverHandle,
    /// Missing only where a test runs a driver without a scheduler.
    handle: Option<Handle>,
    /// The thread counts as one at work there, beside the workers.
    at_work: bool,
    /// Where the thread was before.
    outer: Option<Rc<Self>>,
}

/// What every call says that needs a runtime and has none.
const NO_RUNTIME: &str = "there is no volt runtime on this thread: call this from a task, inside \
                          `Runtime::block_on`, or under the guard of `Handle::enter`";

/// Keeps this thread in a runtime until it is dropped.
///
/// Guards nest; drop them in the reverse order of their making.
#[must_use = "the thread leaves the runtime when this is dropped"]
pub struct EnterGuard<'a> {
    previous: Option<Rc<Current>>,
    _handle: PhantomData<&'a Handle>,
}

/// Takes this thread into the runtime of `handle` until the guard is dropped.
pub(super) fn enter_handle<'a>(handle: Handle) -> EnterGuard<'a> {
    replace(handle.driver().clone(), Some(handle), false)
}

/// As [`enter_handle`], for a thread that its caller has counted as one at work in the runtime.
pub(super) fn enter_at_work<'a>(handle: Handle) -> EnterGuard<'a> {
    replace(handle.driver().clone(), Some(handle), true)
}

/// Takes this thread into a runtime that has nothing but a driver.
#[cfg(test)]
pub(crate) fn enter<'a>(driver: DriverHandle) -> EnterGuard<'a> {
    replace(driver, None, false)
}

/// As [`enter`], for a thread that counts as one at work there.
#[cfg(test)]
pub(super) fn enter_driver_at_work<'a>(driver: DriverHandle) -> EnterGuard<'a> {
    replace(driver, None, true)
}

fn replace<'a>(driver: DriverHandle, handle: Option<Handle>, at_work: bool) -> EnterGuard<'a> {
    let previous = look();
    let current = Current {
        driver,
        handle,
        at_work,
        outer: previous.clone(),
    };
    // What was there is in `previous` still. In the destructors of thread-locals the place may be
    // gone; then the thread stays where it is.
    let before = CURRENT.try_with(|place| place.replace(Some(Rc::new(current))));
    drop(before);
    EnterGuard {
        previous,
        _handle: PhantomData,
    }
}

impl Drop for EnterGuard<'_> {
    fn drop(&mut self) {
        let previous = self.previous.take();
        // What we were in is dropped outside the borrow: its destructors may look here.
        let ours = CURRENT.try_with(|current| current.replace(previous));
        drop(ours);
    }
}

impl fmt::Debug for EnterGuard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EnterGuard").finish_non_exhaustive()
    }
}

/// Whether this thread can be taken into runtimes: not for ever, as it ends.
pub(super) fn is_there() -> bool {
    CURRENT.try_with(|_| ()).is_ok()
}

fn look() -> Option<Rc<Current>> {
    CURRENT.try_with(|current| current.borrow().clone()).ok()?
}

/// Calls `each` with the driver of each runtime in which this thread counts as one at work, the
/// innermost first.
pub(super) fn for_each_at_work(mut each: impl FnMut(&DriverHandle)) {
    let mut next = look();
    while let Some(current) = &next {
        if current.at_work {
            each(&current.driver);
        }
        next = current.outer.clone();
    }
}

/// Lends the runtime that this thread is in, if it is in one.
pub(super) fn try_with<R>(access: impl FnOnce(&Handle) -> R) -> Option<R> {
    // No borrow is held meanwhile: what is lent may enter other runtimes.
    look()?.handle.as_ref().map(access)
}

/// Lends the runtime that this thread is in.
///
/// # Panics
///
/// When the thread is in none.
#[track_caller]
pub(super) fn with<R>(access: impl FnOnce(&Handle) -> R) -> R {
    try_with(access).expect(NO_RUNTIME)
}

/// Returns the driver of the runtime that this thread is in.
///
/// # Panics
///
/// When the thread is in none.
#[track_caller]
pub(crate) fn driver() -> DriverHandle {
    try_driver().expect(NO_RUNTIME)
}

/// Returns the driver of the runtime that this thread is in, if it is in one.
#[inline]
pub(crate) fn try_driver() -> Option<DriverHandle> {
    CURRENT
        .try_with(|current| Some(current.borrow().as_ref()?.driver.clone()))
        .ok()?
}

/// Stops the clock of the runtime that this thread is in.
///
/// # Panics
///
/// When the thread is in none.
#[track_caller]
pub(crate) fn pause_clock() {
    let current = look().expect(NO_RUNTIME);
    current.driver.pause();
    if let Some(handle) = &current.handle {
        // Their workers have to be seen to rest.
        handle.scheduler.call_sleepers();
    }
}

/// Lends the driver of the runtime that this thread is in, if it is in one.
pub(crate) fn with_driver<R>(access: impl FnOnce(Option<&DriverHandle>) -> R) -> R {
    access(look().as_ref().map(|current| &current.driver))
}
