//! Tests of the ring against a model, and between threads.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::{LocalRing, RING_CAPACITY, RingStealer, new_ring, starting_at};
use crate::util::Rng;

#[test]
fn pop_is_first_in_first_out() {
    let (mut owner, _thief) = new_ring::<u32, RING_CAPACITY>();
    for n in 0..100 {
        owner.push(n).unwrap();
    }
    assert_eq!(
        (0..100).map(|_| owner.pop().unwrap()).collect::<Vec<_>>(),
        (0..100).collect::<Vec<_>>()
    );
    assert_eq!(owner.pop(), None);
}

#[test]
fn push_into_full_ring_returns_the_task() {
    let (mut owner, _thief) = new_ring::<u32, 4>();
    for n in 0..4 {
        owner.push(n).unwrap();
    }
    assert_eq!(owner.push(4), Err(4));
    assert_eq!(owner.pop(), Some(0));
    assert_eq!(owner.push(4), Ok(()));
}

#[test]
fn spill_takes_the_older_half_of_a_full_ring_only() {
    let (mut owner, _thief) = new_ring::<u32, 8>();
    for n in 0..7 {
        owner.push(n).unwrap();
    }
    assert!(owner.spill().is_none());
    owner.push(7).unwrap();
    assert_eq!(owner.spill().unwrap().collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(owner.len(), 4);
    assert_eq!(owner.pop(), Some(4));
}

#[test]
fn spill_dropped_early_drops_the_rest() {
    let counter = Arc::new(());
    let (mut owner, _thief) = new_ring::<Arc<()>, 8>();
    for _ in 0..8 {
        owner.push(Arc::clone(&counter)).unwrap();
    }
    let mut spill = owner.spill().unwrap();
    drop(spill.next());
    drop(spill);
    assert_eq!(Arc::strong_count(&counter), 5);
}

#[test]
fn steal_takes_half_and_returns_the_oldest() {
    for (queued, left) in [(1, 0), (2, 1), (3, 1), (7, 3), (8, 4)] {
        let (mut owner, thief) = new_ring::<u32, 8>();
        let (mut into, _) = new_ring::<u32, 8>();
        for n in 0..queued {
            owner.push(n).unwrap();
        }
        assert!(thief.has_stealable());
        assert_eq!(thief.steal_into(&mut into), Some(0));
        assert_eq!(
            (owner.len(), into.len()),
            (left, queued as usize - left - 1)
        );
        assert_eq!(into.pop(), (queued > 2).then_some(1));
    }
}

#[test]
fn steal_needs_a_task_and_room_for_half_a_ring() {
    let (mut owner, thief) = new_ring::<u32, 8>();
    let (mut into, _) = new_ring::<u32, 8>();
    assert_eq!(thief.steal_into(&mut into), None);
    assert!(!thief.has_stealable());
    owner.push(1).unwrap();
    for n in 0..5 {
        into.push(n).unwrap();
    }
    assert_eq!(thief.steal_into(&mut into), None);
    into.pop();
    assert_eq!(thief.steal_into(&mut into), Some(1));
}

#[test]
fn dropping_both_ends_drops_queued_tasks() {
    let counter = Arc::new(());
    let (mut owner, thief) = new_ring::<Arc<()>, 8>();
    for _ in 0..6 {
        owner.push(Arc::clone(&counter)).unwrap();
    }
    owner.pop();
    drop(thief);
    assert_eq!(Arc::strong_count(&counter), 6);
    drop(owner);
    assert_eq!(Arc::strong_count(&counter), 1);
}

/// Random operations on the ring and on a `VecDeque`, from positions that wrap at once.
#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn random_operations_agree_with_a_model() {
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let start = u32::MAX.wrapping_sub(rng.below(40));
        let (mut owner, thief) = starting_at::<u32, 16>(start);
        let (mut into, _) = starting_at::<u32, 16>(start.wrapping_add(7));
        let (mut model, mut model_into) = (VecDeque::new(), VecDeque::new());
        for n in 0..2000 {
            match rng.below(8) {
                0..=3 => match owner.push(n) {
                    Ok(()) => model.push_back(n),
                    Err(_) => assert_eq!(model.len(), 16),
                },
                4 | 5 => assert_eq!(owner.pop(), model.pop_front()),
                6 => step_spill(&mut owner, &mut model),
                _ => step_steal(&thief, &mut into, &mut model, &mut model_into),
            }
            if rng.below(3) == 0 {
                assert_eq!(into.pop(), model_into.pop_front());
            }
            assert_eq!((owner.len(), into.len()), (model.len(), model_into.len()));
        }
    }
}

/// Wraps at each slot of the ring in turn.
#[test]
fn wrapping_positions_lose_no_task() {
    for back in 0..40 {
        let (mut owner, thief) = starting_at::<u32, 16>(u32::MAX - back);
        (0..16).for_each(|n| owner.push(n).unwrap());
        assert!(owner.spill().unwrap().eq(0..8));
        (16..24).for_each(|n| owner.push(n).unwrap());
        let (mut into, _) = starting_at::<u32, 16>(u32::MAX - back / 2);
        assert_eq!(thief.steal_into(&mut into), Some(8));
        assert!(std::iter::from_fn(|| into.pop()).eq(9..16));
        assert!(std::iter::from_fn(|| owner.pop()).eq(16..24));
    }
}

fn step_spill(owner: &mut LocalRing<u32, 16>, model: &mut VecDeque<u32>) {
    let expected = (model.len() == 16).then(|| model.drain(..8).collect::<Vec<_>>());
    assert_eq!(owner.spill().map(Iterator::collect::<Vec<_>>), expected);
}

fn step_steal(
    thief: &RingStealer<u32, 16>,
    into: &mut LocalRing<u32, 16>,
    model: &mut VecDeque<u32>,
    model_into: &mut VecDeque<u32>,
) {
    let expected = if model.is_empty() || model_into.len() > 8 {
        None
    } else {
        let half = model.len().div_ceil(2);
        let mut taken: VecDeque<_> = model.drain(..half).collect();
        let first = taken.pop_front();
        model_into.extend(taken);
        first
    };
    assert_eq!(thief.steal_into(into), expected);
}

/// One owner and three thieves, with wrapping positions: each number arrives exactly once.
#[test]
fn threads_neither_lose_nor_double_a_task() {
    const TASKS: u32 = if cfg!(miri) { 300 } else { 200_000 };
    let (mut owner, thief) = starting_at::<u32, 32>(u32::MAX - 1000);
    let seen: Vec<AtomicU32> = (0..TASKS).map(|_| AtomicU32::new(0)).collect();
    let done = AtomicBool::new(false);
    let mark = |n: u32| seen[n as usize].fetch_add(1, Ordering::Relaxed);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let (mut mine, _) = new_ring::<u32, 32>();
                while !done.load(Ordering::Acquire) {
                    if let Some(n) = thief.steal_into(&mut mine) {
                        mark(n);
                    }
                    while let Some(n) = mine.pop() {
                        mark(n);
                    }
                }
            });
        }
        for n in 0..TASKS {
            let mut task = n;
            while let Err(back) = owner.push(task) {
                task = back;
                match owner.spill() {
                    Some(spill) => spill.for_each(|n| _ = mark(n)),
                    None => std::thread::yield_now(),
                }
            }
            if n % 3 == 0 {
                owner.pop().map(mark);
            }
        }
        while let Some(n) = owner.pop() {
            mark(n);
        }
        done.store(true, Ordering::Release);
    });
    let wrong = seen
        .iter()
        .filter(|n| n.load(Ordering::Relaxed) != 1)
        .count();
    assert_eq!(wrong, 0);
}
