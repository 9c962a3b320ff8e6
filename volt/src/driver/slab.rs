//! A slab with generational keys: the key of a removed value finds nothing.
//!
//! Values are stored in one vector. A vacant entry is reused with a new generation, so an old key
//! does not find the new value. The vector grows with the largest number of values at a time. When
//! three quarters of it are vacant, it frees the entries after the last value, and reuses the
//! remaining vacant entries in order. A new entry begins with a generation that no earlier entry at
//! its index had.

/// The number of entries that are always retained.
const MIN_CAPACITY: usize = 1_024;
/// The end of the list of vacant entries.
const NONE: u32 = u32::MAX;

/// The key of a value in a [`Slab`], valid until the value is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    index: u32,
    generation: u32,
}

impl Key {
    /// Returns the index of the value's entry.
    #[cfg(test)]
    fn index(self) -> u32 {
        self.index
    }

    /// Packs the key into a word; on 32-bit machines the word has the index only.
    pub(super) fn to_word(self) -> usize {
        ((u64::from(self.generation) << 32) | u64::from(self.index)) as usize
    }
}

#[derive(Debug)]
enum SlabContent<T> {
    Occupied(T),
    /// The index of the next vacant entry.
    Vacant(u32),
}

#[derive(Debug)]
struct SlabEntry<T> {
    generation: u32,
    content: SlabContent<T>,
}

/// A set of values, each found in constant time by the key that its insertion returned.
#[derive(Debug)]
pub(super) struct Slab<T> {
    entries: Vec<SlabEntry<T>>,
    vacant: u32,
    len: usize,
    /// Below this number of values, or after `until_check` removals, the slab checks whether to
    /// shrink.
    shrinks_below: usize,
    until_check: usize,
    /// The generation of new entries.
    first_generation: u32,
}

impl<T> Slab<T> {
    pub(super) const fn new() -> Self {
        Self {
            entries: Vec::new(),
            vacant: NONE,
            len: 0,
            shrinks_below: 0,
            until_check: MIN_CAPACITY,
            first_generation: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Inserts a value.
    ///
    /// # Panics
    ///
    /// Panics if the slab has 2³² - 1 values.
    pub(super) fn insert(&mut self, value: T) -> Key {
        self.len += 1;
        if self.vacant == NONE {
            return self.grow(value);
        }
        let index = self.vacant;
        let entry = &mut self.entries[index as usize];
        if let SlabContent::Vacant(next) = entry.content {
            self.vacant = next;
        }
        entry.content = SlabContent::Occupied(value);
        Key {
            index,
            generation: entry.generation,
        }
    }

    #[cold]
    fn grow(&mut self, value: T) -> Key {
        let index = u32::try_from(self.entries.len())
            .ok()
            .filter(|&index| index != NONE)
            .expect("a slab holds fewer than 2^32 - 1 values");
        let generation = self.first_generation;
        self.entries.push(SlabEntry {
            generation,
            content: SlabContent::Occupied(value),
        });
        if self.entries.len() > MIN_CAPACITY {
            self.shrinks_below = self.entries.len() / 4;
        }
        Key { index, generation }
    }

    /// Shrinks if three quarters of the entries are vacant. Between two checks there are as many
    /// removals as a check takes steps, or half of the values were removed.
    ///
    /// A check after fewer removals shrinks only if it frees half of the entries. Otherwise each
    /// halving of the values would pass over all entries.
    #[cold]
    fn check_size(&mut self) {
        let places = self.entries.len();
        if places > MIN_CAPACITY && self.len <= places / 4 {
            let is_occupied = |entry: &SlabEntry<T>| entry.content.value().is_some();
            let end = self.entries.iter().rposition(is_occupied);
            let end = end.map_or(0, |last| last + 1);
            if self.until_check == 0 || end <= places / 2 {
                self.shrink(end);
            }
        }
        let places = self.entries.len();
        self.until_check = places.max(MIN_CAPACITY);
        let below = self.len.div_ceil(2).min(places / 4);
        self.shrinks_below = if places > MIN_CAPACITY { below } else { 0 };
    }

    /// Frees the entries from `end` on, which are vacant, and orders the other vacant entries by
    /// index.
    fn shrink(&mut self, end: usize) {
        let freed = self.entries.drain(end..).map(|entry| entry.generation);
        self.first_generation = freed.fold(self.first_generation, u32::max);
        self.entries.shrink_to(MIN_CAPACITY);
        self.vacant = NONE;
        for (index, entry) in self.entries.iter_mut().enumerate().rev() {
            if let SlabContent::Vacant(next) = &mut entry.content {
                *next = self.vacant;
                self.vacant = index as u32;
            }
        }
    }

    /// Removes the value; returns `None` if it was removed before.
    pub(super) fn remove(&mut self, key: Key) -> Option<T> {
        self.get(key)?;
        self.remove_at(key.index)
    }

    /// Returns `true` if the value exists.
    #[inline]
    pub(super) fn contains(&self, key: Key) -> bool {
        self.get(key).is_some()
    }

    /// Removes the value at an index, if there is one.
    fn remove_at(&mut self, index: u32) -> Option<T> {
        let entry = self.entries.get_mut(index as usize)?;
        if matches!(entry.content, SlabContent::Vacant(_)) {
            return None;
        }
        let content = std::mem::replace(&mut entry.content, SlabContent::Vacant(self.vacant));
        entry.generation = entry.generation.wrapping_add(1);
        self.vacant = index;
        self.len -= 1;
        self.until_check = self.until_check.wrapping_sub(1);
        if self.len < self.shrinks_below || self.until_check == 0 {
            self.check_size();
        }
        match content {
            SlabContent::Occupied(value) => Some(value),
            SlabContent::Vacant(_) => None,
        }
    }

    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<&T> {
        match self.entries.get(key.index as usize) {
            Some(entry) if entry.generation == key.generation => entry.content.value(),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn get_mut(&mut self, key: Key) -> Option<&mut T> {
        match self.entries.get_mut(key.index as usize) {
            Some(entry) if entry.generation == key.generation => entry.content.value_mut(),
            _ => None,
        }
    }

    /// Returns the value of a packed key; see [`Key::to_word`].
    pub(super) fn get_by_word(&self, word: usize) -> Option<&T> {
        let entry = self.entries.get(word as u32 as usize)?;
        let key = Key {
            index: word as u32,
            generation: entry.generation,
        };
        (key.to_word() == word).then(|| entry.content.value())?
    }

    /// Removes all values, in the order of their entries.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = T> {
        (0..self.entries.len() as u32).filter_map(|index| self.remove_at(index))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.entries
            .iter()
            .filter_map(|entry| entry.content.value())
    }
}

impl<T> SlabContent<T> {
    #[inline]
    fn value(&self) -> Option<&T> {
        match self {
            Self::Occupied(value) => Some(value),
            Self::Vacant(_) => None,
        }
    }

    #[inline]
    fn value_mut(&mut self) -> Option<&mut T> {
        match self {
            Self::Occupied(value) => Some(value),
            Self::Vacant(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MIN_CAPACITY, Slab};

    #[test]
    fn removed_key_finds_nothing_after_reuse() {
        let mut slab = Slab::new();
        let first = slab.insert("first");
        assert_eq!(slab.remove(first), Some("first"));
        let second = slab.insert("second");
        assert_eq!(first.index(), second.index());
        assert_eq!(slab.get(first), None);
        assert_eq!(slab.remove(first), None);
        // A word of 32 bits has no generation.
        if usize::BITS == 64 {
            assert_eq!(slab.get_by_word(first.to_word()), None);
        }
        assert_eq!(slab.get_by_word(second.to_word()), Some(&"second"));
        assert_eq!(slab.len(), 1);
    }

    #[test]
    fn vacant_places_are_reused_before_growth() {
        let mut slab = Slab::new();
        let keys: Vec<_> = (0..10).map(|value| slab.insert(value)).collect();
        for key in &keys[3..6] {
            slab.remove(*key);
        }
        let again: Vec<_> = (0..3).map(|value| slab.insert(value).index()).collect();
        assert_eq!(again, [5, 4, 3]);
        assert_eq!(slab.insert(0).index(), 10);
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn vacant_end_is_freed() {
        let mut slab = Slab::new();
        let keys: Vec<_> = (0..100_000).map(|value| slab.insert(value)).collect();
        for key in &keys[10..] {
            slab.remove(*key);
        }
        for _ in 0..200_000 {
            let key = slab.insert(0);
            assert_eq!(slab.remove(key), Some(0));
        }
        assert!(slab.entries.capacity() <= 2 * MIN_CAPACITY);
        assert_eq!(slab.len(), 10);
        // Old keys find nothing in new entries.
        let again: Vec<_> = (0..100_000).map(|value| slab.insert(value)).collect();
        assert!(keys[10..].iter().all(|key| !slab.contains(*key)));
        let words = || keys[10..].iter().map(|key| key.to_word());
        assert!(usize::BITS < 64 || words().all(|word| slab.get_by_word(word).is_none()));
        assert!((0..10).all(|at| slab.get(keys[at]) == Some(&at)));
        assert!((0..100_000).all(|at| slab.get(again[at]) == Some(&at)));
        assert_eq!(slab.drain().count(), 100_010);
        assert!(slab.entries.capacity() <= MIN_CAPACITY);
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn value_at_the_end_does_not_slow_removals() {
        let mut slab = Slab::new();
        let keys: Vec<_> = (0..100_000).map(|value| slab.insert(value)).collect();
        let mut looks = 0;
        for key in &keys[..99_999] {
            let before = slab.until_check;
            slab.remove(*key);
            looks += u32::from(slab.until_check > before);
        }
        assert!(looks < 30, "{looks}");
        slab.remove(keys[99_999]);
        assert!(slab.entries.capacity() <= MIN_CAPACITY);
    }

    #[test]
    fn drain_takes_each_value_once() {
        let mut slab = Slab::new();
        let keys: Vec<_> = (0..5).map(|value| slab.insert(value)).collect();
        slab.remove(keys[2]);
        assert_eq!(slab.drain().collect::<Vec<_>>(), [0, 1, 3, 4]);
        assert_eq!(slab.len(), 0);
        assert_eq!(slab.iter().count(), 0);
    }
}
