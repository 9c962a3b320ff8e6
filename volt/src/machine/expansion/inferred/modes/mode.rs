//! What `advance` is called for: to poll, to drop what is stored, or to look at it.
//!
//! The types of what is stored have names in `advance` alone. So it is generic over its purpose, and each
//! instance holds the code of its own: that of a poll asks nobody for the mode.

use core::cell::Cell;
use core::fmt::DebugStruct;
use core::hash::Hasher;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::inspection::{Shown, Traced, Visit};
use super::poll_call::How;
use crate::machine::expansion::native::{Rows, Table};
use crate::machine::expansion::waker_check::checked_by;
use crate::machine::register::{Announced, tell};
use crate::machine::state::State;

/// The purpose of a call.
pub trait Mode {
    /// Whether it is anything but a poll.
    const ASKS: bool;
    /// Whether what is stored is held in its scopes, and so dropped.
    const DROPS: bool;
    /// Whether `look` is of use.
    const LOOKS: bool;
    /// Whether what is stored is cloned into another machine.
    const CLONES: bool = false;
    /// Whether what is stored is compared with what another machine stores.
    const COMPARES: bool = false;
    /// Whether what is stored is hashed.
    const HASHES: bool = false;

    /// Polls what is awaited at a state.
    fn poll<F, H: How<F>>(
        &mut self,
        future: Pin<&mut F>,
        state: &'static State,
    ) -> Poll<H::Output> {
        let _ = (future, state);
        unreachable!("what is awaited is polled by a poll alone")
    }

    /// Counts an await in a loop. Returns `true` if it is beyond the limit: the machine is pending
    /// then.
    #[inline]
    fn is_beyond(&mut self) -> bool {
        false
    }

    /// Whether the runtime must be told of the machine before it begins.
    #[inline]
    fn must_tell<S: Announced + Table>(&self) -> bool {
        false
    }

    /// Is told that no block is run.
    fn unpolled<T>(&mut self, why: Why) -> Poll<T> {
        let _ = why;
        unreachable!("blocks are run by a poll alone")
    }

    /// Is told that the runtime must be told of the machine first.
    #[inline]
    fn untold<T>(&mut self) -> Poll<T> {
        self.unpolled(Why::Untold)
    }

    /// Looks at a machine in a state: at its locals, or on into what it awaits there.
    fn look(&mut self, state: u8, locals: &[Shown<'_>], futures: &[Traced<'_>]) {
        let _ = (state, locals, futures);
    }

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

/// Tells the mode why no block has a number; `done` is that of a machine that has returned. Each case is a call of its
/// own, which stands in `advance` itself before the compiler draws up the table of numbers: so this is no method, which
/// would be known too late.
#[inline(always)]
pub fn over<M: Mode, T>(mode: &mut M, number: u8, done: u8) -> Poll<T> {
    if number == done {
        return mode.unpolled(Why::Done);
    }
    if number == done + 1 {
        return mode.unpolled(Why::Panicked);
    }
    mode.unpolled(Why::Never)
}

/// Why a poll runs no block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The runtime must be told of the machine first.
    Untold,
    /// It has returned.
    Done,
    /// A poll has panicked.
    Panicked,
    /// It stands at a number that is never set.
    Never,
}

/// The awaits in loops that one poll of a machine may begin.
pub(crate) const AWAITS: u32 = 256;

/// To poll; to tell the runtime of a machine that begins, or not.
#[derive(Debug)]
pub(crate) struct Polling<'a, 'c, const TELLS: bool> {
    pub(crate) cx: &'a mut Context<'c>,
    /// The awaits in loops until one is refused.
    pub(crate) left: u32,
    /// Set when the limit is reached, here or in a machine that is awaited.
    pub(crate) is_over: &'a Cell<bool>,
    /// Why no block was run.
    pub(crate) unpolled: Option<Why>,
}

impl<const TELLS: bool> Mode for Polling<'_, '_, TELLS> {
    const ASKS: bool = false;
    const DROPS: bool = true;
    const LOOKS: bool = false;

    #[inline]
    fn poll<F, H: How<F>>(
        &mut self,
        future: Pin<&mut F>,
        state: &'static State,
    ) -> Poll<H::Output> {
        let is_over = self.is_over;
        let waits_at = || (!is_over.get()).then_some(state);
        checked_by(|cx| H::poll(future, cx, is_over), self.cx, waits_at)
    }

    #[inline]
    fn is_beyond(&mut self) -> bool {
        self.left = self.left.wrapping_sub(1);
        if cfg!(not(feature = "rt")) || self.left > 0 {
            return false;
        }
        self.is_over.set(true);
        true
    }

    #[inline]
    fn must_tell<S: Announced + Table>(&self) -> bool {
        match <S::Written as Rows<S>>::TOLD {
            _ if !TELLS => false,
            Some(told) => !told.is_told(),
            None => {
                tell::<S>();
                false
            }
        }
    }

    #[inline]
    fn unpolled<T>(&mut self, why: Why) -> Poll<T> {
        self.unpolled = Some(why);
        Poll::Pending
    }
}

/// To drop what is stored.
#[derive(Debug)]
pub struct Dropping;

impl Mode for Dropping {
    const ASKS: bool = true;
    const DROPS: bool = true;
    const LOOKS: bool = false;
}

/// To look at what is stored.
pub(crate) enum Looking<'a, 'b, 'c> {
    Trace(&'a mut Visit<'b>),
    Locals(&'a mut DebugStruct<'b, 'c>),
}

impl Mode for Looking<'_, '_, '_> {
    const ASKS: bool = true;
    const DROPS: bool = false;
    const LOOKS: bool = true;

    fn look(&mut self, state: u8, locals: &[Shown<'_>], futures: &[Traced<'_>]) {
        // Before the first await is the start, and behind the last one the end.
        let awaits = usize::from(state).wrapping_sub(1);
        let Some(future) = futures.get(awaits) else {
            return;
        };
        match self {
            Self::Trace(visit) => future.visit(visit),
            Self::Locals(shown) => {
                for (name, value) in locals.iter().filter_map(|local| local.at(awaits)) {
                    shown.field(name, value);
                }
            }
        }
    }
}
