//! Wake sets from one thread, and hammered from several.

use alloc::sync::Arc;
use alloc::task::Wake;
use alloc::vec::Vec;
use core::task::Waker;
use std::thread;

use super::set::WakeSet;
use crate::loom::sync::atomic::{AtomicUsize, Ordering};

#[derive(Default)]
struct Count(AtomicUsize);

impl Count {
    fn get(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

impl Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

fn counted() -> (Arc<Count>, Waker) {
    let count = Arc::new(Count::default());
    (count.clone(), count.into())
}

fn pass(set: &mut WakeSet, parent: &Waker) -> Vec<usize> {
    set.begin(parent, false);
    core::iter::from_fn(|| set.next()).collect()
}

#[test]
fn first_pass_visits_all() {
    let (_, parent) = counted();
    for len in [1, 3, 64, 65, 4096, 4097, 9000] {
        let mut set = WakeSet::new(len);
        assert_eq!(pass(&mut set, &parent), (0..len).collect::<Vec<_>>());
        assert!(pass(&mut set, &parent).is_empty());
    }
}

#[test]
fn batch_of_wakes_wakes_parent_once() {
    let len = if cfg!(miri) { 200 } else { 5000 };
    let (count, parent) = counted();
    let mut set = WakeSet::new(len);
    pass(&mut set, &parent);
    for child in (0..len).rev() {
        set.waker(child).wake_by_ref();
    }
    assert_eq!(count.get(), 1);
    assert_eq!(pass(&mut set, &parent).len(), len);
    set.waker(1).wake_by_ref();
    set.waker(1).wake_by_ref();
    assert_eq!(count.get(), 2);
    assert_eq!(pass(&mut set, &parent), [1]);
}

#[test]
fn every_child_wakes_by_its_own_number() {
    let len = if cfg!(miri) { 130 } else { 300_000 };
    let (count, parent) = counted();
    let mut set = WakeSet::new(len);
    pass(&mut set, &parent);
    let step = if cfg!(miri) { 1 } else { 997 };
    for (turn, child) in (0..len).step_by(step).enumerate() {
        Waker::clone(&set.waker(child)).wake();
        assert_eq!(count.get(), turn + 1);
        assert_eq!(pass(&mut set, &parent), [child]);
    }
}

#[test]
fn scan_goes_round_from_the_cursor() {
    let (_, parent) = counted();
    let mut set = WakeSet::new(200);
    pass(&mut set, &parent);
    set.waker(100).wake_by_ref();
    assert_eq!(pass(&mut set, &parent), [100]);
    for child in [3, 99, 100, 101, 199] {
        set.waker(child).wake_by_ref();
    }
    assert_eq!(pass(&mut set, &parent), [101, 99, 100, 199, 3]);
}

#[test]
fn biased_scan_starts_at_the_first() {
    let (_, parent) = counted();
    let mut set = WakeSet::new(8);
    pass(&mut set, &parent);
    set.waker(5).wake_by_ref();
    assert_eq!(pass(&mut set, &parent), [5]);
    set.waker(6).wake_by_ref();
    set.waker(2).wake_by_ref();
    set.begin(&parent, true);
    assert_eq!(set.next(), Some(2));
}

#[test]
fn dropped_set_releases_parent_and_late_wakes_do_nothing() {
    let (count, parent) = counted();
    let mut set = WakeSet::new(70);
    pass(&mut set, &parent);
    let late = Waker::clone(&set.waker(69));
    assert_eq!(Arc::strong_count(&count), 3);
    drop(set);
    assert_eq!(Arc::strong_count(&count), 2);
    late.wake_by_ref();
    drop(late.clone());
    late.wake();
    assert_eq!(count.get(), 0);
}

#[test]
fn new_parent_replaces_the_old() {
    let (old_count, old) = counted();
    let (new_count, new) = counted();
    let mut set = WakeSet::new(3);
    pass(&mut set, &old);
    pass(&mut set, &new);
    assert_eq!(Arc::strong_count(&old_count), 2);
    set.waker(0).wake_by_ref();
    assert_eq!((old_count.get(), new_count.get()), (0, 1));
}

#[test]
fn same_parent_is_not_cloned_again() {
    let (count, parent) = counted();
    let mut set = WakeSet::new(3);
    pass(&mut set, &parent);
    pass(&mut set, &parent);
    assert_eq!(Arc::strong_count(&count), 3);
}

/// Unparks the thread that drains.
struct Unpark(thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

#[test]
fn wakes_from_threads_are_all_seen() {
    let (threads, each) = if cfg!(miri) { (3, 20) } else { (4, 20_000) };
    let len = threads * 70;
    let parent = Waker::from(Arc::new(Unpark(thread::current())));
    let mut set = WakeSet::new(len);
    pass(&mut set, &parent);
    let seen: Arc<Vec<AtomicUsize>> = Arc::new((0..len).map(|_| AtomicUsize::new(0)).collect());
    let mut workers = Vec::new();
    for worker in 0..threads {
        let wakers: Vec<_> = (0..70)
            .map(|n| Waker::clone(&set.waker(n * threads + worker)))
            .collect();
        let seen = seen.clone();
        workers.push(thread::spawn(move || {
            // Each wake waits until the one before was seen: a lost one hangs the test.
            for turn in 0..each {
                let n = turn % 70;
                let before = seen[n * threads + worker].load(Ordering::SeqCst);
                wakers[n].wake_by_ref();
                while seen[n * threads + worker].load(Ordering::SeqCst) == before {
                    thread::yield_now();
                }
            }
        }));
    }
    let mut total = 0;
    while total < threads * each {
        set.begin(&parent, false);
        let mut any = false;
        while let Some(child) = set.next() {
            seen[child].fetch_add(1, Ordering::SeqCst);
            total += 1;
            any = true;
        }
        if !any {
            thread::park();
        }
    }
    for worker in workers {
        worker.join().unwrap();
    }
}
