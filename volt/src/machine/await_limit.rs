//! The limit of awaits that a machine polls before it returns to its scheduler.
//!
//! A future of another crate that is ready at once spends nothing of a task's budget. A machine
//! that loops over such futures would never return. So a machine counts its awaits. The explicit
//! layout counts in a variable of each poll of the machine, and only as many awaits as each loop
//! has to pass. The native layout counts in a byte of its position that nothing else uses. At the
//! limit one await is refused: it wakes the task and is pending. The other futures of the task, in
//! a `join` or `select`, are polled then, and a `timeout` around the machine reads the clock.
//!
//! Where there is no budget, as outside of tasks, and where the task's budget is unlimited, nothing
//! is refused. An explicit machine does not check that in its poll, because a call there would make
//! each poll save registers. It returns, and the cold code after the poll polls it again.

use std::cell::Cell;
use std::sync::OnceLock;
use std::task::{Context, Poll};

/// Returns `true` if the code on this thread is polled under a budget.
static IS_LIMITED: OnceLock<fn() -> bool> = OnceLock::new();

/// Sets the function that returns `true` if the current thread has a budget. Only the first call
/// has an effect.
pub(crate) fn limit_awaits_if(is_limited: fn() -> bool) {
    let _ = IS_LIMITED.set(is_limited);
}

/// Returns `true`, and wakes the task, if an await beyond the limit is refused.
#[cold]
#[inline(never)]
pub(super) fn refuses(cx: &Context<'_>) -> bool {
    let is_refused = IS_LIMITED.get().is_some_and(|is_limited| is_limited());
    if is_refused {
        cx.waker().wake_by_ref();
    }
    is_refused
}

thread_local! {
    static AGAIN: Again = const { Again::new() };
}

/// The machine that a thread polls again beyond its limit.
struct Again {
    /// The address of its tag; zero if there is none.
    place: Cell<usize>,
    /// `true` if it has reached its limit once more.
    is_over: Cell<bool>,
}

impl Again {
    const fn new() -> Self {
        Self {
            place: Cell::new(0),
            is_over: Cell::new(false),
        }
    }
}

/// Restores the machine that was polled again further up the stack.
struct Restore(usize);

impl Drop for Restore {
    fn drop(&mut self) {
        AGAIN.with(|again| again.place.set(self.0));
    }
}

/// Ends a poll in which an await of the machine at `place` was beyond the limit: wakes the task, or
/// polls again until a poll stays below the limit.
///
/// Such a poll calls this function too. It returns to the first call, so that polls do not pile up
/// on the stack.
#[cold]
pub(super) fn refuse_or_poll<T>(
    poll: &mut dyn FnMut(&mut Context<'_>) -> Poll<T>,
    cx: &mut Context<'_>,
    place: usize,
) -> Poll<T> {
    if refuses(cx) || is_polled_again(place) {
        return Poll::Pending;
    }
    let _restore = Restore(AGAIN.with(|again| again.place.replace(place)));
    loop {
        let polled = poll(cx);
        if !AGAIN.with(|again| again.is_over.take()) {
            return polled;
        }
    }
}

/// Returns `true`, and notes that the limit was reached once more, if this thread polls the machine
/// at `place` again already.
fn is_polled_again(place: usize) -> bool {
    AGAIN.with(|again| {
        let is_again = again.place.get() == place;
        again.is_over.set(is_again);
        is_again
    })
}
