//! Where the futures of a group lie.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::future::Future;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;

use crate::slots::{as_slice, element};
use crate::wake_set::CHILDREN;

/// The end of a row.
const NONE: u32 = u32::MAX;
/// The link of a future that has begun, and so stands in no row.
const BEGUN: u32 = u32::MAX - 1;

pin_project! {
    #[project = Content]
    enum State<F> {
        Free,
        Live { #[pin] future: F },
    }
}

pin_project! {
    struct Place<F> {
        #[pin]
        state: State<F>,
        // The next in the row that the place is in, be it free or new.
        link: u32,
        // The one before it in the row of the new, unless it is the first.
        back: u32,
        // The number of the future that is or was here, in insertion order.
        number: u64,
    }
}

/// The places of the children that share a word of wakers. None ever moves.
type Room<F> = Pin<Box<[Place<F>; CHILDREN]>>;

/// Places in rooms.
pub(super) struct Places<F> {
    rooms: Vec<Room<F>>,
    free: u32,
    /// The futures that have not begun, in insertion order.
    first_new: u32,
    last_new: u32,
    len: usize,
    running: usize,
}

#[inline]
fn place<F>(rooms: &mut [Room<F>], at: u32) -> Pin<&mut Place<F>> {
    let room = rooms[at as usize / CHILDREN].as_mut();
    element(as_slice(room), at as usize % CHILDREN)
}

impl<F> Places<F> {
    pub(super) const fn new() -> Self {
        Self {
            rooms: Vec::new(),
            free: NONE,
            first_new: NONE,
            last_new: NONE,
            len: 0,
            running: 0,
        }
    }

    /// Futures, begun or not.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Futures that have begun.
    pub(super) fn running(&self) -> usize {
        self.running
    }

    pub(super) fn rooms(&self) -> usize {
        self.rooms.len()
    }

    #[inline]
    fn place(&mut self, at: u32) -> Pin<&mut Place<F>> {
        place(&mut self.rooms, at)
    }

    /// Adds a room of free places.
    ///
    /// # Panics
    ///
    /// Panics if there are more places than can be numbered.
    pub(super) fn grow(&mut self) {
        let first = self.rooms.len() * CHILDREN;
        let end = u32::try_from(first + CHILDREN).expect("more futures than can be numbered");
        debug_assert!(end <= BEGUN);
        let first = first as u32;
        let places = (first..end).map(|place| Place {
            state: State::Free,
            link: if place + 1 == end { NONE } else { place + 1 },
            back: NONE,
            number: 0,
        });
        let room: Box<[_]> = places.collect();
        let room = Box::<[_; CHILDREN]>::try_from(room).ok();
        self.rooms
            .push(Box::into_pin(room.expect("a room's places")));
        debug_assert_eq!(self.free, NONE);
        self.free = first;
    }

    /// The number of the next future to begin.
    #[inline]
    pub(super) fn next_new(&mut self) -> Option<u64> {
        match self.first_new {
            NONE => None,
            first => Some(self.number(first)),
        }
    }

    /// Whether there are futures that have not begun.
    #[inline]
    pub(super) fn has_new(&self) -> bool {
        self.first_new != NONE
    }

    pub(super) fn is_full(&self) -> bool {
        self.free == NONE
    }

    /// Puts a future into a free place, at the end of those that have not begun.
    #[inline]
    pub(super) fn insert(&mut self, future: F, number: u64) -> u32 {
        let at = self.free;
        let last = mem::replace(&mut self.last_new, at);
        let mut place = self.place(at).project();
        place.state.set(State::Live { future });
        *place.number = number;
        *place.back = last;
        self.free = mem::replace(place.link, NONE);
        match last {
            NONE => self.first_new = at,
            last => *self.place(last).project().link = at,
        }
        self.len += 1;
        at
    }

    /// The next future that has not begun, which begins.
    #[inline]
    pub(super) fn begin(&mut self) -> Option<u32> {
        let at = self.first_new;
        if at == NONE {
            return None;
        }
        self.first_new = mem::replace(self.place(at).project().link, BEGUN);
        if self.first_new == NONE {
            self.last_new = NONE;
        }
        self.running += 1;
        Some(at)
    }

    /// Takes a place out of the row of the new.
    fn unlink(&mut self, at: u32) {
        let place = self.place(at);
        let (back, next) = (place.back, place.link);
        if at == self.first_new {
            self.first_new = next;
        } else {
            *self.place(back).project().link = next;
        }
        if at == self.last_new {
            self.last_new = if self.first_new == NONE { NONE } else { back };
        } else {
            *self.place(next).project().back = back;
        }
    }

    fn number(&mut self, at: u32) -> u64 {
        self.place(at).number
    }

    /// Drops a future, if it is there.
    pub(super) fn remove(&mut self, at: u32, number: u64) -> bool {
        if at as usize / CHILDREN >= self.rooms.len() || self.number(at) != number {
            return false;
        }
        let place = self.place(at);
        if matches!(place.state, State::Free) {
            return false;
        }
        if place.link != BEGUN {
            self.unlink(at);
            self.running += 1;
        }
        drop(Vacate::new(self, at));
        true
    }
}

impl<F: Future> Places<F> {
    /// Polls a future that has begun, and says which it is. `None` if there is none. It is gone when it
    /// is ready, or has panicked.
    #[inline]
    pub(super) fn poll(&mut self, at: u32, cx: &mut Context<'_>) -> Option<Poll<(u64, F::Output)>> {
        let mut vacate = Vacate::new(self, at);
        let place = vacate.place.as_mut().project();
        let polled = match place.state.project() {
            Content::Live { future } if *place.link == BEGUN => {
                Some(future.poll(cx).map(|output| (*place.number, output)))
            }
            _ => None,
        };
        if !matches!(polled, Some(Poll::Ready(_))) {
            mem::forget(vacate);
        }
        polled
    }
}

/// Drops the future of a place when it is dropped, and frees the place.
struct Vacate<'a, F> {
    place: Pin<&'a mut Place<F>>,
    at: u32,
    free: &'a mut u32,
    len: &'a mut usize,
    running: &'a mut usize,
}

impl<'a, F> Vacate<'a, F> {
    #[inline]
    fn new(places: &'a mut Places<F>, at: u32) -> Self {
        Self {
            place: place(&mut places.rooms, at),
            at,
            free: &mut places.free,
            len: &mut places.len,
            running: &mut places.running,
        }
    }
}

impl<F> Drop for Vacate<'_, F> {
    #[inline]
    fn drop(&mut self) {
        *self.len -= 1;
        *self.running -= 1;
        let mut place = self.place.as_mut().project();
        *place.link = mem::replace(self.free, self.at);
        // Last, as the destructor may panic.
        place.state.set(State::Free);
    }
}
