//! What is tried, one build after the other.

use super::{Native, Trials};
use crate::diagnostic::Wish;
use crate::reason::Reason;
use crate::rewrite::{Mark, Position, Word};

fn reason(of_macro: bool) -> Reason {
    Reason {
        of_macro,
        ..Reason::said("x")
    }
}

fn plain(count: usize, chances: u32) -> Trials {
    Trials::new(
        &vec![(false, Position::Below); count],
        Native::Asked,
        chances,
    )
}

fn on(trials: &Trials) -> Vec<usize> {
    let marks = trials.marks();
    (0..marks.len()).filter(|&id| marks[id].is_some()).collect()
}

/// Builds, as if `guilty` were at fault and everybody blamed the group; gives who is left.
fn search(count: usize, guilty: &[usize]) -> (Vec<usize>, usize) {
    let mut trials = plain(count, 0);
    for build in 1..100 {
        let on = on(&trials);
        if guilty.iter().any(|id| on.contains(id)) {
            trials.suspect("all", &on, &reason(false));
        } else if !trials.advance() {
            return (on, build);
        }
    }
    panic!("the search does not end");
}

#[test]
fn function_without_other_attributes_goes_at_once() {
    let mut trials = plain(2, 0);
    trials.blame(1, reason(true), Wish::Nothing);
    assert_eq!(on(&trials), [0]);
    assert!(!trials.advance());
}

#[test]
fn word_is_added_once_where_an_error_asks_for_it() {
    let mut trials = plain(1, 0);
    trials.blame(0, reason(true), Wish::Native);
    assert_eq!(trials.marks()[0].map(|mark| mark.word), Some(Word::Native));
    trials.blame(0, reason(true), Wish::Native);
    assert_eq!(trials.marks(), [None]);
    assert_eq!(trials.reasons(0).len(), 2);
}

#[test]
fn word_is_not_added_where_that_is_not_wanted() {
    let mut trials = Trials::new(&[(false, Position::Below)], Native::Never, 0);
    trials.blame(0, reason(true), Wish::Native);
    assert_eq!(trials.marks(), [None]);
}

#[test]
fn other_side_of_the_attributes_is_tried() {
    let mut trials = Trials::new(&[(true, Position::Above)], Native::Asked, 0);
    trials.blame(0, reason(true), Wish::Native);
    trials.blame(0, reason(true), Wish::Nothing);
    let below = Mark {
        word: Word::Plain,
        named: false,
        position: Position::Below,
    };
    assert_eq!(trials.marks(), [Some(below)]);
    trials.blame(0, reason(true), Wish::Nothing);
    assert_eq!(trials.marks(), [None]);
}

#[test]
fn chance_is_given_to_whom_only_the_compiler_blames() {
    let mut trials = plain(2, 1);
    trials.blame(0, reason(true), Wish::Nothing);
    trials.blame(1, reason(false), Wish::Nothing);
    assert!(trials.advance());
    assert_eq!(on(&trials), [1]);
    trials.blame(1, reason(false), Wish::Nothing);
    assert!(!trials.advance());
}

#[test]
fn function_that_is_left_gets_no_chance() {
    let mut trials = plain(1, 1);
    trials.leave(0);
    assert!(!trials.advance());
    assert!(on(&trials).is_empty());
}

#[test]
fn guilty_one_of_a_group_is_found() {
    for guilty in 0..9 {
        let (left, builds) = search(9, &[guilty]);
        assert_eq!(left.len(), 8, "{guilty}");
        assert!(!left.contains(&guilty));
        assert!(builds < 20, "{builds}");
    }
}

#[test]
fn all_guilty_ones_of_a_group_are_found() {
    assert_eq!(search(6, &[1, 4, 5]).0, [0, 2, 3]);
    assert!(search(3, &[0, 1, 2]).0.is_empty());
}

#[test]
fn search_in_a_hurry_gives_groups_up() {
    let mut trials = plain(5, 1);
    trials.suspect("one", &[0, 1], &reason(false));
    trials.hurry();
    assert_eq!(on(&trials), [2, 3, 4]);
    trials.suspect("other", &[3, 4], &reason(false));
    assert_eq!(on(&trials), [2]);
    assert!(!trials.advance());
    assert!((0..5).all(|id| id == 2 || trials.reasons(id).len() == 1));
}

#[test]
fn caller_that_was_blamed_for_its_callee_comes_back() {
    let mut trials = plain(2, 1);
    let (caller, callee) = (0, 1);
    // The error is in the caller while it is there, and is the callee's.
    for _ in 0..10 {
        let on = on(&trials);
        if !on.contains(&callee) {
            if !trials.advance() {
                break;
            }
            continue;
        }
        trials.fail();
        let about = if on.contains(&caller) { caller } else { callee };
        match trials.is_fresh(about) {
            true => trials.blame(about, reason(false), Wish::Nothing),
            false => trials.suspect("fresh", &[], &reason(false)),
        }
    }
    assert_eq!(on(&trials), [caller]);
}

#[test]
fn groups_are_searched_at_the_same_time() {
    let mut trials = plain(8, 0);
    trials.suspect("a", &[0, 1, 2, 3], &reason(false));
    trials.suspect("b", &[4, 5, 6, 7], &reason(false));
    assert!(on(&trials).is_empty());
    assert!(trials.advance());
    assert_eq!(on(&trials), [0, 1, 4, 5]);
    trials.suspect("b", &[4, 5], &reason(false));
    assert_eq!(on(&trials), [0, 1]);
    assert!(trials.advance());
    assert_eq!(on(&trials), [0, 1, 2, 3, 4]);
}

#[test]
fn somebody_is_suspected_as_long_as_anybody_is_on() {
    let mut trials = plain(2, 0);
    assert!(!trials.advance());
    trials.suspect("nobody", &[], &reason(false));
    assert!(on(&trials).is_empty());
}
