//! The timers of one driver: the wheel under its lock.
//!
//! A timer is a deadline and the waker to call then. It takes the lock when a task first waits for
//! it, when another task takes over the wait, and when it ends. A check whether it has fired takes
//! no lock, because the clock shows it.
//!
//! # Protocol
//!
//! 1. A thread that is about to wait in the driver records the next deadline under the lock
//!    ([`Timers::begin_wait`]).
//! 2. A thread that inserts an earlier deadline lowers the record, and must interrupt the wait.
//!    Other insertions do not interrupt it. While no thread waits, the record is zero.
//! 3. After the wait, the thread clears the record and takes the timers that are due
//!    ([`Timers::take_due`]).
//!
//! Steps 1 and 2 take the same lock. So the waiting thread sees an insertion, or the insertion sees
//! the record.

use std::task::Waker;

use super::clock::Tick;
use super::wheel::Wheel;
use crate::driver::slab::Key;
use crate::driver::wake_batch::WakeBatch;
use crate::loom::sync::Mutex;

/// All timers of a driver.
#[derive(Debug)]
pub(crate) struct Timers {
    locked: Mutex<TimersState>,
}

#[derive(Debug)]
struct TimersState {
    wheel: Wheel<Waker>,
    /// The deadline until which the thread in the driver sleeps; zero while no thread waits.
    awaited: Tick,
}

/// A timer that was inserted into the wheel.
#[must_use]
pub(crate) struct Inserted {
    pub(crate) key: Key,
    /// The wait must be interrupted, because it would end after this timer.
    pub(crate) interrupts: bool,
}

impl TimersState {
    fn insert(&mut self, deadline: Tick, waker: Waker) -> Inserted {
        let interrupts = deadline < self.awaited;
        if interrupts {
            self.awaited = deadline;
        }
        Inserted {
            key: self.wheel.insert(deadline, waker),
            interrupts,
        }
    }
}

impl Timers {
    pub(crate) fn new(now: Tick) -> Self {
        Self {
            locked: Mutex::new(TimersState {
                wheel: Wheel::new(now),
                awaited: 0,
            }),
        }
    }

    pub(crate) fn insert(&self, deadline: Tick, waker: Waker) -> Inserted {
        self.locked.lock().insert(deadline, waker)
    }

    /// Replaces the timer, fired or not, by one with this deadline and waker.
    ///
    /// Returns the old waker too. The caller must drop it outside of the lock.
    pub(crate) fn replace(
        &self,
        key: Key,
        deadline: Tick,
        waker: Waker,
    ) -> (Inserted, Option<Waker>) {
        let mut locked = self.locked.lock();
        let old = locked.wheel.remove(key);
        (locked.insert(deadline, waker), old)
    }

    /// Changes the deadline of the timer; returns `None` if it has fired.
    pub(crate) fn postpone(&self, key: Key, deadline: Tick) -> Option<Inserted> {
        let mut locked = self.locked.lock();
        let waker = locked.wheel.remove(key)?;
        Some(locked.insert(deadline, waker))
    }

    /// Removes the timer. The caller must drop the waker outside of the lock.
    pub(crate) fn remove(&self, key: Key) -> Option<Waker> {
        self.locked.lock().wheel.remove(key)
    }

    /// Announces a wait, and returns the deadline at which it must end, if there is one.
    pub(crate) fn begin_wait(&self) -> Option<Tick> {
        let mut locked = self.locked.lock();
        let next = locked.wheel.next_deadline();
        locked.awaited = next.unwrap_or(Tick::MAX);
        next
    }

    /// Returns the earliest deadline, or a time before it.
    pub(crate) fn next_deadline(&self) -> Option<Tick> {
        self.locked.lock().wheel.next_deadline()
    }

    /// Ends the wait, if there was one, and moves the wakers of timers that are due to the batch.
    ///
    /// Returns `true` if more timers may be due.
    pub(crate) fn take_due(&self, now: Tick, batch: &mut WakeBatch) -> bool {
        let mut locked = self.locked.lock();
        locked.awaited = 0;
        locked.wheel.prefetch(batch.free_capacity());
        while !batch.is_full() {
            match locked.wheel.pop_due(now) {
                Some(waker) => batch.push(waker),
                None => return false,
            }
        }
        true
    }

    /// Moves all wakers to the batch.
    pub(crate) fn take_all(&self, batch: &mut WakeBatch) {
        let mut locked = self.locked.lock();
        locked.wheel.drain().for_each(|waker| batch.push(waker));
    }

    /// Returns the deadlines of timers that are not due before `limit`, with the data of their
    /// wakers. At most `max` are returned.
    pub(crate) fn far(&self, limit: Tick, max: usize) -> Vec<(Tick, usize)> {
        let mut far = Vec::new();
        self.locked
            .lock()
            .wheel
            .for_each_from(limit, |deadline, waker| {
                if far.len() < max {
                    far.push((deadline, waker.data().addr()));
                }
            });
        far
    }

    /// Returns the deadlines of timers that are due at `limit`, with the data of their wakers. At
    /// most `max` are returned.
    pub(crate) fn due(&self, limit: Tick, max: usize) -> Vec<(Tick, usize)> {
        let mut due = Vec::new();
        self.locked
            .lock()
            .wheel
            .for_each_until(limit, |deadline, waker| {
                if due.len() < max {
                    due.push((deadline, waker.data().addr()));
                }
            });
        due
    }

    pub(crate) fn len(&self) -> usize {
        self.locked.lock().wheel.len()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::task::Waker;

    use super::Timers;
    use crate::driver::wake_batch::WakeBatch;

    fn noop() -> Waker {
        Waker::noop().clone()
    }

    #[test]
    fn only_earlier_insertion_interrupts_a_wait() {
        let timers = Timers::new(0);
        assert!(!timers.insert(100, noop()).interrupts);
        assert_eq!(timers.begin_wait(), Some(100));
        assert!(!timers.insert(100, noop()).interrupts);
        assert!(timers.insert(50, noop()).interrupts);
        assert!(!timers.insert(60, noop()).interrupts, "50 comes first");
        assert!(timers.insert(40, noop()).interrupts);
        assert!(!timers.take_due(10, &mut WakeBatch::new()));
        assert!(!timers.insert(20, noop()).interrupts, "no thread waits");
        assert_eq!(timers.begin_wait(), Some(20));
    }

    #[test]
    fn any_insertion_interrupts_a_wait_without_end() {
        let timers = Timers::new(0);
        assert_eq!(timers.begin_wait(), None);
        assert!(timers.insert(u64::MAX - 1, noop()).interrupts);
    }

    #[test]
    fn due_timers_come_in_batches() {
        let timers = Timers::new(0);
        for deadline in 0..100 {
            let _ = timers.insert(deadline, noop());
        }
        let mut batch = WakeBatch::new();
        assert!(timers.take_due(1_000, &mut batch));
        assert!(batch.is_full());
        batch.wake_all();
        assert!(!timers.take_due(1_000, &mut batch));
        assert_eq!(timers.len(), 0);
    }

    #[test]
    fn fired_timer_is_not_postponed() {
        let timers = Timers::new(0);
        let timer = timers.insert(10, noop());
        let mut batch = WakeBatch::new();
        timers.take_due(10, &mut batch);
        assert!(timers.postpone(timer.key, 20).is_none());
        assert!(timers.remove(timer.key).is_none());
        let (again, old) = timers.replace(timer.key, 20, noop());
        assert!(old.is_none());
        assert!(timers.remove(again.key).is_some());
    }
}
