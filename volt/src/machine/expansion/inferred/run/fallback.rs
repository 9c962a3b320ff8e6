//! A machine that keeps the compiler's own coroutine after all, because the explicit layout would be larger.
//!
//! The macro sees no types. So it may keep a local that the compiler need not keep:
//!
//! ```text
//! let page = page_of(n);  let first = page.first();  send(first).await;
//! ```
//!
//! If `first` borrows `page`, both keep it. If it takes a copy of `page`, the compiler does not. Which of the two is so
//! shows in the sizes alone, and [`layout_from`](super::layout_from) compares them. Where the compiler's is the smaller one the twin's
//! coroutine lies in the machine's bytes, and behind it the tag:
//!
//! ```text
//! 0                        coroutine.size
//! ├─ the arguments ─────┤                       tag 0: start
//! ├─ the coroutine ─────────┤ tag               tag 1: waits
//! ```
//!
//! Whoever calls `advance` asks here first. The question is a constant, so a machine that is explicit has none of this
//! in its code. The coroutine has no name here: the constant with the places keeps what is done with it ([`FallbackVtable`]).

use core::cell::Cell;
use core::marker::PhantomData;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::super::modes::{Mode, PollWith, Region, no_block};
use super::super::probe::{FallbackVtable, LayoutInfo};
use super::advance::ExplicitMachine;
use super::tag::{Tag, done};
use crate::machine::expansion::native::{CoroutineVtable, Table};
use crate::machine::layout::{Layout, Storage};
use crate::machine::state::State;

/// The number of the state in which the coroutine waits, at whichever await.
pub(crate) const WAITING: u8 = 1;

/// Whether a machine keeps the compiler's coroutine.
#[must_use]
pub const fn is_native<S: LayoutInfo>() -> bool {
    S::RECURSIVE_MACHINE_NEEDS_BOX_PIN.fallback.is_some()
}

/// The layout of a machine; `line` is that of its function.
#[must_use]
pub(crate) const fn layout<S: LayoutInfo>(line: u32) -> Layout {
    let larger = "the explicit layout would be larger than the compiler's future";
    let (why, line) = match S::RECURSIVE_MACHINE_NEEDS_BOX_PIN.refuted {
        Some(refuted) => refuted,
        None => (larger, line),
    };
    match is_native::<S>() {
        true => Layout::Native {
            why,
            line,
            storage: Storage::Inline,
        },
        false => Layout::Explicit,
    }
}

/// The state of a machine whose coroutine waits. At which await is not known, unless there is one alone.
pub(crate) fn waiting<S: ExplicitMachine>() -> &'static State {
    match S::STATES {
        [_, only, _] => only,
        _ => &<S as Table>::TABLES.own[2],
    }
}

/// A coroutine in a machine, polled by what the machine's constant keeps.
struct VtablePoll;

impl<S: ExplicitMachine> PollWith<FallbackFuture<S>> for VtablePoll {
    type Output = S::Output;

    #[inline]
    fn poll(
        future: Pin<&mut FallbackFuture<S>>,
        cx: &mut Context<'_>,
        _: &Cell<bool>,
    ) -> Poll<S::Output> {
        // SAFETY: the machine is pinned, and nobody else refers to its coroutine, which gives what the machine does.
        unsafe { future.vtable.poll(future.place, cx) }
    }
}

/// A coroutine that waits in a machine.
struct FallbackFuture<S> {
    vtable: CoroutineVtable,
    place: *mut (),
    of: PhantomData<fn() -> S>,
}

/// [`ExplicitMachine::advance`], or the same of the coroutine that a machine keeps.
///
/// # Safety
///
/// As for [`ExplicitMachine::advance`].
#[inline]
pub(crate) unsafe fn advance<'m, S: ExplicitMachine + 'm, M: Mode>(
    base: *mut u8,
    state: u8,
    mode: &mut M,
    region: &Region<'m>,
) -> Poll<S::Output> {
    match const { <S::Static as LayoutInfo>::RECURSIVE_MACHINE_NEEDS_BOX_PIN.fallback } {
        // SAFETY: promised by the caller.
        None => unsafe { S::advance(base, state, mode, region) },
        // SAFETY: as above.
        Some(stored) => unsafe { advance_fallback::<S, M>(base, state, mode, stored) },
    }
}

/// Does with a coroutine what the mode is for; before the first poll with the arguments, in the order of their declarations.
///
/// # Safety
///
/// As for [`ExplicitMachine::advance`], of a machine that keeps such a coroutine.
#[inline]
unsafe fn advance_fallback<S: ExplicitMachine, M: Mode>(
    base: *mut u8,
    state: u8,
    mode: &mut M,
    FallbackVtable {
        vtable,
        drop_arguments,
    }: FallbackVtable,
) -> Poll<S::Output> {
    // SAFETY: promised by the caller.
    let tag = unsafe { Tag::<S>::of(base) };
    let at = const { <S::Static as LayoutInfo>::RECURSIVE_MACHINE_NEEDS_BOX_PIN.offsets };
    // It lies at the first byte: `layout_from`.
    let place: *mut () = base.cast();
    if M::IS_QUERY {
        match tag.get() {
            // SAFETY: at the start the arguments lie in their places. They are this call's to drop, by the mode.
            0 if M::DROPS => unsafe { drop_arguments(base, at) },
            // SAFETY: where it waits there is a coroutine. It is this call's to drop, by the mode.
            WAITING if M::DROPS => unsafe { vtable.drop(place) },
            _ => {}
        }
        return Poll::Pending;
    }
    if state > WAITING {
        return no_block(mode, state, done::<S>());
    }
    if state == 0 {
        if mode.must_register::<S>() {
            return mode.register_then_poll();
        }
        // SAFETY: the bytes are as large, and as aligned; the arguments lie in their places.
        unsafe { vtable.make((&raw const at).cast(), place, place) };
        tag.set(WAITING);
    }
    let of = PhantomData;
    let mut waits = FallbackFuture::<S> { vtable, place, of };
    let polled = mode.poll::<_, VtablePoll>(Pin::new(&mut waits), waiting::<S>());
    polled.map(|output| tag.returned(output))
}
