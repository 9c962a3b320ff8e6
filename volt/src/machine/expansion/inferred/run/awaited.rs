//! Polls of awaited futures: a machine within a machine is polled without registration.
//!
//! A trace continues in a future that is known to be a machine, whatever the registry contains. So
//! only other machines register themselves, and the poll of a machine within a machine has no call
//! for that. The kind is chosen by autoref specialization: `slot.__volt_poll(..)` calls the method
//! of [`Slot`] if the type is known to be a machine, and that of [`AnySlot`], to which a slot
//! dereferences, otherwise.

use core::cell::Cell;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::super::modes::{DirectPoll, Mode, PollWith};
use super::super::slots::{AnySlot, Slot};
use super::advance::ExplicitMachine;
use super::poll::poll_unregistered;
use super::tag::Tag;

/// Polls a machine whose type need not be registered.
#[derive(Clone, Copy, Debug)]
struct UnregisteredPoll;

impl<F: ExplicitMachine> PollWith<F> for UnregisteredPoll {
    type Output = F::Output;

    #[inline]
    fn poll(future: Pin<&mut F>, cx: &mut Context<'_>, is_over: &Cell<bool>) -> Poll<F::Output> {
        poll_unregistered(future, cx, is_over)
    }
}

impl<F: ExplicitMachine> Slot<F> {
    /// Polls a machine whose type need not be registered.
    #[inline]
    pub fn __volt_poll<M: Mode, S: ExplicitMachine>(
        &self,
        mode: &mut M,
        tag: &Tag<S>,
        state: usize,
    ) -> Poll<F::Output> {
        self.poll_by::<M, UnregisteredPoll>(mode, tag.state(state))
    }
}

impl<F: Future> AnySlot<F> {
    /// Polls any other future.
    #[inline]
    pub fn __volt_poll<M: Mode, S: ExplicitMachine>(
        &self,
        mode: &mut M,
        tag: &Tag<S>,
        state: usize,
    ) -> Poll<F::Output> {
        self.poll_by::<M, DirectPoll>(mode, tag.state(state))
    }
}
