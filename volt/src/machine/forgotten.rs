//! The report of an await after which nothing can wake the machine.
//!
//! A future that returns `Pending` promises to wake the waker it was given: it clones the waker,
//! passes the context on, or wakes at once. One that does none of these leaves the machine to
//! hang without a word. Where checks are on, each suspend point watches the waker it hands out
//! and reports a promise that was not made, with the machine, the state and the source line.

use core::fmt;
use core::sync::atomic::{AtomicPtr, Ordering};

use volt_inspect::machine::State;

/// `true` if awaits of state machines are checked: with the feature `checks`, and with the runtime
/// (feature `rt`) in builds of this crate with debug assertions.
pub const CHECKS: bool = cfg!(any(
    feature = "checks",
    all(feature = "rt", debug_assertions)
));

/// An await that returned `Pending` although its future neither cloned nor woke the waker.
///
/// # Examples
///
/// ```
/// use std::future::pending;
///
/// #[volt::state_machine]
/// async fn stuck() {
///     let never: std::future::Pending<()> = pending();
///     never.await;
/// }
///
/// # static SEEN: std::sync::Mutex<String> = std::sync::Mutex::new(String::new());
/// volt::machine::on_forgotten_waker(|forgotten| {
///     // Goes wherever your program's warnings go.
///     *SEEN.lock().unwrap() = forgotten.to_string();
/// });
/// let mut machine = std::pin::pin!(stuck());
/// # let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
/// # use std::future::Future;
/// assert!(machine.as_mut().poll(&mut cx).is_pending());
/// # if volt::machine::CHECKS {
/// let text = SEEN.lock().unwrap();
/// assert!(text.starts_with("`Stuck` waits at `await never` for a future that kept no waker"));
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ForgottenWaker {
    /// The suspend point.
    pub state: &'static State,
}

impl fmt::Display for ForgottenWaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let State {
            machine,
            name,
            file,
            line,
            column,
            ..
        } = self.state;
        write!(
            f,
            "`{machine}` waits at `{name}` for a future that kept no waker, so nothing will wake \
             it ({file}:{line}:{column})"
        )
    }
}

/// A function that is called for each forgotten waker.
#[cfg(any(feature = "checks", all(feature = "rt", debug_assertions)))]
type Hook = fn(&ForgottenWaker);

/// A static that any thread may set, and that models need not explore.
static HOOK: AtomicPtr<()> = AtomicPtr::new(core::ptr::null_mut());

/// Calls `hook` for each forgotten waker from now on, in place of the default, which prints a line
/// to standard error once for each suspend point.
///
/// Without the runtime (feature `rt`) there is no default: nothing is reported before a hook is
/// set. Nothing is checked unless [`CHECKS`] is `true`. The hook runs inside the poll, on the
/// thread that polls. It may be called again for the same suspend point.
///
/// A future that never completes on purpose, such as [`core::future::pending`], is reported too. So
/// is a future that stores the waker of an earlier poll without a comparison to the current one.
/// Such a future hangs when it is moved to another task.
pub fn on_forgotten_waker(hook: fn(&ForgottenWaker)) {
    // ORDERING: Relaxed. The pointer is that of a function, so it publishes no data.
    HOOK.store(hook as *mut (), Ordering::Relaxed);
}

/// Reports that nothing can wake a machine at this suspend point.
#[cold]
#[cfg(any(feature = "checks", all(feature = "rt", debug_assertions)))]
pub(super) fn report(state: &'static State) {
    let forgotten = ForgottenWaker { state };
    // ORDERING: Relaxed, as in `on_forgotten_waker`.
    let hook = HOOK.load(Ordering::Relaxed);
    if hook.is_null() {
        #[cfg(feature = "rt")]
        default::print_once(&forgotten);
    } else {
        // SAFETY: `HOOK` is null or a pointer made from a `Hook`.
        let hook = unsafe { core::mem::transmute::<*mut (), Hook>(hook) };
        hook(&forgotten);
    }
}

/// The default report, for programs without a hook.
#[cfg(all(feature = "rt", any(feature = "checks", debug_assertions)))]
mod default {
    use core::sync::atomic::{AtomicUsize, Ordering};

    use super::ForgottenWaker;

    /// The suspend points printed so far. When the table is full, no more are printed.
    static PRINTED: [AtomicUsize; 64] = [const { AtomicUsize::new(0) }; 64];

    pub(super) fn print_once(forgotten: &ForgottenWaker) {
        if is_new(&PRINTED, core::ptr::from_ref(forgotten.state).addr()) {
            std::eprintln!("volt: {forgotten}");
        }
    }

    /// Enters an address into the table. Returns `true` if it was new and there was room.
    fn is_new(table: &[AtomicUsize], address: usize) -> bool {
        for place in table {
            // ORDERING: Relaxed. The entries are numbers, and their order does not matter.
            let entered = place.compare_exchange(0, address, Ordering::Relaxed, Ordering::Relaxed);
            match entered {
                Ok(_) => return true,
                Err(known) if known == address => return false,
                Err(_) => {}
            }
        }
        false
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn full_table_accepts_no_new_address() {
            let table = [const { AtomicUsize::new(0) }; 2];
            let seen = [8, 16, 8, 16, 24].map(|address| is_new(&table, address));
            assert_eq!(seen, [true, true, false, false, false]);
        }
    }
}
