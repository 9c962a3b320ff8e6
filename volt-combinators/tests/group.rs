//! Groups on a ten-line runtime that tests drive by hand, and on threads.
#![cfg(feature = "std")]

mod support;

use std::collections::VecDeque;
use std::future::{Future, pending, ready};
use std::num::NonZeroUsize;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

use futures::executor::block_on;
use support::{Parent, Threads, panics, poll, scripted, scripted_row};
use volt_combinators::{Child, Group, Policy, Spawn, TaskError};

/// A runtime whose tasks run when a test polls them.
#[derive(Clone, Default)]
struct Manual(Arc<Mutex<VecDeque<Arc<Task>>>>);

struct Task {
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    queue: Manual,
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.queue.0.lock().unwrap().push_back(self.clone());
    }
}

impl Spawn for Manual {
    fn spawn<F>(&self, child: Child<F>)
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        let future = Mutex::new(Some(Box::pin(child) as Pin<Box<_>>));
        let queue = self.clone();
        Arc::new(Task { future, queue }).wake();
    }
}

impl Manual {
    fn step(&self) -> bool {
        let Some(task) = self.0.lock().unwrap().pop_front() else {
            return false;
        };
        let mut slot = task.future.lock().unwrap();
        let waker = Waker::from(task.clone());
        if let Some(future) = &mut *slot
            && future
                .as_mut()
                .poll(&mut Context::from_waker(&waker))
                .is_ready()
        {
            *slot = None;
        }
        true
    }

    fn run(&self) {
        while self.step() {}
    }
}

/// A runtime that is no more.
struct Closed;

impl Spawn for Closed {
    fn spawn<F>(&self, child: Child<F>)
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        drop(child);
    }
}

#[test]
fn wait_returns_values_in_spawn_order() {
    let runtime = Manual::default();
    let mut group = Group::new(runtime.clone());
    let (remotes, children): (Vec<_>, Vec<_>) = (0..3).map(scripted).unzip();
    for child in children {
        group.spawn(child);
    }
    let (parent, waker) = Parent::new();
    let mut waiting = pin!(group.wait());
    for child in [2, 0, 1] {
        runtime.run();
        assert!(poll(waiting.as_mut(), &waker).is_pending());
        assert_eq!(parent.wakes(), 0, "nothing to see before the last");
        remotes[child].finish();
    }
    runtime.run();
    assert_eq!(parent.wakes(), 1);
    let Poll::Ready(Ok(values)) = poll(waiting.as_mut(), &waker) else {
        panic!("all have finished");
    };
    assert_eq!(values, [0, 1, 2]);
}

#[test]
fn next_returns_children_as_they_finish() {
    let runtime = Manual::default();
    let mut group = Group::new(runtime.clone());
    let (slow, child) = scripted(7);
    let first = group.spawn(child);
    let second = group.spawn(ready(8));
    runtime.run();
    let (id, value) = block_on(group.next()).unwrap();
    assert_eq!((id, value.unwrap()), (second, 8));
    slow.finish();
    runtime.run();
    let (id, value) = block_on(group.next()).unwrap();
    assert_eq!((id, value.unwrap()), (first, 7));
    assert!(block_on(group.next()).is_none());
}

#[test]
fn shutdown_returns_after_children_are_dropped() {
    let runtime = Manual::default();
    let mut group = Group::new(runtime.clone());
    let (polled, child) = scripted(0);
    group.spawn(child);
    runtime.run();
    let (unpolled, child) = scripted(1);
    group.spawn(child);
    let (_, waker) = Parent::new();
    let mut shutdown = pin!(group.shutdown());
    assert!(poll(shutdown.as_mut(), &waker).is_pending());
    assert!(!polled.is_dropped(), "only asked so far");
    runtime.step();
    assert!(poll(shutdown.as_mut(), &waker).is_pending());
    runtime.run();
    assert!(polled.is_dropped() && unpolled.is_dropped());
    assert_eq!(unpolled.polls(), 0);
    let Poll::Ready(reports) = poll(shutdown.as_mut(), &waker) else {
        panic!("all are gone");
    };
    assert!(
        reports
            .iter()
            .all(|(_, result)| result.as_ref().unwrap_err().is_cancelled())
    );
    assert_eq!(reports.len(), 2);
}

#[test]
fn dropped_group_asks_its_children_to_stop() {
    let runtime = Manual::default();
    let group = Group::new(runtime.clone());
    let (remote, child) = scripted(0);
    group.spawn(child);
    runtime.run();
    let handle = group.handle();
    drop(group);
    assert!(!remote.is_dropped());
    runtime.run();
    assert!(remote.is_dropped());
    let (late, child) = scripted(1);
    handle.spawn(child);
    assert!(late.is_dropped(), "refused from the start");
}

#[test]
fn panic_fails_fast_and_is_resumed_when_all_are_gone() {
    let runtime = Manual::default();
    let mut group = Group::new(runtime.clone());
    let (remote, child) = scripted(0);
    group.spawn(child);
    runtime.run();
    group.spawn(async { panic!("first") });
    group.spawn(async { panic!("never polled: its sibling was first") });
    runtime.run();
    assert!(remote.is_dropped());
    assert!(group.is_cancelled() && group.live() == 0);
    assert_eq!(panics(|| block_on(group.wait())), "first");
}

#[test]
fn supervise_policy_does_not_cancel_siblings() {
    let runtime = Manual::default();
    let mut group = Group::new(runtime.clone()).policy(Policy::Supervise);
    let bad = group.spawn(async { panic!("alone") });
    group.spawn(ready(1));
    runtime.run();
    let error = block_on(group.wait()).unwrap_err();
    assert_eq!(error.to_string(), "1 child panicked, 0 were cancelled");
    let [(id, TaskError::Panicked(panic))] = &mut *error.into_errors() else {
        panic!("one error");
    };
    assert_eq!(*id, bad);
    assert_eq!(format!("{panic:?}"), "Panic(Some(\"alone\"))");
}

#[test]
fn join_all_never_panics() {
    let runtime = Manual::default();
    let mut group = Group::new(runtime.clone());
    group.spawn(ready(1));
    group.spawn(async { panic!("second") });
    group.spawn(pending());
    runtime.run();
    let reports = block_on(group.join_all());
    let texts: Vec<_> = reports
        .iter()
        .map(|(id, result)| format!("{id} {result:?}"))
        .collect();
    assert_eq!(
        texts,
        [
            "0 Ok(1)",
            "1 Err(Panicked(Some(\"second\")))",
            "2 Err(Cancelled)"
        ]
    );
}

#[test]
fn wait_ends_if_the_runtime_drops_children() {
    let mut group = Group::new(Closed);
    group.spawn(pending::<()>());
    assert!(
        block_on(group.wait()).unwrap_err().errors()[0]
            .1
            .is_cancelled()
    );
    let runtime = Manual::default();
    let mut group = Group::new(runtime.clone());
    group.spawn(pending::<()>());
    drop(runtime.0.lock().unwrap().drain(..).collect::<Vec<_>>());
    assert_eq!(block_on(group.wait()).unwrap_err().errors().len(), 1);
}

/// Panics when dropped.
struct Grenade;

impl Drop for Grenade {
    fn drop(&mut self) {
        panic!("destructor");
    }
}

#[test]
fn panic_of_a_destructor_is_reported() {
    let runtime = Manual::default();
    let mut group = Group::new(runtime.clone()).policy(Policy::Supervise);
    let grenade = Grenade;
    group.spawn(async move {
        let _grenade = grenade;
        pending::<()>().await;
    });
    runtime.run();
    group.cancel();
    runtime.run();
    let error = block_on(group.wait()).unwrap_err();
    assert_eq!(
        error.errors()[0].1.to_string(),
        "child panicked: destructor"
    );
}

#[test]
fn children_spawn_siblings() {
    let mut group = Group::new(Threads);
    let handle = group.handle();
    group.spawn(async move {
        for n in 1..4 {
            let inner = handle.clone();
            handle.spawn(async move {
                inner.spawn(ready(n * 10));
                n
            });
        }
        0
    });
    let mut values = block_on(group.wait()).unwrap();
    values.sort_unstable();
    assert_eq!(values, [0, 1, 2, 3, 10, 20, 30]);
}

#[test]
fn limit_holds_children_back_unpolled() {
    let runtime = Manual::default();
    let mut group = Group::new(runtime.clone()).limit(NonZeroUsize::new(2).unwrap());
    let (remotes, children): (Vec<_>, Vec<_>) = (0..5).map(scripted).unzip();
    for child in children {
        group.spawn(child);
    }
    let polled = || {
        remotes
            .iter()
            .map(|remote| remote.polls())
            .collect::<Vec<_>>()
    };
    runtime.run();
    assert_eq!(polled(), [1, 1, 0, 0, 0]);
    remotes[1].finish();
    runtime.run();
    assert_eq!(polled(), [1, 2, 1, 0, 0]);
    remotes[0].finish();
    remotes[2].finish();
    runtime.run();
    assert_eq!(polled(), [2, 2, 2, 1, 1]);
    group.cancel();
    runtime.run();
    assert_eq!(block_on(group.join_all()).len(), 5);
}

#[test]
fn dropped_child_passes_its_permit_on() {
    let runtime = Manual::default();
    let mut group = Group::new(runtime.clone()).limit(NonZeroUsize::MIN);
    let (remote, child) = scripted(0);
    group.spawn(child);
    group.spawn(pending());
    let third = group.spawn(ready(2));
    let hold: Vec<_> = runtime.0.lock().unwrap().iter().cloned().collect();
    runtime.run();
    // The second is dropped while it queues, and then the first, which runs.
    *hold[1].future.lock().unwrap() = None;
    *hold[0].future.lock().unwrap() = None;
    assert!(remote.is_dropped());
    runtime.run();
    let reports = block_on(group.join_all());
    assert_eq!(reports[2].0, third);
    assert!(matches!(reports[2].1, Ok(2)));
}

/// It takes the place of one that was dropped in the queue, and not its turn.
#[test]
fn new_child_receives_no_permit_before_its_poll() {
    let runtime = Manual::default();
    let group = Group::new(runtime.clone()).limit(NonZeroUsize::MIN);
    let (remotes, children) = scripted_row(4);
    let mut children = children.into_iter().map(|child| group.spawn(child));
    children.by_ref().take(3).for_each(drop);
    let hold: Vec<_> = runtime.0.lock().unwrap().iter().cloned().collect();
    runtime.run();
    *hold[1].future.lock().unwrap() = None;
    assert_eq!(children.count(), 1);
    remotes[0].finish();
    runtime.run();
    let polls = remotes.iter().map(|remote| remote.polls());
    assert_eq!(polls.collect::<Vec<_>>(), [2, 0, 1, 0]);
}

#[test]
fn child_shows_its_future_to_the_runtime() {
    struct Looks(AtomicUsize);
    impl Spawn for Looks {
        fn spawn<F>(&self, child: Child<F>)
        where
            F: Future<Output: Send + 'static> + Send + 'static,
        {
            let mut child = pin!(child);
            assert!(child.as_mut().future().is_some());
            self.0.store(size_of::<F>(), SeqCst);
            block_on(child.as_mut());
            assert!(child.as_mut().future().is_none());
            assert_eq!(format!("{child:?}"), "Child(Over)");
        }
    }
    let looks = Looks(AtomicUsize::new(0));
    let mut group = Group::new(&looks);
    group.spawn(ready(9_u64));
    assert_eq!(looks.0.load(SeqCst), size_of::<std::future::Ready<u64>>());
    assert_eq!(block_on(group.wait()).unwrap(), [9]);
}

#[test]
fn thousands_of_children_on_threads_are_all_counted() {
    let (rounds, each) = if cfg!(miri) { (2, 4) } else { (40, 25) };
    for round in 0..rounds {
        let mut group = Group::new(Threads).policy(Policy::Supervise);
        let dropped = Arc::new(AtomicUsize::new(0));
        for _ in 0..each {
            let guard = Guard(dropped.clone());
            group.spawn(async move {
                let _guard = guard;
                pending::<()>().await;
            });
        }
        if round % 2 == 0 {
            std::thread::yield_now();
        }
        let reports = block_on(group.shutdown());
        assert_eq!(reports.len(), each);
        assert_eq!(dropped.load(SeqCst), each, "every destructor has run");
    }

    struct Guard(Arc<AtomicUsize>);
    impl Drop for Guard {
        fn drop(&mut self) {
            self.0.fetch_add(1, SeqCst);
        }
    }
}
