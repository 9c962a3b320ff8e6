//! How many awaits a machine may poll before it returns to its scheduler.
//!
//! A future of another crate that is ready at once spends nothing of a task's budget. A machine
//! that loops over such futures would never return. So a machine counts the polls of its awaits:
//! the explicit layout in each poll of the machine, in a variable of that poll; the native layout
//! in a byte of its notes that nothing else uses. At the limit one await is refused: it wakes the
//! task and is pending. What is beside the machine in the task, in a `join` or `select`, has its
//! turn then, and a `timeout` around the machine looks at its clock.
//!
//! Outside of tasks, and where the task's budget is unlimited, nothing is refused.

use std::sync::OnceLock;
use std::task::Context;

/// Returns `true` if the code on this thread is polled under a budget.
static IS_LIMITED: OnceLock<fn() -> bool> = OnceLock::new();

/// Sets how the budget of a thread is asked for. The first call counts.
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
