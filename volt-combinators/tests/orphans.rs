//! A combinator whose futures have no waker keeps no waker of its task, so that the task is found
//! to be orphaned.
#![cfg(feature = "std")]

mod support;

use std::future::{Future, pending, poll_fn};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::thread;

use support::{Parent, poll};
use volt_combinators::{BoxFuture, FutureExt, FutureGroup, FuturesExt, join_all, race_all};

type Wakers = Arc<Mutex<Vec<Waker>>>;

/// Keeps its waker where a test can drop it, and waits for ever.
fn leaf(wakers: &Wakers) -> impl Future<Output = ()> + Send + use<> {
    let wakers = wakers.clone();
    poll_fn(move |cx| {
        wakers.lock().unwrap().push(cx.waker().clone());
        Poll::Pending
    })
}

/// How many wakers of the parent there are besides the test's own.
fn kept(parent: &Arc<Parent>) -> usize {
    Arc::strong_count(parent) - 2
}

/// Sizes of one group of wakers and of several.
const SIZES: [usize; 3] = [3, 32, 100];

#[test]
fn children_without_wakers_keep_no_parent_waker() {
    for len in SIZES {
        let (parent, waker) = Parent::new();
        let mut joined = join_all((0..len).map(|_| pending::<()>()));
        rests(&mut joined, &parent, &waker);
        assert_eq!(kept(&parent), 0);
    }
}

#[test]
fn waker_dropped_in_poll_keeps_no_parent_waker() {
    for len in SIZES {
        let (parent, waker) = Parent::new();
        let leaf = || poll_fn(|cx| (drop(cx.waker().clone()), Poll::<()>::Pending).1);
        let mut joined = join_all((0..len).map(|_| leaf()));
        for _ in 0..2 {
            rests(&mut joined, &parent, &waker);
            assert_eq!(kept(&parent), 0);
        }
    }
}

/// Polls until the parent is not woken by that. Returns its wakes.
fn rests<F: Future + Unpin>(combinator: &mut F, parent: &Parent, waker: &Waker) -> usize {
    loop {
        let wakes = parent.wakes();
        assert!(poll(Pin::new(&mut *combinator), waker).is_pending());
        if parent.wakes() == wakes {
            return wakes;
        }
    }
}

/// Drops all wakers outside of a poll, the last one here or on another thread. The parent must be
/// woken, and keep no waker after its next poll.
fn last_waker_goes(mut combinator: impl Future + Unpin, elsewhere: bool, wakers: &Wakers) {
    let (parent, waker) = Parent::new();
    let before = rests(&mut combinator, &parent, &waker);
    assert_eq!(kept(&parent), 1);
    let mut all = std::mem::take(&mut *wakers.lock().unwrap());
    let last = all.pop();
    drop(all);
    if elsewhere {
        thread::spawn(move || drop(last)).join().unwrap();
    } else {
        drop(last);
    }
    assert_ne!(parent.wakes(), before);
    rests(&mut combinator, &parent, &waker);
    assert_eq!(kept(&parent), 0);
}

/// Makes a combinator of each size, and of each drops the last waker here and elsewhere.
fn last_wakers_go<F: Future + Unpin>(make: impl Fn(usize, &Wakers) -> F) {
    for len in SIZES {
        for elsewhere in [false, true] {
            let wakers = Wakers::default();
            last_waker_goes(make(len, &wakers), elsewhere, &wakers);
        }
    }
}

/// Leaves in boxes.
fn leaves(len: usize, wakers: &Wakers) -> Vec<BoxFuture<'static, ()>> {
    (0..len).map(|_| leaf(wakers).boxed()).collect()
}

#[test]
fn last_waker_of_a_join_releases_the_parent_waker() {
    last_wakers_go(|len, wakers| leaves(len, wakers).join());
}

#[test]
fn last_waker_of_a_race_releases_the_parent_waker() {
    last_wakers_go(|len, wakers| race_all(leaves(len, wakers)));
}

#[test]
fn last_waker_of_a_group_releases_the_parent_waker() {
    last_wakers_go(|len, wakers| {
        let mut group: FutureGroup<_> = leaves(len, wakers).into_iter().collect();
        poll_fn(move |cx| group.poll_next(cx))
    });
}

#[test]
fn last_waker_of_a_nested_join_releases_parent() {
    last_wakers_go(|len, wakers| {
        let inner = || leaves(len, wakers).join();
        [inner(), inner(), inner()].join()
    });
}

#[test]
fn waker_dropped_before_the_last_wakes_no_task() {
    let (parent, waker) = Parent::new();
    let wakers = Wakers::default();
    let mut joined = leaves(40, &wakers).join();
    let wakes = rests(&mut joined, &parent, &waker);
    wakers.lock().unwrap().truncate(1);
    assert_eq!(parent.wakes(), wakes);
}

#[test]
fn next_child_registers_the_parent_waker_again() {
    let (parent, waker) = Parent::new();
    let wakers = Wakers::default();
    let mut group: FutureGroup<_> = leaves(3, &wakers).into_iter().collect();
    assert!(poll(pin!(group.next()), &waker).is_pending());
    wakers.lock().unwrap().clear();
    assert!(poll(pin!(group.next()), &waker).is_pending());
    assert_eq!(kept(&parent), 0);
    group.insert(leaf(&wakers).boxed());
    assert!(poll(pin!(group.next()), &waker).is_pending());
    assert_eq!(kept(&parent), 1);
    let wakes = parent.wakes();
    wakers.lock().unwrap().pop().unwrap().wake();
    assert_eq!(parent.wakes(), wakes + 1);
}
