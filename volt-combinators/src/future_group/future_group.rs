//! A growing group of futures of one type.

use core::fmt;
use core::future::{Future, IntoFuture};
use core::num::NonZeroUsize;
use core::pin::Pin;
use core::task::{Context, Poll};

use volt_inspect::{is_inspection_poll, register, register_unpin};

use super::future_storage::FutureStorage;
use crate::wake_set::{BorrowedWaker, Pass, WakeSet};

/// The number of pending futures in a row after which a pass yields to the task.
const MAX_PENDING_IN_A_ROW: u32 = 64;

/// A growing group of futures of one type, run inside of the task that awaits [`next`](Self::next).
///
/// Only futures that were woken are polled. Each future that was woken or inserted is polled once
/// before any is polled twice, however many outputs are returned in between. A completed future is
/// dropped at once and its place is used again; a future never moves. The number of futures has no
/// limit. The number that runs at a time can be [limited](Self::limit).
///
/// **Dropping the group drops its futures** before `drop` returns. No future runs in the
/// background.
///
/// ```
/// use volt_combinators::FutureGroup;
///
/// # futures::executor::block_on(async {
/// let mut group = FutureGroup::new();
/// for n in [2, 3] {
///     group.insert(async move { n * n });
/// }
/// let mut sum = 0;
/// while let Some((_, square)) = group.next().await {
///     sum += square;
/// }
/// assert_eq!(sum, 13);
/// # });
/// ```
///
/// # Late wakes
///
/// A waker of a completed future still wakes the task while the group has other futures. It may
/// cost one extra poll of the future that took its place. After [`next`](Self::next) has returned
/// `None`, it does nothing.
///
/// # Panics of futures
///
/// A panic passes through [`next`](Self::next). The future that panicked is dropped, and the next
/// call continues with the others.
#[must_use = "futures do nothing unless polled"]
pub struct FutureGroup<F> {
    /// Made at the first poll.
    pub(super) set: Option<WakeSet>,
    pub(super) places: FutureStorage<F>,
    pub(super) limit: usize,
    inserted: u64,
    /// The current pass ends when all futures below this number have been polled.
    pass_end: u64,
    biased: bool,
}

/// The identifier of a future in its [`FutureGroup`], ordered by insertion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FutureId {
    pub(super) number: u64,
    pub(super) place: u32,
}

impl FutureId {
    /// Returns the number of futures that were inserted before this one.
    pub fn get(self) -> u64 {
        self.number
    }
}

impl<F> FutureGroup<F> {
    /// Creates a group without futures and without a limit.
    pub const fn new() -> Self {
        Self {
            set: None,
            places: FutureStorage::new(),
            limit: usize::MAX,
            inserted: 0,
            pass_end: 0,
            biased: false,
        }
    }

    /// Sets the number of futures that run at a time. The others wait unpolled, in insertion order.
    ///
    /// ```
    /// use core::num::NonZeroUsize;
    /// use volt_combinators::FutureGroup;
    ///
    /// let mut group = FutureGroup::new().limit(NonZeroUsize::MIN);
    /// group.insert(core::future::ready('a'));
    /// assert!(!group.has_room());
    /// ```
    pub fn limit(mut self, limit: NonZeroUsize) -> Self {
        self.limit = limit.get();
        self
    }

    /// Polls woken futures in the order of their places, instead of starting after the future
    /// polled last.
    ///
    /// This is the insertion order as long as no place has been used again. A pass that yielded to
    /// other tasks is continued first.
    pub fn biased(mut self) -> Self {
        self.biased = true;
        self
    }

    /// Returns the number of futures that have not completed.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns `true` if all futures have completed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns `true` if a future that is inserted now would be polled in the next pass.
    pub fn has_room(&self) -> bool {
        self.places.len() < self.limit
    }

    /// Inserts a future. It is polled when [`next`](Self::next) is polled, not before.
    ///
    /// # Panics
    ///
    /// Panics if there are more than four billion futures.
    pub fn insert<I: IntoFuture<IntoFuture = F>>(&mut self, future: I) -> FutureId {
        if self.places.is_full() {
            self.grow();
        }
        let number = self.inserted;
        self.inserted += 1;
        FutureId {
            number,
            place: self.places.insert(future.into_future(), number),
        }
    }

    /// Drops a future, unless it has completed. Returns `true` if it was dropped.
    ///
    /// ```
    /// use volt_combinators::FutureGroup;
    ///
    /// let mut group = FutureGroup::new();
    /// let id = group.insert(core::future::pending::<()>());
    /// assert!(group.remove(id));
    /// assert!(!group.remove(id));
    /// ```
    pub fn remove(&mut self, id: FutureId) -> bool {
        self.places.remove(id.place, id.number)
    }

    /// Drops the wake set, and with it the parent's waker: late wakes do nothing.
    #[inline(never)]
    pub(crate) fn release(&mut self) {
        self.set = None;
    }

    #[cold]
    fn grow(&mut self) {
        self.places.grow();
        if let Some(set) = &mut self.set {
            set.reserve_groups(self.places.chunks());
        }
    }
}

impl<F: Future> FutureGroup<F> {
    /// Waits for the next future to complete, and returns its id and its output. Returns `None`
    /// when no future is left.
    ///
    /// # Cancel safety
    ///
    /// Dropping the returned future loses no output.
    #[expect(
        clippy::should_implement_trait,
        reason = "an iterator would have to block"
    )]
    pub fn next(&mut self) -> NextFuture<'_, F> {
        NextFuture { group: self }
    }

    /// The poll function of [`next`](Self::next).
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<(FutureId, F::Output)>> {
        if self.is_empty() {
            self.release();
            return Poll::Ready(None);
        }
        let next = self.round(cx).run();
        match next {
            Some(next) => Poll::Ready(Some(next)),
            // The result is a value of its own. As the result of this function, it would keep each
            // output of a round in memory.
            None if is_inspection_poll() => match self.poll_to_inspect(cx) {
                Some(next) => Poll::Ready(Some(next)),
                None => Poll::Pending,
            },
            None => {
                self.drop_parent_if_unreachable();
                Poll::Pending
            }
        }
    }

    /// Ends a poll that is an inspection poll of a runtime.
    #[cold]
    #[inline(never)]
    fn poll_to_inspect(&mut self, cx: &mut Context<'_>) -> Option<(FutureId, F::Output)> {
        let next = self.poll_all_to_inspect(cx);
        if next.is_none() {
            self.drop_parent_if_unreachable();
        }
        next
    }

    /// Drops the parent's waker at the end of a pending poll, if no child has a waker.
    #[inline]
    fn drop_parent_if_unreachable(&mut self) {
        if let Some(set) = &mut self.set {
            set.drop_parent_if_unreachable();
        }
    }

    /// Polls each future that was woken or inserted, and drops the outputs. Returns `true` if no
    /// future is left.
    pub(crate) fn run(&mut self, cx: &mut Context<'_>) -> bool {
        if !self.is_empty() {
            let mut round = self.round(cx);
            while round.run().is_some() {}
            drop(round);
            if is_inspection_poll() {
                while self.poll_all_to_inspect(cx).is_some() {}
            }
            self.drop_parent_if_unreachable();
        }
        self.is_empty()
    }

    #[cold]
    fn make_set(&mut self, cx: &Context<'_>) {
        register::<NextFuture<'_, F>>();
        register_unpin::<Self>();
        let set = self.set.insert(WakeSet::new_growing(cx.waker()));
        set.reserve_groups(self.places.chunks());
    }

    /// Continues the pass that stopped early, or begins one.
    #[inline]
    fn round(&mut self, cx: &Context<'_>) -> Round<'_, F> {
        if self.set.is_none() {
            self.make_set(cx);
        }
        let set = self.set.as_mut().expect("made above");
        // In a biased group, each output is the first one available.
        let may_go_on = !self.biased || set.yielded();
        let may_begin = self.places.running() < self.limit;
        let is_in_pass = |number| may_begin && number < self.pass_end;
        let continues = may_go_on
            && (set.has_remaining() || self.places.next_unstarted().is_some_and(is_in_pass));
        let pass = if continues {
            set.resume(cx.waker(), false)
        } else {
            self.pass_end = self.inserted;
            set.begin(cx.waker(), self.biased)
        };
        Round {
            places: &mut self.places,
            pass,
            limit: self.limit,
            continues,
        }
    }
}

/// A part of a pass: over the futures that were woken before it began, then over the new ones.
///
/// The pass stops early at an output, or after too many pending futures. The next poll continues it
/// while a future remains that was woken or inserted before the pass began. So each of these is
/// polled once before any is polled twice.
struct Round<'a, F> {
    places: &'a mut FutureStorage<F>,
    pass: Pass<'a>,
    limit: usize,
    /// The pass was begun by an earlier poll.
    continues: bool,
}

impl<'a, F: Future> Round<'a, F> {
    /// Returns the next output, and `None` when the pass is over or yields to the task.
    #[inline]
    fn run(&mut self) -> Option<(FutureId, F::Output)> {
        let mut pendings = 0;
        while let Some((place, is_first_poll, waker)) = self.next() {
            let mut cx = Context::from_waker(&waker);
            match self.places.poll(place, is_first_poll, &mut cx) {
                None => {}
                Some(Poll::Ready((number, output))) => {
                    return Some((FutureId { number, place }, output));
                }
                Some(Poll::Pending) => {
                    pendings += 1;
                    if pendings == MAX_PENDING_IN_A_ROW && self.has_more() {
                        // The remaining futures are kept for the next poll.
                        self.pass.yield_to_task();
                        return None;
                    }
                }
            }
        }
        if self.continues {
            self.pass.wake_parent_if_woken();
        }
        None
    }

    fn has_more(&mut self) -> bool {
        let begins = self.places.running() < self.limit && self.places.has_unstarted();
        begins || !self.pass.is_over()
    }

    /// Returns the future to poll, `true` for its first poll, and its waker.
    #[inline]
    fn next(&mut self) -> Option<(u32, bool, BorrowedWaker<'a>)> {
        if let Some((place, waker)) = self.pass.next() {
            return Some((place as u32, false, waker));
        }
        if self.places.running() >= self.limit {
            return None;
        }
        let place = self.places.first_unstarted()?;
        Some((place, true, self.pass.waker(place as usize)))
    }
}

impl<F> Default for FutureGroup<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: IntoFuture> Extend<I> for FutureGroup<I::IntoFuture> {
    fn extend<T: IntoIterator<Item = I>>(&mut self, futures: T) {
        for future in futures {
            self.insert(future);
        }
    }
}

impl<I: IntoFuture> FromIterator<I> for FutureGroup<I::IntoFuture> {
    fn from_iter<T: IntoIterator<Item = I>>(futures: T) -> Self {
        let mut group = Self::new();
        group.extend(futures);
        group
    }
}

impl<F> fmt::Debug for FutureGroup<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FutureGroup")
            .field("len", &self.len())
            .field("running", &self.places.running())
            .finish_non_exhaustive()
    }
}

/// The future that [`FutureGroup::next`] returns.
#[must_use = "futures do nothing unless polled"]
pub struct NextFuture<'a, F> {
    pub(super) group: &'a mut FutureGroup<F>,
}

impl<F: Future> Future for NextFuture<'_, F> {
    type Output = Option<(FutureId, F::Output)>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.group.poll_next(cx)
    }
}

impl<F> fmt::Debug for NextFuture<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NextFuture")
            .field("group", &self.group)
            .finish()
    }
}
