//! Ended combinators keep no waker, and late wakes wake no task.
#![cfg(feature = "alloc")]

mod support;

use std::cell::RefCell;
use std::future::{pending, ready};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use support::{Parent, poll, scripted, scripted_row};
use volt_combinators::{FutureGroup, FuturesExt, scope};

/// Only the test has the parent's waker, and a late wake does not reach it.
#[track_caller]
fn assert_released(parent: &Arc<Parent>, late: Waker) {
    assert_eq!(Arc::strong_count(parent), 2, "the parent's waker is gone");
    let wakes = parent.wakes();
    late.wake();
    assert_eq!(parent.wakes(), wakes);
}

#[test]
fn returned_scope_releases_the_waker() {
    let (parent, waker) = Parent::new();
    let (remote, child) = scripted(0);
    let mut scoped = pin!(scope(|s| {
        drop(s.spawn(child));
        ready(())
    }));
    assert!(poll(scoped.as_mut(), &waker).is_pending());
    let late = remote.waker();
    remote.finish();
    assert!(poll(scoped.as_mut(), &waker).is_ready());
    assert_released(&parent, late);
}

#[test]
fn ended_future_group_releases_the_waker() {
    let (parent, waker) = Parent::new();
    let mut group = FutureGroup::new();
    // It serves again after its end.
    for round in 0..3 {
        let (remotes, children) = scripted_row(100);
        group.extend(children);
        let mut next = || group.poll_next(&mut Context::from_waker(&waker));
        while remotes.iter().any(|remote| remote.polls() == 0) {
            assert!(next().is_pending());
        }
        let late = remotes[round].waker();
        remotes.iter().for_each(|remote| remote.finish());
        assert_eq!((0..100).filter(|_| next().is_ready()).count(), 100);
        assert_eq!(next(), Poll::Ready(None));
        assert_released(&parent, late);
    }
}

#[test]
fn finished_select_releases_the_waker() {
    for len in [3, 100] {
        let (parent, waker) = Parent::new();
        let (remotes, children) = scripted_row(len);
        let mut selected = pin!(children.select());
        let mut next = || {
            selected
                .as_mut()
                .poll_next(&mut Context::from_waker(&waker))
        };
        while remotes.iter().any(|remote| remote.polls() == 0) {
            assert!(next().is_pending());
        }
        let late = remotes[1].waker();
        remotes.iter().for_each(|remote| remote.finish());
        assert_eq!((0..len).filter(|_| next().is_ready()).count(), len);
        assert_released(&parent, late);
    }
}

#[test]
fn dropped_child_handle_releases_the_waker() {
    let (_, waker) = Parent::new();
    let (remote, child) = scripted(0);
    let handle = RefCell::new(None);
    let mut scoped = pin!(scope(|s| {
        *handle.borrow_mut() = Some(s.spawn(child));
        pending::<()>()
    }));
    assert!(poll(scoped.as_mut(), &waker).is_pending());
    let (other, outer) = Parent::new();
    let mut handle = Box::pin(handle.take().unwrap());
    assert!(poll(handle.as_mut(), &outer).is_pending());
    drop(handle);
    assert_eq!(Arc::strong_count(&other), 2);
    remote.finish();
    assert!(poll(scoped.as_mut(), &waker).is_pending());
    assert_eq!(other.wakes(), 0);
}

#[cfg(feature = "std")]
mod groups {
    use std::sync::Mutex;

    use support::Shelf;
    use volt_combinators::Group;

    use super::*;

    /// Polls a wait, drops it, and then has the child end.
    fn abandon(wait: impl FnOnce(&mut Group<i32, Shelf>, &Waker)) -> Arc<Parent> {
        let shelf = Shelf::default();
        let mut group = Group::new(shelf.clone());
        group.spawn(ready(1));
        let (parent, waker) = Parent::new();
        wait(&mut group, &waker);
        assert_eq!(Arc::strong_count(&parent), 2, "the waiter's waker is gone");
        let mut child = shelf.take();
        assert!(poll(child.as_mut(), Waker::noop()).is_ready());
        assert_eq!(group.live(), 0);
        parent
    }

    #[test]
    fn dropped_wait_releases_the_waker() {
        let next = abandon(|group, waker| assert!(poll(pin!(group.next()), waker).is_pending()));
        let wait = abandon(|group, waker| assert!(poll(pin!(group.wait()), waker).is_pending()));
        let all = abandon(|group, waker| assert!(poll(pin!(group.join_all()), waker).is_pending()));
        assert_eq!([next, wait, all].map(|parent| parent.wakes()), [0; 3]);
    }

    #[test]
    fn poll_function_keeps_the_waker() {
        let shelf = Shelf::default();
        let mut group = Group::new(shelf.clone());
        group.spawn(ready(1));
        let (parent, waker) = Parent::new();
        let mut cx = Context::from_waker(&waker);
        assert!(group.poll_next(&mut cx).is_pending());
        let mut child = shelf.take();
        assert!(poll(child.as_mut(), Waker::noop()).is_ready());
        assert_eq!(parent.wakes(), 1);
        assert!(group.poll_next(&mut cx).is_ready());
    }

    /// The group is dropped by the child, which then ends by itself.
    #[test]
    fn dropped_group_drops_later_outputs() {
        let shelf = Shelf::default();
        let group = Group::new(shelf.clone());
        let handle = group.handle();
        let output = Arc::new(());
        let (held, owner) = (output.clone(), Arc::new(Mutex::new(None)));
        let dropped = owner.clone();
        group.spawn(async move {
            drop(dropped.lock().unwrap().take());
            output
        });
        *owner.lock().unwrap() = Some(group);
        let mut child = shelf.take();
        assert!(poll(child.as_mut(), Waker::noop()).is_ready());
        assert_eq!(Arc::strong_count(&held), 1, "nobody will ask for it");
        drop(handle);
    }
}
