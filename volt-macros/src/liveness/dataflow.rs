//! What is used later, and what has a value, at each point.

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
pub(super) fn after(before: &[Set], next: &[usize]) -> Set {
    let mut set = Set::default();
    next.iter().for_each(|next| set.add(&before[*next]));
    set
}

/// Whether a local has a value: one bit for each way in which it may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Presence {
    bits: u8,
    /// The point at which a method is called that may have taken it.
    asked: Option<usize>,
}

impl Presence {
    pub(super) const HERE: Self = Self::bit(1);
    pub(super) const GONE: Self = Self::bit(2);
    /// A method may have taken it.
    pub(super) const UNSURE: Self = Self::bit(4);
    /// A part of it may have been moved.
    pub(super) const PART: Self = Self::bit(8);

    const fn bit(bits: u8) -> Self {
        Self { bits, asked: None }
    }

    /// A method may have taken it at this point.
    fn unsure(at: usize) -> Self {
        let asked = Some(at);
        Self {
            asked,
            ..Self::UNSURE
        }
    }

    pub(super) fn may_be(self, other: Self) -> bool {
        self.bits & other.bits != 0
    }

    /// The point at which a method is called, if all depends on whether that took it.
    pub(super) fn asked(self) -> Option<usize> {
        self.asked.filter(|_| self.bits == Self::UNSURE.bits)
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self {
            bits: self.bits | other.bits,
            asked: self.asked.filter(|_| self == other),
        }
    }
}

/// For each point, whether each local has a value before it.
pub(super) fn presence(
    points: &Points,
    later: &[Set],
    start: impl Fn(LocalId) -> bool,
    count: usize,
    keeps: impl Fn(LocalId) -> bool,
    looks: impl Fn(LocalId, &str) -> bool,
) -> Vec<Vec<Presence>> {
    let mut before = vec![Vec::new(); points.all.len()];
    let first = (0..count).map(|local| match start(LocalId(local)) {
        true => Presence::HERE,
        false => Presence::GONE,
    });
    before[points.entry[0]] = first.collect();
    let mut open = vec![points.entry[0]];
    while let Some(at) = open.pop() {
        let mut state = before[at].clone();
        let behind = after(later, &points.all[at].next);
        let is_look = |local| {
            points
                .methods
                .get(&at)
                .is_some_and(|method| looks(local, method))
        };
        let is_copied = |local| points.leaves_part(at, local);
        change(
            at,
            &mut state,
            points.all[at].effect,
            &behind,
            &keeps,
            is_look,
            is_copied,
        );
        for next in &points.all[at].next {
            if merge(&mut before[*next], &state) {
                open.push(*next);
            }
        }
    }
    before
}

fn change(
    at: usize,
    state: &mut [Presence],
    effect: Effect,
    behind: &Set,
    keeps: impl Fn(LocalId) -> bool,
    is_look: impl Fn(LocalId) -> bool,
    is_copied: impl Fn(LocalId) -> bool,
) {
    match effect {
        Effect::Begin(local, true) | Effect::Use(local, Use::Assigned) => {
            state[local.0] = Presence::HERE;
        }
        Effect::Begin(local, false) => state[local.0] = Presence::GONE,
        Effect::Use(local, used) if !keeps(local) || matches!(used, Use::Value) => match used {
            Use::Value | Use::Scrutinee if !behind.has(local) => state[local.0] = Presence::GONE,
            Use::Receiver if !behind.has(local) && !is_look(local) => {
                state[local.0] = Presence::unsure(at);
            }
            Use::Part | Use::PartReceiver | Use::PartScrutinee if !is_copied(local) => {
                state[local.0] = state[local.0].or(Presence::PART);
            }
            _ => {}
        },
        Effect::Use(..) | Effect::Nothing => {}
    }
}

fn merge(into: &mut Vec<Presence>, from: &[Presence]) -> bool {
    if into.is_empty() {
        *into = from.to_vec();
        // Of no locals nothing more is to be found out.
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
