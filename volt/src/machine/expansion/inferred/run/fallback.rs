//! The fallback to the compiler's own coroutine, for a machine whose explicit layout would be
//! larger.
//!
//! The macro sees no types. So it may store a local that the compiler need not store:
//!
//! ```text
//! let page = page_of(n);  let first = page.first();  send(first).await;
//! ```
//!
//! If `first` borrows `page`, both store `page`. If `first` is a copy, the compiler does not store
//! it. Only the sizes distinguish the two cases, and [`layout_from`](super::layout_from) compares
//! them. If the compiler's coroutine is smaller, the machine stores the coroutine of the reference
//! function in its bytes, followed by the tag:
//!
//! ```text
//! 0                        coroutine.size
//! ├─ the arguments ─────┤                       tag 0: start
//! ├─ the coroutine ─────────┤ tag               tag 1: waits
//! ```
//!
//! If the offset of the coroutine's own tag is known, and the arguments fit beside it, the machine
//! has no other tag ([`state_of_coroutine`](super::tag::state_of_coroutine)). The coroutine is
//! polled in the call that creates it, and no code of the user is in between. So no other call sees
//! a coroutine that was never polled, whose tag is that of the start.
//!
//! Every call of `advance` checks for this case first. The check is a constant, so an explicit
//! machine contains none of this code. The coroutine has no name here. The constant with the layout
//! has its functions ([`FallbackVtable`]).

use core::cell::Cell;
use core::marker::PhantomData;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::super::modes::{Mode, PollWith, Region, no_block};
use super::super::probe::{FallbackVtable, LayoutInfo};
use super::advance::ExplicitMachine;
use super::tag::{Tag, WAITING, done};
use crate::machine::expansion::native::{CoroutineVtable, Table, unknown_tag};
use volt_inspect::machine::{Layout, State, Storage, Tables};

/// Returns `true` if a machine stores the compiler's coroutine, or has an error in its place: the
/// compiler has refuted a claim.
#[must_use]
pub const fn is_native<S: LayoutInfo>() -> bool {
    let layout = S::RECURSIVE_MACHINE_NEEDS_BOX_PIN;
    layout.fallback.is_some() || layout.refuted.is_some()
}

/// Returns the layout of a machine. `line` is that of its function.
#[must_use]
pub(crate) const fn layout<S: LayoutInfo>(line: u32) -> Layout {
    let larger = "the explicit layout would be larger than the compiler's future";
    let (why, line) = match S::RECURSIVE_MACHINE_NEEDS_BOX_PIN.refuted {
        Some(refuted) => refuted,
        None => (larger, line),
    };
    if is_native::<S>() {
        Layout::Native {
            why,
            line,
            storage: Storage::Inline,
        }
    } else {
        Layout::Explicit
    }
}

/// Returns the state of a machine whose coroutine waits. The await is known only if there is a
/// single one.
pub(crate) const fn waiting(tables: &'static Tables) -> &'static State {
    match tables.states {
        [_, only, _] => only,
        _ => &tables.own[2],
    }
}

/// Polls the coroutine in a machine through its vtable.
struct VtablePoll;

impl<S: ExplicitMachine> PollWith<FallbackFuture<S>> for VtablePoll {
    type Output = S::Output;

    #[inline]
    fn poll(
        future: Pin<&mut FallbackFuture<S>>,
        cx: &mut Context<'_>,
        _: &Cell<bool>,
    ) -> Poll<S::Output> {
        // SAFETY: the machine is pinned, and there is no other reference to its coroutine, whose
        // output is that of the machine.
        unsafe { future.vtable.poll(future.place, cx) }
    }
}

/// The coroutine in a machine, as a future.
struct FallbackFuture<S> {
    vtable: CoroutineVtable,
    place: *mut (),
    of: PhantomData<fn() -> S>,
}

/// Calls [`ExplicitMachine::advance`], or does the same for the coroutine that a machine stores.
///
/// # Safety
///
/// The requirements of [`ExplicitMachine::advance`] hold.
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

/// Polls, drops or inspects the stored coroutine. Before the first poll it drops the arguments, in
/// the order of their declarations.
///
/// # Safety
///
/// The requirements of [`ExplicitMachine::advance`] hold, and the machine stores such a coroutine.
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
    // The coroutine is at the first byte: `layout_from`.
    let place: *mut () = base.cast();
    if M::IS_QUERY {
        match tag.get() {
            // SAFETY: at the start the arguments are in their places. By its mode, this call drops
            // them.
            0 if M::DROPS => unsafe { drop_arguments(base, at) },
            // SAFETY: in this state there is a coroutine. By its mode, this call drops it.
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
        // SAFETY: the bytes have the size and alignment of the coroutine, and the arguments are in
        // their places.
        unsafe { vtable.make((&raw const at).cast(), place, place) };
        tag.set(WAITING);
    }
    let of = PhantomData;
    let mut waits = FallbackFuture::<S> { vtable, place, of };
    let polled = mode.poll::<_, VtablePoll>(Pin::new(&mut waits), waiting(<S as Table>::TABLES));
    if Tag::<S>::IS_SHARED && tag.get() == 0 {
        unknown_tag();
    }
    polled.map(|output| tag.returned(output))
}
