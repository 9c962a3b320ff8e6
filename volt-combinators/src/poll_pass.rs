//! One poll of a row of children: who is polled, and in which order.
//!
//! Every combinator of several futures is a row of children, a [`PollPass`], and what it does when a
//! child completes. The rules:
//!
//! 1. Only children that were woken are polled, each at most once in a pass. A child that wakes itself
//!    is polled in the next pass; its wake asks the task for that.
//! 2. After `PATIENCE` children in a row that are not ready, the pass stops and wakes the task. The
//!    children that had no turn are kept. So when the budget of the task is spent, not all children are
//!    asked in vain.
//! 3. A pass starts behind the child that was polled last; a biased pass starts with the first child.
//!    A pass that stopped by rule 2 goes on where it stopped, even if it is biased, so that every child
//!    has its turn.
//! 4. One or two children are polled with the waker of the task: this takes no allocation, and does not
//!    tell which one woke. Without an allocator the same is done for all rows without a static set:
//!    each pass polls every live child, and rule 2 does not apply.
//! 5. A panic leaves the slot of the child empty and the other children as they are.

use core::fmt;
use core::ops::ControlFlow;
use core::pin::Pin;
#[cfg(target_has_atomic = "ptr")]
use core::task::Waker;
use core::task::{Context, Poll};

#[cfg(target_has_atomic = "ptr")]
use crate::calls::Calls;
use crate::calls::{Kept, turn};
use crate::phase::Phase;
use crate::slots::{Row, Turn};
#[cfg(feature = "alloc")]
use crate::wake_set::Opening;
#[cfg(all(target_has_atomic = "ptr", not(loom)))]
use crate::wake_set::StaticWakeSet;
#[cfg(target_has_atomic = "ptr")]
use crate::wake_set::{CHILDREN, WakeSet};

/// Rows up to this length are polled with the parent's waker.
#[cfg(target_has_atomic = "ptr")]
const FEW: usize = 2;

/// Which children of a row have been polled, which are live, and where the combinator is in its life.
pub(crate) struct PollPass {
    /// Made when a child of more than a few asks for a waker, or given.
    #[cfg(target_has_atomic = "ptr")]
    set: Option<WakeSet>,
    /// Live children.
    left: u32,
    /// Children that have been polled, all with lower numbers than the others.
    #[cfg(target_has_atomic = "ptr")]
    opened: u32,
    biased: bool,
    phase: Phase,
}

impl PollPass {
    /// # Panics
    ///
    /// Panics if there are more than `u32::MAX` children.
    #[inline]
    pub(crate) fn new(row: &impl Row) -> Self {
        Self {
            #[cfg(target_has_atomic = "ptr")]
            set: None,
            #[cfg(target_has_atomic = "ptr")]
            opened: 0,
            left: u32::try_from(row.len()).expect("more children than can be numbered"),
            biased: false,
            phase: Phase::Running,
        }
    }

    pub(crate) fn set_biased(&mut self) {
        self.biased = true;
    }

    /// Gives the children wakers of their own, before the first pass, if they need and can have
    /// them.
    #[cfg(all(target_has_atomic = "ptr", not(loom)))]
    pub(crate) fn set_wake_set<const GROUPS: usize>(
        &mut self,
        set: &'static StaticWakeSet<GROUPS>,
    ) {
        if self.left() > FEW && self.set.is_none() {
            self.set = set.take(self.left());
        }
    }

    /// How many children are live.
    pub(crate) fn left(&self) -> usize {
        self.left as usize
    }

    /// See [`Phase::is_over`].
    pub(crate) fn is_over(&self) -> bool {
        self.phase.is_over()
    }

    /// See [`Phase::enter`].
    #[inline]
    pub(crate) fn enter(&mut self, name: &str) {
        self.phase.enter(name);
    }

    /// See [`Phase::pause`].
    #[inline]
    pub(crate) fn pause(&mut self) {
        self.phase.pause();
    }

    /// Marks the end of the combinator, and releases the parent's waker.
    #[inline]
    pub(crate) fn finish(&mut self) {
        self.release();
        self.phase.finish();
    }

    /// Releases the parent's waker, before what is left of the row is dropped: the end comes after
    /// that, as a destructor may panic.
    #[inline]
    pub(crate) fn release(&mut self) {
        #[cfg(target_has_atomic = "ptr")]
        drop(self.set.take());
    }

    /// Gives each woken child one turn. `completed` hears of each that completes, with its output
    /// in its slot, and may break the pass off.
    ///
    /// Ready with `None` when no live child is left.
    #[inline]
    pub(crate) fn run<R: Row, B>(
        &mut self,
        row: Pin<&mut R>,
        cx: &mut Context<'_>,
        completed: impl FnMut(Pin<&mut R>, usize) -> ControlFlow<B>,
    ) -> Poll<Option<B>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        #[cfg(target_has_atomic = "ptr")]
        if row.len() > FEW
            && let Some(set) = &mut self.set
        {
            let is_few = row.len() <= CHILDREN && self.opened as usize == row.len();
            let calls = Calls::new(row, completed, &mut self.left, &mut self.opened);
            let end = if is_few {
                calls.woken_of_one_group(set.begin_solo(cx.waker(), self.biased))
            } else {
                calls.woken(set.begin(cx.waker(), self.biased))
            };
            return self.end(end, cx.waker());
        }
        #[cfg(feature = "alloc")]
        if row.len() > FEW {
            let opening = Opening::new(&mut self.set, cx.waker(), row.len());
            let calls = Calls::new(row, completed, &mut self.left, &mut self.opened);
            let end = calls.all(opening);
            return self.end(end, cx.waker());
        }
        self.run_all(row, cx, completed)
    }

    #[inline]
    fn run_all<R: Row, B>(
        &mut self,
        mut row: Pin<&mut R>,
        cx: &mut Context<'_>,
        mut completed: impl FnMut(Pin<&mut R>, usize) -> ControlFlow<B>,
    ) -> Poll<Option<B>> {
        let mut left = Kept::new(&mut self.left);
        for child in 0..row.len() {
            if turn(row.as_mut(), child, cx, &mut left.now) == Turn::Completed
                && let ControlFlow::Break(result) = completed(row.as_mut(), child)
            {
                return Poll::Ready(Some(result));
            }
        }
        end_of_pass(left.now)
    }

    #[cfg(target_has_atomic = "ptr")]
    #[inline]
    fn end<B>(&mut self, end: ControlFlow<Option<B>>, parent: &Waker) -> Poll<Option<B>> {
        match end {
            ControlFlow::Continue(()) if self.left == 0 => Poll::Ready(None),
            ControlFlow::Continue(()) => {
                if let Some(set) = &mut self.set {
                    set.rest();
                }
                Poll::Pending
            }
            ControlFlow::Break(Some(result)) => Poll::Ready(Some(result)),
            ControlFlow::Break(None) => {
                self.give_way(parent);
                Poll::Pending
            }
        }
    }
}

impl PollPass {
    #[cfg(target_has_atomic = "ptr")]
    #[cold]
    #[inline(never)]
    fn give_way(&self, parent: &Waker) {
        if let Some(set) = &self.set {
            set.give_way();
        }
        parent.wake_by_ref();
    }
}

#[inline]
fn end_of_pass<B>(left: u32) -> Poll<Option<B>> {
    if left == 0 {
        Poll::Ready(None)
    } else {
        Poll::Pending
    }
}

/// Declares the options of a combinator.
macro_rules! options {
    ($Type:ident $(, where Row: $Row:ident)?) => {
        impl<C: Children$(<Row: $Row>)?> $Type<C> {
            /// Polls the futures always in their order, instead of starting after the last one
            /// polled.
            ///
            /// ```
            /// # use core::future::ready;
            /// use volt_combinators::FuturesExt;
            ///
            /// let first = [ready("important"), ready("other")].race().biased();
            /// assert_eq!(futures::executor::block_on(first), "important");
            /// ```
            #[inline]
            pub fn biased(mut self) -> Self {
                self.pass.set_biased();
                self
            }

            /// Gives the futures wakers of their own out of a static: only those that woke are
            /// polled, without an allocation.
            ///
            /// Nothing changes if the set is taken or too small, or if there are no more than two
            /// futures.
            #[cfg(all(target_has_atomic = "ptr", not(loom)))]
            #[inline]
            pub fn wake_set<const GROUPS: usize>(
                mut self,
                set: &'static crate::wake_set::StaticWakeSet<GROUPS>,
            ) -> Self {
                self.pass.set_wake_set(set);
                self
            }
        }
    };
}
pub(crate) use options;

impl fmt::Debug for PollPass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PollPass")
            .field("left", &self.left)
            .field("phase", &self.phase)
            .finish_non_exhaustive()
    }
}
