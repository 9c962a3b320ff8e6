//! `DriverState`: the part of a driver that checkpoints reach, by a thread-local.

use std::any::Any;
use std::boxed::Box;
use std::cell::{Cell, RefCell};
use std::task::{Context, Poll, Waker};
use std::vec::Vec;

use super::step_key::StepKey;

/// The numbers of the checkpoints of one machine, and the transaction of its current step.
#[derive(Debug, Default)]
pub(super) struct DriverState {
    /// The number of the machine.
    pub(super) machine: u64,
    /// The number of the next checkpoint.
    pub(super) next: u64,
    /// Checkpoints with smaller numbers are in a stored snapshot.
    pub(super) stored: u64,
    /// The transaction of the current step.
    pub(super) transaction: Option<Box<dyn Any + Send>>,
    /// `true` if a step waits for a transaction.
    pub(super) needs_transaction: bool,
    /// The wakers of the checkpoints that wait.
    wakers: Vec<Waker>,
}

impl DriverState {
    /// Gives a number to a checkpoint. It is ready if a stored snapshot contains the number, and
    /// the transaction has begun if the step has one.
    pub(super) fn arrive(
        &mut self,
        number: &mut Option<u64>,
        has_transaction: bool,
        cx: &mut Context<'_>,
    ) -> Poll<StepKey> {
        let number = *number.get_or_insert(self.next);
        // A restored checkpoint may have a number that the driver does not know.
        self.next = self.next.max(number.saturating_add(1));
        let is_stored = number < self.stored;
        if is_stored && (!has_transaction || self.transaction.is_some()) {
            return Poll::Ready(StepKey::new(self.machine, number));
        }
        self.needs_transaction |= is_stored;
        if !self.wakers.iter().any(|waker| waker.will_wake(cx.waker())) {
            self.wakers.push(cx.waker().clone());
        }
        Poll::Pending
    }

    /// Records that the snapshot with all numbers so far is stored.
    pub(super) fn set_stored(&mut self) {
        self.stored = self.next;
        self.wake();
    }

    /// Wakes the checkpoints that wait.
    pub(super) fn wake(&mut self) {
        self.wakers.drain(..).for_each(Waker::wake);
    }
}

std::thread_local! {
    static CURRENT: RefCell<Option<DriverState>> = const { RefCell::new(None) };
    static FOUND_STEP: Cell<bool> = const { Cell::new(false) };
}

/// Calls a function with the state of the current driver, if there is one.
pub(super) fn with_current<T>(call: impl FnOnce(&mut DriverState) -> T) -> Option<T> {
    // While the thread ends there is no driver.
    let called = CURRENT.try_with(|current| current.borrow_mut().as_mut().map(call));
    called.ok().flatten()
}

/// Calls a function in which this state is that of the current driver.
pub(super) fn with_state<T>(state: &mut DriverState, call: impl FnOnce() -> T) -> T {
    /// Moves the state back, also after a panic.
    struct Restore<'s> {
        state: &'s mut DriverState,
        outer: Option<DriverState>,
    }
    impl Drop for Restore<'_> {
        fn drop(&mut self) {
            if let Some(state) = CURRENT.replace(self.outer.take()) {
                *self.state = state;
            }
        }
    }
    let outer = CURRENT.replace(Some(std::mem::take(state)));
    let _restore = Restore { state, outer };
    call()
}

/// Calls a function without a current driver.
#[inline]
pub(super) fn without_driver<T>(call: impl FnOnce() -> T) -> T {
    /// Sets the driver again, also after a panic.
    struct Restore(Option<DriverState>);
    impl Drop for Restore {
        fn drop(&mut self) {
            if self.0.is_some() {
                CURRENT.set(self.0.take());
            }
        }
    }
    let _restore = Restore(CURRENT.try_with(RefCell::take).ok().flatten());
    call()
}

/// Records that the machine that is being written is in a step.
pub(super) fn set_found_step() {
    FOUND_STEP.set(true);
}

/// Calls a function that writes a machine. Also returns `true` if a machine in it was in a step.
pub(super) fn finds_step<T>(write: impl FnOnce() -> T) -> (T, bool) {
    let outer = FOUND_STEP.replace(false);
    let written = write();
    (written, FOUND_STEP.replace(outer))
}

/// Drops the transaction of the current step, because an attempt has failed.
pub(super) fn drop_transaction() {
    let dropped = with_current(|state| state.transaction.take());
    // The drop may call any code, so it has no borrow of the state.
    drop(dropped);
}

/// Returns the transaction of the current step: a clone of the handle that the driver has.
///
/// Call it in the statement with `#[step(tx)]` itself, not in a function that the statement
/// awaits. It returns `None` without a driver, and for a transaction of another type.
#[must_use]
pub fn transaction<T: Clone + 'static>() -> Option<T> {
    let found = with_current(|state| {
        let transaction = state.transaction.as_ref()?;
        transaction.downcast_ref::<T>().cloned()
    });
    found.flatten()
}
