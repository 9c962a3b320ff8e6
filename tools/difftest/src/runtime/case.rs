//! One version of a function, called and driven by hand.

use std::fmt::Debug;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use super::log::{Record, close, kept_instead, measured, open, quiet};
use volt::machine::{Layout, StateMachine};

/// A future whose output is shown.
pub(crate) type Shown = Pin<Box<dyn Future<Output = String>>>;

/// A call of a function, with its arguments.
pub type Case = fn() -> Shown;

/// A case whose output is logged; no wrapper is between the future and its caller.
pub fn shown<F>(future: F) -> Shown
where
    F: Future<Output: Debug> + 'static,
{
    struct Show<F>(Pin<Box<F>>);
    impl<F: Future<Output: Debug>> Future for Show<F> {
        type Output = String;

        fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<String> {
            self.0.as_mut().poll(cx).map(|output| format!("{output:?}"))
        }
    }
    measured(size_of::<F>());
    Box::pin(Show(Box::pin(future)))
}

/// A future that is checked for being an explicit machine that stores the compiler's future and a
/// byte, because its fields would be larger, or the compiler refutes a claim about it.
#[derive(Debug)]
pub struct Kept<'f, F>(pub &'f F);

/// The record of a machine.
pub trait IfMachine {
    /// Notes it.
    fn note(&self);
}

impl<F: StateMachine> IfMachine for Kept<'_, F> {
    fn note(&self) {
        // The size of the coroutine is known where the macro was sure, up to what it claims.
        let is_claimed = F::NATIVE_SIZE.is_some();
        kept_instead(is_claimed && matches!(F::LAYOUT, Layout::Native { .. }));
    }
}

/// The record of any other future: empty.
pub trait ElseFuture {
    /// Notes nothing.
    fn note(&self) {}
}

impl<F> ElseFuture for &Kept<'_, F> {}

/// Notes what a machine keeps, and gives it.
#[macro_export]
macro_rules! kept {
    ($future:expr) => {{
        let future = $future;
        {
            use $crate::{ElseFuture as _, IfMachine as _};
            (&$crate::Kept(&future)).note();
        }
        future
    }};
}

/// Returns a value to borrow that outlives every run.
pub fn leak<T>(value: T) -> &'static mut T {
    Box::leak(Box::new(value))
}

/// The same, to be shared.
pub fn leak_shared<T>(value: T) -> &'static T {
    leak(value)
}

/// How far a case is run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Run {
    /// To its end, and polled once more.
    Complete,
    /// Dropped after that many polls.
    CancelAfter(u32),
    /// With a panic at that event, counted from one, and polled once more.
    PanicAt(u32),
}

/// Runs a case and gives what it left.
pub(crate) fn run(case: Case, script: u64, run: Run) -> Record {
    let strike_at = match run {
        Run::PanicAt(event) => Some(event),
        Run::Complete | Run::CancelAfter(_) => None,
    };
    open(script, strike_at);
    match catch_unwind(AssertUnwindSafe(case)) {
        Ok(mut future) => {
            drive(&mut future, run);
            quiet("end", 0);
            drop(future);
        }
        Err(_) => quiet("not made", 0),
    }
    close()
}

fn drive(future: &mut Shown, run: Run) {
    let mut polls = 0;
    loop {
        if matches!(run, Run::CancelAfter(limit) if limit == polls) {
            return;
        }
        polls += 1;
        match poll(future) {
            Some(Poll::Pending) => quiet("pending", polls),
            Some(Poll::Ready(output)) => {
                quiet(format!("ready {output}"), polls);
                break;
            }
            None => break,
        }
    }
    poll(future);
}

/// Polls once; nothing if that panics, which is noted.
fn poll(future: &mut Shown) -> Option<Poll<String>> {
    let mut cx = Context::from_waker(Waker::noop());
    match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(&mut cx))) {
        Ok(polled) => Some(polled),
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(ToString::to_string);
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            quiet(format!("panic {}", text.unwrap_or_default()), 0);
            None
        }
    }
}
