//! Where the futures of a group lie.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::future::Future;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;

use crate::slots::element;
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
        // The one before it in the row of the new.
        back: u32,
        // The number of the future that is or was here, in insertion order.
        number: u64,
    }
}

/// Rooms of places, of doubling size: none ever moves.
pub(super) struct Places<F> {
    rooms: Vec<Pin<Box<[Place<F>]>>>,
    free: u32,
    /// The futures that have not begun, in insertion order.
    first_new: u32,
    last_new: u32,
    /// The number of the first of them.
    next_number: u64,
    len: usize,
    running: usize,
}

/// The number of the first place in a room.
const fn base(room: usize) -> usize {
    if room == 0 { 0 } else { CHILDREN << (room - 1) }
}

/// The room of a place, and its number there.
const fn locate(place: usize) -> (usize, usize) {
    let groups = place / CHILDREN;
    let room = (usize::BITS - groups.leading_zeros()) as usize;
    (room, place - base(room))
}

impl<F> Places<F> {
    pub(super) const fn new() -> Self {
        Self {
            rooms: Vec::new(),
            free: NONE,
            first_new: NONE,
            last_new: NONE,
            next_number: 0,
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

    /// The first place of a room, and how many groups of children it has.
    pub(super) fn room(room: usize) -> (usize, usize) {
        (base(room), (base(room + 1) - base(room)) / CHILDREN)
    }

    #[inline]
    fn place(&mut self, place: u32) -> Pin<&mut Place<F>> {
        let (room, place) = locate(place as usize);
        element(self.rooms[room].as_mut(), place)
    }

    /// Adds a room of free places.
    ///
    /// # Panics
    ///
    /// Panics if there are more places than can be numbered.
    pub(super) fn grow(&mut self) {
        let room = self.rooms.len();
        let end = u32::try_from(base(room + 1)).expect("more futures than can be numbered");
        debug_assert!(end <= BEGUN);
        let first = base(room) as u32;
        let places = (first..end).map(|place| Place {
            state: State::Free,
            link: if place + 1 == end { NONE } else { place + 1 },
            back: NONE,
            number: 0,
        });
        self.rooms.push(Box::into_pin(places.collect()));
        debug_assert_eq!(self.free, NONE);
        self.free = first;
    }

    /// The number of the next future to begin.
    #[inline]
    pub(super) fn next_new(&self) -> Option<u64> {
        (self.first_new != NONE).then_some(self.next_number)
    }

    pub(super) fn is_full(&self) -> bool {
        self.free == NONE
    }

    /// Puts a future into a free place, at the end of those that have not begun.
    pub(super) fn insert(&mut self, future: F, number: u64) -> u32 {
        let at = self.free;
        let last = mem::replace(&mut self.last_new, at);
        let mut place = self.place(at).project();
        place.state.set(State::Live { future });
        *place.number = number;
        *place.back = last;
        self.free = mem::replace(place.link, NONE);
        match last {
            NONE => (self.first_new, self.next_number) = (at, number),
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
        let place = self.place(at).project();
        // The first in the row has none before it; what its `back` says is not read again.
        self.first_new = mem::replace(place.link, BEGUN);
        match self.first_new {
            NONE => self.last_new = NONE,
            next => self.put_first(next),
        }
        self.running += 1;
        Some(at)
    }

    fn put_first(&mut self, at: u32) {
        let place = self.place(at).project();
        *place.back = NONE;
        let number = *place.number;
        (self.first_new, self.next_number) = (at, number);
    }

    /// Takes a place out of the row of the new.
    fn unlink(&mut self, at: u32) {
        let place = self.place(at);
        let (back, next) = (place.back, place.link);
        match back {
            NONE => self.first_new = next,
            back => *self.place(back).project().link = next,
        }
        match (back, next) {
            (back, NONE) => self.last_new = back,
            (NONE, next) => self.put_first(next),
            (back, next) => *self.place(next).project().back = back,
        }
    }

    fn release(&mut self, at: u32) {
        let free = self.free;
        *self.place(at).project().link = free;
        self.free = at;
    }

    pub(super) fn number(&mut self, at: u32) -> u64 {
        *self.place(at).project().number
    }

    /// Drops a future, if it is there.
    pub(super) fn remove(&mut self, at: u32, number: u64) -> bool {
        if locate(at as usize).0 >= self.rooms.len() || self.number(at) != number {
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
        drop(Vacate { places: self, at });
        true
    }
}

impl<F: Future> Places<F> {
    /// Polls a future that has begun. `None` if there is none. It is gone when it is ready, or has
    /// panicked.
    #[inline]
    pub(super) fn poll(&mut self, at: u32, cx: &mut Context<'_>) -> Option<Poll<F::Output>> {
        let vacate = Vacate { places: self, at };
        let place = vacate.places.place(at).project();
        let polled = match place.state.project() {
            Content::Live { future } if *place.link == BEGUN => Some(future.poll(cx)),
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
    places: &'a mut Places<F>,
    at: u32,
}

impl<F> Drop for Vacate<'_, F> {
    fn drop(&mut self) {
        let Self { places, at } = self;
        places.len -= 1;
        places.running -= 1;
        places.release(*at);
        // Last, as the destructor may panic.
        places.place(*at).project().state.set(State::Free);
    }
}
