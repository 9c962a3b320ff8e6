//! The runtime that the current thread is in.
//!
//! A thread is in a runtime while it is a worker, runs a blocking job, blocks in
//! [`Runtime::block_on`](super::Runtime::block_on), or owns an [`EnterGuard`].
//! [`volt::spawn`](crate::spawn), timers and sockets find their runtime here. The scheduler has
//! another thread-local, for the worker of this thread.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::Location;
use std::rc::Rc;

use super::handle::Handle;
use super::tokio_context::TokioGuard;
use crate::driver::DriverHandle;
use crate::loom::thread_local_const;

thread_local_const! {
    // An `Rc`, so a lookup changes no counter that other threads share.
    static CURRENT: RefCell<Option<Rc<EnteredRuntime>>> = RefCell::new(None);
}

/// A runtime that this thread has entered.
struct EnteredRuntime {
    driver: DriverHandle,
    /// `None` only in tests that run a driver without a scheduler.
    handle: Option<Handle>,
    accounting: BusyAccounting,
    /// The runtime that the thread was in before.
    outer: Option<Rc<Self>>,
    /// The guard was dropped while a guard that was created later exists.
    left: Cell<bool>,
}

/// The accounting of a thread in a runtime that it has entered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BusyAccounting {
    /// The thread counts as busy there; see [`enter_busy`].
    Counted,
    /// The thread does not count.
    None,
}

/// The panic message of functions that need a runtime.
const NO_RUNTIME: &str = "there is no volt runtime on this thread: call this from a task, inside \
                          `Runtime::block_on`, or under the guard of `Handle::enter`";

impl Handle {
    /// Returns the runtime that this thread is in.
    ///
    /// # Panics
    ///
    /// Panics on a thread that is in no runtime. See [`try_current`](Self::try_current).
    #[must_use]
    #[track_caller]
    pub fn current() -> Self {
        with(Self::clone)
    }

    /// Returns the runtime that this thread is in, or `None` if it is in none.
    #[must_use]
    pub fn try_current() -> Option<Self> {
        try_with(Self::clone)
    }

    /// Enters the runtime on this thread until the guard is dropped.
    ///
    /// Meanwhile [`spawn`](crate::spawn), timers and sockets on this thread use this runtime.
    ///
    /// In a destructor of a thread-local, the call may have no effect: the thread is in no runtime
    /// then.
    pub fn enter(&self) -> EnterGuard<'_> {
        enter_handle(self.clone()).with_tokio(self.tokio.enter())
    }
}

/// Keeps this thread in a runtime until it is dropped.
///
/// Guards nest: the thread is in the runtime of the newest guard. Guards can be dropped in any
/// order, except those of a runtime with a [tokio context](super::Builder::tokio_context): tokio
/// panics unless they are dropped in reverse order.
#[must_use = "the thread leaves the runtime when this is dropped"]
pub struct EnterGuard<'a> {
    /// Present until the drop.
    own: Option<Rc<EnteredRuntime>>,
    tokio: Option<TokioGuard<'a>>,
}

/// Enters the runtime of `handle` until the guard is dropped.
pub(super) fn enter_handle<'a>(handle: Handle) -> EnterGuard<'a> {
    replace(handle.driver().clone(), Some(handle), BusyAccounting::None)
}

/// Enters the runtime of `handle` on a thread that the caller has counted as busy there.
pub(super) fn enter_busy<'a>(handle: Handle) -> EnterGuard<'a> {
    replace(
        handle.driver().clone(),
        Some(handle),
        BusyAccounting::Counted,
    )
}

/// Enters a runtime that has only a driver.
#[cfg(test)]
pub(crate) fn enter<'a>(driver: DriverHandle) -> EnterGuard<'a> {
    replace(driver, None, BusyAccounting::None)
}

/// Enters a runtime that has only a driver, on a thread that counts as busy there.
#[cfg(test)]
pub(super) fn enter_driver_busy<'a>(driver: DriverHandle) -> EnterGuard<'a> {
    replace(driver, None, BusyAccounting::Counted)
}

fn replace<'a>(
    driver: DriverHandle,
    handle: Option<Handle>,
    accounting: BusyAccounting,
) -> EnterGuard<'a> {
    let own = Rc::new(EnteredRuntime {
        driver,
        handle,
        accounting,
        outer: current(),
        left: Cell::new(false),
    });
    // `outer` keeps the former value alive, so no destructor runs here. While the thread ends, the
    // thread-local may be gone. The thread does not enter the runtime then.
    drop(CURRENT.try_with(|current| current.replace(Some(Rc::clone(&own)))));
    EnterGuard {
        own: Some(own),
        tokio: None,
    }
}

impl<'a> EnterGuard<'a> {
    /// Also keeps the thread in the runtime of tokio.
    pub(super) fn with_tokio(mut self, guard: TokioGuard<'a>) -> Self {
        self.tokio = Some(guard);
        self
    }

    /// Keeps the thread in the runtime until it ends.
    pub(super) fn stay(mut self) {
        self.own = None;
    }
}

/// Returns the innermost runtime whose guard exists.
fn innermost_entered(mut current: Option<Rc<EnteredRuntime>>) -> Option<Rc<EnteredRuntime>> {
    while let Some(left) = current.as_ref().filter(|entered| entered.left.get()) {
        current = left.outer.clone();
    }
    current
}

impl Drop for EnterGuard<'_> {
    fn drop(&mut self) {
        let Some(own) = self.own.take() else { return };
        own.left.set(true);
        let outer = innermost_entered(own.outer.clone());
        // The value is dropped outside of the borrow, because its destructors may access `CURRENT`.
        let former = CURRENT.try_with(|current| {
            let is_newest = matches!(&*current.borrow(), Some(newest) if Rc::ptr_eq(newest, &own));
            is_newest.then(|| current.replace(outer))
        });
        drop(former);
    }
}

impl fmt::Debug for EnterGuard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EnterGuard").finish_non_exhaustive()
    }
}

/// Returns `true` if this thread can enter runtimes: its thread-locals are not destroyed yet.
pub(super) fn is_available() -> bool {
    CURRENT.try_with(|_| ()).is_ok()
}

fn current() -> Option<Rc<EnteredRuntime>> {
    CURRENT.try_with(|current| current.borrow().clone()).ok()?
}

/// Calls `each` with the driver of each entered runtime in which this thread counts as busy, the
/// innermost first.
pub(super) fn for_each_busy(mut each: impl FnMut(&DriverHandle)) {
    let mut next = current();
    while let Some(current) = &next {
        if current.accounting == BusyAccounting::Counted && !current.left.get() {
            each(&current.driver);
        }
        next = current.outer.clone();
    }
}

/// Calls `access` with the runtime that this thread is in. Returns `None` if it is in none.
pub(super) fn try_with<R>(access: impl FnOnce(&Handle) -> R) -> Option<R> {
    // `CURRENT` is not borrowed meanwhile, because `access` may enter other runtimes.
    current()?.handle.as_ref().map(access)
}

/// Calls `access` with the runtime that this thread is in.
///
/// # Panics
///
/// Panics on a thread that is in no runtime.
#[track_caller]
pub(super) fn with<R>(access: impl FnOnce(&Handle) -> R) -> R {
    try_with(access).expect(NO_RUNTIME)
}

/// Returns the driver of the runtime that this thread is in.
///
/// # Panics
///
/// Panics on a thread that is in no runtime.
#[track_caller]
pub(crate) fn driver() -> DriverHandle {
    try_driver().expect(NO_RUNTIME)
}

/// Returns the driver of the runtime that this thread is in, for a future that was created at
/// `made_at`. The panic message has both locations, because the poll may be far from the creation.
///
/// # Panics
///
/// Panics on a thread that is in no runtime.
#[track_caller]
pub(crate) fn driver_for(made_at: &Location<'_>) -> DriverHandle {
    match try_driver() {
        Some(driver) => driver,
        None => panic!("{NO_RUNTIME}; the future that was polled here was created at {made_at}"),
    }
}

/// Returns the driver of the runtime that this thread is in, or `None` if it is in none.
#[inline]
pub(crate) fn try_driver() -> Option<DriverHandle> {
    CURRENT
        .try_with(|current| Some(current.borrow().as_ref()?.driver.clone()))
        .ok()?
}

/// Pauses the clock of the runtime that this thread is in.
///
/// # Panics
///
/// Panics on a thread that is in no runtime.
#[track_caller]
pub(crate) fn pause_clock() {
    let current = current().expect(NO_RUNTIME);
    current.driver.pause();
    if let Some(handle) = &current.handle {
        // Workers that sleep in joins release their cores now, because a paused clock advances only
        // while all cores are idle.
        handle.scheduler.wake_blocked_joiners();
    }
}

/// Calls `access` with the driver of the runtime that this thread is in, or with `None`. `access`
/// must not enter or leave a runtime.
#[inline]
pub(crate) fn with_driver<R>(access: impl Fn(Option<&DriverHandle>) -> R) -> R {
    let here = CURRENT.try_with(|current| {
        let current = current.borrow();
        access(current.as_ref().map(|current| &current.driver))
    });
    here.unwrap_or_else(|_| access(None))
}
