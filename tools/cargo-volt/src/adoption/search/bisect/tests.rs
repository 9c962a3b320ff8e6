//! The search, one build after another.

use super::{Candidates, NativePolicy};
use crate::diagnostic::SuggestedFix;
use crate::reason::Reason;
use crate::rewrite::{AttributeEdit, LayoutOption, Position};

fn reason(of_macro: bool) -> Reason {
    Reason {
        of_macro,
        ..Reason::without_place("x")
    }
}

fn plain(count: usize, retries: u32) -> Candidates {
    Candidates::new(
        &vec![(false, Position::Below); count],
        NativePolicy::Suggested,
        retries,
    )
}

fn on(candidates: &Candidates) -> Vec<usize> {
    let edits = candidates.edits();
    (0..edits.len()).filter(|&id| edits[id].is_some()).collect()
}

/// Searches, if `guilty` are at fault and each error blames the group. Returns the remaining
/// functions and the number of builds.
fn search(count: usize, guilty: &[usize]) -> (Vec<usize>, usize) {
    let mut candidates = plain(count, 0);
    for build in 1..100 {
        let on = on(&candidates);
        if guilty.iter().any(|id| on.contains(id)) {
            candidates.suspect("all", &on, &reason(false));
        } else if !candidates.advance() {
            return (on, build);
        }
    }
    panic!("the search does not end");
}

#[test]
fn blamed_function_is_removed() {
    let mut candidates = plain(2, 0);
    candidates.blame(1, reason(true), SuggestedFix::None);
    assert_eq!(on(&candidates), [0]);
    assert!(!candidates.advance());
}

#[test]
fn native_is_added_once_when_suggested() {
    let mut candidates = plain(1, 0);
    candidates.blame(0, reason(true), SuggestedFix::Native);
    assert_eq!(
        candidates.edits()[0].map(|edit| edit.option),
        Some(LayoutOption::Native)
    );
    candidates.blame(0, reason(true), SuggestedFix::Native);
    assert_eq!(candidates.edits(), [None]);
    assert_eq!(candidates.reasons(0).len(), 2);
}

#[test]
fn native_is_never_added_under_never() {
    let mut candidates = Candidates::new(&[(false, Position::Below)], NativePolicy::Never, 0);
    candidates.blame(0, reason(true), SuggestedFix::Native);
    assert_eq!(candidates.edits(), [None]);
}

#[test]
fn other_side_of_the_attributes_is_tried() {
    let mut candidates = Candidates::new(&[(true, Position::Above)], NativePolicy::Suggested, 0);
    candidates.blame(0, reason(true), SuggestedFix::Native);
    candidates.blame(0, reason(true), SuggestedFix::None);
    let below = AttributeEdit {
        option: LayoutOption::Default,
        named: false,
        position: Position::Below,
    };
    assert_eq!(candidates.edits(), [Some(below)]);
    candidates.blame(0, reason(true), SuggestedFix::None);
    assert_eq!(candidates.edits(), [None]);
}

#[test]
fn candidate_blamed_by_compiler_is_retried() {
    let mut candidates = plain(2, 1);
    candidates.blame(0, reason(true), SuggestedFix::None);
    candidates.blame(1, reason(false), SuggestedFix::None);
    assert!(candidates.advance());
    assert_eq!(on(&candidates), [1]);
    candidates.blame(1, reason(false), SuggestedFix::None);
    assert!(!candidates.advance());
}

#[test]
fn excluded_function_is_not_retried() {
    let mut candidates = plain(1, 1);
    candidates.exclude(0);
    assert!(!candidates.advance());
    assert!(on(&candidates).is_empty());
}

#[test]
fn guilty_member_of_a_group_is_found() {
    for guilty in 0..9 {
        let (left, builds) = search(9, &[guilty]);
        assert_eq!(left.len(), 8, "{guilty}");
        assert!(!left.contains(&guilty));
        assert!(builds < 20, "{builds}");
    }
}

#[test]
fn all_guilty_members_of_a_group_are_found() {
    assert_eq!(search(6, &[1, 4, 5]).0, [0, 2, 3]);
    assert!(search(3, &[0, 1, 2]).0.is_empty());
}

#[test]
fn stopped_search_removes_whole_groups() {
    let mut candidates = plain(5, 1);
    candidates.suspect("one", &[0, 1], &reason(false));
    candidates.stop_early();
    assert_eq!(on(&candidates), [2, 3, 4]);
    candidates.suspect("other", &[3, 4], &reason(false));
    assert_eq!(on(&candidates), [2]);
    assert!(!candidates.advance());
    assert!((0..5).all(|id| id == 2 || candidates.reasons(id).len() == 1));
}

#[test]
fn caller_blamed_for_its_callee_is_restored() {
    let mut candidates = plain(2, 1);
    let (caller, callee) = (0, 1);
    // While the caller is active, the error is reported in it, though the callee causes it.
    for _ in 0..10 {
        let on = on(&candidates);
        if !on.contains(&callee) {
            if !candidates.advance() {
                break;
            }
            continue;
        }
        candidates.fail();
        let about = if on.contains(&caller) { caller } else { callee };
        if candidates.is_recent(about) {
            candidates.blame(about, reason(false), SuggestedFix::None);
        } else {
            candidates.suspect("recent", &[], &reason(false));
        }
    }
    assert_eq!(on(&candidates), [caller]);
}

#[test]
fn groups_are_searched_at_the_same_time() {
    let mut candidates = plain(8, 0);
    candidates.suspect("a", &[0, 1, 2, 3], &reason(false));
    candidates.suspect("b", &[4, 5, 6, 7], &reason(false));
    assert!(on(&candidates).is_empty());
    assert!(candidates.advance());
    assert_eq!(on(&candidates), [0, 1, 4, 5]);
    candidates.suspect("b", &[4, 5], &reason(false));
    assert_eq!(on(&candidates), [0, 1]);
    assert!(candidates.advance());
    assert_eq!(on(&candidates), [0, 1, 2, 3, 4]);
}

#[test]
fn suspect_removes_active_functions_first() {
    let mut candidates = plain(2, 0);
    assert!(!candidates.advance());
    candidates.suspect("nobody", &[], &reason(false));
    assert!(on(&candidates).is_empty());
}
