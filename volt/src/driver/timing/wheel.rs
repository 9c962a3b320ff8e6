//! The timer wheel: values, and the ticks at which they are due.
//!
//! Nine levels of 64 slots cover all `u64` deadlines. A slot of the lowest level spans a *grain* of
//! 2¹⁴ ticks. The clock, not the wheel, rounds the driver's waits. Each level above is 64 times
//! coarser. A deadline is placed by the highest digit of six bits in which its grain differs from
//! the grain that the wheel has reached:
//!
//! ```text
//!                level 2 level 1 level 0 within the grain
//!   reached   … 000010  000111  010000
//!   deadline  … 000010  001001  110101  00101101110011
//!                       └────┘ first difference: level 1, slot 9
//! ```
//!
//! When the wheel reaches the first grain of a slot, the items of the slot *cascade*: they are
//! placed again, at a lower level. Items of the lowest level are sorted, and stay in one list until
//! they are due. So an item moves once for each power of 64 grains until its deadline, at most nine
//! times.
//!
//! An item is a deadline and the key of a value, and a slot is a vector of items. A move reads and
//! writes items only, not the values. A removed value leaves a *tombstone*: an item without a
//! value. Tombstones are removed when they are three quarters of a slot, or with their slot.
//! Insertion and removal take amortised constant time.
//!
//! # Invariants
//!
//! - I1: the reached grain never decreases, and is at most that of the greatest `now` so far.
//! - I2: each item outside of the list has a grain after the reached one, agrees with it in all
//!   digits above its level, and exceeds it in the digit of its level. So the index of a slot is
//!   greater than the digit of the reached grain, and nothing wraps. All items of a lower level are
//!   due before those of a higher level. The deadline determines the slot at any time.
//! - I3: the `earliest` of a slot is at most the least deadline in it, and equal to it if nothing
//!   was removed from the slot. So the waiting thread sleeps until a far deadline, and need not
//!   wake up to cascade items.
//! - I4: the list is sorted by deadline, none of which is after the reached grain, and its first
//!   item has a value.
//! - I5: each slot counts its tombstones, and has at least one item with a value.
//!
//! Values come out in the order of their deadlines, and in the order of insertion for one tick. The
//! algorithm is that of Varghese and Lauck's hierarchical timing wheels (1987).
//!
//! The tests compare the wheel with an ordered map.

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

/// The number of spare vectors for slots, and their largest capacity.
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
    /// The number of items without a value.
    tombstones: usize,
    earliest: Tick,
}

/// The place of a deadline.
#[derive(Clone, Copy)]
enum ItemPlace {
    List,
    Slot(usize),
}

/// A set of values, each with the tick at which it is due.
#[derive(Debug)]
pub(crate) struct Wheel<T> {
    /// The reached grain.
    reached: u64,
    entries: Slab<WheelEntry<T>>,
    /// The items that are due by the end of the reached grain.
    list: VecDeque<WheelItem>,
    /// The number of items in the list without a value.
    tombstones: usize,
    slots: Box<[WheelSlot]>,
    /// A bit for each slot that has a value, a word for each level.
    occupied: [u64; LEVELS],
    /// A bit for each level that has a value.
    levels: u16,
    spare: Vec<Vec<WheelItem>>,
}

impl<T> Wheel<T> {
    /// Returns an empty wheel that has reached `now`.
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

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Adds a value. It is due at once if its deadline has passed.
    pub(crate) fn insert(&mut self, deadline: Tick, value: T) -> Key {
        let key = self.entries.insert(WheelEntry { deadline, value });
        self.place(WheelItem { deadline, key });
        key
    }

    /// Removes a value before it is due; returns `None` if it has come out already.
    pub(crate) fn remove(&mut self, key: Key) -> Option<T> {
        let entry = self.entries.remove(key)?;
        match self.place_of(entry.deadline) {
            ItemPlace::List => self.add_tombstone_to_list(),
            ItemPlace::Slot(place) => self.add_tombstone(place),
        }
        Some(entry.value)
    }

    /// Returns the tick of the next check: the earliest deadline, or a tick before it if values
    /// were removed. Returns `None` if the wheel is empty.
    pub(crate) fn next_deadline(&self) -> Option<Tick> {
        if let Some(first) = self.list.front() {
            return Some(first.deadline);
        }
        self.first_slot().map(|place| self.slots[place].earliest)
    }

    /// Removes and returns the next value whose deadline is not after `now`.
    ///
    /// Returns `None` if there is none; only then has the wheel reached `now`.
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

    /// Calls `visit` with each value whose deadline is not before `limit`, in no order. Slots that
    /// end before the limit are skipped.
    pub(crate) fn for_each_from(&self, limit: Tick, mut visit: impl FnMut(Tick, &T)) {
        let grain = limit >> GRAIN;
        let slots = self.slots.iter().enumerate();
        let far =
            slots.filter(|(place, slot)| !slot.items.is_empty() && self.end_of(*place) >= grain);
        let far = far.flat_map(|(_, slot)| &slot.items);
        for item in self
            .list
            .iter()
            .chain(far)
            .filter(|item| item.deadline >= limit)
        {
            if let Some(entry) = self.entries.get(item.key) {
                visit(entry.deadline, &entry.value);
            }
        }
    }

    /// Calls `visit` with each value whose deadline is not after `limit`, in no order. Slots that
    /// begin after the limit are skipped.
    pub(crate) fn for_each_until(&self, limit: Tick, mut visit: impl FnMut(Tick, &T)) {
        let grain = limit >> GRAIN;
        let slots = self.slots.iter().enumerate();
        let due =
            slots.filter(|(place, slot)| !slot.items.is_empty() && self.start_of(*place) <= grain);
        let due = due.flat_map(|(_, slot)| &slot.items);
        let items = self.list.iter().chain(due);
        for item in items.filter(|item| item.deadline <= limit) {
            if let Some(entry) = self.entries.get(item.key) {
                visit(entry.deadline, &entry.value);
            }
        }
    }

    /// Reads the first `count` values that will be due, to bring them into the cache. They are far
    /// apart in memory, and the processor loads independent reads in parallel.
    pub(crate) fn prefetch(&self, count: usize) {
        let first = self.list.iter().take(count);
        black_box(first.filter(|item| self.entries.contains(item.key)).count());
    }

    /// Removes all values.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = T> {
        self.list.clear();
        self.tombstones = 0;
        self.slots.fill(WheelSlot::EMPTY);
        self.occupied = [0; LEVELS];
        self.levels = 0;
        self.entries.drain().map(|entry| entry.value)
    }

    /// Removes and returns the first value of the list.
    fn pop(&mut self) -> T {
        let first = self.list.pop_front();
        let entry = first.and_then(|first| self.entries.remove(first.key));
        self.drop_tombstones();
        entry.expect("the first of the list is there").value
    }

    /// Reaches the first grain of a slot, and places its items again.
    ///
    /// A single item need not move down level by level: if it is due by `now`, the wheel reaches
    /// its grain at once.
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

    /// Makes the items of a grain the list; the previous list is empty (I4).
    fn begin_list(&mut self, mut items: Vec<WheelItem>) {
        if !items.is_sorted_by_key(|item| item.deadline) {
            // The sort is stable: values of one tick stay in the order of insertion.
            items.sort_by_key(|item| item.deadline);
        }
        let before = std::mem::replace(&mut self.list, items.into());
        self.recycle(before.into());
    }

    /// Places an item according to its deadline.
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

    /// Returns the slot whose values are due before all others (I2).
    fn first_slot(&self) -> Option<usize> {
        if self.levels == 0 {
            return None;
        }
        let level = self.levels.trailing_zeros() as usize;
        let slot = self.occupied[level].trailing_zeros() as usize;
        Some(level * SLOTS + slot)
    }

    /// Returns the first grain of a slot that has a value.
    fn start_of(&self, place: usize) -> u64 {
        let shift = (place / SLOTS) as u32 * DIGIT;
        let above = u64::MAX.checked_shl(shift + DIGIT).unwrap_or(0);
        (self.reached & above) | (((place % SLOTS) as u64) << shift)
    }

    /// Returns the last grain of a slot that has a value.
    fn end_of(&self, place: usize) -> u64 {
        let shift = (place / SLOTS) as u32 * DIGIT;
        self.start_of(place) | !(u64::MAX.checked_shl(shift).unwrap_or(0))
    }

    /// Records that an item of the slot has lost its value.
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

    /// Records that an item of the list has lost its value.
    fn add_tombstone_to_list(&mut self) {
        self.tombstones += 1;
        if self.tombstones / 3 > self.list.len() / 4 {
            self.tombstones = 0;
            self.list.retain(|item| self.entries.contains(item.key));
        }
        self.drop_tombstones();
    }

    /// Removes tombstones from the front of the list, so that its first item has a value (I4).
    fn drop_tombstones(&mut self) {
        while self.tombstones > 0
            && let Some(first) = self.list.front()
            && !self.entries.contains(first.key)
        {
            self.list.pop_front();
            self.tombstones -= 1;
        }
    }

    /// Empties the slot, and returns its items that have values.
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

    /// Stores a vector for another slot.
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
