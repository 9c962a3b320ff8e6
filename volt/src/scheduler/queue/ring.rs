//! The ring: a worker's own queue of 256 tasks, half of which others can steal at once.
//!
//! One [`LocalRing`] pushes at the tail and pops at the head; any number of [`RingStealer`]s take
//! from the head. The owner's end cannot be cloned, so the type system ensures that only the owner
//! pushes.
//!
//! # Layout
//!
//! ```text
//!   head: u64 = | steal: u32 | real: u32 |      tail: u32      slots: [T; 256]
//!
//!            steal        real              tail
//!              v            v                 v
//!   ... free | being copied | queued, to pop  | free ...
//! ```
//!
//! Positions use all of `u32` and wrap; a slot is `position % 256`. `real` is the next task to
//! take. `steal` is less than `real` while a thief copies the tasks that it has claimed, so that
//! the owner does not overwrite them; otherwise the two are equal. Head, tail and slots have cache
//! lines of their own.
//!
//! # Protocol of a steal
//!
//! 1. *Claim*: one compare-exchange moves `real` over half of the queue and leaves `steal`. It
//!    succeeds only if `steal == real`, so at most one thief copies at a time.
//! 2. *Copy*: the thief reads the claimed slots. No other thread accesses them.
//! 3. *Release*: the thief sets `steal` to the current `real`. The owner may pop meanwhile, so this
//!    is a loop. A release that gave up would close the ring to thieves forever.
//!
//! # Invariants
//!
//! - I1: `steal <= real <= tail <= steal + N`, in wrapping arithmetic.
//! - I2: slots of `real..tail` are initialised; they belong to the thread that moves `real` over
//!   them.
//! - I3: slots of `steal..real` belong to the one thief that claimed them.
//! - I4: only the owner writes `tail`, and only the owner writes slots, outside `steal..tail`.
//!
//! # Ordering
//!
//! | write | read | carries |
//! | --- | --- | --- |
//! | `tail` Release in `push` | `tail` Acquire in `claim` | the content of the slot, to the thief |
//! | `head` Release in `release`, `take` | `head` Acquire in `push` | the end of the read, to the owner that reuses the slot |
//! | `head` Release in `pop`, `claim` | `head` Acquire in `claim` | a tail that is at least as new as that head |
//!
//! Tests: below, against a model and with real threads; all interleavings of small rings in
//! `ring_models.rs`.

use std::fmt;
use std::mem::MaybeUninit;

use crossbeam_utils::CachePadded;

use crate::loom::cell::UnsafeCell;
use crate::loom::sync::Arc;
use crate::loom::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use crate::loom::sync::atomic::{AtomicU32, AtomicU64};

/// The number of tasks in a worker's ring.
pub(crate) const RING_CAPACITY: usize = 256;

struct RingState<T, const N: usize> {
    head: CachePadded<AtomicU64>,
    tail: CachePadded<AtomicU32>,
    slots: CachePadded<[UnsafeCell<MaybeUninit<T>>; N]>,
}

// SAFETY: the protocol above moves the slots between threads: I2 and I3 give each initialised slot
// one taker, I4 one writer.
unsafe impl<T: Send, const N: usize> Sync for RingState<T, N> {}
// SAFETY: for the same reason; a ring owns the tasks in it.
unsafe impl<T: Send, const N: usize> Send for RingState<T, N> {}

/// The end of the owner, which pushes, pops and spills.
#[doc(alias = "WorkStealQueue")]
pub(crate) struct LocalRing<T, const N: usize = RING_CAPACITY>(Arc<RingState<T, N>>);

/// The end for other workers, which steals.
pub(crate) struct RingStealer<T, const N: usize = RING_CAPACITY>(Arc<RingState<T, N>>);

/// Returns both ends of an empty ring.
pub(crate) fn new_ring<T, const N: usize>() -> (LocalRing<T, N>, RingStealer<T, N>) {
    starting_at(0)
}

/// Returns both ends of an empty ring whose positions begin at `start`.
fn starting_at<T, const N: usize>(start: u32) -> (LocalRing<T, N>, RingStealer<T, N>) {
    const { assert!(N.is_power_of_two() && N >= 2 && N <= 1 << 16) };
    let shared = Arc::new(RingState {
        head: CachePadded::new(AtomicU64::new(pack(start, start))),
        tail: CachePadded::new(AtomicU32::new(start)),
        slots: CachePadded::new(std::array::from_fn(|_| {
            UnsafeCell::new(MaybeUninit::uninit())
        })),
    });
    (LocalRing(Arc::clone(&shared)), RingStealer(shared))
}

fn pack(steal: u32, real: u32) -> u64 {
    (u64::from(steal) << 32) | u64::from(real)
}

#[doc(alias("steal_head", "real_head"))]
fn unpack(head: u64) -> (u32, u32) {
    ((head >> 32) as u32, head as u32)
}

impl<T, const N: usize> RingState<T, N> {
    /// Moves the task out of the slot at `position`.
    ///
    /// # Safety
    ///
    /// The slot must be initialised, and the caller must be its only owner (I2, I3).
    unsafe fn read(&self, position: u32) -> T {
        self.slots[position as usize % N].with(|slot| {
            // SAFETY: the caller owns the slot.
            let slot = unsafe { &*slot };
            // SAFETY: the slot is initialised, and the caller does not read it again.
            unsafe { slot.assume_init_read() }
        })
    }

    /// Writes a task into the slot at `position`.
    ///
    /// # Safety
    ///
    /// The caller must be the owner of the ring, and the slot must be outside `steal..tail` (I4).
    unsafe fn write(&self, position: u32, task: T) {
        self.slots[position as usize % N].with_mut(|slot| {
            // SAFETY: no thread reads a slot outside `steal..tail`.
            unsafe { (*slot).write(task) };
        });
    }

    fn len(&self) -> usize {
        let (_, real) = unpack(self.head.load(Acquire));
        let tail = self.tail.load(Acquire);
        // The owner may have moved the tail since the head was read.
        (tail.wrapping_sub(real) as usize).min(N)
    }
}

impl<T, const N: usize> LocalRing<T, N> {
    /// Returns the tail. Only the owner writes it, so its own read needs no ordering.
    fn tail(&self) -> u32 {
        self.0.tail.load(Relaxed)
    }

    /// Appends a task; returns it as an error if no slot is free.
    #[inline]
    pub(crate) fn push(&mut self, task: T) -> Result<(), T> {
        // ORDERING: Acquire, pairs with the Release of the thread that moved `steal`: its reads of
        // the freed slots are over before we write there.
        let (steal, _) = unpack(self.0.head.load(Acquire));
        let tail = self.tail();
        if tail.wrapping_sub(steal) as usize >= N {
            return Err(task);
        }
        // SAFETY: I4: we are the owner, and I1 leaves this slot outside `steal..tail`.
        unsafe { self.0.write(tail, task) };
        // ORDERING: Release, pairs with the Acquire in `claim`. Publishes the slot.
        self.0.tail.store(tail.wrapping_add(1), Release);
        Ok(())
    }

    /// Takes the oldest task.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<T> {
        let tail = self.tail();
        let mut head = self.0.head.load(Acquire);
        loop {
            let (steal, real) = unpack(head);
            if real == tail {
                return None;
            }
            let next = real.wrapping_add(1);
            // While a thief copies, `steal` is its mark, and only the thief moves it.
            let moved = pack(if steal == real { next } else { steal }, next);
            // ORDERING: Release for `claim`, which must not see this head with an older tail.
            match self
                .0
                .head
                .compare_exchange_weak(head, moved, AcqRel, Acquire)
            {
                // SAFETY: I2: we moved `real` past this slot. I4: only we could reuse it.
                Ok(_) => return Some(unsafe { self.0.read(real) }),
                Err(actual) => head = actual,
            }
        }
    }

    /// Takes the older half of a full ring in one step.
    ///
    /// Returns `None` if the ring is not full, or if a thief is about to free half of it.
    pub(crate) fn spill(&mut self) -> Option<Spill<'_, T, N>> {
        let tail = self.tail();
        let head = self.0.head.load(Acquire);
        let (steal, real) = unpack(head);
        if steal != real || tail.wrapping_sub(real) as usize != N {
            return None;
        }
        let end = real.wrapping_add(N as u32 / 2);
        // ORDERING: the same as in `pop`.
        self.0
            .head
            .compare_exchange(head, pack(end, end), AcqRel, Relaxed)
            .ok()?;
        Some(Spill {
            ring: &self.0,
            next: real,
            end,
        })
    }

    /// Returns the number of tasks at a recent moment.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns `true` if the ring is empty.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        unpack(self.0.head.load(Relaxed)).1 == self.tail()
    }
}

/// Half of the tasks of a ring, on their way out. The owner can push again when this is dropped.
pub(crate) struct Spill<'a, T, const N: usize> {
    ring: &'a RingState<T, N>,
    next: u32,
    end: u32,
}

impl<T, const N: usize> Iterator for Spill<'_, T, N> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let position = self.next;
        if position == self.end {
            return None;
        }
        self.next = position.wrapping_add(1);
        // SAFETY: I2: `spill` moved `real` past `next..end`, each of which is read once. I4: the
        // owner, which could reuse the slot, is borrowed by `self`.
        Some(unsafe { self.ring.read(position) })
    }
}

impl<T, const N: usize> Drop for Spill<'_, T, N> {
    fn drop(&mut self) {
        self.for_each(drop);
    }
}

impl<T, const N: usize> RingStealer<T, N> {
    /// Takes the older half of the victim's tasks: returns one, and queues the others in `into`.
    ///
    /// Returns `None` if there is no task, if another thief is copying, or if `into` has no room
    /// for half a ring.
    #[doc(alias = "stealInto")]
    pub(crate) fn steal_into(&self, into: &mut LocalRing<T, N>) -> Option<T> {
        let room = into.tail();
        let (steal, _) = unpack(into.0.head.load(Acquire));
        if room.wrapping_sub(steal) as usize > N / 2 {
            return None;
        }
        let (first, count) = self.claim()?;
        for offset in 1..count {
            let position = first.wrapping_add(offset);
            // SAFETY: I3: `claim` gave us `first..first + count`, each of which is read once.
            let task = unsafe { self.0.read(position) };
            // SAFETY: I4: we own `into`, which has room for the N / 2 - 1 tasks this can be.
            unsafe { into.0.write(room.wrapping_add(offset - 1), task) };
        }
        // SAFETY: I3: for the same reason.
        let task = unsafe { self.0.read(first) };
        self.release();
        // ORDERING: the same as in `push`.
        into.0.tail.store(room.wrapping_add(count - 1), Release);
        Some(task)
    }

    /// Step 1: claims half of the queue, rounded up; returns its first position and its length.
    fn claim(&self) -> Option<(u32, u32)> {
        let mut head = self.0.head.load(Acquire);
        loop {
            let (steal, real) = unpack(head);
            // ORDERING: Acquire, pairs with the Release in `push`: all slots before this tail are
            // written.
            let available = self.0.tail.load(Acquire).wrapping_sub(real);
            let count = available - available / 2;
            if steal != real || count == 0 {
                return None;
            }
            let claimed = pack(steal, real.wrapping_add(count));
            // If the head was out of date, `available` may be wrong, but then the exchange fails.
            match self
                .0
                .head
                .compare_exchange_weak(head, claimed, AcqRel, Acquire)
            {
                Ok(_) => return Some((real, count)),
                Err(actual) => head = actual,
            }
        }
    }

    /// Step 3: frees the claimed slots for the owner.
    fn release(&self) {
        let mut head = self.0.head.load(Relaxed);
        loop {
            let (_, real) = unpack(head);
            // ORDERING: Release, pairs with the Acquire in `push`: our reads are over.
            match self
                .0
                .head
                .compare_exchange_weak(head, pack(real, real), AcqRel, Relaxed)
            {
                Ok(_) => return,
                Err(actual) => head = actual,
            }
        }
    }

    /// Returns `true` if [`steal_into`](Self::steal_into) could take a task now.
    ///
    /// A ring that another thief is copying from does not count. That thief is awake, and notifies
    /// a worker for the tasks that it leaves.
    pub(crate) fn has_stealable(&self) -> bool {
        let (steal, real) = unpack(self.0.head.load(Acquire));
        steal == real && self.0.tail.load(Acquire) != real
    }

    /// Returns the number of tasks at a recent moment.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

impl<T, const N: usize> Drop for RingState<T, N> {
    fn drop(&mut self) {
        let (_, mut real) = unpack(self.head.load(Acquire));
        let tail = self.tail.load(Acquire);
        while real != tail {
            // SAFETY: I2: both ends are dropped, so the tasks of `real..tail` are ours.
            drop(unsafe { self.read(real) });
            real = real.wrapping_add(1);
        }
    }
}

impl<T, const N: usize> fmt::Debug for LocalRing<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalRing")
            .field("len", &self.len())
            .finish()
    }
}

impl<T, const N: usize> fmt::Debug for RingStealer<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RingStealer")
            .field("len", &self.len())
            .finish()
    }
}

#[cfg(all(test, not(loom)))]
#[path = "ring_tests.rs"]
mod tests;

#[cfg(all(test, loom))]
#[path = "ring_models.rs"]
mod models;
