//! The purposes of `advance`: to poll, to drop the stored values, or to inspect them.
//!
//! Only `advance` can name the types of the stored values. So it is generic over its purpose, and
//! each instance contains only the code for its own: a poll does not check the mode at run time.

use core::any::TypeId;
use core::cell::Cell;
use core::fmt::DebugStruct;
use core::hash::Hasher;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::inspection::{DebugLocal, ShownValue, TracedFuture};
use super::poll_call::PollWith;
use super::snapshot_mode::SnapshotMode;
use crate::machine::expansion::native::{BuildTables, Table, register_on_first_poll};
use crate::machine::expansion::waker_check::checked_by;
use crate::machine::walk::Walk;
use volt_inspect::machine::Register;
use volt_inspect::machine::State;

/// The purpose of a call.
pub trait Mode: SnapshotMode {
    /// `true` for all modes but a poll.
    const IS_QUERY: bool;
    /// `true` if guards are created for the stored values, which drop them.
    const DROPS: bool;
    /// `true` if `inspect` uses its arguments.
    const INSPECTS: bool;
    /// `true` if the stored values are cloned into another machine.
    const CLONES: bool = false;
    /// `true` if the stored values are compared with those of another machine.
    const COMPARES: bool = false;
    /// `true` if the stored values are hashed.
    const HASHES: bool = false;

    /// Polls the future that is awaited at a state.
    fn poll<F, H: PollWith<F>>(
        &mut self,
        future: Pin<&mut F>,
        state: &'static State,
    ) -> Poll<H::Output> {
        let _ = (future, state);
        unreachable!("only a poll polls an awaited future")
    }

    /// Counts an await in a loop. Returns `true` if it is beyond the limit: the machine is pending
    /// then.
    #[inline]
    fn is_beyond(&mut self) -> bool {
        false
    }

    /// Returns `true` if the type must be registered before the machine begins.
    #[inline]
    fn must_register<S: Register + Table>(&self) -> bool {
        false
    }

    /// Records that no block is run, with the reason.
    fn not_run<T>(&mut self, why: NotRun) -> Poll<T> {
        let _ = why;
        unreachable!("only a poll runs blocks")
    }

    /// Records that the type must be registered first.
    #[inline]
    fn register_then_poll<T>(&mut self) -> Poll<T> {
        self.not_run(NotRun::MustRegister)
    }

    /// Inspects a machine in a state: its locals, or the states of the future that it awaits there.
    fn inspect(&mut self, state: u8, locals: &[DebugLocal<'_>], futures: &[TracedFuture<'_>]) {
        let _ = (state, locals, futures);
    }

    /// Returns the place in the other machine that corresponds to a place in this one.
    fn counterpart<T>(&self, at: *mut T) -> *mut T {
        at
    }

    /// Records that two values are not equal.
    fn set_different(&mut self) {}

    /// Returns the hasher for all stored values.
    fn hasher(&mut self) -> Option<&mut dyn Hasher> {
        None
    }
}

/// Records the reason for which no block has the number. `done` is the number of a machine that has
/// returned. Each case is a separate call. It must be in `advance` itself before the compiler
/// builds the jump table, so it is a function: a method of a generic mode would be known too late.
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

/// The reason for which a poll runs no block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotRun {
    /// The type must be registered first.
    MustRegister,
    /// The machine has returned.
    Done,
    /// A poll has panicked.
    Panicked,
    /// The number is one that is never set.
    Never,
    /// The type of the current await was reported instead.
    Reported(TypeId),
}

/// The awaits in loops that one poll of a machine may begin.
pub(crate) const AWAITS: u32 = 256;

/// The mode of a poll. `REGISTERS` is `true` if the poll registers the machine's type.
#[derive(Debug)]
pub(crate) struct PollMode<'a, 'c, const REGISTERS: bool> {
    pub(crate) cx: &'a mut Context<'c>,
    /// The awaits in loops until one is refused.
    pub(crate) left: u32,
    /// Set when the limit is reached, here or in a machine that is awaited.
    pub(crate) is_over: &'a Cell<bool>,
    /// The reason for which no block was run.
    pub(crate) not_run: Option<NotRun>,
}

impl<'a, 'c, const REGISTERS: bool> PollMode<'a, 'c, REGISTERS> {
    #[inline]
    pub(crate) fn new(cx: &'a mut Context<'c>, is_over: &'a Cell<bool>) -> Self {
        Self {
            cx,
            left: AWAITS,
            is_over,
            not_run: None,
        }
    }
}

impl<const REGISTERS: bool> SnapshotMode for PollMode<'_, '_, REGISTERS> {}

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
            Some(once) => cfg!(feature = "rt") && !once.is_registered(),
            None => {
                register_on_first_poll::<S>();
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

/// The mode that drops the stored values.
#[derive(Debug)]
pub struct DropMode;

impl SnapshotMode for DropMode {}

impl Mode for DropMode {
    const IS_QUERY: bool = true;
    const DROPS: bool = true;
    const INSPECTS: bool = false;
}

/// The mode that inspects the stored values.
pub(crate) enum InspectMode<'a, 'b, 'c> {
    /// Continues a walk in the awaited future. A walk as a tree shows the values, too.
    Walk(&'a mut Walk<'b, 'c>),
    /// Writes the values.
    Locals(&'a mut DebugStruct<'b, 'c>),
}

impl SnapshotMode for InspectMode<'_, '_, '_> {}

impl Mode for InspectMode<'_, '_, '_> {
    const IS_QUERY: bool = true;
    const DROPS: bool = false;
    const INSPECTS: bool = true;

    fn inspect(&mut self, state: u8, locals: &[DebugLocal<'_>], futures: &[TracedFuture<'_>]) {
        // Number 0 is the start, and the one after the last await is the end.
        let awaits = usize::from(state).wrapping_sub(1);
        let Some(future) = futures.get(awaits) else {
            return;
        };
        let values = locals.iter().filter_map(|local| local.at(awaits));
        match self {
            Self::Walk(walk) => {
                if let Walk::Tree(inspector) = walk {
                    let types = locals.iter().filter_map(|local| local.type_at(awaits));
                    types.for_each(|(name, ty)| inspector.local(name, ty));
                    for shown in values {
                        inspector.value_of_type(shown.name, shown.value, shown.type_name);
                    }
                }
                future.walk(walk);
                let dormant = locals.iter().filter_map(|local| local.dormant_at(awaits));
                for (name, future) in dormant {
                    walk.dormant(name, |walk| future.walk(walk));
                }
            }
            Self::Locals(shown) => {
                for ShownValue { name, value, .. } in values {
                    shown.field(name, value);
                }
            }
        }
    }
}
