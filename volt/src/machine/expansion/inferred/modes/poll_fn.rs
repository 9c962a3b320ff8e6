//! A `poll_fn(|cx| ..)`, which is not stored: each poll makes it anew, of what its closure borrows.
//!
//! ```text
//! poll_fn(|cx| self.poll_ready(cx)).await     in the code that is never run:  let renewed = renewed(poll_fn(..));
//! t0.is(&renewed.__volt_stored()); renewed.__volt_output()
//!                                             in `advance`:                   poll_renewed(poll_fn(..), mode, state)
//! ```
//!
//! That is right for the one of `core`, which has nothing but its closure. The macro sees the name alone, and other crates have
//! a future of their own by it. So the type is asked. Any other tells a size that is too large to be stored, and a machine whose
//! fields are larger than the compiler's future keeps that instead ([`fallback`](super::fallback)).

use core::future::{Future, PollFn};
use core::ops::Deref;
use core::pin::pin;
use core::task::Poll;

use super::mode::Mode;
use super::poll_call::DirectPoll;
use crate::machine::state::State;

/// Larger than any future.
#[derive(Debug)]
#[repr(align(536_870_912))]
pub struct Unstorable;

/// What is awaited, as the question whether it is the future of `core`.
#[derive(Debug)]
pub struct PollFnProbe<F>(AnyFutureProbe<F>);

/// The same of any future.
#[derive(Debug)]
pub struct AnyFutureProbe<F>(F);

/// Asks for the type of what is awaited, in code that is never run.
#[must_use]
pub fn probe_poll_fn<F>(future: F) -> PollFnProbe<F> {
    PollFnProbe(AnyFutureProbe(future))
}

impl<F> Deref for PollFnProbe<F> {
    type Target = AnyFutureProbe<F>;

    fn deref(&self) -> &AnyFutureProbe<F> {
        &self.0
    }
}

impl<F> PollFnProbe<PollFn<F>> {
    /// What is stored of the one of `core`.
    pub fn __volt_stored(&self) {}
}

impl<F> AnyFutureProbe<F> {
    /// What would have to be stored of any other.
    #[must_use]
    pub fn __volt_stored(&self) -> Unstorable {
        unreachable!("the body of a question was run")
    }
}

impl<F: Future> PollFnProbe<F> {
    /// What it gives, where nothing runs.
    #[must_use]
    pub fn __volt_output(self) -> F::Output {
        unreachable!("the body of a question was run")
    }
}

/// Polls a future that is made anew by each poll, at a state of a machine. It has nothing of its own: what
/// it borrows is all.
#[inline]
pub fn poll_recreated<F: Future, M: Mode>(
    future: F,
    mode: &mut M,
    state: &'static State,
) -> Poll<F::Output> {
    mode.poll::<_, DirectPoll>(pin!(future), state)
}

/// The same of the future of `core`, where nothing was asked.
#[inline]
pub fn poll_recreated_fn<F, M: Mode>(
    future: PollFn<F>,
    mode: &mut M,
    state: &'static State,
) -> Poll<<PollFn<F> as Future>::Output>
where
    PollFn<F>: Future,
{
    poll_recreated(future, mode, state)
}
