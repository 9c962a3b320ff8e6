//! What `advance` is called for: to poll, to drop what is stored, or to look at it.
//!
//! The types of what is stored have names in `advance` alone. So it is generic over its purpose, and each
//! instance holds the code of its own: that of a poll asks nobody for the mode.

use core::cell::Cell;
use core::fmt::DebugStruct;
use core::hash::Hasher;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::inspection::{DebugLocal, TracedFuture, Visit};
use super::poll_call::PollWith;
use crate::machine::expansion::native::{BuildTables, Table};
use crate::machine::expansion::waker_check::checked_by;
use crate::machine::register::{Register, register};
use crate::machine::state::State;

/// The purpose of a call.
pub trait Mode {
    /// Whether it is anything but a poll.
    const IS_QUERY: bool;
    /// Whether what is stored is held in its scopes, and so dropped.
    const DROPS: bool;
    /// Whether `inspect` is of use.
    const INSPECTS: bool;
    /// Whether what is stored is cloned into another machine.
    const CLONES: bool = false;
    /// Whether what is stored is compared with what another machine stores.
    const COMPARES: bool = false;
    /// Whether what is stored is hashed.
    const HASHES: bool = false;

    /// Polls what is awaited at a state.
    fn poll<F, H: PollWith<F>>(
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
    fn must_register<S: Register + Table>(&self) -> bool {
        false
    }

    /// Is told that no block is run.
    fn not_run<T>(&mut self, why: NotRun) -> Poll<T> {
        let _ = why;
        unreachable!("blocks are run by a poll alone")
    }

    /// Is told that the runtime must be told of the machine first.
    #[inline]
    fn register_then_poll<T>(&mut self) -> Poll<T> {
        self.not_run(NotRun::MustRegister)
    }

    /// Looks at a machine in a state: at its locals, or on into what it awaits there.
    fn inspect(&mut self, state: u8, locals: &[DebugLocal<'_>], futures: &[TracedFuture<'_>]) {
        let _ = (state, locals, futures);
    }

    /// The place in the other machine that a place in this one stands for.
    fn counterpart<T>(&self, at: *mut T) -> *mut T {
        at
    }

    /// Is told that something is not equal.
    fn set_different(&mut self) {}

    /// What everything is hashed by.
    fn hasher(&mut self) -> Option<&mut dyn Hasher> {
        None
    }
}

/// Tells the mode why no block has a number; `done` is that of a machine that has returned. Each case is a call of its
/// own, which stands in `advance` itself before the compiler draws up the table of numbers: so this is no method, which
/// would be known too late.
#[inline(always)]
pub fn no_block<M: Mode, T>(mode: &mut M, number: u8, done: u8) -> Poll<T> {
    if number == done {
        return mode.not_run(NotRun::Done);
    }
    if number == done + 1 {
        return mode.not_run(NotRun::Panicked);
    }
    mode.not_run(NotRun::Never)
}

/// Why a poll runs no block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotRun {
    /// The runtime must be told of the machine first.
    MustRegister,
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
pub(crate) struct PollMode<'a, 'c, const REGISTERS: bool> {
    pub(crate) cx: &'a mut Context<'c>,
    /// The awaits in loops until one is refused.
    pub(crate) left: u32,
    /// Set when the limit is reached, here or in a machine that is awaited.
    pub(crate) is_over: &'a Cell<bool>,
    /// Why no block was run.
    pub(crate) not_run: Option<NotRun>,
}

impl<const REGISTERS: bool> Mode for PollMode<'_, '_, REGISTERS> {
    const IS_QUERY: bool = false;
    const DROPS: bool = true;
    const INSPECTS: bool = false;

    #[inline]
    fn poll<F, H: PollWith<F>>(
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
    fn must_register<S: Register + Table>(&self) -> bool {
        match <S::Rows as BuildTables<S>>::REGISTER_ONCE {
            _ if !REGISTERS => false,
            Some(once) => !once.is_registered(),
            None => {
                register::<S>();
                false
            }
        }
    }

    #[inline]
    fn not_run<T>(&mut self, why: NotRun) -> Poll<T> {
        self.not_run = Some(why);
        Poll::Pending
    }
}

/// To drop what is stored.
#[derive(Debug)]
pub struct DropMode;

impl Mode for DropMode {
    const IS_QUERY: bool = true;
    const DROPS: bool = true;
    const INSPECTS: bool = false;
}

/// To look at what is stored.
pub(crate) enum InspectMode<'a, 'b, 'c> {
    Trace(&'a mut Visit<'b>),
    Locals(&'a mut DebugStruct<'b, 'c>),
}

impl Mode for InspectMode<'_, '_, '_> {
    const IS_QUERY: bool = true;
    const DROPS: bool = false;
    const INSPECTS: bool = true;

    fn inspect(&mut self, state: u8, locals: &[DebugLocal<'_>], futures: &[TracedFuture<'_>]) {
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
