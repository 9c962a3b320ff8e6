//! The timer wheel: which value is due at which tick.
//!
//! Eleven levels of 64 slots cover every `u64` deadline. A slot of level *l* spans 64ˡ ticks, so
//! the lowest level is exact and each level above is 64 times coarser. A deadline is placed by
//! the highest six-bit digit in which it differs from the tick the wheel has reached:
//!
//! ```text
//!   reached   … 000010 000111 010000
//!   deadline  … 000010 001001 110101
//!                      └────┘ first difference: level 1, slot 9
//! ```
//!
//! When the wheel reaches the first tick of a slot, the slot's values are placed anew and so move
//! to a lower level, or are due. Insertion and removal take constant time; a value moves at most
//! ten times in its life, and as many times as its deadline is powers of 64 away.
//!
//! # Invariants
//!
//! - I1: the tick reached never goes back, and is at most the greatest `now` ever given.
//! - I2: every value that is not due has a deadline after the tick reached, agrees with it in all
//!   digits above its level, and exceeds it in the digit of its level. So a slot's index is
//!   greater than the reached tick's digit, nothing ever wraps around, and whatever stands on a
//!   lower level is due before all that stands higher.
//! - I3: each slot's `earliest` is at most the least deadline in it, and equal to it if nothing
//!   was removed from the slot. The waiting thread therefore sleeps right up to a far deadline
//!   and need not rise to move values down.
//!
//! Values come out in the order of their deadlines, those of one tick in the order of insertion.
//! The algorithm is that of Varghese and Lauck's hierarchical timing wheels (1987).
//!
//! The tests run the wheel beside an ordered map.

use super::clock::Tick;
use super::slab::{Key, Slab};

/// A digit of a deadline: six bits.
const DIGIT: u32 = 6;
const SLOTS: usize = 1 << DIGIT;
const LEVELS: usize = 11;
/// The list of values whose deadline was reached stands behind the slots.
const DUE: usize = LEVELS * SLOTS;

/// Ends a list.
const NONE: u32 = u32::MAX;

#[derive(Debug)]
struct Entry<T> {
    deadline: Tick,
    value: T,
    /// Neighbours in the slot's ring, where the first follows the last.
    next: u32,
    previous: u32,
    place: u16,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    first: u32,
    earliest: Tick,
}

const EMPTY: Slot = Slot {
    first: NONE,
    earliest: Tick::MAX,
};

/// A set of values, each with the tick at which it is due.
#[derive(Debug)]
pub(super) struct Wheel<T> {
    /// The tick reached.
    reached: Tick,
    entries: Slab<Entry<T>>,
    slots: Box<[Slot]>,
    /// A bit for each slot that holds a value, a word for each level.
    occupied: [u64; LEVELS],
    /// A bit for each level that holds a value.
    levels: u16,
}

impl<T> Wheel<T> {
    /// An empty wheel that has reached `now`.
    pub(super) fn new(now: Tick) -> Self {
        Self {
            reached: now,
            entries: Slab::new(),
            slots: vec![EMPTY; DUE + 1].into_boxed_slice(),
            occupied: [0; LEVELS],
            levels: 0,
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Adds a value; one whose deadline was reached already is due at once.
    pub(super) fn insert(&mut self, deadline: Tick, value: T) -> Key {
        let key = self.entries.insert(Entry {
            deadline,
            value,
            next: NONE,
            previous: NONE,
            place: 0,
        });
        self.link(key.index());
        key
    }

    /// Takes a value out before it is due; `None` when it has come out already.
    pub(super) fn remove(&mut self, key: Key) -> Option<T> {
        self.entries.get(key)?;
        Some(self.take(key.index()))
    }

    /// The tick at which to look at the wheel again: the earliest deadline, or a tick before it
    /// if the value it belonged to was removed; `None` when the wheel is empty.
    pub(super) fn next_deadline(&self) -> Option<Tick> {
        if self.slots[DUE].first != NONE {
            return Some(self.reached);
        }
        self.first_slot().map(|place| self.slots[place].earliest)
    }

    /// Takes out the next value whose deadline is not after `now`.
    ///
    /// Returns `None` when there is no more, and only then has the wheel reached `now`.
    pub(super) fn pop_due(&mut self, now: Tick) -> Option<T> {
        loop {
            let due = self.slots[DUE].first;
            if due != NONE {
                return Some(self.take(due));
            }
            match self.first_slot() {
                Some(place) if self.start_of(place) <= now => self.open(place, now),
                _ => break,
            }
        }
        self.reached = self.reached.max(now);
        None
    }

    /// Takes every value out.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = T> {
        self.slots.fill(EMPTY);
        self.occupied = [0; LEVELS];
        self.levels = 0;
        self.entries.drain().map(|entry| entry.value)
    }

    /// Reaches the first tick of a slot and places its values anew.
    ///
    /// A value that is alone in the slot need not move down level by level: if it is due by
    /// `now`, the wheel reaches its deadline at once.
    fn open(&mut self, place: usize, now: Tick) {
        self.reached = self.start_of(place);
        let first = self.slots[place].first;
        self.vacate(place);
        let alone = self.entries.at(first);
        if alone.next == first && alone.deadline <= now {
            self.reached = alone.deadline;
        }
        let mut index = first;
        loop {
            let next = self.entries.at(index).next;
            self.link(index);
            if next == first {
                break;
            }
            index = next;
        }
    }

    /// The slot whose values are due before those of all others (I2).
    fn first_slot(&self) -> Option<usize> {
        if self.levels == 0 {
            return None;
        }
        let level = self.levels.trailing_zeros() as usize;
        let slot = self.occupied[level].trailing_zeros() as usize;
        Some(level * SLOTS + slot)
    }

    /// The first tick of a slot that holds a value.
    fn start_of(&self, place: usize) -> Tick {
        let shift = (place / SLOTS) as u32 * DIGIT;
        let above = Tick::MAX.checked_shl(shift + DIGIT).unwrap_or(0);
        (self.reached & above) | (((place % SLOTS) as Tick) << shift)
    }

    fn place_of(&self, deadline: Tick) -> usize {
        if deadline <= self.reached {
            return DUE;
        }
        let level = (deadline ^ self.reached).ilog2() / DIGIT;
        let slot = (deadline >> (level * DIGIT)) as usize % SLOTS;
        level as usize * SLOTS + slot
    }

    /// Appends the value at `index` to the list its deadline belongs to.
    fn link(&mut self, index: u32) {
        let deadline = self.entries.at(index).deadline;
        let place = self.place_of(deadline);
        let first = self.slots[place].first;
        let (next, previous) = match first {
            NONE => (index, index),
            first => (first, self.entries.at(first).previous),
        };
        let entry = self.entries.at_mut(index);
        (entry.next, entry.previous, entry.place) = (next, previous, place as u16);
        if first == NONE {
            self.occupy(place, index);
        } else {
            self.entries.at_mut(previous).next = index;
            self.entries.at_mut(next).previous = index;
        }
        let slot = &mut self.slots[place];
        slot.earliest = slot.earliest.min(deadline);
    }

    /// Unlinks the value at `index` and takes it out.
    fn take(&mut self, index: u32) -> T {
        let &Entry {
            next,
            previous,
            place,
            ..
        } = self.entries.at(index);
        let place = usize::from(place);
        if next == index {
            self.vacate(place);
        } else {
            self.entries.at_mut(previous).next = next;
            self.entries.at_mut(next).previous = previous;
            if self.slots[place].first == index {
                self.slots[place].first = next;
            }
        }
        let entry = self.entries.remove_at(index);
        entry.expect("the value was linked").value
    }

    fn occupy(&mut self, place: usize, first: u32) {
        self.slots[place].first = first;
        if place != DUE {
            self.occupied[place / SLOTS] |= 1 << (place % SLOTS);
            self.levels |= 1 << (place / SLOTS);
        }
    }

    fn vacate(&mut self, place: usize) {
        self.slots[place] = EMPTY;
        if place != DUE {
            let level = place / SLOTS;
            self.occupied[level] &= !(1 << (place % SLOTS));
            self.levels &= !(u16::from(self.occupied[level] == 0) << level);
        }
    }
}

#[cfg(all(test, not(loom)))]
#[path = "wheel_tests.rs"]
mod tests;
