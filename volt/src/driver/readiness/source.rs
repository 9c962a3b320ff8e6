//! The readiness of one descriptor, and the wakers that wait for it.
//!
//! The system reports *edges*: one report for each change, not one while the descriptor is ready.
//! So readiness is stored here from the report until an operation finds that it would block.
//!
//! # Layout
//!
//! ```text
//!   63                       9  8       7      6      5       4    3    2    1    0
//!  ┌──────────────────────────┬───────┬──────┬──────┬───────┬──────┬────┬────┬────┬────┐
//!  │ edge: counts the reports │ error │ prio │failed│ marks │ gone │ wc │ rc │ w  │ r  │
//!  └──────────────────────────┴───────┴──────┴──────┴───────┴──────┴────┴────┴────┴────┘
//!    r, w: ready    rc, wc: that half is closed or in error    gone: no more reports will arrive
//!    prio: urgent data    error: as the system reports it
//!    marks: a read may end at a mark in the stream, with more data after it
//!    failed: gone, because the system's poll has failed
//! ```
//!
//! # Protocol
//!
//! 1. An operation loads the word ([`IoSource::ready`]), and tries the system call if its half is
//!    ready. It takes no lock.
//! 2. If the call would block, the operation clears the readiness that it saw ([`IoSource::clear`])
//!    **if no report arrived since the load**. The edge count shows that, so a clear never loses a
//!    newer report.
//! 3. To wait, it stores its waker under the lock, and then loads the word again
//!    ([`IoSource::poll_ready`]).
//! 4. The driver changes the word. If that makes a half ready that was not, it then takes the
//!    wakers under the lock ([`IoSource::report`]). A half that was ready already has no waiters:
//!    step 3 found it not ready, so the report that made it ready has woken them.
//!
//! Step 3 loads the word after it takes the lock, and step 4 changes the word before it takes the
//! same lock. So the waiter sees the report, or the report finds its waker. Nothing is ready
//! *before* a report. But a new source begins as ready, because an attempt costs less than a wait
//! for the first report.
//!
//! Models of steps 2 to 4 are at the end of this file.

use std::io;
use std::task::{Poll, Waker};

use crate::driver::slab::{Key, Slab};
use crate::driver::wake_batch::WakeBatch;
use crate::loom::sync::Mutex;
use crate::loom::sync::atomic::{AtomicU64, Ordering};

const READABLE: u64 = 1;
const WRITABLE: u64 = 1 << 1;
const READ_CLOSED: u64 = 1 << 2;
const WRITE_CLOSED: u64 = 1 << 3;
const GONE: u64 = 1 << 4;
const MARKS: u64 = 1 << 5;
const FAILED: u64 = 1 << 6;
const PRIORITY: u64 = 1 << 7;
const ERROR: u64 = 1 << 8;
/// Adds one to the count of reports.
const EDGE: u64 = 1 << 9;

/// One half of a descriptor, or one of two other states that readers wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Reading and accepting.
    Read,
    /// Writing and connecting.
    Write,
    /// Urgent data.
    Priority,
    /// An error.
    Error,
}

impl Direction {
    fn open(self) -> u64 {
        match self {
            Self::Read => READABLE,
            Self::Write => WRITABLE,
            Self::Priority => PRIORITY,
            Self::Error => ERROR,
        }
    }

    fn closed(self) -> u64 {
        match self {
            Self::Read => READ_CLOSED,
            Self::Write => WRITE_CLOSED,
            Self::Priority | Self::Error => 0,
        }
    }

    fn ready(self) -> u64 {
        self.open() | self.closed() | GONE
    }
}

/// The readiness of a half, as of one report.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub(crate) struct ReadyEvent {
    word: u64,
}

impl ReadyEvent {
    /// Returns `true` if the half was closed, or in error.
    pub(crate) fn is_closed(self, direction: Direction) -> bool {
        self.word & direction.closed() != 0
    }

    /// Returns an error if no more reports will arrive.
    ///
    /// # Errors
    ///
    /// Returns an error if the driver was dropped, or if the system's poll has failed.
    #[inline]
    pub(crate) fn check(self) -> io::Result<()> {
        match self.word & (GONE | FAILED) {
            0 => Ok(()),
            GONE => Err(CloseReason::DriverDropped.error()),
            _ => Err(CloseReason::PollFailed.error()),
        }
    }
}

/// The reason for which no more reports will arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CloseReason {
    /// The driver was dropped.
    DriverDropped,
    /// The system's poll has failed.
    PollFailed,
}

impl CloseReason {
    fn flags(self) -> u64 {
        match self {
            Self::DriverDropped => GONE,
            Self::PollFailed => GONE | FAILED,
        }
    }

    /// Returns the error of operations that wait for a report.
    #[cold]
    pub(crate) fn error(self) -> io::Error {
        io::Error::other(match self {
            Self::DriverDropped => "the volt runtime that watched this descriptor has shut down",
            Self::PollFailed => {
                "the volt runtime watches no descriptors any more: the system's poll has failed"
            }
        })
    }
}

/// The place in which a waiter stores its waker.
#[derive(Debug)]
pub(crate) enum WakerPlace<'a> {
    /// The one place that the `poll_` methods of this half share; the last waiter has it.
    Shared,
    /// A place of its own, allocated at the first use and freed by [`IoSource::remove_waker`].
    Own(&'a mut Option<Key>),
}

#[derive(Debug)]
struct Waiters {
    shared: Option<Waker>,
    own: Slab<Waker>,
}

impl Waiters {
    const fn new() -> Self {
        Self {
            shared: None,
            own: Slab::new(),
        }
    }

    /// Stores the waker. Returns the waker that it replaces, if any.
    fn store(&mut self, place: WakerPlace<'_>, waker: Waker) -> Option<Waker> {
        let key = match place {
            WakerPlace::Shared => return self.shared.replace(waker),
            WakerPlace::Own(key) => key,
        };
        if let Some(stored) = key.and_then(|key| self.own.get_mut(key)) {
            return Some(std::mem::replace(stored, waker));
        }
        *key = Some(self.own.insert(waker));
        None
    }

    fn take_all(&mut self, batch: &mut WakeBatch) {
        if let Some(waker) = self.shared.take() {
            batch.push(waker);
        }
        if self.own.len() > 0 {
            self.own.drain().for_each(|waker| batch.push(waker));
        }
    }
}

/// The bit of [`IoSource::socket`] that a listener sets.
const ACCEPTED: u64 = 1 << 63;

/// The state of one descriptor in the driver.
#[derive(Debug)]
pub(crate) struct IoSource {
    word: AtomicU64,
    /// The number of the socket and one, or zero if the descriptor is no socket; [`ACCEPTED`].
    socket: AtomicU64,
    readers: Mutex<Waiters>,
    writers: Mutex<Waiters>,
}

impl IoSource {
    /// Returns a source without a report, so that the first operations are tried.
    pub(crate) fn new() -> Self {
        Self {
            word: AtomicU64::new(READABLE | WRITABLE),
            socket: AtomicU64::new(0),
            readers: Mutex::new(Waiters::new()),
            writers: Mutex::new(Waiters::new()),
        }
    }

    /// Records the number of the socket that is registered, for inspections.
    #[cfg(unix)]
    pub(crate) fn set_socket(&self, descriptor: i32) {
        let number = u64::try_from(descriptor).map_or(0, |number| number + 1);
        // ORDERING: Relaxed: only compared and shown.
        self.socket.store(number, Ordering::Relaxed);
    }

    /// Records that a listener has accepted the socket.
    pub(crate) fn set_accepted(&self) {
        // ORDERING: Relaxed, as above.
        self.socket.fetch_or(ACCEPTED, Ordering::Relaxed);
    }

    /// Returns the number of the socket, if the descriptor is one.
    pub(super) fn socket(&self) -> Option<u64> {
        // ORDERING: Relaxed, as above.
        (self.socket.load(Ordering::Relaxed) & !ACCEPTED).checked_sub(1)
    }

    /// Returns `true` if a listener has accepted the socket.
    pub(super) fn is_accepted(&self) -> bool {
        // ORDERING: Relaxed, as above.
        self.socket.load(Ordering::Relaxed) & ACCEPTED != 0
    }

    /// Passes the data of each waker that waits for a half.
    pub(super) fn for_each_waiting(&self, mut visit: impl FnMut(Direction, usize)) {
        for direction in [Direction::Read, Direction::Write] {
            let waiters = self.waiters(direction).lock();
            let wakers = waiters.shared.iter().chain(waiters.own.iter());
            wakers.for_each(|waker| visit(direction, waker.data().addr()));
        }
    }

    /// Returns the readiness of the half, if it is ready.
    #[inline]
    pub(crate) fn ready(&self, direction: Direction) -> Option<ReadyEvent> {
        // ORDERING: Acquire, pairs with the Release in `set`: the driver's writes before the report
        // are visible to the operation.
        let word = self.word.load(Ordering::Acquire);
        (word & direction.ready() != 0).then_some(ReadyEvent { word })
    }

    /// Returns the readiness of the half, or stores the waker until it is ready.
    #[inline]
    pub(crate) fn poll_ready(
        &self,
        direction: Direction,
        place: WakerPlace<'_>,
        waker: &Waker,
    ) -> Poll<ReadyEvent> {
        match self.ready(direction) {
            Some(ready) => Poll::Ready(ready),
            None => self.wait(direction, place, waker),
        }
    }

    fn wait(&self, direction: Direction, place: WakerPlace<'_>, waker: &Waker) -> Poll<ReadyEvent> {
        // A waker is foreign code that may use this source, so it is cloned and dropped outside of
        // the lock.
        let waker = waker.clone();
        let mut waiters = self.waiters(direction).lock();
        let replaced = waiters.store(place, waker);
        // Step 3: a report since the first load has not found our waker.
        let ready = self.ready(direction);
        drop(waiters);
        drop(replaced);
        ready.map_or(Poll::Pending, Poll::Ready)
    }

    /// Clears readiness after an operation that would have blocked.
    pub(crate) fn clear(&self, direction: Direction, seen: ReadyEvent) {
        self.unset(direction.open() | direction.closed(), seen);
    }

    /// Clears readiness after a short write, but not that the half is closed.
    pub(crate) fn exhaust_writes(&self, seen: ReadyEvent) {
        self.unset(WRITABLE, seen);
    }

    /// Clears readiness after a short read, unless the stream has marks.
    ///
    /// A read ends at a mark although more data may follow, which was reported already. In TCP the
    /// mark is the place of an urgent byte. The arrival of the byte is reported. The data after it
    /// is reported with it or later, but before the mark is passed. So a word without the flag
    /// precedes the mark.
    pub(crate) fn exhaust_reads(&self, seen: ReadyEvent) {
        if seen.word & MARKS == 0 {
            self.unset(READABLE, seen);
        }
    }

    /// Makes short reads clear nothing, because the stream may have marks.
    ///
    /// Only Unix sockets have any.
    #[cfg(any(unix, test))]
    pub(crate) fn expect_marks(&self) {
        // ORDERING: Relaxed: the caller shares the source only with the driver so far, which does
        // not read the flag.
        self.word.fetch_or(MARKS, Ordering::Relaxed);
    }

    fn unset(&self, flags: u64, seen: ReadyEvent) {
        let mut word = self.word.load(Ordering::Relaxed);
        while word / EDGE == seen.word / EDGE {
            // ORDERING: Relaxed: clearing publishes nothing, and the following wait takes the lock.
            // A report in between has changed the edge count, so the loop ends.
            match self.word.compare_exchange_weak(
                word,
                word & !flags,
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return,
                Err(actual) => word = actual,
            }
        }
    }

    /// Removes the waker from a place of its own.
    pub(crate) fn remove_waker(&self, direction: Direction, key: Key) {
        let removed = self.waiters(direction).lock().own.remove(key);
        drop(removed);
    }

    /// Records a report of the system, and moves the wakers that wait for it to the batch.
    pub(super) fn report(&self, event: &mio::event::Event, batch: &mut WakeBatch) {
        let error = event.is_error();
        let flag = |is_set: bool, flag| if is_set { flag } else { 0 };
        let flags = flag(event.is_readable(), READABLE)
            | flag(event.is_writable(), WRITABLE)
            | flag(event.is_read_closed() || error, READ_CLOSED)
            | flag(event.is_write_closed() || error, WRITE_CLOSED)
            | flag(event.is_priority(), MARKS | PRIORITY)
            | flag(error, ERROR);
        self.set(flags, batch);
    }

    /// Records that no more reports will arrive, and moves all wakers to the batch.
    pub(super) fn abandon(&self, end: CloseReason, batch: &mut WakeBatch) {
        self.set(end.flags(), batch);
    }

    fn set(&self, flags: u64, batch: &mut WakeBatch) {
        let update = |word: u64| Some(word.wrapping_add(EDGE) | flags);
        // ORDERING: Release, pairs with the Acquire in `ready`.
        let (Ok(before) | Err(before)) =
            self.word
                .fetch_update(Ordering::Release, Ordering::Relaxed, update);
        // Tasks that wait for urgent data or an error are among the readers.
        let new_urgent = flags & !before & (PRIORITY | ERROR);
        for direction in [Direction::Read, Direction::Write] {
            let is_new = flags & direction.ready() != 0 && before & direction.ready() == 0;
            if is_new || (new_urgent != 0 && direction == Direction::Read) {
                self.waiters(direction).lock().take_all(batch);
            }
        }
    }

    fn waiters(&self, direction: Direction) -> &Mutex<Waiters> {
        match direction {
            Direction::Read | Direction::Priority | Direction::Error => &self.readers,
            Direction::Write => &self.writers,
        }
    }
}

#[cfg(test)]
#[path = "source_tests.rs"]
mod tests;
