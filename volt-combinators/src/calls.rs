//! One pass over a row of children: each is called once at most.

use core::mem;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::Context;

use crate::slots::{Row, Turn};
#[cfg(feature = "alloc")]
use crate::wake_set::Opening;
#[cfg(target_has_atomic = "ptr")]
use crate::wake_set::{CHILDREN, Pass, SoloPass};

/// Pendings in a row after which a pass gives way.
#[cfg(target_has_atomic = "ptr")]
const PATIENCE: u32 = 64;
#[cfg(target_has_atomic = "ptr")]
const _: () = assert!(CHILDREN <= PATIENCE as usize);

/// One pass with a wake set.
#[cfg(target_has_atomic = "ptr")]
pub(crate) struct Calls<'a, R, C> {
    row: Pin<&'a mut R>,
    completed: C,
    left: Kept<'a>,
    opened: Kept<'a>,
    /// Pendings in a row.
    pendings: u32,
}

/// A number that stands in a register during a pass, and is written back at its end.
pub(crate) struct Kept<'a> {
    pub(crate) now: u32,
    place: &'a mut u32,
}

impl<'a> Kept<'a> {
    #[inline]
    pub(crate) fn new(place: &'a mut u32) -> Self {
        Self { now: *place, place }
    }
}

impl Drop for Kept<'_> {
    #[inline]
    fn drop(&mut self) {
        *self.place = self.now;
    }
}

#[cfg(target_has_atomic = "ptr")]
impl<'a, R: Row, B, C: FnMut(Pin<&mut R>, usize) -> ControlFlow<B>> Calls<'a, R, C> {
    #[inline]
    pub(crate) fn new(
        row: Pin<&'a mut R>,
        completed: C,
        left: &'a mut u32,
        opened: &'a mut u32,
    ) -> Self {
        Self {
            row,
            completed,
            left: Kept::new(left),
            opened: Kept::new(opened),
            pendings: 0,
        }
    }

    /// Polls those who have never been polled, in order.
    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) fn all(mut self, opening: Opening<'_>) -> ControlFlow<Option<B>> {
        let shared = opening.waker();
        let mut cx = Context::from_waker(&shared);
        while opening.is_unused() {
            let Some(child) = self.unopened() else {
                return ControlFlow::Continue(());
            };
            opening.turn_to(child);
            let (opened, len) = (self.opened.now, self.len());
            self.call(child, &mut cx, || opened < len)?;
        }
        while let Some(child) = self.unopened() {
            let waker = opening.waker_of(child);
            let (opened, len) = (self.opened.now, self.len());
            self.call(child, &mut Context::from_waker(&waker), || opened < len)?;
        }
        ControlFlow::Continue(())
    }

    /// Polls those who have never been polled, if any are left, then those who were woken.
    #[inline]
    pub(crate) fn woken(mut self, mut pass: Pass<'_>) -> ControlFlow<Option<B>> {
        if self.opened.now != self.len() {
            return self.unopened_then_woken(pass);
        }
        while let Some((child, waker)) = pass.next() {
            let cx = &mut Context::from_waker(&waker);
            self.call(child, cx, || !pass.is_over())?;
        }
        ControlFlow::Continue(())
    }

    #[cold]
    #[inline(never)]
    fn unopened_then_woken(mut self, mut pass: Pass<'_>) -> ControlFlow<Option<B>> {
        let first = self.opened.now as usize;
        while let Some(child) = self.unopened() {
            let waker = pass.waker(child);
            let (opened, len) = (self.opened.now, self.len());
            let cx = &mut Context::from_waker(&waker);
            self.call(child, cx, || opened < len || !pass.is_over())?;
        }
        while let Some((child, waker)) = pass.next() {
            if child >= first {
                // It had its turn: the next pass sees to what woke it since.
                waker.wake_by_ref();
                continue;
            }
            let cx = &mut Context::from_waker(&waker);
            self.call(child, cx, || !pass.is_over())?;
        }
        ControlFlow::Continue(())
    }

    /// As [`woken`](Self::woken), where all have been polled and stand in one group: who is called
    /// once at most cannot be too many.
    #[inline]
    pub(crate) fn woken_of_one_group(mut self, mut pass: SoloPass<'_>) -> ControlFlow<Option<B>> {
        while let Some((child, waker)) = pass.next() {
            let cx = &mut Context::from_waker(&waker);
            let turn = turn(self.row.as_mut(), child, cx, &mut self.left.now);
            if turn == Turn::Completed
                && let ControlFlow::Break(result) = (self.completed)(self.row.as_mut(), child)
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
        self.row.len() as u32
    }

    #[inline]
    fn unopened(&mut self) -> Option<usize> {
        let child = self.opened.now as usize;
        if child == self.row.len() {
            return None;
        }
        self.opened.now += 1;
        Some(child)
    }

    /// Gives one child its turn. Breaks with a result, or without one when the pass gives way.
    #[inline]
    fn call(
        &mut self,
        child: usize,
        cx: &mut Context<'_>,
        more: impl FnOnce() -> bool,
    ) -> ControlFlow<Option<B>> {
        match turn(self.row.as_mut(), child, cx, &mut self.left.now) {
            Turn::Over => {}
            // So few cannot be too many. Of tuples and arrays it is known when they are compiled,
            // and the register of the count serves another.
            Turn::Pending if self.row.len() <= PATIENCE as usize => {}
            Turn::Pending => {
                self.pendings += 1;
                if self.pendings == PATIENCE && more() {
                    return ControlFlow::Break(None);
                }
            }
            Turn::Completed => {
                self.pendings = 0;
                if let ControlFlow::Break(result) = (self.completed)(self.row.as_mut(), child) {
                    return ControlFlow::Break(Some(result));
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Polls one child, and counts it no more if it completes or panics.
#[inline]
pub(crate) fn turn<R: Row>(
    row: Pin<&mut R>,
    child: usize,
    cx: &mut Context<'_>,
    left: &mut u32,
) -> Turn {
    /// What a panic leaves behind: one child less.
    struct Gone<'a>(&'a mut u32);
    impl Drop for Gone<'_> {
        fn drop(&mut self) {
            *self.0 -= 1;
        }
    }
    let gone = Gone(left);
    let turn = row.poll_child(child, cx);
    if turn != Turn::Completed {
        mem::forget(gone);
    }
    turn
}
