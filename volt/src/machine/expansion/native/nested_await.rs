//! `NestedAwait`: an await in a block that the coroutine of a machine awaits.

use core::future::Future;
use core::marker::PhantomData;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::await_site::{SiteOf, Tracer};
use super::position::{ArgumentsPtr, MachinePtr, Progress, Table, note_pending};
use crate::machine::expansion::waker_check::checked_by;

/// The site of a nested await, as a type, and its lifetime.
type SiteMarker<'m, M, T> = fn(&'m ()) -> (&'m (), M, T);

/// An await in a block that the coroutine awaits. The block may drop it early, or hold several of
/// them. So it has a pointer to the machine, and records its site at each poll.
#[derive(Debug)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct NestedAwait<'m, F, M, T, const INDEX: usize> {
    future: F,
    machine: MachinePtr,
    site: PhantomData<SiteMarker<'m, M, T>>,
}

impl<'m, F, M, T, const INDEX: usize> NestedAwait<'m, F, M, T, INDEX> {
    #[inline]
    pub(super) fn new<A>(future: F, ptr: ArgumentsPtr<'m, A>) -> Self {
        Self {
            future,
            machine: ptr.machine(),
            site: PhantomData,
        }
    }

    /// Returns the progress of the machine. A reference to the await would invalidate the future's
    /// own ones.
    ///
    /// # Safety
    ///
    /// `this` is live.
    #[inline]
    unsafe fn progress(this: *const Self) -> &'m Progress {
        // SAFETY: promised by the caller.
        let machine = unsafe { (*this).machine };
        // SAFETY: N2, N5: the coroutine, and so the machine around it, outlives what it holds.
        unsafe { &*machine.get().cast::<Progress>() }
    }
}

impl<F: Future, M: Table, T: Tracer<F>, const INDEX: usize> Future
    for NestedAwait<'_, F, M, T, INDEX>
{
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let site = const { &SiteOf::<F, M, T, INDEX>::SITE };
        // SAFETY: nothing is moved out.
        let this: *mut Self = unsafe { Pin::get_unchecked_mut(self) };
        // SAFETY: `this` is live.
        let progress = unsafe { Self::progress(this) };
        progress.set_site(site);
        // SAFETY: `this` is live.
        let future = unsafe { &raw mut (*this).future };
        let at = future.cast_const().cast();
        if progress.refuses_poll_at(at, cx) {
            note_pending(at);
            return Poll::Pending;
        }
        // SAFETY: `this` is live, and there is no other reference to the field.
        let future = unsafe { &mut *future };
        // SAFETY: the field is pinned because the await is, and `drop` does not move it.
        let future = unsafe { Pin::new_unchecked(future) };
        let polled = checked_by(|cx| future.poll(cx), cx, || Some(site.state));
        if polled.is_pending() {
            note_pending(at);
        }
        polled
    }
}

impl<F, M, T, const INDEX: usize> Drop for NestedAwait<'_, F, M, T, INDEX> {
    #[inline]
    fn drop(&mut self) {
        let future = (&raw const self.future).cast();
        // SAFETY: the await is live.
        unsafe { Self::progress(self) }.clear_inner_at(future);
    }
}
