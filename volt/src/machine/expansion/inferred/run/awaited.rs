//! How what is awaited is polled: a machine by its own poll, which tells the runtime of it, or without.
//!
//! A trace that comes to a machine of a known type goes on in it. So only others tell the runtime of themselves, and
//! the poll of a machine within a machine has no call in it for that. Which it is is asked without a bound:
//! `slot.poll(..)` finds the method of [`Slot`] if the type is known to be a machine, and that of [`AnySlot`], to which it
//! leads, if not.

use core::cell::Cell;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::super::modes::{DirectPoll, Mode, PollWith};
use super::super::slots::{AnySlot, Slot};
use super::advance::ExplicitMachine;
use super::poll::poll_unregistered;
use super::tag::Tag;

/// As a machine of which the runtime need not be told.
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
    /// Polls a machine of which the runtime need not be told.
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
