//! Groups with panicking wakers: all other wakers are called.
#![cfg(feature = "std")]

mod support;

use std::future::{Future, pending};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Wake, Waker};

use support::{Parent, panics, poll, scripted};
use volt_combinators::{Child, Group, Policy, Spawn, TaskError};

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A runtime that keeps its tasks until a test polls them.
#[derive(Clone, Default)]
struct Shelf(Arc<Mutex<Vec<Task>>>);

impl Spawn for Shelf {
    fn spawn<F>(&self, child: Child<F>)
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        self.0.lock().unwrap().push(Box::pin(child));
    }
}

impl Shelf {
    fn take(&self) -> Vec<Task> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// A waker that panics.
struct Angry;

impl Wake for Angry {
    fn wake(self: Arc<Self>) {
        panic!("waker");
    }
}

fn angry() -> Waker {
    Waker::from(Arc::new(Angry))
}

/// Two children that wait, the first of them with a waker that panics.
fn waiting_children(group: &Group<(), Shelf>, shelf: &Shelf) -> (Arc<Parent>, Vec<Task>) {
    group.spawn(pending());
    group.spawn(pending());
    let mut tasks = shelf.take();
    let (calm, waker) = Parent::new();
    assert!(poll(tasks[0].as_mut(), &angry()).is_pending());
    assert!(poll(tasks[1].as_mut(), &waker).is_pending());
    (calm, tasks)
}

fn stop(tasks: &mut [Task]) {
    let (_, waker) = Parent::new();
    for task in tasks {
        assert!(poll(task.as_mut(), &waker).is_ready(), "asked to stop");
    }
}

#[test]
fn fail_fast_survives_a_panicking_waker() {
    let shelf = Shelf::default();
    let mut group = Group::new(shelf.clone());
    let (calm, mut tasks) = waiting_children(&group, &shelf);
    group.spawn(async { panic!("child") });
    let mut bad = shelf.take().remove(0);
    let (parent, waker) = Parent::new();
    {
        let mut next = pin!(group.next());
        assert!(poll(next.as_mut(), &waker).is_pending());
        assert_eq!(panics(|| poll(bad.as_mut(), &waker)), "waker");
        assert_eq!((calm.wakes(), parent.wakes()), (1, 1));
    }
    stop(&mut tasks);
    let mut wait = pin!(group.wait());
    assert_eq!(panics(|| poll(wait.as_mut(), &waker).is_ready()), "child");
}

#[test]
fn cancel_reaches_siblings_of_a_panicking_waker() {
    let shelf = Shelf::default();
    let mut group = Group::new(shelf.clone());
    let (calm, mut tasks) = waiting_children(&group, &shelf);
    assert_eq!(panics(|| group.cancel()), "waker");
    assert_eq!(calm.wakes(), 1);
    stop(&mut tasks);
    let (_, waker) = Parent::new();
    let polled = poll(pin!(group.join_all()), &waker);
    let Poll::Ready(ends) = polled else {
        panic!("all are gone");
    };
    assert_eq!(ends.len(), 2);
}

#[test]
fn group_drop_survives_a_panicking_waker() {
    let shelf = Shelf::default();
    let group = Group::new(shelf.clone());
    let (calm, mut tasks) = waiting_children(&group, &shelf);
    assert_eq!(panics(|| drop(group)), "waker");
    assert_eq!(calm.wakes(), 1);
    stop(&mut tasks);
}

#[test]
fn permit_is_granted_before_the_waiter_panics() {
    let shelf = Shelf::default();
    let mut group = Group::new(shelf.clone()).limit(std::num::NonZeroUsize::MIN);
    let (_, waker) = Parent::new();
    let (first, child) = scripted(0);
    group.spawn(child);
    group.spawn(async { 1 });
    let mut tasks = shelf.take();
    assert!(poll(tasks[0].as_mut(), &waker).is_pending());
    // The second child receives its permit through a waker that panics; the waiting task is woken
    // nevertheless.
    assert!(poll(tasks[1].as_mut(), &angry()).is_pending());
    let (parent, waits) = Parent::new();
    let mut next = pin!(group.next());
    assert!(poll(next.as_mut(), &waits).is_pending());
    first.finish();
    assert_eq!(panics(|| poll(tasks[0].as_mut(), &waker)), "waker");
    assert_eq!(parent.wakes(), 1);
    assert!(
        poll(tasks[1].as_mut(), &waker).is_ready(),
        "it has its permit"
    );
}

/// A second panic while the first unwinds would end the program.
#[test]
fn waker_panic_is_dropped_during_unwinding() {
    let shelf = Shelf::default();
    let mut group = Group::<(), _>::new(shelf.clone()).policy(Policy::Supervise);
    group.spawn(pending());
    let tasks = shelf.take();
    {
        let mut next = pin!(group.next());
        assert!(poll(next.as_mut(), &angry()).is_pending());
        let unwinds = catch_unwind(AssertUnwindSafe(|| {
            let _tasks = tasks;
            panic!("runtime");
        }));
        assert_eq!(support::panic_text(unwinds.unwrap_err()), "runtime");
        let (_, waker) = Parent::new();
        let Poll::Ready(Some((_, Err(TaskError::Cancelled)))) = poll(next.as_mut(), &waker) else {
            panic!("the child was dropped");
        };
    }
}
