//! A `poll_fn(|cx| ..)` that is not stored: each poll creates it again, from the locals that its
//! closure borrows.
//!
//! ```text
//! poll_fn(|cx| self.poll_ready(cx)).await    in code that is never run:
//!                                                let recreated = probe_poll_fn(poll_fn(..));
//!                                                t0.is(&recreated.__volt_stored());
//!                                                recreated.__volt_output()
//!                                            in `advance`:
//!                                                poll_recreated(poll_fn(..), mode, state)
//! ```
//!
//! This is correct for `core::future::poll_fn`, which has no state but its closure. The macro sees
//! only the name, and other crates have futures with the same name. So the type is probed. A future
//! of another type has a size that cannot be stored, and a machine whose fields are larger than the
//! compiler's future stores that future instead ([`fallback`](super::fallback)).

use core::future::{Future, PollFn};
use core::ops::Deref;
use core::pin::pin;
use core::task::Poll;

use super::mode::Mode;
use super::poll_call::DirectPoll;
use volt_inspect::machine::State;

/// A type that is larger than any future.
#[derive(Debug)]
#[repr(align(536_870_912))]
pub struct Unstorable;

/// A probe for the type of an awaited future: is it that of `core`?
#[derive(Debug)]
pub struct PollFnProbe<F>(AnyFutureProbe<F>);

/// The probe for any future.
#[derive(Debug)]
pub struct AnyFutureProbe<F>(F);

/// Returns the probe, in code that is never run.
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
    /// Returns `()`: nothing is stored for a `PollFn`.
    pub fn __volt_stored(&self) {}
}

impl<F> AnyFutureProbe<F> {
    /// Returns a type that cannot be stored.
    #[must_use]
    pub fn __volt_stored(&self) -> Unstorable {
        unreachable!("the body of a probe was run")
    }
}

impl<F: Future> PollFnProbe<F> {
    /// Returns the output of the future, in code that is never run.
    #[must_use]
    pub fn __volt_output(self) -> F::Output {
        unreachable!("the body of a probe was run")
    }
}

/// Polls a future that each poll creates again, at a state of a machine. It has no state but its
/// borrows.
#[inline]
pub fn poll_recreated<F: Future, M: Mode>(
    future: F,
    mode: &mut M,
    state: &'static State,
) -> Poll<F::Output> {
    mode.poll::<_, DirectPoll>(pin!(future), state)
}

/// Polls a `PollFn` that each poll creates again, without a probe.
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
