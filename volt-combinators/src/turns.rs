//! Whose turn it is: one pass over the children that were woken.
//!
//! Every combinator of several futures is a row of children, a [`Turns`], and what it does when a
//! child completes. The rules kept here:
//!
//! 1. Only woken children are polled, each at most once a pass. One that wakes itself is polled in
//!    the next pass, which its wake asks the parent for.
//! 2. After [`PATIENCE`] Pendings in a row the pass stops, keeps who is left, and wakes the parent:
//!    children that refuse to go on because the task's budget is spent are not all asked.
//! 3. A pass starts after the child that was polled last, or, when biased, with the first.
//! 4. One or two children are polled with the parent's own waker: no allocation, and no way to tell
//!    who woke. Without an allocator all rows are polled so.
//! 5. A panic leaves the child's slot gone and the other children as they are.

use core::fmt;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::{Context, Poll};

use crate::slots::{Row, Turn};
#[cfg(feature = "alloc")]
use crate::wake_set::WakeSet;

/// Pendings in a row after which a pass gives way.
#[cfg(feature = "alloc")]
const PATIENCE: u32 = 64;

/// Rows up to this length are polled with the parent's waker.
#[cfg(feature = "alloc")]
const FEW: usize = 2;

/// The turns of a row of children, and the life of the combinator that gives them.
pub(crate) struct Turns {
    /// Made when the first pass finds more than a few children.
    #[cfg(feature = "alloc")]
    set: Option<WakeSet>,
    /// Live children.
    left: u32,
    biased: bool,
    phase: Phase,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Running,
    /// Between [`Turns::enter`] and [`Turns::pause`] or [`Turns::finish`], or after a panic there.
    Entered,
    Finished,
}

impl Turns {
    /// # Panics
    ///
    /// Panics if there are more than `u32::MAX` children.
    pub(crate) fn new(row: &impl Row) -> Self {
        Self {
            #[cfg(feature = "alloc")]
            set: None,
            left: u32::try_from(row.len()).expect("more children than can be numbered"),
            biased: false,
            phase: Phase::Running,
        }
    }

    pub(crate) fn set_biased(&mut self) {
        self.biased = true;
    }

    /// How many children are live.
    pub(crate) fn left(&self) -> usize {
        self.left as usize
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.phase == Phase::Finished
    }

    /// Marks the beginning of a poll that a panic must not leave unnoticed.
    ///
    /// # Panics
    ///
    /// Panics if the combinator called `name` has finished, or never left its last poll.
    #[inline]
    pub(crate) fn enter(&mut self, name: &str) {
        if self.phase != Phase::Running {
            misused(name, self.phase);
        }
        self.phase = Phase::Entered;
    }

    /// Marks the end of a poll that returns Pending.
    #[inline]
    pub(crate) fn pause(&mut self) {
        self.phase = Phase::Running;
    }

    /// Marks the end of the combinator, and releases the parent's waker.
    #[inline]
    pub(crate) fn finish(&mut self) {
        self.phase = Phase::Finished;
        #[cfg(feature = "alloc")]
        drop(self.set.take());
    }

    /// Gives each woken child one turn. `completed` hears of each that completes, with its output
    /// in its slot, and may break the pass off.
    ///
    /// Ready with `None` when no live child is left.
    #[inline]
    pub(crate) fn pass<R: Row, B>(
        &mut self,
        row: Pin<&mut R>,
        cx: &mut Context<'_>,
        completed: impl FnMut(Pin<&mut R>, usize) -> ControlFlow<B>,
    ) -> Poll<Option<B>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        #[cfg(feature = "alloc")]
        if row.len() > FEW {
            return self.pass_woken(row, cx, completed);
        }
        self.pass_all(row, cx, completed)
    }

    #[inline]
    fn pass_all<R: Row, B>(
        &mut self,
        mut row: Pin<&mut R>,
        cx: &mut Context<'_>,
        mut completed: impl FnMut(Pin<&mut R>, usize) -> ControlFlow<B>,
    ) -> Poll<Option<B>> {
        for child in 0..row.len() {
            if turn(row.as_mut(), child, cx, &mut self.left) == Turn::Completed
                && let ControlFlow::Break(result) = completed(row.as_mut(), child)
            {
                return Poll::Ready(Some(result));
            }
        }
        end_of_pass(self.left)
    }

    #[cfg(feature = "alloc")]
    fn pass_woken<R: Row, B>(
        &mut self,
        mut row: Pin<&mut R>,
        cx: &mut Context<'_>,
        mut completed: impl FnMut(Pin<&mut R>, usize) -> ControlFlow<B>,
    ) -> Poll<Option<B>> {
        let set = self.set.get_or_insert_with(|| WakeSet::new(row.len()));
        set.begin(cx.waker(), self.biased);
        let mut pendings = 0;
        while let Some(child) = set.next() {
            let waker = set.waker(child);
            let mut child_cx = Context::from_waker(&waker);
            match turn(row.as_mut(), child, &mut child_cx, &mut self.left) {
                Turn::Over => {}
                Turn::Pending => {
                    pendings += 1;
                    if pendings == PATIENCE && !set.is_idle() {
                        cx.waker().wake_by_ref();
                        return Poll::Pending;
                    }
                }
                Turn::Completed => {
                    pendings = 0;
                    if let ControlFlow::Break(result) = completed(row.as_mut(), child) {
                        return Poll::Ready(Some(result));
                    }
                }
            }
        }
        end_of_pass(self.left)
    }
}

/// Polls one child. It does not count as live while it runs, so that a panic leaves it uncounted.
#[inline]
fn turn<R: Row>(row: Pin<&mut R>, child: usize, cx: &mut Context<'_>, left: &mut u32) -> Turn {
    let before = *left;
    *left = before.wrapping_sub(1);
    let turn = row.poll_child(child, cx);
    if turn != Turn::Completed {
        *left = before;
    }
    turn
}

#[inline]
fn end_of_pass<B>(left: u32) -> Poll<Option<B>> {
    if left == 0 {
        Poll::Ready(None)
    } else {
        Poll::Pending
    }
}

#[cold]
fn misused(name: &str, phase: Phase) -> ! {
    match phase {
        Phase::Finished => panic!("`{name}` polled after completion"),
        _ => panic!("`{name}` polled after one of its children panicked"),
    }
}

impl fmt::Debug for Turns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turns")
            .field("left", &self.left)
            .field("phase", &self.phase)
            .finish_non_exhaustive()
    }
}
