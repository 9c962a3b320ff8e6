//! The functions that expansions of `#[volt::main]` and `#[volt::test]` call.

use std::pin::Pin;
use std::task::{Context, Poll};

use pin_project_lite::pin_project;
use volt_inspect::{Inspect, Inspector, register, registrable};

use super::builder::Builder;
pub use crate::machine::operand;

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
pub fn charged<F: Future>(future: F) -> Charged<F> {
    register::<Charged<F>>();
    Charged { future }
}

pin_project! {
    /// The future of an await that charges the budget. It has the size of the future in it.
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
