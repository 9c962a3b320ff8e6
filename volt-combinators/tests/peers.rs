//! Defects that joins have had elsewhere: ours has none, and a naive one with the flaw has it.
#![cfg(feature = "alloc")]

mod naive;
mod support;

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Wake};
use std::time::{Duration, Instant};

use futures::executor::block_on;
use naive::{Child, Flaw, Joined, Naive, Queue, naive};
use support::{Parent, poll, scripted_row};
use volt_combinators::{FutureExt as _, FuturesExt};

fn ours(children: Vec<Child>) -> Joined {
    Box::pin(children.join())
}

/// Ours has not the defect, nor has a naive one without a flaw; that with the flaw has it.
fn tell(defect: impl Fn(&dyn Fn(Vec<Child>) -> Joined) -> bool, flaw: Flaw) {
    assert!(!defect(&ours), "ours");
    assert!(!defect(&|children| naive(Flaw::None, children)), "no flaw");
    assert!(defect(&|children| naive(flaw, children)), "the flaw");
}

fn boxed(future: impl Future<Output = usize> + Send + 'static) -> Child {
    future.boxed()
}

#[test]
fn wake_of_one_polls_all() {
    let defect = |join: &dyn Fn(Vec<Child>) -> Joined| {
        let (remotes, children) = scripted_row(40);
        let (_, waker) = Parent::new();
        let mut joined = join(children.into_iter().map(boxed).collect());
        assert!(poll(joined.as_mut(), &waker).is_pending());
        for remote in &remotes {
            remote.finish();
            _ = poll(joined.as_mut(), &waker);
        }
        remotes.iter().any(|remote| remote.polls() > 2)
    };
    tell(defect, Flaw::PollsAll);
}

/// How long two hundred wakes take, one after the other, in a join of that many children.
fn time_of_wakes(len: usize, join: &dyn Fn(Vec<Child>) -> Joined) -> Duration {
    let (remotes, children) = scripted_row(len);
    let (_, waker) = Parent::new();
    let mut joined = join(children.into_iter().map(boxed).collect());
    while {
        assert!(poll(joined.as_mut(), &waker).is_pending());
        remotes.iter().any(|remote| remote.polls() == 0)
    } {}
    let start = Instant::now();
    for remote in &remotes[..200] {
        remote.wake();
        assert!(poll(joined.as_mut(), &waker).is_pending());
    }
    start.elapsed()
}

#[test]
#[cfg_attr(miri, ignore = "measures time")]
fn work_of_a_pass_grows_with_the_children() {
    let is_slower = |join: &dyn Fn(Vec<Child>) -> Joined| {
        let few = (0..3).map(|_| time_of_wakes(200, join)).min().unwrap();
        let many = (0..3).map(|_| time_of_wakes(20_000, join)).min().unwrap();
        many > few * 10
    };
    tell(is_slower, Flaw::LooksAtAll);
}

/// Wakes itself so many times.
fn restless(mut times: usize, polls: &Arc<AtomicUsize>) -> Child {
    let polls = polls.clone();
    boxed(std::future::poll_fn(move |cx| {
        polls.fetch_add(1, SeqCst);
        if times == 0 {
            return Poll::Ready(0);
        }
        times -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    }))
}

#[test]
fn self_waking_child_is_polled_repeatedly() {
    let defect = |join: &dyn Fn(Vec<Child>) -> Joined| {
        let polls = Arc::new(AtomicUsize::new(0));
        let (_, waker) = Parent::new();
        let children = [61, 0, 0].map(|times| restless(times, &polls));
        let mut joined = join(children.into());
        assert!(poll(joined.as_mut(), &waker).is_pending() || polls.load(SeqCst) > 3);
        polls.load(SeqCst) > 3
    };
    tell(defect, Flaw::PollsAgain);
}

/// Polls the join inside of its own wake, as an executor may; notes what it finds locked.
struct Inline {
    joined: Mutex<Option<Joined>>,
    stuck: AtomicUsize,
    lock: Mutex<Option<Arc<Mutex<Queue>>>>,
}

impl Wake for Inline {
    fn wake(self: Arc<Self>) {
        let lock = self.lock.lock().unwrap().clone();
        if lock.is_some_and(|lock| lock.try_lock().is_err()) {
            // The poll would wait for the lock that this thread holds.
            self.stuck.fetch_add(1, SeqCst);
            return;
        }
        let Some(mut joined) = self.joined.lock().unwrap().take() else {
            return;
        };
        if poll(joined.as_mut(), &self.clone().into()).is_pending() {
            *self.joined.lock().unwrap() = Some(joined);
        }
    }
}

#[test]
fn parent_is_woken_under_a_lock() {
    let stuck = |flaw: Option<Flaw>| {
        let (remotes, children) = scripted_row(3);
        let children: Vec<_> = children.into_iter().map(boxed).collect();
        let (joined, lock): (Joined, _) = match flaw {
            None => (ours(children), None),
            Some(flaw) => {
                let naive = Naive::new(flaw, children);
                let queue = naive.queue.clone();
                (naive.boxed(), Some(queue))
            }
        };
        let inline = Arc::new(Inline {
            joined: Mutex::new(None),
            stuck: AtomicUsize::new(0),
            lock: Mutex::new(lock),
        });
        let mut joined = joined;
        assert!(poll(joined.as_mut(), &inline.clone().into()).is_pending());
        *inline.joined.lock().unwrap() = Some(joined);
        remotes.iter().for_each(|remote| remote.finish());
        inline.joined.lock().unwrap().take();
        // The queue has the waker, and that has the queue.
        inline.lock.lock().unwrap().take();
        inline.stuck.load(SeqCst)
    };
    assert_eq!(stuck(None), 0);
    assert_eq!(stuck(Some(Flaw::None)), 0);
    assert_ne!(stuck(Some(Flaw::HoldsLock)), 0);
}

#[test]
fn spent_budget_polls_every_child() {
    let defect = |join: &dyn Fn(Vec<Child>) -> Joined| {
        let len = if cfg!(miri) { 400 } else { 4000 };
        let (budget, polls) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let children = (0..len).map(|n| {
            let (budget, polls) = (budget.clone(), polls.clone());
            boxed(std::future::poll_fn(move |cx| {
                polls.fetch_add(1, SeqCst);
                if budget.load(SeqCst) == 0 {
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
                budget.fetch_sub(1, SeqCst);
                Poll::Ready(n)
            }))
        });
        let mut joined = join(children.collect());
        let (_, waker) = Parent::new();
        loop {
            budget.store(128, SeqCst);
            if poll(joined.as_mut(), &waker).is_ready() {
                break;
            }
        }
        polls.load(SeqCst) as f64 / len as f64 > 1.6
    };
    tell(defect, Flaw::NeverGivesWay);
}

#[test]
fn panic_goes_unnoticed_at_the_next_poll() {
    let defect = |join: &dyn Fn(Vec<Child>) -> Joined| {
        let children = vec![
            boxed(async { 1 }),
            boxed(async { panic!("child") }),
            boxed(async { 3 }),
        ];
        let (_, waker) = Parent::new();
        let mut joined = join(children);
        let mut once = || catch_unwind(AssertUnwindSafe(|| poll(joined.as_mut(), &waker)));
        assert!(once().is_err());
        // Fewer outputs than children, or a wait that never ends.
        once().is_ok()
    };
    assert!(!defect(&ours), "ours");
    assert!(defect(&|children| naive(Flaw::SwallowsPanics, children)));
}

#[test]
fn waker_outliving_the_join_keeps_its_parent() {
    let defect = |join: &dyn Fn(Vec<Child>) -> Joined| {
        let (remotes, children) = scripted_row(4);
        let (parent, waker) = Parent::new();
        let mut joined = join(children.into_iter().map(boxed).collect());
        assert!(poll(joined.as_mut(), &waker).is_pending());
        let late = remotes[2].waker();
        remotes.iter().for_each(|remote| remote.finish());
        assert!(poll(joined.as_mut(), &waker).is_ready());
        drop(joined);
        let wakes = parent.wakes();
        let is_kept = Arc::strong_count(&parent) > 2;
        late.wake();
        is_kept || parent.wakes() > wakes
    };
    tell(defect, Flaw::KeepsParent);
}

/// A future's number is that of another once one has been swapped into a gap.
#[test]
fn numbers_change_when_others_are_done() {
    let rows = || [3_u32, 1, 2].map(|n| boxed(support::after(n, n as usize)));
    let ours = block_on(async {
        let mut selected = pin!(rows().select());
        let mut order = Vec::new();
        while let Some(next) = selected.as_mut().next().await {
            order.push(next);
        }
        order
    });
    assert_eq!(ours, [(1, 1), (2, 2), (0, 3)]);
    let theirs = block_on(async {
        let (mut rest, mut order) = (Vec::from(rows()), Vec::new());
        while !rest.is_empty() {
            let (output, number, others) = futures::future::select_all(rest).await;
            order.push((number, output));
            rest = others;
        }
        order
    });
    assert!(
        !theirs.contains(&(2, 2)),
        "who was third is called otherwise"
    );
}
