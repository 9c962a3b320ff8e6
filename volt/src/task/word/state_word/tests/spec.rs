//! A specification of each transition on plain fields, compared with it over all states.

use super::unpacked::{Word, check, words};
use crate::task::word::outcome::{
    Cancel, Claim, ClaimToRun, Completion, DropHandle, DropWaker, JoinSlot, ReleaseClaim,
    RemoveShield, StartPoll, Suspend, UnreadCompletion, WakeByRef, WakeByValue,
};
use crate::task::word::snapshot::Lifecycle::{Complete, Idle, Running, Scheduled};
use crate::task::word::snapshot::{
    CancelOrphans, ClaimedFrom, NON_WAKING_UNKNOWN, ResultKind, ShieldOverflow, flag,
};
use crate::task::word::state_word::StateWord;

#[test]
fn packing_is_the_inverse_of_unpacking() {
    for word in words() {
        assert_eq!(Word::of(word.pack()), word);
    }
}

#[test]
fn wakers_are_the_unaccounted_references() {
    for word in words().filter(|word| word.lifecycle != Complete) {
        let known = word.non_waking != NON_WAKING_UNKNOWN;
        let expected = known.then(|| word.refs - word.known());
        assert_eq!(word.pack().wakers(), expected, "{word:?}");
    }
}

#[test]
fn wake_matches_specification() {
    check(StateWord::wake_by_ref, |word| {
        Some(match word.lifecycle {
            Idle => (WakeByRef::Submit, word.to(Scheduled)),
            Scheduled | Running => (WakeByRef::Nothing, word.set(flag::NOTIFIED)),
            Complete => (WakeByRef::Nothing, word),
        })
    });
}

#[test]
fn wake_by_value_matches_specification() {
    use WakeByValue::{Dealloc, Nothing, Submit};
    check(StateWord::wake_by_value, |word| {
        if word.lifecycle != Complete && word.refs == word.known() {
            return None;
        }
        Some(match (word.lifecycle, word.refs) {
            (Idle, _) => (Submit, word.to(Scheduled)),
            (Scheduled | Running, _) => (Nothing, word.set(flag::NOTIFIED).refs(-1)),
            (Complete, 1) => (Dealloc, word.refs(-1)),
            (Complete, _) => (Nothing, word.refs(-1)),
        })
    });
}

#[test]
fn pop_matches_specification() {
    use StartPoll::{Cancelled, Run, Stale, StaleLast};
    check(StateWord::start_poll, |word| {
        let next = word.to(Running).clear(flag::NOTIFIED);
        Some(match word.lifecycle {
            Scheduled if word.stops() => (Cancelled, next),
            Scheduled => (Run, next),
            Running if word.has(flag::CLAIMED) => (Stale, word.clear(flag::CLAIMED)),
            _ if word.non_waking == 0 => return None,
            _ if word.refs == 1 => (StaleLast, word.refs(-1).non_waking(-1)),
            _ => (Stale, word.refs(-1).non_waking(-1)),
        })
    });
}

fn after_pending(word: Word) -> (Suspend, Word) {
    if word.stops() {
        (Suspend::Cancelled, word)
    } else if word.has(flag::NOTIFIED) {
        (
            Suspend::Reschedule,
            word.to(Scheduled).clear(flag::NOTIFIED),
        )
    } else {
        (Suspend::Idle, word.to(Idle))
    }
}

#[test]
fn pending_matches_specification() {
    check(StateWord::suspend, |word| {
        (word.lifecycle == Running).then(|| match after_pending(word) {
            (Suspend::Idle, _) if word.orphan() => (Suspend::Orphaned, word),
            other => other,
        })
    });
}

#[test]
fn orphans_match_specification() {
    let force_cancel = flag::CANCELLED | flag::FORCE_CANCELLED;
    for policy in [
        CancelOrphans::Never,
        CancelOrphans::Detached,
        CancelOrphans::Always,
    ] {
        let mark = |state: &StateWord| state.mark_orphaned(policy);
        check(mark, |word| {
            let next = word.set(flag::ORPHANED);
            let next = match (policy, word.has(flag::JOIN_INTEREST)) {
                (CancelOrphans::Never, _) | (CancelOrphans::Detached, true) => next,
                _ => next.set(force_cancel),
            };
            (word.lifecycle == Running).then_some(((), next))
        });
    }
    for (of_orphans, act) in [StateWord::force_cancel, StateWord::cancel_orphan]
        .into_iter()
        .enumerate()
    {
        check(act, |word| {
            let applies =
                !word.has(flag::FORCE_CANCELLED) && (of_orphans == 0 || word.has(flag::ORPHANED));
            Some(match word.lifecycle {
                Idle if applies => (Cancel::Submit, word.set(force_cancel).to(Scheduled)),
                Scheduled | Running if applies => (Cancel::Flagged, word.set(force_cancel)),
                _ => (Cancel::Nothing, word),
            })
        });
    }
}

#[test]
fn complete_matches_specification() {
    for (result, flags) in [(ResultKind::Output, 0), (ResultKind::Failure, flag::FAILED)] {
        check(
            |state| state.complete(result),
            |word| {
                let next = word.set(flags).to(Complete);
                (word.lifecycle == Running).then(|| {
                    match (word.has(flag::JOIN_INTEREST), word.has(flag::JOIN_WAKER)) {
                        (false, _) => (Completion::Unread, word),
                        (true, true) => (Completion::WakeJoiner, next),
                        (true, false) => (Completion::Done, next.refs(-1)),
                    }
                })
            },
        );
    }
    check(StateWord::complete_unread, |word| {
        let runs = word.lifecycle == Running && !word.has(flag::JOIN_INTEREST);
        runs.then(|| match word.refs {
            1 => (UnreadCompletion::Dealloc, word),
            _ => (UnreadCompletion::Done, word.to(Complete).refs(-1)),
        })
    });
}

#[test]
fn claims_match_specification() {
    check(StateWord::claim, |word| {
        Some(match word.lifecycle {
            Idle => (Claim::Claimed(ClaimedFrom::Idle), word.to(Running)),
            Scheduled => (
                Claim::Claimed(ClaimedFrom::Queue),
                word.to(Running).set(flag::CLAIMED),
            ),
            other => (Claim::Refused(other), word),
        })
    });
    check(StateWord::claim_to_run, |word| {
        let next = word.to(Running).clear(flag::NOTIFIED);
        let next = next.refs(1).non_waking(1);
        Some(match word.lifecycle {
            Scheduled if word.stops() => (ClaimToRun::Cancelled, next),
            Scheduled => (ClaimToRun::Run, next),
            other => (ClaimToRun::Refused(other), word),
        })
    });
    check(StateWord::keep_claim, |word| {
        let stale = || word.clear(flag::CLAIMED).refs(1).non_waking(1);
        (word.lifecycle == Running).then(|| {
            let next = if word.has(flag::CLAIMED) {
                stale()
            } else {
                word
            };
            ((), next)
        })
    });
    for from in [ClaimedFrom::Idle, ClaimedFrom::Queue] {
        check(
            |state| state.release_claim(from),
            |word| {
                let was_queued = from == ClaimedFrom::Queue;
                let is_queued = was_queued || word.has(flag::NOTIFIED) || word.stops();
                let next = word.clear(flag::NOTIFIED | flag::CLAIMED);
                (word.lifecycle == Running).then(|| {
                    if word.has(flag::CLAIMED) {
                        (ReleaseClaim::Queued, next.to(Scheduled))
                    } else if is_queued {
                        (ReleaseClaim::Reschedule, next.to(Scheduled))
                    } else if word.orphan() {
                        (ReleaseClaim::Orphaned, word)
                    } else {
                        (ReleaseClaim::Idle, next.to(Idle))
                    }
                })
            },
        );
    }
}

#[test]
fn cancel_matches_specification() {
    check(StateWord::cancel, |word| {
        let next = word.set(flag::CANCELLED);
        Some(match word.lifecycle {
            Complete => (Cancel::Nothing, word),
            _ if word.has(flag::CANCELLED) => (Cancel::Nothing, word),
            Idle if next.stops() => (Cancel::Submit, next.to(Scheduled)),
            _ => (Cancel::Flagged, next),
        })
    });
}

#[test]
fn shields_match_specification() {
    check(StateWord::add_shield, |word| {
        Some(match word.shield {
            u16::MAX => (Err(ShieldOverflow), word),
            _ => (Ok(()), word.shields(1).refs(1)),
        })
    });
    check(StateWord::remove_shield, |word| {
        let next = (word.shield > 0).then(|| word.shields(-1))?;
        Some(match word.lifecycle {
            Idle if next.stops() => (RemoveShield::Submit, next.to(Scheduled)),
            _ if word.refs == 1 => (RemoveShield::Dealloc, next.refs(-1)),
            _ => (RemoveShield::Done, next.refs(-1)),
        })
    });
}

#[test]
fn join_slot_matches_specification() {
    let complete = |word: Word| word.lifecycle == Complete;
    let has_handle = |word: Word| word.has(flag::JOIN_INTEREST);
    check(StateWord::set_join_waker, |word| {
        (has_handle(word) && !word.has(flag::JOIN_WAKER)).then(|| {
            if complete(word) {
                (JoinSlot::Complete, word)
            } else {
                (JoinSlot::Changed, word.set(flag::JOIN_WAKER))
            }
        })
    });
    check(StateWord::unset_join_waker, |word| {
        (has_handle(word) && word.has(flag::JOIN_WAKER)).then(|| {
            if complete(word) {
                (JoinSlot::Complete, word)
            } else {
                (JoinSlot::Changed, word.clear(flag::JOIN_WAKER))
            }
        })
    });
    check(StateWord::drop_join_handle, |word| {
        let gone = || word.clear(flag::JOIN_INTEREST).set(flag::DETACHED).refs(-1);
        has_handle(word).then(|| match (complete(word), word.has(flag::JOIN_WAKER)) {
            (true, _) => (DropHandle::Output, word),
            (false, true) => (DropHandle::Waker, word.clear(flag::JOIN_WAKER)),
            (false, false) => (DropHandle::Done, gone()),
        })
    });
}

#[test]
fn references_match_specification() {
    check(StateWord::add_ref, |word| Some(((), word.refs(1))));
    check(StateWord::drop_ref, |word| {
        Some((word.refs == 1, word.refs(-1)))
    });
    check(StateWord::drop_waker, |word| {
        let (next, wakers) = (word.refs(-1), word.refs - word.known());
        (wakers > 0).then_some(match word.lifecycle {
            Idle if next.orphan() => (DropWaker::Orphaned, next.to(Running)),
            _ if word.refs == 1 => (DropWaker::Dealloc, next),
            _ => (DropWaker::Done, next),
        })
    });
    check(StateWord::add_non_waking, |word| {
        Some(((), word.refs(1).non_waking(1)))
    });
    check(StateWord::drop_non_waking, |word| {
        (word.non_waking > 0).then(|| (word.refs == 1, word.refs(-1).non_waking(-1)))
    });
}
