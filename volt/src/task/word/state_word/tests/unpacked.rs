//! The state word as plain fields, and a comparison of a transition with its specification.

use crate::task::word::snapshot::{Lifecycle, NON_WAKING_UNKNOWN, Snapshot, flag};
use crate::task::word::state_word::StateWord;
use std::fmt;

use Lifecycle::{Complete, Idle, Running, Scheduled};

/// A state word with unpacked fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) lifecycle: Lifecycle,
    pub(super) flags: u64,
    pub(super) shield: u16,
    pub(super) non_waking: u64,
    pub(super) refs: u64,
}

impl Word {
    pub(super) fn of(now: Snapshot) -> Self {
        Self {
            lifecycle: now.lifecycle(),
            flags: now.0 & 0xff00,
            shield: now.shield(),
            non_waking: now.non_waking(),
            refs: now.refs(),
        }
    }

    pub(super) fn pack(self) -> Snapshot {
        let lifecycle = self.lifecycle as u64;
        let low = lifecycle | (self.non_waking << 2) | self.flags;
        Snapshot(low | (u64::from(self.shield) << 16) | (self.refs << 32))
    }

    pub(super) fn has(self, flag: u64) -> bool {
        self.flags & flag != 0
    }

    pub(super) fn stops(self) -> bool {
        let shielded = self.shield > 0 && !self.has(flag::FORCE_CANCELLED);
        self.has(flag::CANCELLED) && !shielded
    }

    pub(super) fn to(self, lifecycle: Lifecycle) -> Self {
        Self { lifecycle, ..self }
    }

    pub(super) fn set(self, flag: u64) -> Self {
        let flags = self.flags | flag;
        Self { flags, ..self }
    }

    pub(super) fn clear(self, flag: u64) -> Self {
        let flags = self.flags & !flag;
        Self { flags, ..self }
    }

    pub(super) fn refs(self, change: i64) -> Self {
        let refs = self.refs.checked_add_signed(change).unwrap();
        Self { refs, ..self }
    }

    pub(super) fn non_waking(self, change: i64) -> Self {
        let sticks = self.non_waking == NON_WAKING_UNKNOWN;
        let change = if sticks { 0 } else { change };
        let non_waking = self.non_waking.checked_add_signed(change).unwrap();
        Self { non_waking, ..self }
    }

    pub(super) fn shields(self, change: i16) -> Self {
        let shield = self.shield.checked_add_signed(change).unwrap();
        Self { shield, ..self }
    }

    /// Returns the number of references that are not those of wakers.
    pub(super) fn known(self) -> u64 {
        let life = u64::from(self.lifecycle != Complete);
        let handle = u64::from(self.has(flag::JOIN_INTEREST) && life == 1);
        life + handle + u64::from(self.shield) + self.non_waking
    }

    pub(super) fn orphan(self) -> bool {
        let is_known = self.non_waking != NON_WAKING_UNKNOWN && !self.has(flag::ORPHANED);
        is_known && self.refs == self.known()
    }
}

/// Returns all consistent words, with counts near the limits of their fields.
pub(super) fn words() -> impl Iterator<Item = Word> {
    let lifecycles = [Idle, Scheduled, Running, Complete];
    let counts: &[(u16, u64)] = &[
        (0, 0),
        (0, 1),
        (0, 2),
        (0, 62),
        (0, 63),
        (1, 0),
        (1, 1),
        (1, 63),
        (2, 0),
        (2, 2),
        (u16::MAX - 1, 0),
        (u16::MAX, 0),
        (u16::MAX, 63),
    ];
    lifecycles.into_iter().flat_map(move |lifecycle| {
        (0..1 << 8).flat_map(move |flags| {
            counts.iter().flat_map(move |&(shield, non_waking)| {
                let flags = flags << 8;
                let word = Word {
                    lifecycle,
                    flags,
                    shield,
                    non_waking,
                    refs: 0,
                };
                (0..3).map(move |wakers| word.refs((word.known() + wakers).max(1) as i64))
            })
        })
    })
}

/// Compares `operation` with `expected` for all words for which `expected` returns a result.
#[track_caller]
pub(super) fn check<R: PartialEq + fmt::Debug>(
    operation: impl Fn(&StateWord) -> R,
    expected: impl Fn(Word) -> Option<(R, Word)>,
) {
    let mut checked = 0;
    for word in words() {
        let Some((result, next)) = expected(word) else {
            continue;
        };
        let state = StateWord::at(word.pack());
        assert_eq!(operation(&state), result, "result from {word:?}");
        assert_eq!(Word::of(state.load()), next, "next of {word:?}");
        checked += 1;
    }
    assert!(checked > 100, "only {checked} words");
}
