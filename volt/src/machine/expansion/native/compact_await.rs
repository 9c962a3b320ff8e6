//! `CompactAwait`: one `.await` of a machine that stores only its coroutine.

use core::future::Future;
use core::pin::Pin;
use core::ptr;
use core::task::{Context, Poll};

use super::await_site::{SiteOf, Tracer};
use super::position::{
    CompactPtr, Site, Table, is_beyond_limit, leave_macro, note_suspended, pass, take,
};
use crate::machine::expansion::waker_check::{noted_by, refuses};

/// A future that leaves a note if its first poll is pending.
///
/// Expanded code awaits it in the expression that creates it, so its first poll is next, and takes
/// the site.
#[derive(Debug)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct CompactAwait<F>(F);

impl<F> CompactAwait<F> {
    #[inline]
    pub(super) fn compact<M: Table, T: Tracer<F>, const INDEX: usize, A>(
        future: F,
        _: CompactPtr<'_, A>,
    ) -> Self {
        begin_compact::<F, M, T, INDEX>();
        Self(future)
    }
}

impl<F: Future> Future for CompactAwait<F> {
    type Output = F::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        // SAFETY: nothing is moved out.
        let this: *mut Self = unsafe { Pin::get_unchecked_mut(self) };
        // SAFETY: `this` is live. A reference would invalidate those that the future has into
        // itself.
        let future = unsafe { &raw mut (*this).0 };
        poll_compact_await(future.cast_const().cast(), cx, |cx| {
            // SAFETY: `this` is live, and there is no other reference to the field.
            let future = unsafe { &mut *future };
            // SAFETY: the field is pinned because the await is.
            unsafe { Pin::new_unchecked(future) }.poll(cx)
        })
    }
}

/// Passes the site of an await to the first poll of its future, which is next.
#[inline]
pub(super) fn begin_compact<F, M: Table, T: Tracer<F>, const INDEX: usize>() {
    let site: &'static Site = const { &SiteOf::<F, M, T, INDEX>::SITE };
    if M::HIDES_AWAITS {
        leave_macro();
    }
    pass(ptr::from_ref(site).cast());
}

/// Polls the awaited future at an address, and leaves a note if the first poll is pending.
#[inline]
pub(super) fn poll_compact_await<R>(
    at: *const (),
    cx: &mut Context<'_>,
    poll: impl FnOnce(&mut Context<'_>) -> Poll<R>,
) -> Poll<R> {
    let site = take().cast::<Site>();
    if !site.is_null() && is_beyond_limit() && cfg!(feature = "rt") && refuses(cx) {
        note_suspended(site, at);
        return Poll::Pending;
    }
    let polled = noted_by(poll, cx, || None);
    if polled.is_pending() && !site.is_null() {
        note_suspended(site, at);
    }
    polled
}
