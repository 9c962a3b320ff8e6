//! Which runtime is this thread in?
//!
//! A thread is in a runtime while it is one of its workers or runs one of its blocking jobs, while
//! it blocks in [`Runtime::block_on`](super::Runtime::block_on), and while it holds an
//! [`EnterGuard`]. [`volt::spawn`](crate::spawn), timers and sockets look here. (Which *worker*
//! runs on this thread is another question; the scheduler answers it, with a thread-local of its
//! own.)

use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::Location;
use std::rc::Rc;

use super::handle::Handle;
use super::tokio_context::TokioGuard;
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
    is_busy: bool,
    /// Where the thread was before.
    outer: Option<Rc<Self>>,
    /// Its guard is gone; another one, made later, is not.
    left: Cell<bool>,
}

/// What every call says that needs a runtime and has none.
const NO_RUNTIME: &str = "there is no volt runtime on this thread: call this from a task, inside \
                          `Runtime::block_on`, or under the guard of `Handle::enter`";

impl Handle {
    /// Returns the runtime that this thread is in.
    ///
    /// # Panics
    ///
    /// When it is in none. See [`try_current`](Self::try_current).
    #[must_use]
    #[track_caller]
    pub fn current() -> Self {
        with(Self::clone)
    }

    /// Returns the runtime that this thread is in, if it is in one.
    #[must_use]
    pub fn try_current() -> Option<Self> {
        try_with(Self::clone)
    }

    /// Takes this thread into the runtime until the guard is dropped, so that
    /// [`spawn`](crate::spawn), timers and sockets find it.
    ///
    /// In the destructor of a thread-local it may be too late for that: then the thread is in no
    /// runtime.
    pub fn enter(&self) -> EnterGuard<'_> {
        enter_handle(self.clone()).with_tokio(self.tokio.enter())
    }
}

/// Keeps this thread in a runtime until it is dropped.
///
/// Guards nest: the thread is in the runtime of the newest one that is there, in whatever order
/// they are dropped. Those of a runtime with a [tokio context](super::Builder::tokio_context) have to be
/// dropped in reverse order, as tokio panics otherwise.
#[must_use = "the thread leaves the runtime when this is dropped"]
pub struct EnterGuard<'a> {
    /// There until the drop.
    own: Option<Rc<Current>>,
    tokio: Option<TokioGuard<'a>>,
}

/// Takes this thread into the runtime of `handle` until the guard is dropped.
pub(super) fn enter_handle<'a>(handle: Handle) -> EnterGuard<'a> {
    replace(handle.driver().clone(), Some(handle), false)
}

/// As [`enter_handle`], for a thread that its caller has counted as one at work in the runtime.
pub(super) fn enter_busy<'a>(handle: Handle) -> EnterGuard<'a> {
    replace(handle.driver().clone(), Some(handle), true)
}

/// Takes this thread into a runtime that has nothing but a driver.
#[cfg(test)]
pub(crate) fn enter<'a>(driver: DriverHandle) -> EnterGuard<'a> {
    replace(driver, None, false)
}

/// As [`enter`], for a thread that counts as one at work there.
#[cfg(test)]
pub(super) fn enter_driver_busy<'a>(driver: DriverHandle) -> EnterGuard<'a> {
    replace(driver, None, true)
}

fn replace<'a>(driver: DriverHandle, handle: Option<Handle>, is_busy: bool) -> EnterGuard<'a> {
    let own = Rc::new(Current {
        driver,
        handle,
        is_busy,
        outer: look(),
        left: Cell::new(false),
    });
    // What was there is in `outer` still. In the destructors of thread-locals the place may be gone;
    // then the thread stays where it is.
    drop(CURRENT.try_with(|place| place.replace(Some(Rc::clone(&own)))));
    EnterGuard {
        own: Some(own),
        tokio: None,
    }
}

impl<'a> EnterGuard<'a> {
    /// Keeps the thread in tokio's runtime as well.
    pub(super) fn with_tokio(mut self, guard: TokioGuard<'a>) -> Self {
        self.tokio = Some(guard);
        self
    }

    /// Keeps the thread in the runtime until it ends.
    pub(super) fn stay(mut self) {
        self.own = None;
    }
}

/// The innermost of these whose guard is there.
fn not_left(mut current: Option<Rc<Current>>) -> Option<Rc<Current>> {
    while let Some(left) = current.as_ref().filter(|it| it.left.get()) {
        current = left.outer.clone();
    }
    current
}

impl Drop for EnterGuard<'_> {
    fn drop(&mut self) {
        let Some(own) = self.own.take() else { return };
        own.left.set(true);
        let outer = not_left(own.outer.clone());
        // What we were in is dropped outside the borrow: its destructors may look here.
        let ours = CURRENT.try_with(|current| {
            let is_newest = matches!(&*current.borrow(), Some(newest) if Rc::ptr_eq(newest, &own));
            is_newest.then(|| current.replace(outer))
        });
        drop(ours);
    }
}

impl fmt::Debug for EnterGuard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EnterGuard").finish_non_exhaustive()
    }
}

/// Whether this thread can be taken into runtimes: not for ever, as it ends.
pub(super) fn is_available() -> bool {
    CURRENT.try_with(|_| ()).is_ok()
}

fn look() -> Option<Rc<Current>> {
    CURRENT.try_with(|current| current.borrow().clone()).ok()?
}

/// Calls `each` with the driver of each runtime in which this thread counts as one at work, the
/// innermost first.
pub(super) fn for_each_busy(mut each: impl FnMut(&DriverHandle)) {
    let mut next = look();
    while let Some(current) = &next {
        if current.is_busy && !current.left.get() {
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

/// As [`driver`], for a future that was made at `made_at`. Its poll may be far from there: then the
/// message names both.
///
/// # Panics
///
/// When the thread is in none.
#[track_caller]
pub(crate) fn driver_for(made_at: &Location<'_>) -> DriverHandle {
    match try_driver() {
        Some(driver) => driver,
        None => panic!("{NO_RUNTIME}; the future that was polled here was made at {made_at}"),
    }
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
        handle.scheduler.wake_blocked_joiners();
    }
}

/// Lends the driver of the runtime that this thread is in, if it is in one. Whoever looks at it enters no
/// runtime and leaves none meanwhile.
#[inline]
pub(crate) fn with_driver<R>(look: impl Fn(Option<&DriverHandle>) -> R) -> R {
    let here = CURRENT.try_with(|current| {
        let current = current.borrow();
        look(current.as_ref().map(|current| &current.driver))
    });
    here.unwrap_or_else(|_| look(None))
}
