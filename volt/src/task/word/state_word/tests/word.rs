//! The word by itself.

use crate::loom::sync::atomic::{AtomicU64, Ordering};
use crate::task::word::snapshot::{
    Lifecycle, NON_WAKING_UNKNOWN, REF_LIMIT, REF_ONE, ShieldOverflow, Snapshot, flag,
};
use crate::task::word::state_word::StateWord;

impl StateWord {
    pub(super) fn at(snapshot: Snapshot) -> Self {
        Self(AtomicU64::new(snapshot.0))
    }

    pub(in crate::task) fn pretend_references(&self, count: u64) {
        self.0.fetch_add(count * REF_ONE, Ordering::SeqCst);
    }
}

#[test]
fn new_task_is_scheduled_with_a_handle() {
    let now = StateWord::new().load();
    assert_eq!(now.lifecycle(), Lifecycle::Scheduled);
    assert_eq!(now.refs(), 2);
    assert!(now.has(flag::JOIN_INTEREST));
    assert_eq!(now.wakers(), Some(0));
}

#[test]
fn debug_prints_every_field() {
    let flags = flag::NOTIFIED | flag::CANCELLED | flag::JOIN_INTEREST | flag::DETACHED;
    let flags = flags | flag::JOIN_WAKER | flag::FAILED | flag::ORPHANED | flag::FORCE_CANCELLED;
    let all = Snapshot((7 * REF_ONE) | (5 << 16) | flags | (3 << 2) | 2);
    let text = format!("{:?}", StateWord::at(all));
    let expected = "Snapshot { lifecycle: Running, notified: true, cancelled: true, \
        join_interest: true, detached: true, join_waker: true, failed: false, claimed: true, \
        orphaned: true, force_cancelled: true, non_waking: 3, shield: 5, refs: 7 }";
    assert_eq!(text, expected);
}

#[test]
fn fields_do_not_run_into_each_other() {
    let full = Snapshot(u64::MAX >> 1);
    assert_eq!(full.shield(), u16::MAX);
    assert_eq!(full.non_waking(), NON_WAKING_UNKNOWN);
    assert_eq!(full.more_shield(), Err(ShieldOverflow));
    let empty = Snapshot((3 * REF_ONE) | (1 << 16));
    assert_eq!(empty.fewer_shield().0, 3 * REF_ONE);
    assert_eq!(empty.more_non_waking().unwrap().non_waking(), 1);
}

#[test]
fn refs_at_the_limit_refuse_another() {
    assert!(Snapshot(REF_LIMIT * REF_ONE).more_refs().is_none());
    assert!(Snapshot((REF_LIMIT - 1) * REF_ONE).more_refs().is_some());
    assert!(Snapshot(REF_LIMIT * REF_ONE).more_non_waking().is_none());
    assert_eq!(Snapshot(REF_LIMIT * REF_ONE).more_shield(), Ok(None));
}

#[test]
fn saturated_non_waking_count_hides_wakers() {
    let state = StateWord::new();
    for _ in 0..NON_WAKING_UNKNOWN - 1 {
        state.add_non_waking();
    }
    assert_eq!(state.load().wakers(), Some(0));
    state.add_non_waking();
    assert_eq!(state.load().wakers(), None);
    assert!(!state.drop_non_waking());
    assert_eq!(state.load().wakers(), None);
    assert_eq!(state.load().refs(), 1 + NON_WAKING_UNKNOWN);
}
