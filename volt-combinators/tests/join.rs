//! `join`: how often children are polled, when they are dropped, and what comes out.
#![cfg(feature = "alloc")]

mod support;

use std::future::{Future, ready};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};

use futures::executor::block_on;
use support::{Parent, poll, scripted_array, scripted_row, shuffled};
use volt_combinators::{FutureExt, FuturesExt, join, join_all};

#[test]
fn outputs_come_in_input_order() {
    assert_eq!(block_on(().join()), ());
    assert_eq!(block_on((ready(1),).join()), (1,));
    assert_eq!(
        block_on((ready(1), ready("2"), ready('3')).join()),
        (1, "2", '3')
    );
    assert_eq!(block_on([ready(1), ready(2), ready(3)].join()), [1, 2, 3]);
    assert_eq!(
        block_on(vec![ready(1), ready(2), ready(3)].join()),
        [1, 2, 3]
    );
    assert_eq!(block_on(Vec::<std::future::Ready<()>>::new().join()), []);
    let boxed: Box<[_]> = (0..5).map(ready).collect();
    assert_eq!(block_on(boxed.join()), [0, 1, 2, 3, 4]);
    assert_eq!(block_on(join_all((0..5).map(ready))), [0, 1, 2, 3, 4]);
    assert_eq!(block_on(join(ready(1), async { 2 })), (1, 2));
}

#[test]
fn sixteen_different_futures_join() {
    let f = ready::<u8>;
    let outputs = block_on(
        (
            f(0),
            f(1),
            f(2),
            f(3),
            f(4),
            f(5),
            f(6),
            f(7),
            f(8),
            f(9),
            f(10),
            f(11),
            f(12),
            f(13),
            async { "fourteen" },
            f(15),
        )
            .join(),
    );
    assert_eq!((outputs.0, outputs.14, outputs.15), (0, "fourteen", 15));
}

/// The wake of one child polls only that child.
#[test]
fn one_by_one_polls_each_child_twice() {
    for len in if cfg!(miri) {
        [3, 64, 65, 70]
    } else {
        [3, 64, 65, 1000]
    } {
        let (remotes, children) = scripted_row(len);
        let (parent, waker) = Parent::new();
        let mut joined = pin!(children.join());
        // A pass gives way after 64 Pendings; the parent was woken and comes again.
        while {
            assert!(poll(joined.as_mut(), &waker).is_pending());
            remotes.iter().any(|remote| remote.polls() == 0)
        } {}
        let wakes = parent.wakes();
        let mut outputs = None;
        for &child in &shuffled(len) {
            remotes[child].finish();
            match poll(joined.as_mut(), &waker) {
                Poll::Ready(done) => outputs = Some(done),
                Poll::Pending => assert!(outputs.is_none()),
            }
            assert!(remotes[child].is_dropped(), "dropped as it completes");
        }
        assert_eq!(outputs.unwrap(), (0..len).collect::<Vec<_>>());
        assert_eq!(
            parent.wakes() - wakes,
            len,
            "one wake of the parent for each"
        );
        assert!(remotes.iter().all(|remote| remote.polls() == 2));
    }
}

#[test]
fn wakes_of_a_batch_cost_one_pass() {
    let (remotes, children) = scripted_array::<8>();
    let (parent, waker) = Parent::new();
    let mut joined = pin!(children.join());
    assert!(poll(joined.as_mut(), &waker).is_pending());
    for remote in &remotes[1..6] {
        remote.wake();
        remote.wake();
    }
    assert_eq!(parent.wakes(), 1);
    assert!(poll(joined.as_mut(), &waker).is_pending());
    let polls: Vec<_> = remotes.iter().map(|remote| remote.polls()).collect();
    assert_eq!(polls, [1, 2, 2, 2, 2, 2, 1, 1]);
}

#[test]
fn two_children_use_the_parents_waker() {
    let (remotes, children) = scripted_array::<2>();
    let (parent, waker) = Parent::new();
    let mut joined = pin!(children.join());
    assert!(poll(joined.as_mut(), &waker).is_pending());
    assert_eq!(Arc::strong_count(&parent), 4, "each child has a clone");
    remotes[1].finish();
    assert!(poll(joined.as_mut(), &waker).is_pending());
    assert!(remotes[1].is_dropped());
    remotes[0].finish();
    assert_eq!(poll(joined.as_mut(), &waker), Poll::Ready([0, 1]));
}

/// Wakes itself until it has been polled a number of times.
struct Restless(u32);

impl Future for Restless {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.0 == 0 {
            return Poll::Ready(());
        }
        self.0 -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

/// A child that wakes itself waits for the next pass like the others.
#[test]
fn self_waking_child_is_polled_once_a_pass() {
    let (parent, waker) = Parent::new();
    let mut joined = pin!([Restless(5), Restless(0), Restless(2)].join());
    for pass in 1..=5 {
        assert!(poll(joined.as_mut(), &waker).is_pending());
        assert_eq!(parent.wakes(), pass);
    }
    assert!(poll(joined.as_mut(), &waker).is_ready());
}

/// Ready as long as the budget lasts; then it wakes itself and stays pending.
struct Budgeted {
    budget: Arc<std::sync::atomic::AtomicUsize>,
    polls: Arc<std::sync::atomic::AtomicUsize>,
}

impl Future for Budgeted {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        use std::sync::atomic::Ordering::SeqCst;
        self.polls.fetch_add(1, SeqCst);
        if self.budget.load(SeqCst) == 0 {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.budget.fetch_sub(1, SeqCst);
        Poll::Ready(())
    }
}

/// A task's budget is 128: asking every child that is left, each time, would be quadratic.
#[test]
fn spent_budget_stops_the_pass() {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    let len = if cfg!(miri) { 1000 } else { 10_000 };
    let budget = Arc::new(AtomicUsize::new(0));
    let polls = Arc::new(AtomicUsize::new(0));
    let children: Vec<_> = (0..len)
        .map(|_| Budgeted {
            budget: budget.clone(),
            polls: polls.clone(),
        })
        .collect();
    let (parent, waker) = Parent::new();
    let mut joined = pin!(children.join());
    loop {
        budget.store(128, SeqCst);
        let wakes = parent.wakes();
        if poll(joined.as_mut(), &waker).is_ready() {
            break;
        }
        assert!(parent.wakes() > wakes, "woken to go on");
    }
    let a_child = polls.load(SeqCst) as f64 / f64::from(len);
    assert!(a_child <= 1.6, "{a_child} polls a child");
}

#[test]
fn dropped_join_releases_everything() {
    let (remotes, children) = scripted_array::<3>();
    let (parent, waker) = Parent::new();
    let late = {
        let mut joined = Box::pin(children.join());
        assert!(poll(joined.as_mut(), &waker).is_pending());
        remotes[0].waker()
    };
    assert!(remotes.iter().all(|remote| remote.is_dropped()));
    assert_eq!(Arc::strong_count(&parent), 2, "the parent's waker is gone");
    late.wake();
    assert_eq!(parent.wakes(), 0);
}

#[test]
fn finished_join_releases_the_parents_waker() {
    let (remotes, children) = scripted_array::<3>();
    let (parent, waker) = Parent::new();
    let mut joined = pin!(children.join());
    assert!(poll(joined.as_mut(), &waker).is_pending());
    let late = remotes[1].waker();
    remotes.iter().for_each(|remote| remote.finish());
    assert!(poll(joined.as_mut(), &waker).is_ready());
    assert!(joined.is_terminated());
    assert_eq!(Arc::strong_count(&parent), 2);
    let wakes = parent.wakes();
    late.wake();
    assert_eq!(parent.wakes(), wakes);
}

#[test]
fn scan_starts_after_the_last_polled_child() {
    let order = Arc::new(std::sync::Mutex::new(Vec::new()));
    let child = |n| {
        let order = order.clone();
        std::future::poll_fn(move |cx| {
            order.lock().unwrap().push(n);
            cx.waker().wake_by_ref();
            Poll::<()>::Pending
        })
    };
    let only = |n| {
        let mut fired = false;
        let order = order.clone();
        std::future::poll_fn(move |cx| {
            order.lock().unwrap().push(n);
            if !std::mem::replace(&mut fired, true) {
                cx.waker().wake_by_ref();
            }
            Poll::<()>::Pending
        })
    };
    let (_, waker) = Parent::new();
    let mut fair = pin!((child(0), only(1), only(2)).join());
    (0..2).for_each(|_| assert!(poll(fair.as_mut(), &waker).is_pending()));
    assert_eq!(
        order.lock().unwrap().drain(..).collect::<Vec<_>>(),
        [0, 1, 2, 0, 1, 2]
    );
    let mut biased = pin!((only(0), child(1), child(2)).join().biased());
    (0..3).for_each(|_| assert!(poll(biased.as_mut(), &waker).is_pending()));
    assert_eq!(*order.lock().unwrap(), [0, 1, 2, 0, 1, 2, 1, 2]);
}

#[test]
fn debug_shows_states() {
    let (remotes, children) = scripted_array::<3>();
    let (_, waker) = Parent::new();
    let mut joined = pin!(children.join());
    assert!(poll(joined.as_mut(), &waker).is_pending());
    remotes[1].finish();
    assert!(poll(joined.as_mut(), &waker).is_pending());
    assert_eq!(
        format!("{joined:?}"),
        "Join { children: [Live, Done, Live] }"
    );
}

#[test]
fn partition_returns_all_values_and_all_errors() {
    let (_, waker) = Parent::new();
    let (remotes, children) = scripted_row(5);
    let odd = |n: usize| if n % 2 == 1 { Ok(n) } else { Err(n * 10) };
    let children: Vec<_> = children.into_iter().map(|child| child.map(odd)).collect();
    let mut all = pin!(children.partition());
    for child in [4, 1, 0, 2] {
        assert!(poll(all.as_mut(), &waker).is_pending());
        remotes[child].finish();
    }
    assert!(poll(all.as_mut(), &waker).is_pending());
    remotes[3].finish();
    let Poll::Ready((values, errors)) = poll(all.as_mut(), &waker) else {
        panic!("all are done");
    };
    assert_eq!(values, [(1, 1), (3, 3)]);
    assert_eq!(errors.as_slice(), [(0, 0), (2, 20), (4, 40)]);
    assert!(all.is_terminated());
}
