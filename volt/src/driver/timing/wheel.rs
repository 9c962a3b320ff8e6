//! The timer wheel: which value is due at which tick.
//!
//! Nine levels of 64 slots cover every `u64` deadline. A slot of the lowest level spans a *grain*
//! of 2¹⁴ ticks, which is what the waits of the driver are exact to, and each level above is 64
//! times coarser. A deadline is placed by the highest digit of six bits in which its grain differs
//! from the grain that the wheel has reached:
//!
//! ```text
//!                level 2 level 1 level 0 within the grain
//!   reached   … 000010  000111  010000
//!   deadline  … 000010  001001  110101  00101101110011
//!                       └────┘ first difference: level 1, slot 9
//! ```
//!
//! When the wheel reaches the first grain of a slot, the slot's items are placed anew and so move
//! to a lower level. Those of the lowest are put in order, and stand in one list until they are
//! due. So an item moves as many times as its deadline is powers of 64 grains away, at most nine.
//!
//! An item is a deadline and the key of a value, and a slot is a vector of them: what moves is
//! read and written in one go, wherever the values lie. A removed value leaves its item behind,
//! which goes when those that are left behind are three quarters of its slot, or with its slot.
//! Insertion and removal take constant time, spread over all of them.
//!
//! # Invariants
//!
//! - I1: the grain reached never goes back, and is at most that of the greatest `now` ever given.
//! - I2: every item that is not in the list has a grain after the one reached, agrees with it in
//!   all digits above its level, and exceeds it in the digit of its level. So a slot's index is
//!   greater than the reached grain's digit, nothing ever wraps around, whatever stands on a
//!   lower level is due before all that stands higher, and the deadline tells the slot at any time.
//! - I3: each slot's `earliest` is at most the least deadline in it, and equal to it if nothing
//!   was removed from the slot. The waiting thread therefore sleeps right up to a far deadline
//!   and need not rise to move items down.
//! - I4: the list is in the order of its deadlines, none of which lies after the grain reached,
//!   and the value of its first item is there.
//! - I5: each slot knows how many of its items are left behind, and one is not.
//!
//! Values come out in the order of their deadlines, those of one tick in the order of insertion.
//! The algorithm is that of Varghese and Lauck's hierarchical timing wheels (1987).
//!
//! The tests run the wheel beside an ordered map.

use std::collections::VecDeque;
use std::hint::black_box;

use super::clock::Tick;
use crate::driver::slab::{Key, Slab};

/// The ticks of one slot of the lowest level, as a power of two.
const GRAIN: u32 = 14;
/// The bits of a digit.
const DIGIT: u32 = 6;
const SLOTS: usize = 1 << DIGIT;
const LEVELS: usize = (u64::BITS - GRAIN).div_ceil(DIGIT) as usize;

/// How many vectors of slots are kept for the slots to come, and how large.
const SPARE: usize = 16;
const SPARE_ITEMS: usize = 1_024;

#[derive(Debug)]
struct WheelEntry<T> {
    deadline: Tick,
    value: T,
}

#[derive(Clone, Copy, Debug)]
struct WheelItem {
    deadline: Tick,
    key: Key,
}

#[derive(Clone, Debug)]
struct WheelSlot {
    items: Vec<WheelItem>,
    /// How many of them have no value any more.
    tombstones: usize,
    earliest: Tick,
}

/// Where a deadline belongs.
#[derive(Clone, Copy)]
enum ItemPlace {
    List,
    Slot(usize),
}

/// A set of values, each with the tick at which it is due.
#[derive(Debug)]
pub(crate) struct Wheel<T> {
    /// The grain reached.
    reached: u64,
    entries: Slab<WheelEntry<T>>,
    /// What is due by the end of the grain reached.
    list: VecDeque<WheelItem>,
    /// How many items of the list have no value any more.
    tombstones: usize,
    slots: Box<[WheelSlot]>,
    /// A bit for each slot that holds a value, a word for each level.
    occupied: [u64; LEVELS],
    /// A bit for each level that holds a value.
    levels: u16,
    spare: Vec<Vec<WheelItem>>,
}

impl<T> Wheel<T> {
    /// An empty wheel that has reached `now`.
    pub(crate) fn new(now: Tick) -> Self {
        Self {
            reached: now >> GRAIN,
            entries: Slab::new(),
            list: VecDeque::new(),
            tombstones: 0,
            slots: vec![WheelSlot::EMPTY; LEVELS * SLOTS].into_boxed_slice(),
            occupied: [0; LEVELS],
            levels: 0,
            spare: Vec::new(),
        }
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Adds a value; one whose deadline has passed is due at once.
    pub(crate) fn insert(&mut self, deadline: Tick, value: T) -> Key {
        let key = self.entries.insert(WheelEntry { deadline, value });
        self.place(WheelItem { deadline, key });
        key
    }

    /// Takes a value out before it is due; `None` when it has come out already.
    pub(crate) fn remove(&mut self, key: Key) -> Option<T> {
        let entry = self.entries.remove(key)?;
        match self.place_of(entry.deadline) {
            ItemPlace::List => self.add_tombstone_to_list(),
            ItemPlace::Slot(place) => self.add_tombstone(place),
        }
        Some(entry.value)
    }

    /// The tick at which to look at the wheel again: the earliest deadline, or a tick before it
    /// if the value it belonged to was removed; `None` when the wheel is empty.
    pub(crate) fn next_deadline(&self) -> Option<Tick> {
        if let Some(first) = self.list.front() {
            return Some(first.deadline);
        }
        self.first_slot().map(|place| self.slots[place].earliest)
    }

    /// Takes out the next value whose deadline is not after `now`.
    ///
    /// Returns `None` when there is no more, and only then has the wheel reached `now`.
    pub(crate) fn pop_due(&mut self, now: Tick) -> Option<T> {
        let grain = now >> GRAIN;
        loop {
            if let Some(first) = self.list.front() {
                return (first.deadline <= now).then(|| self.pop());
            }
            match self.first_slot() {
                Some(place) if self.start_of(place) <= grain => self.cascade(place, now),
                _ => break,
            }
        }
        self.reached = self.reached.max(grain);
        None
    }

    /// Looks at so many of the values that will be due first, so that they are at hand when they
    /// come out. They lie far apart, and the processor fetches what is only looked at side by side.
    pub(crate) fn prefetch(&self, count: usize) {
        let first = self.list.iter().take(count);
        black_box(first.filter(|item| self.entries.contains(item.key)).count());
    }

    /// Takes every value out.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = T> {
        self.list.clear();
        self.tombstones = 0;
        self.slots.fill(WheelSlot::EMPTY);
        self.occupied = [0; LEVELS];
        self.levels = 0;
        self.entries.drain().map(|entry| entry.value)
    }

    /// Takes out the first value of the list.
    fn pop(&mut self) -> T {
        let first = self.list.pop_front();
        let entry = first.and_then(|first| self.entries.remove(first.key));
        self.drop_tombstones();
        entry.expect("the first of the list is there").value
    }

    /// Reaches the first grain of a slot and places its items anew.
    ///
    /// An item that is alone in the slot need not move down level by level: if it is due by
    /// `now`, the wheel reaches its grain at once.
    fn cascade(&mut self, place: usize, now: Tick) {
        self.reached = self.start_of(place);
        let mut items = self.vacate(place);
        if place < SLOTS {
            return self.begin_list(items);
        }
        if let [alone] = items[..]
            && alone.deadline <= now
        {
            self.reached = alone.deadline >> GRAIN;
        }
        items.drain(..).for_each(|item| self.place(item));
        self.recycle(items);
    }

    /// Makes the items of a grain the list; the one before is empty (I4).
    fn begin_list(&mut self, mut items: Vec<WheelItem>) {
        if !items.is_sorted_by_key(|item| item.deadline) {
            // Stable: values of one tick stay in the order of insertion.
            items.sort_by_key(|item| item.deadline);
        }
        let before = std::mem::replace(&mut self.list, items.into());
        self.recycle(before.into());
    }

    /// Puts an item where its deadline belongs.
    fn place(&mut self, item: WheelItem) {
        match self.place_of(item.deadline) {
            ItemPlace::List => {
                let after = self
                    .list
                    .partition_point(|other| other.deadline <= item.deadline);
                self.list.insert(after, item);
            }
            ItemPlace::Slot(place) => {
                let slot = &mut self.slots[place];
                if slot.items.is_empty() {
                    slot.items = self.spare.pop().unwrap_or_default();
                    self.occupied[place / SLOTS] |= 1 << (place % SLOTS);
                    self.levels |= 1 << (place / SLOTS);
                }
                slot.earliest = slot.earliest.min(item.deadline);
                slot.items.push(item);
            }
        }
    }

    fn place_of(&self, deadline: Tick) -> ItemPlace {
        let grain = deadline >> GRAIN;
        if grain <= self.reached {
            return ItemPlace::List;
        }
        let level = (grain ^ self.reached).ilog2() / DIGIT;
        let slot = (grain >> (level * DIGIT)) as usize % SLOTS;
        ItemPlace::Slot(level as usize * SLOTS + slot)
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

    /// The first grain of a slot that holds a value.
    fn start_of(&self, place: usize) -> u64 {
        let shift = (place / SLOTS) as u32 * DIGIT;
        let above = u64::MAX.checked_shl(shift + DIGIT).unwrap_or(0);
        (self.reached & above) | (((place % SLOTS) as u64) << shift)
    }

    /// An item of the slot has lost its value.
    fn add_tombstone(&mut self, place: usize) {
        let slot = &mut self.slots[place];
        slot.tombstones += 1;
        if slot.tombstones == slot.items.len() {
            let items = self.vacate(place);
            self.recycle(items);
        } else if slot.tombstones / 3 > slot.items.len() / 4 {
            slot.tombstones = 0;
            slot.items.retain(|item| self.entries.contains(item.key));
        }
    }

    /// An item of the list has lost its value.
    fn add_tombstone_to_list(&mut self) {
        self.tombstones += 1;
        if self.tombstones / 3 > self.list.len() / 4 {
            self.tombstones = 0;
            self.list.retain(|item| self.entries.contains(item.key));
        }
        self.drop_tombstones();
    }

    /// Sees to it that the value of the list's first item is there (I4).
    fn drop_tombstones(&mut self) {
        while self.tombstones > 0
            && let Some(first) = self.list.front()
            && !self.entries.contains(first.key)
        {
            self.list.pop_front();
            self.tombstones -= 1;
        }
    }

    /// Empties the slot and returns those of its items that have values.
    fn vacate(&mut self, place: usize) -> Vec<WheelItem> {
        let level = place / SLOTS;
        self.occupied[level] &= !(1 << (place % SLOTS));
        self.levels &= !(u16::from(self.occupied[level] == 0) << level);
        let slot = std::mem::replace(&mut self.slots[place], WheelSlot::EMPTY);
        let mut items = slot.items;
        if slot.tombstones == items.len() {
            items.clear();
        } else if slot.tombstones > 0 {
            items.retain(|item| self.entries.contains(item.key));
        }
        items
    }

    /// Keeps a vector for another slot.
    fn recycle(&mut self, mut items: Vec<WheelItem>) {
        if self.spare.len() < SPARE && (1..=SPARE_ITEMS).contains(&items.capacity()) {
            items.clear();
            self.spare.push(items);
        }
    }
}

impl WheelSlot {
    const EMPTY: Self = Self {
        items: Vec::new(),
        tombstones: 0,
        earliest: Tick::MAX,
    };
}

#[cfg(all(test, not(loom)))]
#[path = "wheel_tests.rs"]
mod tests;
