//! Each woken future is polled once before any is polled twice, however often the others wake
//! themselves.
#![cfg(feature = "alloc")]

mod support;

use std::future::{Future, pending, poll_fn, ready};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::task::{Context, Poll, Waker};

use futures::executor::block_on;
use support::{Parent, after, poll};
use volt_combinators::{BoxFuture, FutureExt, FutureGroup, FuturesExt, scope};

type Child = BoxFuture<'static, usize>;
type Polls = Arc<AtomicUsize>;

/// The number of pending children in a row after which a poll yields to the task.
const PATIENCE: usize = 64;

/// A future that is never ready, and wakes itself in each poll.
fn restless(polls: &Polls) -> impl Future<Output = usize> + Send + 'static {
    let polls = polls.clone();
    poll_fn(move |cx| {
        polls.fetch_add(1, SeqCst);
        cx.waker().wake_by_ref();
        Poll::Pending
    })
}

fn restless_row(len: usize, polls: &Polls) -> Vec<Child> {
    (0..len).map(|_| restless(polls).boxed()).collect()
}

fn next<F: Future>(group: &mut FutureGroup<F>, waker: &Waker) -> Poll<F::Output> {
    let polled = group.poll_next(&mut Context::from_waker(waker));
    polled.map(|next| next.expect("futures are left").1)
}

/// How many polls it takes until something is ready.
fn polls_until_ready<T>(mut poll: impl FnMut() -> Poll<T>) -> usize {
    let polls = 1..1000;
    let mut pending = polls.take_while(|_| poll().is_pending());
    pending.by_ref().count() + 1
}

#[test]
fn restless_futures_are_polled_up_to_patience() {
    let (parent, waker) = Parent::new();
    let polls = Polls::default();
    let mut group: FutureGroup<_> = restless_row(200, &polls).into_iter().collect();
    for pass in 1..10 {
        let wakes = parent.wakes();
        assert!(next(&mut group, &waker).is_pending());
        assert!(polls.load(SeqCst) <= pass * PATIENCE);
        assert!(parent.wakes() > wakes, "the rest is not forgotten");
    }
}

#[test]
fn future_inserted_among_restless_ones_has_its_turn() {
    let (_, waker) = Parent::new();
    let busy = 3 * PATIENCE;
    for passes_before in [0, 1, 10] {
        let polls = Polls::default();
        let mut group: FutureGroup<_> = restless_row(busy, &polls).into_iter().collect();
        (0..passes_before).for_each(|_| assert!(next(&mut group, &waker).is_pending()));
        group.insert(ready(7).boxed());
        let turns = polls_until_ready(|| next(&mut group, &waker));
        assert!(turns <= 2 * busy / PATIENCE + 2, "after {turns} polls");
    }
}

#[test]
fn inserts_do_not_delay_self_waking_futures() {
    let (_, waker) = Parent::new();
    let polls = Polls::default();
    let mut group = FutureGroup::new();
    group.insert(restless(&polls).boxed());
    group.insert(ready(0).boxed());
    group.insert(ready(0).boxed());
    for _ in 0..100 {
        assert!(next(&mut group, &waker).is_ready());
        group.insert(ready(0).boxed());
    }
    let turns = polls.load(SeqCst);
    assert!((30..=100).contains(&turns), "{turns} in 100");
}

#[test]
fn all_begin_before_one_has_its_second_turn() {
    let (_, waker) = Parent::new();
    let len = if cfg!(miri) { 150 } else { 500 };
    let polls: Vec<_> = (0..len).map(|_| Polls::default()).collect();
    let mut group: FutureGroup<_> = polls.iter().map(|polls| restless(polls).boxed()).collect();
    for _ in 0..len / 5 {
        assert!(next(&mut group, &waker).is_pending());
        let turns = polls.iter().map(|polls| polls.load(SeqCst));
        let (most, fewest) = (turns.clone().max().unwrap(), turns.min().unwrap());
        assert!(most - fewest <= 1, "{fewest} turns and {most}");
    }
}

#[test]
fn child_spawned_among_restless_ones_has_its_turn() {
    let (_, waker) = Parent::new();
    let polls = Polls::default();
    let mut passes = 0;
    let mut scoped = pin!(scope(|s| {
        let (again, polls) = (s.clone(), polls.clone());
        for child in restless_row(PATIENCE, &polls) {
            drop(s.spawn(child));
        }
        let mut late = None;
        poll_fn(move |cx| {
            passes += 1;
            if passes == 10 {
                late = Some(again.spawn(ready(7)));
            }
            match &mut late {
                Some(late) => Pin::new(late).poll(cx).map(|_| panic!("it had its turn")),
                None => Poll::<()>::Pending,
            }
        })
    }));
    let text = support::panics(|| (0..20).for_each(|_| _ = poll(scoped.as_mut(), &waker)));
    assert_eq!(text, "it had its turn");
}

#[test]
fn restless_child_of_a_scope_is_polled_once_a_poll() {
    let (_, waker) = Parent::new();
    let polls = Polls::default();
    let mut scoped = pin!(scope(|s| {
        drop(s.spawn(restless(&polls)));
        for _ in 0..61 {
            drop(s.spawn(ready(())));
        }
        ready(())
    }));
    for pass in 1..5 {
        assert!(poll(scoped.as_mut(), &waker).is_pending());
        assert_eq!(polls.load(SeqCst), pass);
    }
}

#[test]
fn endlessly_spawning_children_yield_to_the_task() {
    fn spawns(s: volt_combinators::Scope<'_>) {
        let again = s.clone();
        drop(s.spawn(async move { spawns(again) }));
    }
    let (parent, waker) = Parent::new();
    let mut scoped = pin!(scope(|s| {
        spawns(s);
        ready(())
    }));
    for wakes in 1..5 {
        assert!(poll(scoped.as_mut(), &waker).is_pending());
        assert!(parent.wakes() >= wakes);
    }
}

#[test]
fn restless_future_is_polled_once_a_pass_of_a_loop() {
    let (_, waker) = Parent::new();
    let polls = Polls::default();
    let mut group = FutureGroup::new();
    group.insert(restless(&polls).boxed());
    (0..61).for_each(|n| _ = group.insert(ready(n).boxed()));
    let mut outputs = 0;
    let mut loops = pin!(async {
        while group.next().await.is_some() {
            outputs += 1;
        }
    });
    assert!(poll(loops.as_mut(), &waker).is_pending());
    // The pass of the others, and that in which nothing else was left to do.
    assert_eq!((outputs, polls.load(SeqCst)), (61, 2));
}

#[test]
fn biased_row_of_restless_futures_gets_to_the_last() {
    let (_, waker) = Parent::new();
    let polls = Polls::default();
    let busy = 3 * PATIENCE;
    let mut row = restless_row(busy, &polls);
    row.push(after(3, 7).boxed());
    let mut race = pin!(row.race().biased());
    let turns = polls_until_ready(|| poll(race.as_mut(), &waker));
    assert!(turns < 30, "after {turns} polls");

    let mut group: FutureGroup<_> = restless_row(busy, &polls).into_iter().collect();
    group.insert(after(3, 7).boxed());
    let mut group = group.biased();
    let turns = polls_until_ready(|| next(&mut group, &waker));
    assert!(turns < 30, "after {turns} polls");
}

#[test]
fn biased_row_starts_with_the_first_after_an_output() {
    let (_, waker) = Parent::new();
    let (remotes, children) = support::scripted_row(100);
    let mut selected = pin!(children.select().biased());
    let mut next = || {
        selected
            .as_mut()
            .poll_next(&mut Context::from_waker(&waker))
    };
    assert!(next().is_pending() && next().is_pending());
    [50_usize, 99, 98]
        .iter()
        .for_each(|&child| remotes[child].finish());
    assert_eq!(next(), Poll::Ready(Some((50, 50))));
    remotes[3].finish();
    for child in [3, 98, 99] {
        assert_eq!(next(), Poll::Ready(Some((child, child))));
    }
}

/// One that was polled first in a pass wakes itself, in a group in which others were woken before.
#[test]
fn child_of_a_join_has_one_turn_in_its_first_pass() {
    let (_, waker) = Parent::new();
    let polls = Polls::default();
    let mut row: Vec<Child> = (0..100).map(|_| pending().boxed()).collect();
    // The pass is cut short within the third group.
    row[5] = ready(5).boxed();
    row[66] = after(1, 66).boxed();
    row[80] = restless(&polls).boxed();
    let mut joined = pin!(row.join());
    assert!(poll(joined.as_mut(), &waker).is_pending());
    for turns in 1..4 {
        assert!(poll(joined.as_mut(), &waker).is_pending());
        assert_eq!(polls.load(SeqCst), turns);
    }
}

#[test]
fn future_inserted_during_a_pass_is_polled() {
    let (parent, waker) = Parent::new();
    let mut group: FutureGroup<_> = (0..100).map(|_| pending().boxed()).collect();
    assert!(next::<Child>(&mut group, &waker).is_pending());
    group.insert(ready(7).boxed());
    // Polled only when it was woken.
    for wakes in 1..10 {
        assert!(parent.wakes() >= wakes, "asleep");
        if next(&mut group, &waker).is_ready() {
            return;
        }
    }
    panic!("never ready");
}

#[test]
fn group_at_its_limit_sleeps() {
    let (parent, waker) = Parent::new();
    let mut group = FutureGroup::new().limit(1.try_into().unwrap());
    group.extend([pending().boxed(), ready(1).boxed()]);
    (0..3).for_each(|_| assert!(next::<Child>(&mut group, &waker).is_pending()));
    assert_eq!(parent.wakes(), 0);
}

/// A continued pass keeps its remaining children, though their wakes came before it.
#[test]
fn loop_sleeping_between_outputs_sees_all_wakes() {
    let rounds = if cfg!(miri) { 3 } else { 50 };
    let mut group: FutureGroup<_> = (0..100).map(|n| after(n % 7, n).boxed()).collect();
    let sum = block_on(async {
        let (mut sum, mut left) = (0, rounds * 100);
        while let Some((_, n)) = group.next().await {
            sum += 1;
            after(n % 3, ()).await;
            if left > 100 {
                left -= 1;
                group.insert(after(n % 5, n).boxed());
            }
        }
        sum
    });
    assert_eq!(sum, rounds * 100);
}
