//! The check of the waker that a suspend point passes to its future.
//!
//! The awaited future gets a context whose waker is on the stack of the poll and records whether it
//! was cloned or woken. Clones are those of the real waker, so nothing of the check remains when
//! the poll returns. A machine among the awaited futures checks its own futures too. When it has
//! reported an await, it marks the outer waker as used, so that only the innermost await is
//! reported.
//!
//! # Invariants
//!
//! - I1: the data pointer of a watched waker leads to a `WatchedWaker` that outlives it. Both are
//!   locals of one call, and a borrowed waker cannot be stored.

use core::task::{Context, Poll};

use volt_inspect::machine::State;

/// Returns `true`, and has woken the task, if an await beyond the limit must not take place now:
/// see `await_limit`.
#[inline]
pub(crate) fn refuses(cx: &Context<'_>) -> bool {
    #[cfg(feature = "rt")]
    {
        crate::machine::await_limit::refuses(cx)
    }
    #[cfg(not(feature = "rt"))]
    {
        let _ = cx;
        false
    }
}

/// Ends a poll in which an await of the machine at `place` was beyond the limit: refuses the await,
/// or polls again if there is no limit.
#[inline]
pub(crate) fn refuse_or_poll<T>(
    mut poll: impl FnMut(&mut Context<'_>) -> Poll<T>,
    cx: &mut Context<'_>,
    place: usize,
) -> Poll<T> {
    #[cfg(feature = "rt")]
    {
        crate::machine::await_limit::refuse_or_poll(&mut poll, cx, place)
    }
    #[cfg(not(feature = "rt"))]
    {
        let _ = place;
        poll(cx)
    }
}

/// Polls an awaited future. With checks on, it reports the future if that forgets the waker.
/// `state` returns the state in which the machine waits then, if it is known.
///
/// Without the runtime and the feature `checks`, the future gets the caller's own waker, because
/// some executors compare it with their own.
#[inline]
pub(crate) fn checked_by<T>(
    poll: impl FnOnce(&mut Context<'_>) -> Poll<T>,
    cx: &mut Context<'_>,
    state: impl FnOnce() -> Option<&'static State>,
) -> Poll<T> {
    #[cfg(any(feature = "checks", all(feature = "rt", debug_assertions)))]
    {
        watched::poll_watched(cx, poll, state)
    }
    #[cfg(not(any(feature = "checks", all(feature = "rt", debug_assertions))))]
    {
        let _ = state;
        poll(cx)
    }
}

/// Polls the awaited future of a native machine, as [`checked_by`] does. With the feature `std` an
/// await knows its machine only at its first poll. So it notes a forgotten waker for
/// [`report_noted`].
#[inline]
pub(crate) fn noted_by<T>(
    poll: impl FnOnce(&mut Context<'_>) -> Poll<T>,
    cx: &mut Context<'_>,
    state: impl FnOnce() -> Option<&'static State>,
) -> Poll<T> {
    #[cfg(feature = "std")]
    {
        let _ = state;
        checked_by(poll, cx, noted::note)
    }
    #[cfg(not(feature = "std"))]
    {
        checked_by(poll, cx, state)
    }
}

/// Reports the await at which a machine waits, if its future was noted. It is called when the
/// machine's coroutine has returned from its poll.
#[inline]
pub(crate) fn report_noted(cx: &Context<'_>, state: impl FnOnce() -> Option<&'static State>) {
    #[cfg(all(
        feature = "std",
        any(feature = "checks", all(feature = "rt", debug_assertions))
    ))]
    {
        if noted::take()
            && let Some(state) = state()
        {
            watched::report(cx, state);
        }
    }
    #[cfg(not(all(
        feature = "std",
        any(feature = "checks", all(feature = "rt", debug_assertions))
    )))]
    {
        let _ = (cx, state);
    }
}

/// The note of an await whose future has forgotten its waker.
#[cfg(feature = "std")]
mod noted {
    use core::cell::Cell;

    use volt_inspect::machine::State;

    std::thread_local! {
        static IS_NOTED: Cell<bool> = const { Cell::new(false) };
    }

    /// Notes the await, for which nothing is reported yet.
    pub(super) fn note() -> Option<&'static State> {
        IS_NOTED.set(true);
        None
    }

    #[cfg(any(feature = "checks", all(feature = "rt", debug_assertions)))]
    pub(super) fn take() -> bool {
        IS_NOTED.replace(false)
    }
}

#[cfg(any(feature = "checks", all(feature = "rt", debug_assertions)))]
mod watched {
    use core::mem::ManuallyDrop;
    use core::ptr;
    use core::sync::atomic::{AtomicBool, Ordering};
    use core::task::{Context, Poll, RawWaker, RawWakerVTable, Waker};

    use crate::machine::forgotten;
    use volt_inspect::machine::State;

    /// A waker, and whether it was used.
    struct WatchedWaker<'a> {
        waker: &'a Waker,
        is_used: AtomicBool,
    }

    pub(crate) fn poll_watched<T>(
        cx: &mut Context<'_>,
        poll: impl FnOnce(&mut Context<'_>) -> Poll<T>,
        state: impl FnOnce() -> Option<&'static State>,
    ) -> Poll<T> {
        let watch = WatchedWaker {
            waker: cx.waker(),
            is_used: AtomicBool::new(false),
        };
        // SAFETY: I1, and the table meets the contract of `RawWaker`: it is thread safe, and clones
        // are those of the watched waker.
        let waker = unsafe { Waker::new(ptr::from_ref(&watch).cast(), &TABLE) };
        let polled = poll(&mut Context::from_waker(&waker));
        // ORDERING: Relaxed. A use on another thread happens before the end of this poll.
        if polled.is_pending()
            && !watch.is_used.load(Ordering::Relaxed)
            && let Some(state) = state()
        {
            report(cx, state);
        }
        polled
    }

    pub(super) fn report(cx: &Context<'_>, state: &'static State) {
        forgotten::report(state);
        // The outer await counts its waker as used, because this await is reported.
        drop(cx.waker().clone());
    }

    static TABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake, |_| {});

    /// # Safety
    ///
    /// The pointer is that of a live `WatchedWaker`.
    unsafe fn mark_used<'a>(watch: *const ()) -> &'a Waker {
        // SAFETY: promised by the caller.
        let watch = unsafe { &*watch.cast::<WatchedWaker<'a>>() };
        watch.is_used.store(true, Ordering::Relaxed);
        watch.waker
    }

    unsafe fn clone(watch: *const ()) -> RawWaker {
        // SAFETY: I1.
        let waker = unsafe { mark_used(watch) };
        let waker = ManuallyDrop::new(waker.clone());
        RawWaker::new(waker.data(), waker.vtable())
    }

    /// Wakes, by value or by reference: the watched waker is only borrowed.
    unsafe fn wake(watch: *const ()) {
        // SAFETY: I1.
        let waker = unsafe { mark_used(watch) };
        waker.wake_by_ref();
    }
}
