//! `FutureGroup`: what is polled, what is dropped, and when.
#![cfg(feature = "alloc")]

mod support;

use std::future::{Future, ready};
use std::num::NonZeroUsize;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use futures::executor::block_on;
use support::{Parent, panics, scripted, scripted_row, shuffled};
use volt_combinators::{BoxFuture, FutureExt, FutureGroup};

fn poll_next<F: Future>(group: &mut FutureGroup<F>, waker: &Waker) -> Poll<Option<F::Output>> {
    let polled = group.poll_next(&mut Context::from_waker(waker));
    polled.map(|next| next.map(|(_, output)| output))
}

#[test]
fn empty_group_ends_at_once() {
    let mut group = FutureGroup::<std::future::Ready<()>>::new();
    assert_eq!(block_on(group.next()), None);
    let id = group.insert(ready(()));
    assert_eq!((id.get(), group.len()), (0, 1));
    assert_eq!(block_on(group.next()), Some((id, ())));
    assert_eq!(block_on(group.next()), None);
}

#[test]
fn each_future_is_polled_twice_and_dropped_when_done() {
    let len = if cfg!(miri) { 70 } else { 1000 };
    let (remotes, children) = scripted_row(len);
    let (parent, waker) = Parent::new();
    let mut group: FutureGroup<_> = children.into_iter().collect();
    while {
        assert!(poll_next(&mut group, &waker).is_pending());
        remotes.iter().any(|remote| remote.polls() == 0)
    } {}
    let wakes = parent.wakes();
    for &child in &shuffled(len) {
        remotes[child].finish();
        assert_eq!(poll_next(&mut group, &waker), Poll::Ready(Some(child)));
        assert!(remotes[child].is_dropped());
    }
    assert_eq!(poll_next(&mut group, &waker), Poll::Ready(None));
    assert_eq!(parent.wakes() - wakes, len, "one wake for each");
    assert!(remotes.iter().all(|remote| remote.polls() == 2));
}

#[test]
fn places_are_used_again_and_ids_are_not() {
    let (_, waker) = Parent::new();
    let mut group = FutureGroup::new();
    let (old_remote, child) = scripted(1);
    let old = group.insert(child);
    assert!(poll_next(&mut group, &waker).is_pending());
    let late = old_remote.waker();
    old_remote.finish();
    assert_eq!(poll_next(&mut group, &waker), Poll::Ready(Some(1)));
    let (remote, child) = scripted(2);
    let new = group.insert(child);
    assert!(old < new);
    assert!(!group.remove(old));
    assert!(poll_next(&mut group, &waker).is_pending());
    // A waker of the former future may cost the new one a poll, and nothing worse.
    late.wake();
    assert!(poll_next(&mut group, &waker).is_pending());
    assert_eq!(remote.polls(), 2);
    assert!(group.remove(new));
    assert!(remote.is_dropped());
    assert_eq!(poll_next(&mut group, &waker), Poll::Ready(None));
}

#[test]
fn late_wake_does_not_start_a_queued_future() {
    let (_, waker) = Parent::new();
    let mut group = FutureGroup::new().limit(NonZeroUsize::MIN);
    let (old_remote, child) = scripted(0);
    group.insert(child);
    let (running, child) = scripted(1);
    group.insert(child);
    assert!(poll_next(&mut group, &waker).is_pending());
    let late = old_remote.waker();
    old_remote.finish();
    assert_eq!(poll_next(&mut group, &waker), Poll::Ready(Some(0)));
    // The queued future is in the place of the first one.
    let (queued, child) = scripted(2);
    group.insert(child);
    assert!(poll_next(&mut group, &waker).is_pending());
    late.wake();
    assert!(poll_next(&mut group, &waker).is_pending());
    assert_eq!((running.polls(), queued.polls()), (1, 0));
}

#[test]
fn limit_holds_futures_back_unpolled() {
    let (remotes, children) = scripted_row(5);
    let (_, waker) = Parent::new();
    let mut group = FutureGroup::new().limit(NonZeroUsize::new(2).unwrap());
    let ids: Vec<_> = children
        .into_iter()
        .map(|child| group.insert(child))
        .collect();
    let polls = || {
        remotes
            .iter()
            .map(|remote| remote.polls())
            .collect::<Vec<_>>()
    };
    assert!(poll_next(&mut group, &waker).is_pending());
    assert_eq!(polls(), [1, 1, 0, 0, 0]);
    assert!(group.remove(ids[2]), "dropped before it began");
    remotes[1].finish();
    assert_eq!(poll_next(&mut group, &waker), Poll::Ready(Some(1)));
    assert!(poll_next(&mut group, &waker).is_pending());
    assert_eq!(polls(), [1, 2, 0, 1, 0]);
    for child in [3, 4, 0] {
        remotes[child].finish();
        assert_eq!(poll_next(&mut group, &waker), Poll::Ready(Some(child)));
    }
    assert_eq!(poll_next(&mut group, &waker), Poll::Ready(None));
    assert_eq!(polls(), [2, 2, 0, 2, 1]);
}

#[test]
fn futures_inserted_later_are_polled_too() {
    let (parent, waker) = Parent::new();
    let mut group = FutureGroup::new();
    let (remotes, children) = scripted_row(200);
    for (n, child) in children.into_iter().enumerate() {
        group.insert(child);
        assert!(poll_next(&mut group, &waker).is_pending());
        assert_eq!(remotes[n].polls(), 1);
    }
    let wakes = parent.wakes();
    remotes[3].finish();
    remotes[150].finish();
    remotes[64].finish();
    assert_eq!(parent.wakes(), wakes + 1, "one wake for the batch");
    let mut done: Vec<_> = (0..3).map(|_| poll_next(&mut group, &waker)).collect();
    done.sort_by_key(|done| match done {
        Poll::Ready(Some(child)) => *child,
        _ => unreachable!(),
    });
    assert_eq!(done, [3, 64, 150].map(|child| Poll::Ready(Some(child))));
    assert!(poll_next(&mut group, &waker).is_pending());
    drop(group);
    assert!(remotes.iter().all(|remote| remote.is_dropped()));
    assert_eq!(Arc::strong_count(&parent), 2);
    remotes[5].waker().wake();
    assert_eq!(parent.wakes(), wakes + 1);
}

#[test]
fn panic_of_one_leaves_the_others() {
    let (_, waker) = Parent::new();
    let (remote, child) = scripted(1);
    let mut group = FutureGroup::<BoxFuture<'_, usize>>::new();
    group.insert(async { panic!("child") }.boxed());
    group.insert(child.boxed());
    assert_eq!(panics(|| poll_next(&mut group, &waker)), "child");
    assert_eq!(group.len(), 1);
    assert!(poll_next(&mut group, &waker).is_pending());
    remote.finish();
    assert_eq!(poll_next(&mut group, &waker), Poll::Ready(Some(1)));
}

/// A future that is never ready, and wakes itself in each poll.
struct Restless;

impl Future for Restless {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

#[test]
fn restless_futures_give_way() {
    let (parent, waker) = Parent::new();
    let mut group: FutureGroup<_> = (0..100).map(|_| Restless).collect();
    for pass in 1..5 {
        assert!(poll_next(&mut group, &waker).is_pending());
        assert!(parent.wakes() >= pass);
    }
    drop(group);
}

#[test]
fn biased_group_polls_the_first_place_first() {
    let (_, waker) = Parent::new();
    // Otherwise groups come in the order in which they were woken.
    for (biased, order) in [(false, [40, 50, 99, 3]), (true, [3, 40, 50, 99])] {
        let (remotes, children) = scripted_row(100);
        let mut group: FutureGroup<_> = children.into_iter().collect();
        if biased {
            group = group.biased();
        }
        while {
            assert!(poll_next(&mut group, &waker).is_pending());
            remotes.iter().any(|remote| remote.polls() == 0)
        } {}
        for child in [50, 99, 3, 40] {
            remotes[child].finish();
        }
        for child in order {
            assert_eq!(poll_next(&mut group, &waker), Poll::Ready(Some(child)));
        }
    }
}
