//! Loom models of groups: each child is a thread.

use std::boxed::Box;
use std::cell::RefCell;
use std::future::{Future, pending};
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::vec::Vec;

use loom::sync::Notify;
use loom::thread;

use super::child::Child;
use super::error::TaskError;
use super::group::Group;
use super::spawn::Spawn;

/// A thread that is woken. One wake is remembered, as by an executor's task word.
struct Thread(Notify);

impl Wake for Thread {
    fn wake(self: Arc<Self>) {
        self.0.notify();
    }
}

/// Polls whenever it is woken. A lost wake is a deadlock.
fn run<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let thread = Arc::new(Thread(Notify::new()));
    let waker = Waker::from(thread.clone());
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread.0.wait(),
        }
    }
}

/// A runtime of a thread for each child.
#[derive(Default)]
struct Threads(RefCell<Vec<thread::JoinHandle<()>>>);

impl Threads {
    fn join(self) {
        for thread in self.0.into_inner() {
            thread.join().unwrap();
        }
    }
}

impl Spawn for Threads {
    fn spawn<F>(&self, child: Child<F>)
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        self.0.borrow_mut().push(thread::spawn(|| run(child)));
    }
}

fn is_cancelled<T>(outcome: &Result<T, TaskError>) -> bool {
    matches!(outcome, Err(TaskError::Cancelled))
}

/// Two children complete while the group, made by the function, waits for both.
fn wait_for_two(made: fn(&Threads) -> Group<i32, &Threads>) {
    loom::model(move || {
        let threads = Threads::default();
        let mut group = made(&threads);
        group.spawn(async { 1 });
        group.spawn(async { 2 });
        assert_eq!(run(group.wait()).unwrap(), [1, 2]);
        drop(group);
        threads.join();
    });
}

/// Children complete while the group begins to wait: the last one wakes it.
#[test]
fn last_child_against_wait() {
    wait_for_two(|threads| Group::new(threads));
}

/// The same, one result at a time.
#[test]
fn next_child_against_next() {
    loom::model(|| {
        let threads = Threads::default();
        let mut group = Group::new(&threads);
        group.spawn(async { 1 });
        group.spawn(async { 2 });
        let mut sum = 0;
        while let Some((_, output)) = run(group.next()) {
            sum += output.unwrap();
        }
        assert_eq!(sum, 3);
        drop(group);
        threads.join();
    });
}

/// A child is cancelled before, while, or after it registers its waker: it stops in any case.
#[test]
fn cancel_against_first_wait_of_a_child() {
    loom::model(|| {
        let threads = Threads::default();
        let mut group = Group::<(), _>::new(&threads);
        group.spawn(pending());
        group.cancel();
        let reports = run(group.join_all());
        assert!(reports.iter().all(|(_, outcome)| is_cancelled(outcome)));
        drop(group);
        threads.join();
    });
}

/// The panic of one child reaches a sibling that begins to wait.
#[test]
fn panic_against_first_wait_of_a_sibling() {
    loom::model(|| {
        let threads = Threads::default();
        let mut group = Group::<(), _>::new(&threads);
        group.spawn(async { resume_unwind(Box::new("no")) });
        group.spawn(pending());
        let reports = run(group.join_all());
        assert!(matches!(reports[0].1, Err(TaskError::Panicked(_))));
        assert!(is_cancelled(&reports[1].1));
        drop(group);
        threads.join();
    });
}

/// The only permit is passed on while its next owner requests one.
#[test]
fn permit_grant_against_permit_request() {
    wait_for_two(|threads| Group::new(threads).limit(NonZeroUsize::MIN));
}

/// The group is dropped while its child reports: the output is dropped.
#[test]
fn dropped_group_against_a_report() {
    loom::model(|| {
        let output = Arc::new(());
        let (threads, childs) = (Threads::default(), output.clone());
        let group = Group::new(&threads);
        group.spawn(async move { childs });
        drop(group);
        threads.join();
        assert_eq!(Arc::strong_count(&output), 1);
    });
}
