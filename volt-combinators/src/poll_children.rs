//! One pass over the children: each is polled at most once.

use core::mem;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::Context;

use crate::slots::{ChildPoll, ChildStorage};
#[cfg(feature = "alloc")]
use crate::wake_set::FirstPass;
#[cfg(target_has_atomic = "ptr")]
use crate::wake_set::{CHILDREN, Pass, SoloPass};

/// The number of pending children in a row after which a pass yields to the task.
#[cfg(target_has_atomic = "ptr")]
const MAX_PENDING_IN_A_ROW: u32 = 64;
#[cfg(target_has_atomic = "ptr")]
const _: () = assert!(CHILDREN <= MAX_PENDING_IN_A_ROW as usize);

/// One pass with a wake set.
#[cfg(target_has_atomic = "ptr")]
pub(crate) struct PollChildren<'a, R, C> {
    storage: Pin<&'a mut R>,
    completed: C,
    left: WriteBack<'a>,
    started: WriteBack<'a>,
    /// The number of pending children since the last one that completed.
    pendings: u32,
}

/// A number that is kept in a register during a pass, and written back at its end.
pub(crate) struct WriteBack<'a> {
    pub(crate) now: u32,
    place: &'a mut u32,
}

impl<'a> WriteBack<'a> {
    #[inline]
    pub(crate) fn new(place: &'a mut u32) -> Self {
        Self { now: *place, place }
    }
}

impl Drop for WriteBack<'_> {
    #[inline]
    fn drop(&mut self) {
        *self.place = self.now;
    }
}

#[cfg(target_has_atomic = "ptr")]
impl<'a, R: ChildStorage, B, C: FnMut(Pin<&mut R>, usize) -> ControlFlow<B>>
    PollChildren<'a, R, C>
{
    #[inline]
    pub(crate) fn new(
        storage: Pin<&'a mut R>,
        completed: C,
        left: &'a mut u32,
        started: &'a mut u32,
    ) -> Self {
        Self {
            storage,
            completed,
            left: WriteBack::new(left),
            started: WriteBack::new(started),
            pendings: 0,
        }
    }

    /// Polls the children that have never been polled, in order.
    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) fn all(mut self, first: FirstPass<'_>) -> ControlFlow<Option<B>> {
        let shared = first.waker();
        let mut cx = Context::from_waker(&shared);
        while first.is_unused() {
            let Some(child) = self.next_unstarted() else {
                return ControlFlow::Continue(());
            };
            first.set_child(child);
            let (started, len) = (self.started.now, self.len());
            self.poll_child(child, &mut cx, || started < len)?;
        }
        while let Some(child) = self.next_unstarted() {
            let waker = first.waker_of(child);
            let (started, len) = (self.started.now, self.len());
            self.poll_child(child, &mut Context::from_waker(&waker), || started < len)?;
        }
        ControlFlow::Continue(())
    }

    /// Polls the children that have never been polled, if any are left, then the woken children.
    #[inline]
    pub(crate) fn woken(mut self, mut pass: Pass<'_>) -> ControlFlow<Option<B>> {
        if self.started.now != self.len() {
            return self.unstarted_then_woken(pass);
        }
        while let Some((child, waker)) = pass.next() {
            let cx = &mut Context::from_waker(&waker);
            self.poll_child(child, cx, || !pass.is_over())?;
        }
        ControlFlow::Continue(())
    }

    #[cold]
    #[inline(never)]
    fn unstarted_then_woken(mut self, mut pass: Pass<'_>) -> ControlFlow<Option<B>> {
        let first = self.started.now as usize;
        while let Some(child) = self.next_unstarted() {
            let waker = pass.waker(child);
            let (started, len) = (self.started.now, self.len());
            let cx = &mut Context::from_waker(&waker);
            self.poll_child(child, cx, || started < len || !pass.is_over())?;
        }
        while let Some((child, waker)) = pass.next() {
            if child >= first {
                // It was polled in this pass: the next pass handles the wake.
                waker.wake_by_ref();
                continue;
            }
            let cx = &mut Context::from_waker(&waker);
            self.poll_child(child, cx, || !pass.is_over())?;
        }
        ControlFlow::Continue(())
    }

    /// Polls the woken children when all have been polled before and are in one group. They are too
    /// few to reach `MAX_PENDING_IN_A_ROW`.
    #[inline]
    pub(crate) fn woken_in_one_group(mut self, mut pass: SoloPass<'_>) -> ControlFlow<Option<B>> {
        while let Some((child, waker)) = pass.next() {
            let cx = &mut Context::from_waker(&waker);
            let polled = poll_and_count(self.storage.as_mut(), child, cx, &mut self.left.now);
            if polled == ChildPoll::Completed
                && let ControlFlow::Break(result) = (self.completed)(self.storage.as_mut(), child)
            {
                pass.end();
                return ControlFlow::Break(Some(result));
            }
        }
        pass.end();
        ControlFlow::Continue(())
    }

    #[inline]
    fn len(&self) -> u32 {
        self.storage.len() as u32
    }

    #[inline]
    fn next_unstarted(&mut self) -> Option<usize> {
        let child = self.started.now as usize;
        if child == self.storage.len() {
            return None;
        }
        self.started.now += 1;
        Some(child)
    }

    /// Polls one child. Breaks with a result, or without one when the pass yields to the task.
    #[inline]
    fn poll_child(
        &mut self,
        child: usize,
        cx: &mut Context<'_>,
        more: impl FnOnce() -> bool,
    ) -> ControlFlow<Option<B>> {
        match poll_and_count(self.storage.as_mut(), child, cx, &mut self.left.now) {
            ChildPoll::NotLive => {}
            // So few children cannot reach the limit. The length of tuples and arrays is known at
            // compile time, which frees the register of the counter.
            ChildPoll::Pending if self.storage.len() <= MAX_PENDING_IN_A_ROW as usize => {}
            ChildPoll::Pending => {
                self.pendings += 1;
                if self.pendings == MAX_PENDING_IN_A_ROW && more() {
                    return ControlFlow::Break(None);
                }
            }
            ChildPoll::Completed => {
                self.pendings = 0;
                if let ControlFlow::Break(result) = (self.completed)(self.storage.as_mut(), child) {
                    return ControlFlow::Break(Some(result));
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Polls one child. Decrements `left` if the child completes or panics.
#[inline]
pub(crate) fn poll_and_count<R: ChildStorage>(
    storage: Pin<&mut R>,
    child: usize,
    cx: &mut Context<'_>,
    left: &mut u32,
) -> ChildPoll {
    /// Decrements the count when it is dropped.
    struct CountDown<'a>(&'a mut u32);
    impl Drop for CountDown<'_> {
        fn drop(&mut self) {
            *self.0 -= 1;
        }
    }
    let count_down = CountDown(left);
    let polled = storage.poll_child(child, cx);
    if polled != ChildPoll::Completed {
        mem::forget(count_down);
    }
    polled
}
