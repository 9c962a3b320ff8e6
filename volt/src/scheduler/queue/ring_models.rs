//! All interleavings of one owner and one or two thieves, on rings of two and four slots.
//!
//! Slots are cells of loom. So a write to a slot that another thread reads fails the model, even if
//! no task is lost.

use loom::thread;

use super::{LocalRing, RingStealer, new_ring, starting_at};

fn steal_some<const N: usize>(thief: &RingStealer<u32, N>, tries: usize) -> Vec<u32> {
    let (mut mine, _) = new_ring::<u32, N>();
    let mut taken = Vec::new();
    for _ in 0..tries {
        taken.extend(thief.steal_into(&mut mine));
        while let Some(n) = mine.pop() {
            taken.push(n);
        }
    }
    taken
}

fn push_or_keep<const N: usize>(owner: &mut LocalRing<u32, N>, task: u32, kept: &mut Vec<u32>) {
    if let Err(task) = owner.push(task) {
        if let Some(spill) = owner.spill() {
            kept.extend(spill);
        }
        kept.push(task);
    }
}

fn assert_each_once(mut seen: Vec<u32>, count: u32) {
    seen.sort_unstable();
    assert_eq!(seen, (0..count).collect::<Vec<_>>());
}

/// Pushes, pops and wrapping positions while a thief steals: the owner reuses slots that the thief
/// has freed.
///
/// Breaks when `push` computes the room from `real` instead of `steal`, and when the store of the
/// tail or the thief's release is relaxed.
#[test]
fn owner_reuses_slots_beside_a_thief() {
    loom::model(|| {
        let (mut owner, thief) = starting_at::<u32, 2>(u32::MAX);
        let other = thread::spawn(move || steal_some(&thief, 2));
        let mut seen = Vec::new();
        for n in 0..4 {
            push_or_keep(&mut owner, n, &mut seen);
        }
        seen.extend(owner.pop());
        seen.extend(other.join().unwrap());
        while let Some(n) = owner.pop() {
            seen.push(n);
        }
        assert_each_once(seen, 4);
    });
}

/// Pops while a thief takes several tasks: `steal` is less than `real` for a while.
///
/// Breaks when `pop` moves `steal` too.
#[test]
fn owner_pops_while_a_thief_copies() {
    loom::model(|| {
        let (mut owner, thief) = new_ring::<u32, 4>();
        for n in 0..4 {
            owner.push(n).unwrap();
        }
        let other = thread::spawn(move || steal_some(&thief, 1));
        let mut seen = Vec::new();
        seen.extend(owner.pop());
        push_or_keep(&mut owner, 4, &mut seen);
        seen.extend(owner.pop());
        seen.extend(other.join().unwrap());
        while let Some(n) = owner.pop() {
            seen.push(n);
        }
        assert_each_once(seen, 5);
    });
}

/// Two thieves steal from one ring, which is open to thieves again afterwards.
///
/// Breaks when `release` gives up after one failure.
#[test]
fn two_thieves_share_a_ring() {
    loom::model(|| {
        let (mut owner, thief) = new_ring::<u32, 4>();
        for n in 0..3 {
            owner.push(n).unwrap();
        }
        let thief = loom::sync::Arc::new(thief);
        let second = loom::sync::Arc::clone(&thief);
        let other = thread::spawn(move || steal_some(&second, 1));
        let mut seen = Vec::new();
        seen.extend(owner.pop());
        seen.extend(steal_some(&thief, 1));
        seen.extend(other.join().unwrap());
        while thief.has_stealable() {
            seen.extend(steal_some(&thief, 1));
        }
        assert_eq!(owner.pop(), None);
        assert_each_once(seen, 3);
        // The marks of the thieves are gone: the next thief can steal.
        owner.push(3).unwrap();
        assert!(thief.has_stealable());
    });
}
