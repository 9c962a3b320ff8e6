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
//! `advance` asks here before it does anything else. The question is a constant, so a machine that is explicit has
//! none of this in its code.

use core::future::Future;
use core::pin::Pin;
use core::task::Poll;

use super::advance::Inferred;
use super::coroutine::Gives;
use super::how::Told;
use super::mode::{Mode, over};
use super::parts::Parts;
use super::slot::Slot;
use super::tag::{Tag, done};
use crate::machine::layout::{Layout, Storage};
use crate::machine::private::native::Table;
use crate::machine::state::State;

/// The number of the state in which the coroutine waits, at whichever await.
pub(super) const WAITS: u8 = 1;

/// Whether a machine keeps the compiler's coroutine.
#[must_use]
pub const fn is_native<S: Parts>() -> bool {
    S::PLACES_UNLESS_IT_AWAITS_ITSELF_WITHOUT_BOX_PIN.is_native
}

/// The layout of a machine; `line` is that of its function.
#[must_use]
pub(super) const fn layout<S: Parts>(line: u32) -> Layout {
    match is_native::<S>() {
        true => Layout::Native {
            why: match S::PLACES_UNLESS_IT_AWAITS_ITSELF_WITHOUT_BOX_PIN.hides {
                true => "the written type of a local hides a lifetime",
                false => "the explicit layout would be larger than the compiler's future",
            },
            line,
            storage: Storage::Inline,
        },
        false => Layout::Explicit,
    }
}

/// The state of a machine whose coroutine waits. At which await is not known, unless there is one alone.
pub(super) fn waiting<S: Inferred>() -> &'static State {
    match S::STATES {
        [_, only, _] => only,
        _ => &<S as Table>::TABLES.own[2],
    }
}

/// The arguments of a machine that was not polled yet, in their slots.
pub trait Arguments {
    /// Their values.
    type Values;

    /// Takes them out.
    fn take(self) -> Self::Values;
}

macro_rules! arguments {
    ($($argument:ident)*) => {
        impl<$($argument),*> Arguments for ($(&Slot<$argument>,)*) {
            type Values = ($($argument,)*);

            #[inline]
            fn take(self) -> Self::Values {
                #[expect(non_snake_case, reason = "each is named as its type")]
                let ($($argument,)*) = self;
                ($($argument.take(),)*)
            }
        }
    };
}

arguments!(A);
arguments!(A B);
arguments!(A B C);
arguments!(A B C D);
arguments!(A B C D E);
arguments!(A B C D E G);
arguments!(A B C D E G H);
arguments!(A B C D E G H I);

impl Arguments for () {
    type Values = ();

    fn take(self) {}
}

/// Does with a coroutine what the mode is for; before the first poll with the arguments, in the order of their declarations.
///
/// # Safety
///
/// As for [`Inferred::advance`], of a machine that is native. `make` makes its coroutine, and is the same at each call;
/// the slots are those of its arguments.
#[inline]
pub unsafe fn instead<S, M, F, A>(
    base: *mut u8,
    state: u8,
    mode: &mut M,
    make: F,
    arguments: A,
) -> Poll<S::Output>
where
    S: Inferred,
    M: Mode,
    A: Arguments,
    F: Gives<A::Values>,
    F::Output: Future<Output = S::Output>,
{
    // SAFETY: promised by the caller.
    let tag = unsafe { Tag::<S>::of(base) };
    // The coroutine lies at the first byte: `made_of`.
    let coroutine: *mut F::Output = base.cast();
    if M::ASKS {
        match tag.get() {
            0 if M::DROPS => drop(arguments.take()),
            // SAFETY: where it waits there is a coroutine. It is this call's to drop, by the mode.
            WAITS if M::DROPS => unsafe { coroutine.drop_in_place() },
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
        let made = make.give(arguments.take());
        // SAFETY: the bytes are as large, and as aligned; the arguments were taken out.
        unsafe { coroutine.write(made) };
        tag.set(WAITS);
    }
    // SAFETY: where it waits there is a coroutine, which nobody else refers to.
    let waiting_one = unsafe { &mut *coroutine };
    // SAFETY: the machine is pinned, and the coroutine stays where it is until it is dropped.
    let pinned = unsafe { Pin::new_unchecked(waiting_one) };
    let polled = mode.poll::<_, Told>(pinned, waiting::<S>());
    polled.map(|output| tag.returned(output))
}
