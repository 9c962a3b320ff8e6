//! Wake sets from one thread, and hammered from several.

use alloc::sync::Arc;
use alloc::task::Wake;
use alloc::vec::Vec;
use core::task::Waker;
use std::thread;

use super::super::set::WakeSet;
use super::super::word::CHILDREN;
use crate::loom::sync::Mutex;
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
    drain(set, parent, false)
}

fn drain(set: &mut WakeSet, parent: &Waker, biased: bool) -> Vec<usize> {
    let mut pass = set.begin(parent, biased);
    core::iter::from_fn(|| Some(pass.next()?.0)).collect()
}

#[test]
fn pass_visits_all_woken_children() {
    let (_, parent) = counted();
    let most = if cfg!(miri) { 130 } else { 9000 };
    for len in [1, 3, CHILDREN, CHILDREN + 1, most] {
        let mut set = WakeSet::of(len, &parent);
        assert!(pass(&mut set, &parent).is_empty());
        (0..len).for_each(|child| set.waker(child).wake_by_ref());
        assert_eq!(pass(&mut set, &parent), (0..len).collect::<Vec<_>>());
        assert!(pass(&mut set, &parent).is_empty());
    }
}

#[test]
fn batch_of_wakes_wakes_parent_once() {
    let len = if cfg!(miri) { 200 } else { 5000 };
    let (count, parent) = counted();
    let mut set = WakeSet::of(len, &parent);
    pass(&mut set, &parent);
    for child in (0..len).rev() {
        set.waker(child).wake_by_ref();
    }
    assert_eq!(count.get(), 1);
    assert_eq!(pass(&mut set, &parent).len(), len);
    assert_eq!(count.get(), 1);
    set.waker(1).wake_by_ref();
    set.waker(1).wake_by_ref();
    assert_eq!(count.get(), 2);
    assert_eq!(pass(&mut set, &parent), [1]);
}

#[test]
fn every_child_wakes_by_its_own_number() {
    let len = if cfg!(miri) { 130 } else { 300_000 };
    let (count, parent) = counted();
    let mut set = WakeSet::of(len, &parent);
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
    let mut set = WakeSet::of(200, &parent);
    pass(&mut set, &parent);
    set.waker(100).wake_by_ref();
    assert_eq!(pass(&mut set, &parent), [100]);
    for child in [3, 99, 100, 101, 199] {
        set.waker(child).wake_by_ref();
    }
    // Groups in the order in which they were woken, each from the cursor round.
    assert_eq!(pass(&mut set, &parent), [3, 101, 99, 100, 199]);
}

#[test]
fn biased_scan_starts_at_the_first() {
    let (_, parent) = counted();
    let mut set = WakeSet::of(8, &parent);
    pass(&mut set, &parent);
    set.waker(5).wake_by_ref();
    assert_eq!(pass(&mut set, &parent), [5]);
    set.waker(6).wake_by_ref();
    set.waker(2).wake_by_ref();
    assert_eq!(drain(&mut set, &parent, true), [2, 6]);
}

#[test]
fn biased_scan_sorts_the_groups() {
    let (_, parent) = counted();
    let len = 40 * CHILDREN;
    let mut set = WakeSet::of(len, &parent);
    let order = [17, 3, 39, 4, 0, 21, 20, 8, 1].map(|group| group * CHILDREN + 3);
    for child in order {
        set.waker(child).wake_by_ref();
    }
    assert_eq!(pass(&mut set, &parent), order);
    for child in order {
        set.waker(child).wake_by_ref();
    }
    let mut sorted = order;
    sorted.sort_unstable();
    assert_eq!(drain(&mut set, &parent, true), sorted);
}

#[test]
fn biased_scan_is_gone_on_with_if_it_gave_way() {
    let (count, parent) = counted();
    let mut set = WakeSet::of(6 * CHILDREN, &parent);
    for (gives_way, order) in [(true, [2, 4, 3, 5]), (false, [2, 3, 4, 5])] {
        for group in [4, 1, 2] {
            set.waker(group * CHILDREN).wake_by_ref();
        }
        let mut pass = set.begin(&parent, true);
        assert_eq!(pass.next().unwrap().0, CHILDREN);
        let wakes = count.get();
        if gives_way {
            pass.yield_to_task();
        }
        drop(pass);
        assert_eq!(count.get() - wakes, usize::from(gives_way));
        for group in [5, 3] {
            set.waker(group * CHILDREN).wake_by_ref();
        }
        let order = order.map(|group| group * CHILDREN);
        assert_eq!(drain(&mut set, &parent, true), order);
    }
}

#[test]
fn stopped_pass_keeps_the_remaining_children() {
    let (count, parent) = counted();
    for len in [CHILDREN, 5 * CHILDREN] {
        let mut set = WakeSet::of(len, &parent);
        (0..len).for_each(|child| set.waker(child).wake_by_ref());
        let before = count.get();
        let mut cut = set.begin(&parent, false);
        assert_eq!(cut.next().unwrap().0, 0);
        assert_eq!(cut.next().unwrap().0, 1);
        assert!(!cut.is_over());
        drop(cut);
        set.waker(1).wake_by_ref();
        assert_eq!(count.get(), before + 1, "the first wake since the look");
        let rest = (2..len).chain([1]);
        assert_eq!(pass(&mut set, &parent), rest.collect::<Vec<_>>());
    }
}

/// Passes of sixty-four end in the third group and in the sixth, in turn.
#[test]
fn scan_goes_on_where_it_stopped_in_each_group() {
    let (_, parent) = counted();
    let mut set = WakeSet::of(6 * CHILDREN, &parent);
    let restless = [30, 30, 10, 30, 30, 10].map(|len| len * CHILDREN as u32 / 32);
    let patience = 2 * restless[0] + restless[2] / 2;
    let mut left = Vec::new();
    for (group, len) in restless.into_iter().enumerate() {
        left.extend((0..len as usize).map(|child| group * CHILDREN + child));
    }
    left.iter()
        .for_each(|&child| set.waker(child).wake_by_ref());
    for _ in 0..10 {
        let mut pass = set.begin(&parent, false);
        for _ in 0..patience {
            let Some((child, waker)) = pass.next() else {
                break;
            };
            left.retain(|&other| other != child);
            waker.wake_by_ref();
        }
    }
    assert_eq!(left, []);
}

#[test]
fn growing_set_keeps_its_wakers() {
    let (count, parent) = counted();
    let mut set = WakeSet::new_growing(&parent);
    let old = Waker::clone(&set.waker(3));
    set.reserve_groups(3);
    set.reserve_groups(7);
    for child in [7 * CHILDREN - 1, CHILDREN, 3 * CHILDREN, 2 * CHILDREN] {
        set.waker(child).wake_by_ref();
        assert_eq!(pass(&mut set, &parent), [child]);
    }
    old.wake();
    assert_eq!((pass(&mut set, &parent), count.get()), (Vec::from([3]), 5));
}

#[test]
fn wakers_cloned_in_a_pass_go_elsewhere() {
    let (count, parent) = counted();
    let mut set = WakeSet::of(2 * CHILDREN, &parent);
    let mut pass = set.begin(&parent, false);
    let clones: Vec<_> = (0..2 * CHILDREN)
        .map(|child| Waker::clone(&pass.waker(child)))
        .collect();
    drop(clones[5].clone());
    assert!(pass.next().is_none());
    drop(pass);
    thread::spawn(move || clones.into_iter().for_each(Waker::wake))
        .join()
        .unwrap();
    assert_eq!(count.get(), 1);
    let mut pass = set.begin(&parent, false);
    let mut kept = Vec::new();
    while let Some((_, waker)) = pass.next() {
        kept.push(Waker::clone(&waker));
        drop(Waker::clone(&waker));
    }
    assert_eq!(kept.len(), 2 * CHILDREN);
    drop(pass);
    drop(set);
    assert_eq!(Arc::strong_count(&count), 2, "the parent's waker is gone");
    kept.into_iter().for_each(Waker::wake);
    assert_eq!(count.get(), 1);
}

/// Its waker is replaced while it is called.
struct Reentrant {
    set: Mutex<Option<WakeSet>>,
    woken: AtomicUsize,
}

impl Wake for Reentrant {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.woken.fetch_add(1, Ordering::SeqCst);
        let Some(mut set) = self.set.lock().take() else {
            return;
        };
        let other = counted().1;
        assert_eq!(pass(&mut set, &other), [1]);
        assert_eq!(pass(&mut set, &self.clone().into()), []);
        *self.set.lock() = Some(set);
    }
}

#[test]
fn parent_may_be_replaced_while_it_is_woken() {
    let parent = Arc::new(Reentrant {
        set: Mutex::new(None),
        woken: AtomicUsize::new(0),
    });
    let set = WakeSet::of(3, &parent.clone().into());
    let child = Waker::clone(&set.waker(1));
    *parent.set.lock() = Some(set);
    child.wake_by_ref();
    child.wake();
    assert_eq!(parent.woken.load(Ordering::SeqCst), 2);
    drop(parent.set.lock().take());
    assert_eq!(Arc::strong_count(&parent), 1);
}

#[test]
fn late_wakes_of_a_dropped_set_do_nothing() {
    let (count, parent) = counted();
    let mut set = WakeSet::of(70, &parent);
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
    let mut set = WakeSet::of(3, &old);
    pass(&mut set, &old);
    pass(&mut set, &new);
    assert_eq!(Arc::strong_count(&old_count), 2);
    set.waker(0).wake_by_ref();
    assert_eq!((old_count.get(), new_count.get()), (0, 1));
}

#[test]
fn same_parent_is_not_cloned_again() {
    let (count, parent) = counted();
    let mut set = WakeSet::of(3, &parent);
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
    let mut set = WakeSet::of(len, &parent);
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
        let mut pass = set.begin(&parent, false);
        let mut any = false;
        while let Some((child, _)) = pass.next() {
            seen[child].fetch_add(1, Ordering::SeqCst);
            total += 1;
            any = true;
        }
        drop(pass);
        if !any {
            thread::park();
        }
    }
    for worker in workers {
        worker.join().unwrap();
    }
}
