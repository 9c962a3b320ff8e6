//! How what is awaited is polled: a machine by its own poll, which tells the runtime of it, or without.
//!
//! A trace that comes to a machine of a known type goes on in it. So only others tell the runtime of themselves, and
//! the poll of a machine within a machine has no call in it for that. Which it is is asked without a bound:
//! `(&slot).how()` finds the method of [`AwaitMachine`] if the type is known to be a machine, and
//! one more reference away that of [`AwaitFuture`] if not.

use core::pin::Pin;
use core::task::{Context, Poll};

use super::advance::Inferred;
use super::how::{How, Told};
use super::poll::poll_untold;
use super::slot::Slot;

/// As a machine of which the runtime need not be told.
#[derive(Clone, Copy, Debug)]
pub struct Untold;

impl<F: Inferred> How<F> for Untold {
    type Output = F::Output;

    #[inline]
    fn poll(future: Pin<&mut F>, cx: &mut Context<'_>) -> Poll<F::Output> {
        poll_untold(future, cx)
    }
}

/// A future known to be a machine.
pub trait AwaitMachine {
    /// How it is polled.
    #[inline]
    fn how(&self) -> Untold {
        Untold
    }
}

impl<F: Inferred> AwaitMachine for Slot<F> {}

/// Any other future.
pub trait AwaitFuture {
    /// How it is polled.
    #[inline]
    fn how(&self) -> Told {
        Told
    }
}

impl<F> AwaitFuture for &Slot<F> {}
