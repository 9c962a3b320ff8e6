//! The memory of a group's futures.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::future::Future;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;
use volt_inspect::{Inspector, Status};

use crate::slots::{as_slice, element};
use crate::wake_set::CHILDREN;

/// The end of a list.
const NONE: u32 = u32::MAX;
/// The link of a future that has started, and so is in no list.
const STARTED: u32 = u32::MAX - 1;

pin_project! {
    #[project = PlaceProjection]
    enum PlaceState<F> {
        Free,
        Live {
            #[pin]
            future: F,
            // The number of the future, in insertion order.
            number: u64,
        },
    }
}

pin_project! {
    struct Place<F> {
        #[pin]
        state: PlaceState<F>,
        // The next place in the list of unstarted futures, or `STARTED`; of a free place, see
        // `free_link`.
        link: u32,
        // The previous place in the list of unstarted futures.
        back: u32,
    }
}

/// The places of the children that share a wake word. They never move.
type Chunk<F> = Pin<Box<[Place<F>; CHILDREN]>>;

/// Places for futures, in chunks.
pub(super) struct FutureStorage<F> {
    chunks: Vec<Chunk<F>>,
    free: u32,
    /// The list of the futures that have not started, in insertion order.
    first_unstarted: u32,
    last_unstarted: u32,
    len: usize,
    running: usize,
}

#[inline]
fn place<F>(chunks: &mut [Chunk<F>], at: u32) -> Pin<&mut Place<F>> {
    let chunk = chunks[at as usize / CHILDREN].as_mut();
    element(as_slice(chunk), at as usize % CHILDREN)
}

/// Returns a chunk whose places are a list of free places, of which the last is `last`.
///
/// The places are equal and the loop has a constant length, so the compiler unrolls it.
#[inline]
fn free_chunk<F>(last: u32) -> Chunk<F> {
    let mut places = Vec::with_capacity(CHILDREN);
    places.extend((0..CHILDREN).map(|_| Place {
        state: PlaceState::Free,
        link: 0,
        back: 0,
    }));
    let chunk = Box::<[_; CHILDREN]>::try_from(places).ok();
    let mut chunk = chunk.expect("a chunk's places");
    chunk[CHILDREN - 1].link = free_link(last, NONE);
    Box::into_pin(chunk)
}

/// Returns the link of a free place: the distance of the next one from the place that follows. So
/// the links of a new chunk are zeros.
#[inline]
fn free_link(at: u32, next: u32) -> u32 {
    next.wrapping_sub(at + 1)
}

/// Returns the free place after one with this link.
#[inline]
fn next_free(at: u32, link: u32) -> u32 {
    (at + 1).wrapping_add(link)
}

impl<F> FutureStorage<F> {
    pub(super) const fn new() -> Self {
        Self {
            chunks: Vec::new(),
            free: NONE,
            first_unstarted: NONE,
            last_unstarted: NONE,
            len: 0,
            running: 0,
        }
    }

    /// Returns the number of futures.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns the number of futures that have started.
    pub(super) fn running(&self) -> usize {
        self.running
    }

    pub(super) fn chunks(&self) -> usize {
        self.chunks.len()
    }

    #[inline]
    fn place(&mut self, at: u32) -> Pin<&mut Place<F>> {
        place(&mut self.chunks, at)
    }

    /// Adds a chunk of free places.
    ///
    /// # Panics
    ///
    /// Panics if there are more places than can be numbered.
    pub(super) fn grow(&mut self) {
        let first = self.chunks.len() * CHILDREN;
        let end = u32::try_from(first + CHILDREN).expect("more futures than can be numbered");
        debug_assert!(end <= STARTED);
        self.chunks.push(free_chunk(end - 1));
        debug_assert_eq!(self.free, NONE);
        self.free = first as u32;
    }

    /// Returns the number of the next future to start.
    #[inline]
    pub(super) fn next_unstarted(&mut self) -> Option<u64> {
        match self.first_unstarted {
            NONE => None,
            first => self.number(first),
        }
    }

    /// Returns the places of the futures that have started.
    pub(super) fn started(&mut self) -> Vec<u32> {
        let places = (self.chunks.len() * CHILDREN) as u32;
        let is_started = |at: &u32| {
            let place = self.place(*at);
            place.link == STARTED && !matches!(place.state, PlaceState::Free)
        };
        (0..places).filter(is_started).collect()
    }

    /// Returns `true` if there are futures that have not started.
    #[inline]
    pub(super) fn has_unstarted(&self) -> bool {
        self.first_unstarted != NONE
    }

    pub(super) fn is_full(&self) -> bool {
        self.free == NONE
    }

    /// Stores a future in a free place, and appends it to the unstarted futures.
    #[inline]
    pub(super) fn insert(&mut self, future: F, number: u64) -> u32 {
        let at = self.free;
        let last = mem::replace(&mut self.last_unstarted, at);
        let mut place = self.place(at).project();
        place.state.set(PlaceState::Live { future, number });
        *place.back = last;
        self.free = next_free(at, mem::replace(place.link, NONE));
        match last {
            NONE => self.first_unstarted = at,
            last => *self.place(last).project().link = at,
        }
        self.len += 1;
        at
    }

    /// Returns the place of the next future to start.
    #[inline]
    pub(super) fn first_unstarted(&self) -> Option<u32> {
        (self.first_unstarted != NONE).then_some(self.first_unstarted)
    }

    /// Unlinks a place from the list of unstarted futures.
    fn unlink(&mut self, at: u32) {
        let place = self.place(at);
        let (back, next) = (place.back, place.link);
        if at == self.first_unstarted {
            self.first_unstarted = next;
        } else {
            *self.place(back).project().link = next;
        }
        if at == self.last_unstarted {
            self.last_unstarted = if self.first_unstarted == NONE {
                NONE
            } else {
                back
            };
        } else {
            *self.place(next).project().back = back;
        }
    }

    /// Returns the number of the future in a place.
    #[inline]
    fn number(&mut self, at: u32) -> Option<u64> {
        match &self.place(at).state {
            PlaceState::Free => None,
            PlaceState::Live { number, .. } => Some(*number),
        }
    }

    /// Drops a future, if it is there.
    pub(super) fn remove(&mut self, at: u32, number: u64) -> bool {
        if at as usize / CHILDREN >= self.chunks.len() || self.number(at) != Some(number) {
            return false;
        }
        let place = self.place(at);
        if place.link != STARTED {
            self.unlink(at);
            self.running += 1;
        }
        drop(RemoveOnDrop::new(self, at));
        true
    }
}

impl<F> FutureStorage<F> {
    /// Reports each future, in the order of the places. `is_woken` returns `true` for the place of
    /// a woken future.
    pub(super) fn inspect(
        &mut self,
        is_woken: impl Fn(usize) -> bool,
        inspector: &mut Inspector<'_>,
    ) {
        let mut left = self.len;
        for at in 0..self.chunks.len() * CHILDREN {
            if inspector.is_full() {
                return inspector.omit(left);
            }
            let place = self.place(at as u32).project();
            let PlaceProjection::Live { future, number } = place.state.project() else {
                continue;
            };
            let status = match *place.link {
                STARTED if is_woken(at) => Status::Woken,
                STARTED => Status::Waiting,
                _ => Status::NotStarted,
            };
            inspector.child(*number as usize, status, future);
            left -= 1;
        }
    }
}

impl<F: Future> FutureStorage<F> {
    /// Polls a started future, or the next one to start if it `is_first_poll`. Returns its number
    /// with its output.
    ///
    /// Returns `None` if the place has no started future. A future that completes or panics is
    /// dropped.
    #[inline]
    pub(super) fn poll(
        &mut self,
        at: u32,
        is_first_poll: bool,
        cx: &mut Context<'_>,
    ) -> Option<Poll<(u64, F::Output)>> {
        let mut place = place(&mut self.chunks, at);
        if is_first_poll {
            debug_assert_eq!(at, self.first_unstarted);
            let next = mem::replace(place.as_mut().project().link, STARTED);
            self.first_unstarted = next;
            if next == NONE {
                self.last_unstarted = NONE;
            }
            self.running += 1;
        }
        let mut remove = RemoveOnDrop {
            place,
            at,
            free: &mut self.free,
            len: &mut self.len,
            running: &mut self.running,
        };
        let place = remove.place.as_mut().project();
        let polled = match place.state.project() {
            PlaceProjection::Live { future, number } if *place.link == STARTED => {
                Some(future.poll(cx).map(|output| (*number, output)))
            }
            _ => None,
        };
        if !matches!(polled, Some(Poll::Ready(_))) {
            mem::forget(remove);
        }
        polled
    }
}

/// Drops the future of a place when it is dropped, and frees the place.
struct RemoveOnDrop<'a, F> {
    place: Pin<&'a mut Place<F>>,
    at: u32,
    free: &'a mut u32,
    len: &'a mut usize,
    running: &'a mut usize,
}

impl<'a, F> RemoveOnDrop<'a, F> {
    #[inline]
    fn new(places: &'a mut FutureStorage<F>, at: u32) -> Self {
        Self {
            place: place(&mut places.chunks, at),
            at,
            free: &mut places.free,
            len: &mut places.len,
            running: &mut places.running,
        }
    }
}

impl<F> Drop for RemoveOnDrop<'_, F> {
    #[inline]
    fn drop(&mut self) {
        *self.len -= 1;
        *self.running -= 1;
        let mut place = self.place.as_mut().project();
        *place.link = free_link(self.at, mem::replace(self.free, self.at));
        // Last, as the destructor may panic.
        place.state.set(PlaceState::Free);
    }
}
