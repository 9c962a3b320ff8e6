//! A growing group of futures of one type.

use core::fmt;
use core::future::{Future, IntoFuture};
use core::marker::PhantomData;
use core::num::NonZeroUsize;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::places::Places;
use crate::leaf::{Leaf, LeafCall};
use crate::wake_set::{CHILDREN, Pass, WakeSet};

/// Pendings in a row after which a pass gives way.
const PATIENCE: u32 = 64;

/// A growing group of futures of one type, run inside of the task that awaits [`next`](Self::next).
///
/// Only futures that were woken are polled. What is done is dropped at once and its place used
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
    /// Without places that were used again, that is the order in which they were inserted.
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
            self.places.grow();
            self.cover(self.places.rooms() - 1);
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

    /// Makes wakers for a room, if there are any wakers yet.
    fn cover(&mut self, room: usize) {
        let (first, groups) = Places::<F>::room(room);
        if let Some(set) = &mut self.set
            && first >= CHILDREN
        {
            set.grow(groups);
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
            return Poll::Ready(None);
        }
        if self.set.is_none() {
            self.set = Some(WakeSet::new_growing(cx.waker()));
            (0..self.places.rooms()).for_each(|room| self.cover(room));
        }
        let set = self.set.as_mut().expect("made above");
        let mut round = Round {
            places: &mut self.places,
            pass: set.begin(cx.waker(), self.biased),
            limit: self.limit,
        };
        let polled = round.run();
        drop(round);
        match polled {
            Some(next) => Poll::Ready(Some(next)),
            None if self.is_empty() => Poll::Ready(None),
            None => Poll::Pending,
        }
    }
}

/// One pass over the futures that were woken, and then over those that begin.
struct Round<'a, F> {
    places: &'a mut Places<F>,
    pass: Pass<'a>,
    limit: usize,
}

impl<F: Future> Round<'_, F> {
    fn run(&mut self) -> Option<(FutureId, F::Output)> {
        let mut pendings = 0;
        while let Some(place) = self.next() {
            let waker = self.pass.waker(place as usize);
            let polled = self.places.poll(place, &mut Context::from_waker(&waker));
            match polled {
                None => {}
                Some(Poll::Ready(output)) => {
                    let number = self.places.number(place);
                    return Some((FutureId { number, place }, output));
                }
                Some(Poll::Pending) => {
                    pendings += 1;
                    if pendings == PATIENCE && self.has_more() {
                        // Gives way to other tasks; whoever is left is kept.
                        self.pass.wake_parent();
                        return None;
                    }
                }
            }
        }
        None
    }

    fn has_more(&mut self) -> bool {
        let begins = self.places.has_new() && self.places.running() < self.limit;
        begins || !self.pass.is_over()
    }

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if let Some((place, _)) = self.pass.next() {
            return Some(place as u32);
        }
        if self.places.running() >= self.limit {
            return None;
        }
        self.places.begin()
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

impl<F: Future> NextOf<'_, F> {
    #[doc(hidden)]
    pub fn into_machine(self) -> Leaf<NextOfCall<F>> {
        Leaf::new(NextOfCall(PhantomData))
    }
}

/// What is left of it without the group: nothing.
#[derive(Debug)]
pub struct NextOfCall<F>(PhantomData<fn(&F)>);

impl<F: Future> LeafCall for NextOfCall<F> {
    type Lent<'a>
        = (&'a mut FutureGroup<F>,)
    where
        Self: 'a;
    type Output = Option<(FutureId, F::Output)>;

    fn poll(&mut self, cx: &mut Context<'_>, (group,): Self::Lent<'_>) -> Poll<Self::Output> {
        group.poll_next(cx)
    }
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
