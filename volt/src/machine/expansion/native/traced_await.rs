//! `TracedAwait`: one `.await` of a machine that records its position.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::await_site::{SiteOf, Tracer};
#[cfg(not(feature = "std"))]
use super::position::ProgressCapture;
use super::position::{ArgumentsPtr, MachineLink, PositionStore, Progress, Table, note_pending};
use crate::machine::expansion::waker_check::noted_by;

/// A future that records its own address at its first poll. Its site was recorded when the await
/// began, because nothing else of the coroutine runs until the await ends.
///
/// It has no lifetime, because the compiler would check that in every await. Expanded code awaits
/// it in the expression that creates it, so nothing else of a body can store it, and its first poll
/// is next.
#[derive(Debug)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct TracedAwait<F> {
    future: F,
    link: MachineLink,
}

impl<F> TracedAwait<F> {
    /// Begins an await that the coroutine waits for at once.
    #[inline]
    pub(super) fn at_site<M: Table, T: Tracer<F>, const INDEX: usize, A>(
        future: F,
        ptr: ArgumentsPtr<'_, A>,
    ) -> Self {
        ptr.enter(const { &SiteOf::<F, M, T, INDEX>::SITE });
        let link = MachineLink::new(ptr.machine());
        Self { future, link }
    }

    /// Begins an await in a machine that would be compact with the feature `std`.
    #[cfg(not(feature = "std"))]
    #[inline]
    pub(super) fn compact<M: Table, T: Tracer<F>, const INDEX: usize, A>(
        future: F,
        ptr: ProgressCapture<'_, A>,
    ) -> Self {
        Self::at_site::<M, T, INDEX, A>(future, ptr.receive())
    }
}

impl<F: Future> Future for TracedAwait<F> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        // SAFETY: nothing is moved out.
        let this: *mut Self = unsafe { Pin::get_unchecked_mut(self) };
        // SAFETY: `this` is live.
        let link = unsafe { (*this).link };
        // SAFETY: N2, N5, N8: the machine around the await is being polled.
        let progress = unsafe { link.at_poll().cast::<Progress>().as_ref() };
        // SAFETY: `this` is live.
        let future = unsafe { &raw mut (*this).future };
        let at = future.cast_const().cast();
        if progress.is_some_and(|progress| progress.refuses_poll_at(at, cx)) {
            note_pending(at);
            return Poll::Pending;
        }
        // SAFETY: `this` is live, and there is no other reference to the field.
        let future = unsafe { &mut *future };
        // SAFETY: the field is pinned because the await is.
        let future = unsafe { Pin::new_unchecked(future) };
        let polled = noted_by(|cx| future.poll(cx), cx, || progress?.stage().waiting());
        if polled.is_pending() {
            note_pending(at);
        } else if cfg!(not(feature = "std"))
            && let Some(progress) = progress
        {
            progress.clear_inner_at(at);
        }
        polled
    }
}

/// The await of a machine that would be compact with the feature `std`.
#[cfg(not(feature = "std"))]
pub(super) use TracedAwait as CompactAwait;
