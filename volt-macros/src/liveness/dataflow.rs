//! What is used later, at each point.

use super::points::{Effect, Points};
use crate::hir::{LocalId, Use};

/// A set of locals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Set(Vec<u64>);

impl Set {
    pub(super) fn has(&self, local: LocalId) -> bool {
        self.0
            .get(local.0 / 64)
            .is_some_and(|word| word >> (local.0 % 64) & 1 == 1)
    }

    fn put(&mut self, local: LocalId, is_in: bool) {
        let word = local.0 / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        match is_in {
            true => self.0[word] |= 1 << (local.0 % 64),
            false => self.0[word] &= !(1 << (local.0 % 64)),
        }
    }

    fn add(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(own, other)| *own |= other);
    }
}

/// For each point, what is used at it or later.
pub(super) fn used_later(points: &Points) -> Vec<Set> {
    backwards(points, |set, effect| match effect {
        Effect::Begin(local, _) | Effect::Use(local, Use::Assigned) => set.put(local, false),
        Effect::Use(local, _) => set.put(local, true),
        Effect::Nothing => {}
    })
}

/// For each point, what is named at it or later, even if only to be assigned.
pub(super) fn named_later(points: &Points) -> Vec<Set> {
    backwards(points, |set, effect| match effect {
        Effect::Begin(local, _) => set.put(local, false),
        Effect::Use(local, _) => set.put(local, true),
        Effect::Nothing => {}
    })
}

/// Goes from the ends to the beginning until nothing changes.
fn backwards(points: &Points, change: impl Fn(&mut Set, Effect)) -> Vec<Set> {
    let mut before = vec![Set::default(); points.all.len()];
    loop {
        let mut changed = false;
        for (index, point) in points.all.iter().enumerate().rev() {
            let mut set = after(&before, &point.next);
            change(&mut set, point.effect);
            if set != before[index] {
                before[index] = set;
                changed = true;
            }
        }
        if !changed {
            return before;
        }
    }
}

/// What is used behind a point.
fn after(before: &[Set], next: &[usize]) -> Set {
    let mut set = Set::default();
    next.iter().for_each(|next| set.add(&before[*next]));
    set
}

/// Whether a local is not used behind a point.
pub(super) fn is_last(points: &Points, later: &[Set], at: usize, local: LocalId) -> bool {
    let mut next = points.all[at].next.iter();
    !next.any(|next| later[*next].has(local))
}
