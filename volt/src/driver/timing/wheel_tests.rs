//! Tests of the wheel against an ordered map.

use std::collections::BTreeMap;

use super::{DIGIT, GRAIN, Key, LEVELS, SLOTS, Tick, Wheel};

/// A wheel and its model: a map from deadline and order of insertion to the value.
struct Pair {
    wheel: Wheel<u64>,
    model: BTreeMap<(Tick, u64), u64>,
    keys: Vec<(Key, Tick, u64)>,
    now: Tick,
    inserted: u64,
    removed: bool,
}

impl Pair {
    fn new(now: Tick) -> Self {
        Self {
            wheel: Wheel::new(now),
            model: BTreeMap::new(),
            keys: Vec::new(),
            now,
            inserted: 0,
            removed: false,
        }
    }

    fn insert(&mut self, deadline: Tick) {
        self.inserted += 1;
        let value = self.inserted;
        let key = self.wheel.insert(deadline, value);
        self.model.insert((deadline, value), value);
        self.keys.push((key, deadline, value));
    }

    fn remove(&mut self, nth: usize) {
        let (key, deadline, value) = self.keys.swap_remove(nth);
        let expected = self.model.remove(&(deadline, value));
        assert_eq!(self.wheel.remove(key), expected);
        self.removed = true;
    }

    fn advance(&mut self, to: Tick) {
        self.now = self.now.max(to);
        while let Some(value) = self.wheel.pop_due(self.now) {
            let ((due, _), expected) = self.model.pop_first().expect("nothing was due");
            assert_eq!(value, expected);
            assert!(due <= self.now, "{due} came out at {}", self.now);
        }
        let next = self.model.keys().next().map(|&(due, _)| due);
        assert!(next.is_none_or(|next| next > self.now), "left behind");
        self.check_next(next);
    }

    /// Checks that nothing is due later than announced, and nothing earlier unless values were
    /// removed.
    fn check_next(&self, next: Option<Tick>) {
        assert_eq!(self.wheel.len(), self.model.len());
        match (self.wheel.next_deadline(), next) {
            (Some(announced), Some(next)) if self.removed => assert!(announced <= next),
            (announced, next) => assert_eq!(announced, next),
        }
    }

    /// Passes time as the driver does, from one announced tick to the next.
    fn run_dry(&mut self) {
        let mut steps = 0;
        while let Some(next) = self.wheel.next_deadline() {
            self.advance(next);
            steps += 1;
            assert!(
                steps <= 4 * self.inserted + 16,
                "the wheel makes no progress"
            );
        }
        assert!(self.model.is_empty());
    }
}

/// The generator xorshift64*, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Returns a number of any magnitude, small ones as likely as large ones.
    fn magnitude(&mut self) -> u64 {
        let bits = self.next() % 65;
        self.next().checked_shr(64 - bits as u32).unwrap_or(0)
    }
}

const ROUNDS: u64 = 400;

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn random_operations_agree_with_model() {
    for seed in 1..=ROUNDS {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut pair = Pair::new(random.magnitude());
        for _ in 0..300 {
            match random.next() % 8 {
                0..=3 => {
                    let deadline = pair.now.saturating_add(random.magnitude());
                    pair.insert(deadline);
                }
                4 => {
                    let deadline = random.magnitude();
                    pair.insert(deadline);
                }
                5 if !pair.keys.is_empty() => {
                    let nth = random.next() as usize % pair.keys.len();
                    pair.remove(nth);
                }
                6 => {
                    let step = random.magnitude() >> (random.next() % 64);
                    pair.advance(pair.now.saturating_add(step));
                }
                _ => pair.advance(pair.wheel.next_deadline().unwrap_or(pair.now)),
            }
        }
        pair.run_dry();
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn close_deadlines_agree_with_model_tick_by_tick() {
    let starts = [4_095, u64::MAX - 200, 0, 63, 64, 4_096, (1 << 18) - 1];
    for start in starts {
        let mut pair = Pair::new(start);
        for distance in 0..150 {
            pair.insert(start.saturating_add(distance));
            pair.insert(start.saturating_add(150 - distance));
        }
        for step in 0..150 {
            pair.advance(start + step);
        }
        pair.run_dry();
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn deadlines_at_level_boundaries_come_out_in_order() {
    for level in 0..LEVELS as u32 {
        let boundary = 1_u64 << (GRAIN + DIGIT * level);
        for start in [0, boundary - 1, boundary, boundary + 1] {
            let mut pair = Pair::new(start);
            for multiple in 1..=SLOTS as u64 {
                let middle = boundary.saturating_mul(multiple);
                pair.insert(middle.saturating_sub(1));
                pair.insert(middle);
                pair.insert(middle.saturating_add(1));
            }
            pair.run_dry();
        }
    }
}

#[test]
fn ends_of_the_clock_are_deadlines_like_others() {
    let mut pair = Pair::new(0);
    for deadline in [u64::MAX, 0, u64::MAX - 1, 1, 1 << 63, (1 << 63) - 1] {
        pair.insert(deadline);
    }
    pair.advance(0);
    pair.advance(u64::MAX - 1);
    assert_eq!(pair.model.len(), 1);
    pair.advance(u64::MAX);
    assert!(pair.model.is_empty());
    pair.insert(u64::MAX);
    pair.insert(3);
    pair.run_dry();
}

#[test]
fn far_deadline_is_announced_exactly() {
    let mut wheel = Wheel::new(1_000);
    wheel.insert(123_456_789, 'a');
    wheel.insert(123_456_790, 'b');
    assert_eq!(wheel.next_deadline(), Some(123_456_789));
    assert_eq!(wheel.pop_due(123_456_788), None);
    assert_eq!(wheel.next_deadline(), Some(123_456_789));
    assert_eq!(wheel.pop_due(123_456_789), Some('a'));
    assert_eq!(wheel.pop_due(123_456_789), None);
}

#[test]
fn removed_deadline_is_announced_at_most_once() {
    let mut wheel = Wheel::new(0);
    let early = wheel.insert(500_000, 'a');
    wheel.insert(500_001, 'b');
    assert_eq!(wheel.remove(early), Some('a'));
    assert_eq!(wheel.next_deadline(), Some(500_000));
    assert_eq!(wheel.pop_due(500_000), None);
    assert_eq!(wheel.next_deadline(), Some(500_001));
}

#[test]
fn value_removed_while_due_does_not_come_out() {
    let mut wheel = Wheel::new(0);
    let keys: Vec<_> = (0..4).map(|value| wheel.insert(7, value)).collect();
    assert_eq!(wheel.pop_due(7), Some(0));
    assert_eq!(wheel.remove(keys[2]), Some(2));
    assert_eq!(wheel.remove(keys[0]), None);
    assert_eq!(wheel.pop_due(7), Some(1));
    assert_eq!(wheel.pop_due(7), Some(3));
    assert_eq!(wheel.pop_due(7), None);
}

#[test]
fn past_deadline_is_due_at_once() {
    let mut wheel = Wheel::new(100);
    wheel.insert(3, ());
    assert_eq!(wheel.next_deadline(), Some(3));
    assert_eq!(wheel.pop_due(100), Some(()));
}

#[test]
fn decreasing_time_changes_nothing() {
    let mut pair = Pair::new(1 << 20);
    pair.insert((1 << 20) + 5);
    assert_eq!(pair.wheel.pop_due(17), None);
    pair.run_dry();
}

#[test]
fn drained_wheel_is_empty_and_usable() {
    let mut wheel = Wheel::new(0);
    let key = wheel.insert(10, 1);
    wheel.insert(u64::MAX, 2);
    assert_eq!(wheel.drain().collect::<Vec<_>>(), [1, 2]);
    assert_eq!((wheel.next_deadline(), wheel.remove(key)), (None, None));
    wheel.insert(11, 3);
    assert_eq!(wheel.pop_due(11), Some(3));
}

#[test]
fn removed_values_leave_few_items_behind() {
    let mut wheel = Wheel::new(0);
    let stays: Vec<_> = (0..10)
        .map(|n| wheel.insert(1_000_000_000 + n, n))
        .collect();
    for round in 0..if cfg!(miri) { 20 } else { 2_000 } {
        // In slots with other values, in slots of their own, and in the list.
        for deadline in [1_000_000_000, 50_000_000_000, 3] {
            let key = wheel.insert(deadline + round, round);
            assert_eq!(wheel.remove(key), Some(round));
        }
    }
    let items: usize = wheel.slots.iter().map(|slot| slot.items.len()).sum();
    assert!(items + wheel.list.len() <= 4 * stays.len() + 4);
    assert_eq!(wheel.len(), stays.len());
}

#[test]
fn wheel_without_values_keeps_no_items() {
    let mut wheel = Wheel::new(0);
    let deadlines = [3, 70_000, 5_000_000, 80_000_000_000, u64::MAX];
    let keys = deadlines.map(|deadline| [(); 9].map(|()| wheel.insert(deadline, ())));
    for key in keys.as_flattened() {
        assert_eq!(wheel.remove(*key), Some(()));
    }
    assert_eq!((wheel.next_deadline(), wheel.levels), (None, 0));
    assert!(wheel.slots.iter().all(|slot| slot.items.is_empty()));
    assert!(wheel.spare.len() <= super::SPARE);
}

#[test]
fn values_from_a_limit_on_are_visited() {
    let mut wheel = Wheel::new(0);
    let deadlines = [
        0,
        5,
        1 << 13,
        1 << 14,
        1 << 20,
        (1 << 20) + 1,
        1 << 40,
        u64::MAX,
    ];
    let keys: Vec<_> = deadlines
        .map(|deadline| wheel.insert(deadline, deadline))
        .into();
    wheel.remove(keys[6]);
    for limit in [0, 1, 6, 1 << 14, 1 << 20, (1 << 20) + 1, 1 << 39, u64::MAX] {
        let mut visited = Vec::new();
        wheel.for_each_from(limit, |deadline, value| {
            assert_eq!(deadline, *value);
            visited.push(deadline);
        });
        visited.sort_unstable();
        let expected = deadlines
            .into_iter()
            .filter(|deadline| *deadline >= limit && *deadline != 1 << 40);
        assert_eq!(visited, expected.collect::<Vec<_>>(), "{limit}");
        visited.clear();
        wheel.for_each_until(limit, |deadline, _| visited.push(deadline));
        visited.sort_unstable();
        let expected = deadlines
            .into_iter()
            .filter(|deadline| *deadline <= limit && *deadline != 1 << 40);
        assert_eq!(visited, expected.collect::<Vec<_>>(), "{limit}");
    }
}
