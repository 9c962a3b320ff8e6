//! What `advance` is called for: to poll, to drop what is stored, or to look at it.
//!
//! The types of what is stored have names in `advance` alone. So it is generic over its purpose, and each
//! instance holds the code of its own: that of a poll asks nobody for the mode.

use core::fmt::{Debug, DebugStruct};
use core::future::Future;
use core::hash::Hasher;
use core::pin::Pin;
use core::task::{Context, Poll};

use crate::machine::announce::{Announced, announce};
use crate::machine::private::checked::checked_at;
use crate::machine::state::State;

/// Visits states.
pub type Visit<'a> = dyn FnMut(&'static State) + 'a;

/// The purpose of a call.
pub trait Mode {
    /// Whether it is anything but a poll.
    const ASKS: bool;
    /// Whether what is held is dropped with its [`Held`](super::Held).
    const DROPS: bool;
    /// Whether `look` is of use.
    const LOOKS: bool;
    /// Whether what is stored is cloned into another machine.
    const CLONES: bool = false;
    /// Whether what is stored is compared with what another machine stores.
    const COMPARES: bool = false;
    /// Whether what is stored is hashed.
    const HASHES: bool = false;

    /// Is told of a machine that begins.
    #[inline]
    fn begin<S: Announced>(&self) {}

    /// Polls what is awaited at a state.
    fn poll<F: Future>(&mut self, future: Pin<&mut F>, state: &'static State) -> Poll<F::Output>;

    /// Is shown the locals of a state, and how a trace goes on in what is awaited.
    fn look(&mut self, locals: &[(&str, &dyn Debug)], trace: &dyn Fn(&mut Visit<'_>));

    /// The place in the other machine that a place in this one stands for.
    fn beside<T>(&self, at: *mut T) -> *mut T {
        at
    }

    /// Is told that something is not equal.
    fn differ(&mut self) {}

    /// What everything is hashed by.
    fn hasher(&mut self) -> Option<&mut dyn Hasher> {
        None
    }
}

/// To poll.
#[derive(Debug)]
pub(super) struct Polling<'a, 'c>(pub(super) &'a mut Context<'c>);

impl Mode for Polling<'_, '_> {
    const ASKS: bool = false;
    const DROPS: bool = true;
    const LOOKS: bool = false;

    #[inline]
    fn begin<S: Announced>(&self) {
        announce::<S, ()>(());
    }

    #[inline]
    fn poll<F: Future>(&mut self, future: Pin<&mut F>, state: &'static State) -> Poll<F::Output> {
        checked_at(future, self.0, state)
    }

    fn look(&mut self, _: &[(&str, &dyn Debug)], _: &dyn Fn(&mut Visit<'_>)) {}
}

/// To drop what is stored.
#[derive(Debug)]
pub struct Dropping;

impl Mode for Dropping {
    const ASKS: bool = true;
    const DROPS: bool = true;
    const LOOKS: bool = false;

    fn poll<F: Future>(&mut self, _: Pin<&mut F>, _: &'static State) -> Poll<F::Output> {
        unreachable!("a machine is not polled while it is dropped")
    }

    fn look(&mut self, _: &[(&str, &dyn Debug)], _: &dyn Fn(&mut Visit<'_>)) {}
}

/// To look at what is stored.
pub(super) enum Looking<'a, 'b, 'c> {
    Trace(&'a mut Visit<'b>),
    Locals(&'a mut DebugStruct<'b, 'c>),
}

impl Mode for Looking<'_, '_, '_> {
    const ASKS: bool = true;
    const DROPS: bool = false;
    const LOOKS: bool = true;

    fn poll<F: Future>(&mut self, _: Pin<&mut F>, _: &'static State) -> Poll<F::Output> {
        unreachable!("a machine is not polled while it is looked at")
    }

    fn look(&mut self, locals: &[(&str, &dyn Debug)], trace: &dyn Fn(&mut Visit<'_>)) {
        match self {
            Self::Trace(visit) => trace(visit),
            Self::Locals(shown) => {
                for (name, value) in locals {
                    shown.field(name, value);
                }
            }
        }
    }
}
