//! A growing group of futures of one type.

use core::fmt;
use core::future::{Future, IntoFuture};
use core::num::NonZeroUsize;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::places::Places;
use crate::wake_set::{Lent, Pass, WakeSet};

/// Pendings in a row after which a pass gives way.
const PATIENCE: u32 = 64;

/// A growing group of futures of one type, run inside of the task that awaits [`next`](Self::next).
///
/// Only futures that were woken are polled, and each that was woken or inserted has a turn before
/// any has its second, however many outputs come between. What is done is dropped at once and its place used
/// again; a future never moves. There is no limit to the number of futures; how many run at a time
/// can be [limited](Self::limit).
///
/// **Dropping the group drops its futures**, there and then: nothing goes on behind its back.
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
/// A waker that a future leaves behind when it is done wakes the task as long as the group has
/// others, and may cost the one that took its place a poll. When the last is done, and
/// [`next`](Self::next) has returned `None`, it does nothing.
///
/// # Panics of futures
///
/// A panic passes through [`next`](Self::next). That future is gone then, and the next call goes
/// on with the others.
#[must_use = "futures do nothing unless polled"]
pub struct FutureGroup<F> {
    /// Made at the first poll.
    set: Option<WakeSet>,
    places: Places<F>,
    limit: usize,
    inserted: u64,
    /// The pass that was begun last is not over before all below this number have begun.
    invited: u64,
    biased: bool,
}

/// The name of a future in its [`FutureGroup`]; ordered as the futures were inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FutureId {
    number: u64,
    place: u32,
}

impl FutureId {
    /// How many were inserted into the group before.
    pub fn get(self) -> u64 {
        self.number
    }
}

impl<F> FutureGroup<F> {
    /// Makes a group without futures and without a limit.
    pub const fn new() -> Self {
        Self {
            set: None,
            places: Places::new(),
            limit: usize::MAX,
            inserted: 0,
            invited: 0,
            biased: false,
        }
    }

    /// Sets how many futures run at a time; the others wait, in insertion order, unpolled.
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

    /// Polls woken futures always in the order of their places, instead of starting after the last
    /// one polled.
    ///
    /// Without places that were used again, that is the order in which they were inserted. A pass
    /// that gave way to other tasks is gone on with first.
    pub fn biased(mut self) -> Self {
        self.biased = true;
        self
    }

    /// How many futures are not done.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether all futures are done.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a future that is inserted now would be polled in the next pass.
    pub fn has_room(&self) -> bool {
        self.places.len() < self.limit
    }

    /// Inserts a future. It is polled first when [`next`](Self::next) is.
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

    /// Drops a future, if it is not done. Returns whether there was one to drop.
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

    /// Releases the parent's waker: late wakes do nothing.
    #[inline(never)]
    pub(crate) fn release(&mut self) {
        self.set = None;
    }

    #[cold]
    fn grow(&mut self) {
        self.places.grow();
        if let Some(set) = &mut self.set {
            set.cover(self.places.rooms());
        }
    }
}

impl<F: Future> FutureGroup<F> {
    /// Waits for the next future to be done: its id and its output. `None` when none is left.
    ///
    /// # Cancel safety
    ///
    /// Dropping what this returns loses nothing.
    #[expect(
        clippy::should_implement_trait,
        reason = "an iterator would have to block"
    )]
    pub fn next(&mut self) -> NextOf<'_, F> {
        NextOf { group: self }
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
            None => {
                self.rest();
                Poll::Pending
            }
        }
    }

    /// The end of a poll that leaves the task waiting.
    #[inline]
    fn rest(&mut self) {
        if let Some(set) = &mut self.set {
            set.rest();
        }
    }

    /// Gives each future that was woken or inserted a turn, and lets go what they give. Returns
    /// whether none is left.
    pub(crate) fn run(&mut self, cx: &mut Context<'_>) -> bool {
        if !self.is_empty() {
            let mut round = self.round(cx);
            while round.run().is_some() {}
            drop(round);
            self.rest();
        }
        self.is_empty()
    }

    #[cold]
    fn make_set(&mut self, cx: &Context<'_>) {
        let set = self.set.insert(WakeSet::new_growing(cx.waker()));
        set.cover(self.places.rooms());
    }

    /// Goes on with the pass that was cut short, or begins one.
    #[inline]
    fn round(&mut self, cx: &Context<'_>) -> Round<'_, F> {
        if self.set.is_none() {
            self.make_set(cx);
        }
        let set = self.set.as_mut().expect("made above");
        // Biased, each output is the first that there is.
        let may_go_on = !self.biased || set.gave_way();
        let may_begin = self.places.running() < self.limit;
        let is_invited = |number| may_begin && number < self.invited;
        let goes_on =
            may_go_on && (set.has_left() || self.places.next_new().is_some_and(is_invited));
        let pass = if goes_on {
            set.go_on(cx.waker(), false)
        } else {
            self.invited = self.inserted;
            set.begin(cx.waker(), self.biased)
        };
        Round {
            places: &mut self.places,
            pass,
            limit: self.limit,
            goes_on,
        }
    }
}

/// A part of a pass: over the futures that were woken before it began, then over the new ones.
///
/// An output or patience that is spent cuts it short, and the next poll goes on with it as long as
/// there is somebody left who was woken or inserted before it began. So each of these has a turn
/// before any has its second.
struct Round<'a, F> {
    places: &'a mut Places<F>,
    pass: Pass<'a>,
    limit: usize,
    /// The pass was begun by an earlier poll.
    goes_on: bool,
}

impl<'a, F: Future> Round<'a, F> {
    /// The next output; `None` when the pass is over, or gives way.
    #[inline]
    fn run(&mut self) -> Option<(FutureId, F::Output)> {
        let mut pendings = 0;
        while let Some((place, waker)) = self.next() {
            match self.places.poll(place, &mut Context::from_waker(&waker)) {
                None => {}
                Some(Poll::Ready((number, output))) => {
                    return Some((FutureId { number, place }, output));
                }
                Some(Poll::Pending) => {
                    pendings += 1;
                    if pendings == PATIENCE && self.has_more() {
                        // Gives way to other tasks; whoever is left is kept.
                        self.pass.give_way();
                        return None;
                    }
                }
            }
        }
        if self.goes_on {
            self.pass.wake_parent_if_woken();
        }
        None
    }

    fn has_more(&mut self) -> bool {
        let begins = self.places.running() < self.limit && self.places.has_new();
        begins || !self.pass.is_over()
    }

    /// Whose turn it is, and the waker for that.
    #[inline]
    fn next(&mut self) -> Option<(u32, Lent<'a>)> {
        if let Some((place, waker)) = self.pass.next() {
            return Some((place as u32, waker));
        }
        if self.places.running() >= self.limit {
            return None;
        }
        let place = self.places.begin()?;
        Some((place, self.pass.waker(place as usize)))
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

/// The next future of a [`FutureGroup`] to be done. Made by [`FutureGroup::next`].
#[must_use = "futures do nothing unless polled"]
pub struct NextOf<'a, F> {
    group: &'a mut FutureGroup<F>,
}

impl<F: Future> Future for NextOf<'_, F> {
    type Output = Option<(FutureId, F::Output)>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.group.poll_next(cx)
    }
}

impl<F> fmt::Debug for NextOf<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NextOf")
            .field("group", &self.group)
            .finish()
    }
}
