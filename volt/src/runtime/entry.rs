//! The functions that expansions of `#[volt::main]` and `#[volt::test]` call.

use std::pin::Pin;
use std::task::{Context, Poll};

use pin_project_lite::pin_project;
use volt_inspect::{Inspect, Inspector, register, registrable};

use super::builder::Builder;

/// Runs `future` in a new multi-threaded runtime.
///
/// # Panics
///
/// Panics if the runtime cannot be started.
#[track_caller]
pub fn block_on<F: Future>(builder: Builder, future: F) -> F::Output {
    match builder.build() {
        Ok(runtime) => runtime.block_on(future),
        Err(error) => panic!("cannot start a runtime: {error}"),
    }
}

/// Runs `future` in a new runtime on this thread.
///
/// # Panics
///
/// Panics if the runtime cannot be started.
#[track_caller]
pub fn block_on_local<F: Future>(builder: Builder, future: F) -> F::Output {
    match builder.build_local() {
        Ok(runtime) => runtime.block_on(future),
        Err(error) => panic!("cannot start a runtime: {error}"),
    }
}

/// Makes the await of a future charge the budget of the task, if the future is ready and has
/// charged nothing itself.
///
/// The operand may be of any type, so that the compiler reports an operand that is no future once,
/// at the `.await`.
pub fn charged<F>(future: F) -> ChargedOperand<F> {
    ChargedOperand(future)
}

/// The operand of an await that charges the budget.
#[derive(Debug)]
pub struct ChargedOperand<F>(F);

impl<F: IntoFuture> IntoFuture for ChargedOperand<F> {
    type Output = F::Output;
    type IntoFuture = Charged<F::IntoFuture>;

    fn into_future(self) -> Self::IntoFuture {
        register::<Self::IntoFuture>();
        Charged {
            future: self.0.into_future(),
        }
    }
}

pin_project! {
    /// The future of a [`ChargedOperand`]. It has the size of the future in it.
    #[must_use = "futures do nothing unless they are polled"]
    #[derive(Debug)]
    pub struct Charged<F> {
        #[pin]
        future: F,
    }
}

impl<F> Inspect for Charged<F> {
    /// Passes on to the future inside.
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        inspector.future(self.project().future);
    }
}

registrable!(Charged<F>);

impl<F: Future> Future for Charged<F> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let future = self.project().future;
        #[cfg(not(loom))]
        {
            crate::task::poll_leaf(cx, |cx| future.poll(cx))
        }
        #[cfg(loom)]
        {
            future.poll(cx)
        }
    }
}
