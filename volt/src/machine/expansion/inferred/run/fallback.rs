//! A machine that keeps the compiler's own coroutine after all, because the explicit layout would be larger.
//!
//! The macro sees no types. So it may keep a local that the compiler need not keep:
//!
//! ```text
//! let page = page_of(n);  let first = page.first();  send(first).await;
//! ```
//!
//! If `first` borrows `page`, both keep it. If it takes a copy of `page`, the compiler does not. Which of the two is so
//! shows in the sizes alone, and [`made_of`](super::made_of) compares them. Where the compiler's is the smaller one the twin's
//! coroutine lies in the machine's bytes, and behind it the tag:
//!
//! ```text
//! 0                        coroutine.size
//! ├─ the arguments ─────┤                       tag 0: start
//! ├─ the coroutine ─────────┤ tag               tag 1: waits
//! ```
//!
//! Whoever calls `advance` asks here first. The question is a constant, so a machine that is explicit has none of this
//! in its code. The coroutine has no name here: the constant with the places keeps what is done with it ([`Stored`]).

use core::cell::Cell;
use core::marker::PhantomData;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::super::modes::{How, Mode, Region, over};
use super::super::probe::{Parts, Stored};
use super::advance::Inferred;
use super::tag::{Tag, done};
use crate::machine::expansion::native::{Hooks, Table};
use crate::machine::layout::{Layout, Storage};
use crate::machine::state::State;

/// The number of the state in which the coroutine waits, at whichever await.
pub(crate) const WAITS: u8 = 1;

/// Whether a machine keeps the compiler's coroutine.
#[must_use]
pub const fn is_native<S: Parts>() -> bool {
    S::PLACES_UNLESS_IT_AWAITS_ITSELF_WITHOUT_BOX_PIN
        .stored
        .is_some()
}

/// The layout of a machine; `line` is that of its function.
#[must_use]
pub(crate) const fn layout<S: Parts>(line: u32) -> Layout {
    let larger = "the explicit layout would be larger than the compiler's future";
    let (why, line) = match S::PLACES_UNLESS_IT_AWAITS_ITSELF_WITHOUT_BOX_PIN.refuted {
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
pub(crate) fn waiting<S: Inferred>() -> &'static State {
    match S::STATES {
        [_, only, _] => only,
        _ => &<S as Table>::TABLES.own[2],
    }
}

/// A coroutine in a machine, polled by what the machine's constant keeps.
struct ByHooks;

impl<S: Inferred> How<Waiting<S>> for ByHooks {
    type Output = S::Output;

    #[inline]
    fn poll(future: Pin<&mut Waiting<S>>, cx: &mut Context<'_>, _: &Cell<bool>) -> Poll<S::Output> {
        // SAFETY: the machine is pinned, and nobody else refers to its coroutine, which gives what the machine does.
        unsafe { future.hooks.poll(future.place, cx) }
    }
}

/// A coroutine that waits in a machine.
struct Waiting<S> {
    hooks: Hooks,
    place: *mut (),
    of: PhantomData<fn() -> S>,
}

/// [`Inferred::advance`], or the same of the coroutine that a machine keeps.
///
/// # Safety
///
/// As for [`Inferred::advance`].
#[inline]
pub(crate) unsafe fn advance<'m, S: Inferred + 'm, M: Mode>(
    base: *mut u8,
    state: u8,
    mode: &mut M,
    region: &Region<'m>,
) -> Poll<S::Output> {
    match const { <S::Static as Parts>::PLACES_UNLESS_IT_AWAITS_ITSELF_WITHOUT_BOX_PIN.stored } {
        // SAFETY: promised by the caller.
        None => unsafe { S::advance(base, state, mode, region) },
        // SAFETY: as above.
        Some(stored) => unsafe { instead::<S, M>(base, state, mode, stored) },
    }
}

/// Does with a coroutine what the mode is for; before the first poll with the arguments, in the order of their declarations.
///
/// # Safety
///
/// As for [`Inferred::advance`], of a machine that keeps such a coroutine.
#[inline]
unsafe fn instead<S: Inferred, M: Mode>(
    base: *mut u8,
    state: u8,
    mode: &mut M,
    Stored {
        hooks,
        drop_arguments,
    }: Stored,
) -> Poll<S::Output> {
    // SAFETY: promised by the caller.
    let tag = unsafe { Tag::<S>::of(base) };
    let at = const { <S::Static as Parts>::PLACES_UNLESS_IT_AWAITS_ITSELF_WITHOUT_BOX_PIN.at };
    // It lies at the first byte: `made_of`.
    let place: *mut () = base.cast();
    if M::ASKS {
        match tag.get() {
            // SAFETY: at the start the arguments lie in their places. They are this call's to drop, by the mode.
            0 if M::DROPS => unsafe { drop_arguments(base, at) },
            // SAFETY: where it waits there is a coroutine. It is this call's to drop, by the mode.
            WAITS if M::DROPS => unsafe { hooks.drop(place) },
            _ => {}
        }
        return Poll::Pending;
    }
    if state > WAITS {
        return over(mode, state, done::<S>());
    }
    if state == 0 {
        if mode.must_tell::<S>() {
            return mode.untold();
        }
        // SAFETY: the bytes are as large, and as aligned; the arguments lie in their places.
        unsafe { hooks.make((&raw const at).cast(), place, place) };
        tag.set(WAITS);
    }
    let of = PhantomData;
    let mut waits = Waiting::<S> { hooks, place, of };
    let polled = mode.poll::<_, ByHooks>(Pin::new(&mut waits), waiting::<S>());
    polled.map(|output| tag.returned(output))
}
