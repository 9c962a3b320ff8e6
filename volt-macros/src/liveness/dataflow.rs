//! The locals that are used after each point, and the locals that have a value before it.

use super::points::{Effect, Points};
use super::result::Claim;
use crate::hir::{Body, LocalId, Use, is_reference};

/// For each point the locals that are used at the point or later, one bit each.
#[derive(Debug)]
pub(super) struct Later {
    /// The number of words of a set.
    words: usize,
    /// The sets of all points, one after the other.
    sets: Vec<u64>,
}

impl Later {
    /// Returns `true` if the local is used at the point or later.
    pub(super) fn contains(&self, at: usize, local: LocalId) -> bool {
        let word = self.sets[at * self.words + local.0 / WORD_BITS];
        word >> (local.0 % WORD_BITS) & 1 != 0
    }
}

/// The number of locals in a word of a set.
const WORD_BITS: usize = 64;

/// Computes the locals whose values are used at each point or later. An assignment is no use.
pub(super) fn used_later(points: &Points, locals: usize) -> Later {
    later(points, locals, |used| used != Use::Assigned)
}

/// Computes the locals that are used or assigned at each point or later.
pub(super) fn named_later(points: &Points, locals: usize) -> Later {
    later(points, locals, |_| true)
}

/// Runs from the ends to the start until nothing changes.
fn later(points: &Points, locals: usize, is_counted: fn(Use) -> bool) -> Later {
    let words = locals.div_ceil(WORD_BITS);
    let mut sets = vec![0; words * points.all.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (index, point) in points.all.iter().enumerate().rev() {
            for word in 0..words {
                let mut used = 0;
                for next in &point.next {
                    used |= sets[next * words + word];
                }
                used = with_effect(used, word, point.effect, is_counted);
                changed |= used != sets[index * words + word];
                sets[index * words + word] = used;
            }
        }
    }
    Later { words, sets }
}

/// Returns a word of the set before a point from that after it.
fn with_effect(used: u64, word: usize, effect: Effect, is_counted: fn(Use) -> bool) -> u64 {
    let (local, is_used) = match effect {
        Effect::Begin(local, _) => (local, false),
        Effect::Use(local, used) => (local, is_counted(used)),
        Effect::Nothing => return used,
    };
    if local.0 / WORD_BITS != word {
        return used;
    }
    let bit = 1 << (local.0 % WORD_BITS);
    if is_used { used | bit } else { used & !bit }
}

/// Returns `true` if a local is not used after a point.
pub(super) fn is_last(points: &Points, later: &Later, at: usize, local: LocalId) -> bool {
    let mut next = points.all[at].next.iter();
    !next.any(|next| later.contains(*next, local))
}

/// The possible states of a local's value, as a set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Presence {
    bits: u8,
    /// The point of the method call that may have moved it.
    queried: Option<usize>,
}

impl Presence {
    pub(super) const PRESENT: Self = Self::bit(1);
    pub(super) const ABSENT: Self = Self::bit(2);
    /// A method may have moved it.
    pub(super) const MAYBE_MOVED: Self = Self::bit(4);
    /// A part of it may have been moved.
    pub(super) const PARTLY_MOVED: Self = Self::bit(8);
    /// A pattern has moved all of it, if the compiler confirms the claim.
    pub(super) const DESTRUCTURED: Self = Self::bit(16);

    const fn bit(bits: u8) -> Self {
        Self {
            bits,
            queried: None,
        }
    }

    fn of(has_value: bool) -> Self {
        if has_value {
            Self::PRESENT
        } else {
            Self::ABSENT
        }
    }

    /// A method may have moved it at this point.
    fn unsure(at: usize) -> Self {
        let queried = Some(at);
        Self {
            queried,
            ..Self::MAYBE_MOVED
        }
    }

    /// The set without `PARTLY_MOVED`.
    pub(super) fn without_parts(self) -> Self {
        let bits = self.bits & !Self::PARTLY_MOVED.bits;
        Self { bits, ..self }
    }

    /// The set in which `DESTRUCTURED` is replaced by `PARTLY_MOVED`.
    pub(super) fn partly_moved_if_destructured(self) -> Self {
        if self.may_be(Self::DESTRUCTURED) {
            Self::bit(self.bits & !Self::DESTRUCTURED.bits | Self::PARTLY_MOVED.bits)
        } else {
            self
        }
    }

    /// The set in which `DESTRUCTURED` is replaced by `ABSENT`.
    pub(super) fn absent_if_destructured(self) -> Self {
        if self.may_be(Self::DESTRUCTURED) {
            Self::bit(self.bits & !Self::DESTRUCTURED.bits | Self::ABSENT.bits)
        } else {
            self
        }
    }

    pub(super) fn may_be(self, other: Self) -> bool {
        self.bits & other.bits != 0
    }

    /// The point of a method call, if only that call decides whether the local has a value.
    pub(super) fn queried(self) -> Option<usize> {
        self.queried.filter(|_| self.bits == Self::MAYBE_MOVED.bits)
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self {
            bits: self.bits | other.bits,
            queried: self.queried.filter(|_| self == other),
        }
    }
}

/// The input of the analysis of values.
pub(super) struct Flow<'f> {
    pub(super) body: &'f Body,
    pub(super) points: &'f Points,
    /// The locals that are used at a point or later.
    pub(super) later: &'f Later,
}

impl Flow<'_> {
    /// Returns for each point the state of each local before it.
    pub(super) fn presence(&self) -> Vec<Vec<Presence>> {
        let mut before = vec![Vec::new(); self.points.all.len()];
        let locals = self.body.locals.iter();
        let first = locals.map(|local| Presence::of(local.is_argument()));
        let start = self.points.entry[0];
        before[start] = first.collect();
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            let mut state = before[at].clone();
            self.change(at, &mut state);
            for next in &self.points.all[at].next {
                if merge(&mut before[*next], &state) {
                    open.push(*next);
                }
            }
        }
        before
    }

    fn change(&self, at: usize, state: &mut [Presence]) {
        match self.points.all[at].effect {
            Effect::Begin(local, has_value) => state[local.0] = Presence::of(has_value),
            Effect::Use(local, used) => self.use_(at, local, used, &mut state[local.0]),
            Effect::Nothing => {}
        }
    }

    fn use_(&self, at: usize, local: LocalId, used: Use, state: &mut Presence) {
        let is_last = || is_last(self.points, self.later, at, local);
        match used {
            Use::Assigned => *state = Presence::PRESENT,
            Use::Value if is_last() => *state = Presence::ABSENT,
            _ if self.body.has_type(local, is_reference) => {}
            Use::Scrutinee if is_last() => *state = Presence::ABSENT,
            Use::Receiver if is_last() => *state = Presence::unsure(at),
            Use::PartScrutinee if self.empties(at) && is_last() => *state = Presence::DESTRUCTURED,
            Use::Part | Use::PartReceiver | Use::PartScrutinee
                if !self.points.leaves_part(at, local) =>
            {
                *state = state.or(Presence::PARTLY_MOVED);
            }
            _ => {}
        }
    }
}

impl Flow<'_> {
    /// Returns `true` if the use at a point moves all of its local, if the compiler confirms the
    /// claim.
    fn empties(&self, at: usize) -> bool {
        let is_part = self.points.parts.contains_key(&at);
        let claim = self.points.claims.get(&at).filter(|_| !is_part);
        matches!(claim, Some((_, Claim::Whole | Claim::Pattern(_))))
    }
}

fn merge(into: &mut Vec<Presence>, from: &[Presence]) -> bool {
    if into.is_empty() {
        *into = from.to_vec();
        // Without locals there is nothing to propagate.
        return !from.is_empty();
    }
    let mut changed = false;
    for (into, from) in into.iter_mut().zip(from) {
        let both = into.or(*from);
        changed |= both != *into;
        *into = both;
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCAL: LocalId = LocalId(70);

    /// Returns the two words of a set before a point.
    fn before(after: [u64; 2], effect: Effect) -> [u64; 2] {
        [0, 1].map(|word| with_effect(after[word], word, effect, |used| used != Use::Assigned))
    }

    #[test]
    fn use_sets_the_bit_of_its_local() {
        let used = before([1, 2], Effect::Use(LOCAL, Use::Value));
        assert_eq!(used, [1, 2 | 1 << 6]);
        let later = Later {
            words: 2,
            sets: [[0, 0], used].concat(),
        };
        assert!(later.contains(1, LOCAL) && later.contains(1, LocalId(0)));
        assert!(!later.contains(0, LOCAL) && !later.contains(1, LocalId(6)));
    }

    #[test]
    fn begin_and_assignment_clear_the_bit() {
        let after = [u64::MAX; 2];
        let cleared = [u64::MAX, !(1 << 6)];
        assert_eq!(before(after, Effect::Begin(LOCAL, true)), cleared);
        assert_eq!(before(after, Effect::Use(LOCAL, Use::Assigned)), cleared);
        assert_eq!(before(after, Effect::Nothing), after);
    }
}
