//! One poll of a combinator: which children are polled, and in which order.
//!
//! A combinator of several futures consists of a storage of children, a [`PollPass`], and a
//! function that handles the completion of a child. The rules:
//!
//! 1. Only woken children are polled, each at most once in a pass. A child that wakes itself is
//!    polled in the next pass; its wake also wakes the task.
//! 2. After `MAX_PENDING_IN_A_ROW` pending children in a row, the pass stops and wakes the task.
//!    The children that were not polled remain woken. So a task without budget does not poll all
//!    its children in vain.
//! 3. A pass starts after the child that was polled last; a biased pass starts with the first
//!    child. A pass that stopped by rule 2 continues where it stopped, even if it is biased, so
//!    that every child is polled.
//! 4. One or two children are polled with the waker of the task. This needs no allocation, and does
//!    not record which child was woken. Without an allocator, storages without a static set do the
//!    same: each pass polls every live child, and rule 2 does not apply.
//! 5. A panic leaves the slot of the child empty and the other children as they are.

use core::fmt;
use core::ops::ControlFlow;
use core::pin::Pin;
#[cfg(target_has_atomic = "ptr")]
use core::task::Waker;
use core::task::{Context, Poll};

#[cfg(target_has_atomic = "ptr")]
use volt_inspect::is_inspection_poll;
use volt_inspect::{Inspector, Status};

use crate::phase::Phase;
#[cfg(target_has_atomic = "ptr")]
use crate::poll_children::PollChildren;
use crate::poll_children::{WriteBack, poll_and_count};
#[cfg(target_has_atomic = "ptr")]
use crate::slots::SHARED_WAKER_CHILDREN;
use crate::slots::{ChildPoll, ChildStorage};
#[cfg(feature = "alloc")]
use crate::wake_set::FirstPass;
#[cfg(all(target_has_atomic = "ptr", not(loom)))]
use crate::wake_set::StaticWakeSet;
#[cfg(target_has_atomic = "ptr")]
use crate::wake_set::{CHILDREN, WakeSet};

/// The state of the passes over a storage: its live and polled children, and the phase.
pub(crate) struct PollPass {
    /// Created when one of more than two children clones its waker, or supplied by the user.
    #[cfg(target_has_atomic = "ptr")]
    set: Option<WakeSet>,
    /// Live children.
    left: u32,
    /// The number of children that have been polled. They are the first ones.
    #[cfg(target_has_atomic = "ptr")]
    started: u32,
    biased: bool,
    phase: Phase,
}

impl PollPass {
    /// # Panics
    ///
    /// Panics if there are more than `u32::MAX` children.
    #[inline]
    pub(crate) fn new(storage: &impl ChildStorage) -> Self {
        Self {
            #[cfg(target_has_atomic = "ptr")]
            set: None,
            #[cfg(target_has_atomic = "ptr")]
            started: 0,
            left: u32::try_from(storage.len()).expect("more children than can be numbered"),
            biased: false,
            phase: Phase::Running,
        }
    }

    pub(crate) fn set_biased(&mut self) {
        self.biased = true;
    }

    /// Gives each child its own waker, before the first pass, if the set has room and the children
    /// need it.
    #[cfg(all(target_has_atomic = "ptr", not(loom)))]
    pub(crate) fn set_wake_set<const GROUPS: usize>(
        &mut self,
        set: &'static StaticWakeSet<GROUPS>,
    ) {
        if self.left() > SHARED_WAKER_CHILDREN && self.set.is_none() {
            self.set = set.take(self.left());
        }
    }

    /// Returns the number of live children.
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

    /// Marks the end of the combinator, and drops the parent's waker.
    #[inline]
    pub(crate) fn finish(&mut self) {
        self.drop_set();
        self.phase.finish();
    }

    /// Drops the parent's waker. The caller then drops the remaining children, and calls
    /// [`finish_released`](Self::finish_released) last, because a destructor may panic.
    ///
    /// The polls of a storage that never has a set contain no code for it.
    #[inline]
    pub(crate) fn release<R: ChildStorage>(&mut self) {
        if R::MAY_USE_WAKE_SET {
            self.drop_set();
        }
    }

    /// Marks the end of the combinator after [`release`](Self::release).
    #[inline]
    pub(crate) fn finish_released(&mut self) {
        self.phase.finish();
    }

    /// The check saves the writes to an empty field, which each poll would have in its frame.
    #[inline]
    fn drop_set(&mut self) {
        #[cfg(target_has_atomic = "ptr")]
        if self.set.is_some() {
            drop(self.set.take());
        }
    }

    /// Reports each child with its status.
    pub(crate) fn inspect<R: ChildStorage>(
        &self,
        mut storage: Pin<&mut R>,
        inspector: &mut Inspector<'_>,
    ) {
        for child in 0..storage.len() {
            if inspector.is_full() {
                inspector.omit(storage.len() - child);
                return;
            }
            storage
                .as_mut()
                .inspect_child(child, self.status(child), inspector);
        }
    }

    /// Returns the status of a live child. Children that share the waker of the task are waiting.
    #[cfg(target_has_atomic = "ptr")]
    fn status(&self, child: usize) -> Status {
        match &self.set {
            None => Status::Waiting,
            Some(_) if child >= self.started as usize => Status::NotStarted,
            Some(set) if set.is_woken(child) => Status::Woken,
            Some(_) => Status::Waiting,
        }
    }

    #[cfg(not(target_has_atomic = "ptr"))]
    fn status(&self, _: usize) -> Status {
        Status::Waiting
    }

    /// Polls each woken child once. Calls `completed` for each child that completes, with its
    /// output in its slot. `completed` may end the pass.
    ///
    /// Returns `Ready(None)` when no live child is left.
    #[inline]
    pub(crate) fn run<R: ChildStorage, B>(
        &mut self,
        storage: Pin<&mut R>,
        cx: &mut Context<'_>,
        completed: impl FnMut(Pin<&mut R>, usize) -> ControlFlow<B>,
    ) -> Poll<Option<B>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        #[cfg(target_has_atomic = "ptr")]
        if storage.len() > SHARED_WAKER_CHILDREN
            && let Some(set) = &mut self.set
        {
            let fits_one_group = storage.len() <= CHILDREN;
            let have_all_started = self.started as usize == storage.len();
            if have_all_started && is_inspection_poll() {
                return self.poll_all_to_inspect(storage, cx, completed);
            }
            let children = PollChildren::new(storage, completed, &mut self.left, &mut self.started);
            let end = if fits_one_group && have_all_started {
                children.woken_in_one_group(set.begin_solo(cx.waker(), self.biased))
            } else {
                children.woken(set.begin(cx.waker(), self.biased))
            };
            return self.end(end, cx.waker());
        }
        #[cfg(feature = "alloc")]
        if storage.len() > SHARED_WAKER_CHILDREN {
            let first = FirstPass::new(&mut self.set, cx.waker(), storage.len());
            let children = PollChildren::new(storage, completed, &mut self.left, &mut self.started);
            let end = children.all(first);
            return self.end(end, cx.waker());
        }
        self.run_all(storage, cx, completed)
    }

    #[inline]
    fn run_all<R: ChildStorage, B>(
        &mut self,
        mut storage: Pin<&mut R>,
        cx: &mut Context<'_>,
        mut completed: impl FnMut(Pin<&mut R>, usize) -> ControlFlow<B>,
    ) -> Poll<Option<B>> {
        let mut left = WriteBack::new(&mut self.left);
        for child in 0..storage.len() {
            if poll_and_count(storage.as_mut(), child, cx, &mut left.now) == ChildPoll::Completed
                && let ControlFlow::Break(result) = completed(storage.as_mut(), child)
            {
                return Poll::Ready(Some(result));
            }
        }
        poll_of_live(left.now)
    }

    /// Polls each child with the waker of the task, which shows it to the runtime, and again with
    /// its own waker.
    #[cfg(target_has_atomic = "ptr")]
    #[cold]
    #[inline(never)]
    fn poll_all_to_inspect<R: ChildStorage, B>(
        &mut self,
        mut storage: Pin<&mut R>,
        cx: &mut Context<'_>,
        mut completed: impl FnMut(Pin<&mut R>, usize) -> ControlFlow<B>,
    ) -> Poll<Option<B>> {
        let Some(set) = &mut self.set else {
            return Poll::Pending;
        };
        set.take_all(cx.waker());
        let mut left = WriteBack::new(&mut self.left);
        for child in 0..storage.len() {
            // The drop of the last waker of the children would wake the task.
            let own = Waker::clone(&set.waker(child));
            let mut polled = poll_and_count(storage.as_mut(), child, cx, &mut left.now);
            if polled == ChildPoll::Pending {
                let own = &mut Context::from_waker(&own);
                polled = poll_and_count(storage.as_mut(), child, own, &mut left.now);
            }
            if polled == ChildPoll::Completed
                && let ControlFlow::Break(result) = completed(storage.as_mut(), child)
            {
                // The children after this one may have been woken.
                (child + 1..storage.len()).for_each(|next| set.waker(next).wake_by_ref());
                return Poll::Ready(Some(result));
            }
        }
        drop(left);
        self.end(ControlFlow::Continue(()), cx.waker())
    }

    #[cfg(target_has_atomic = "ptr")]
    #[inline]
    fn end<B>(&mut self, end: ControlFlow<Option<B>>, parent: &Waker) -> Poll<Option<B>> {
        match end {
            ControlFlow::Continue(()) if self.left == 0 => Poll::Ready(None),
            ControlFlow::Continue(()) => {
                if let Some(set) = &mut self.set {
                    set.drop_parent_if_unreachable();
                }
                Poll::Pending
            }
            ControlFlow::Break(Some(result)) => Poll::Ready(Some(result)),
            ControlFlow::Break(None) => {
                self.yield_to_task(parent);
                Poll::Pending
            }
        }
    }
}

impl PollPass {
    #[cfg(target_has_atomic = "ptr")]
    #[cold]
    #[inline(never)]
    fn yield_to_task(&self, parent: &Waker) {
        if let Some(set) = &self.set {
            set.yield_to_task();
        }
        parent.wake_by_ref();
    }
}

#[inline]
fn poll_of_live<B>(left: u32) -> Poll<Option<B>> {
    if left == 0 {
        Poll::Ready(None)
    } else {
        Poll::Pending
    }
}

/// Declares the options of a combinator.
macro_rules! options {
    ($Type:ident $(, where Storage: $Storage:ident)?) => {
        impl<C: Children$(<Storage: $Storage>)?> $Type<C> {
            /// Polls the futures in their order, instead of starting after the future polled last.
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

            /// Gives each future its own waker from a static wake set. So only woken futures are
            /// polled, without an allocation.
            ///
            /// The set is not used if it is in use or too small, or if there are at most two
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
