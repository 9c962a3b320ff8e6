//! Properties that hold with every set of features, including the empty one.

mod support;

use std::future::{pending, ready};
use std::pin::pin;
use std::task::Poll;

use futures::executor::block_on;
use support::{Parent, panics, poll, scripted_array, shuffled};
use volt_combinators::{FutureExt, FuturesExt, StaticWakeSet, compose, join, lazy, race, try_join};

#[test]
fn tuples_and_arrays_join() {
    assert_eq!(
        block_on((ready(1), ready("2"), ready('3')).join()),
        (1, "2", '3')
    );
    assert_eq!(block_on([ready(1), ready(2), ready(3)].join()), [1, 2, 3]);
    assert_eq!(block_on(join(ready(1), lazy(|| 2))), (1, 2));
    assert_eq!(block_on(().join()), ());
}

#[test]
fn children_woken_one_by_one_complete() {
    let (remotes, children) = scripted_array::<5>();
    let (parent, waker) = Parent::new();
    let mut joined = pin!(children.join());
    assert!(poll(joined.as_mut(), &waker).is_pending());
    for child in [3, 0, 4, 1] {
        remotes[child].finish();
        assert!(poll(joined.as_mut(), &waker).is_pending());
        assert!(remotes[child].is_dropped());
    }
    remotes[2].finish();
    assert_eq!(poll(joined.as_mut(), &waker), Poll::Ready([0, 1, 2, 3, 4]));
    assert_eq!(parent.wakes(), 5);
    assert_eq!(
        panics(|| poll(joined.as_mut(), &waker)),
        "`Join` polled after completion"
    );
}

#[test]
fn first_of_several_ends_it() {
    let (remotes, [a, b, c]) = scripted_array();
    assert_eq!(block_on((a, b, ready(7), c).race().biased()), 7);
    assert!(remotes.iter().all(|remote| remote.is_dropped()));
    assert_eq!(block_on(race(pending(), ready(1))), 1);
    let failing = try_join(pending::<Result<(), _>>(), ready(Err::<(), _>("no")));
    assert_eq!(block_on(failing), Err("no"));
}

#[test]
fn select_hands_out_one_at_a_time() {
    let mut selected = pin!([ready(1), ready(2), ready(3)].select());
    let mut sum = 0;
    block_on(async {
        while let Some((_, n)) = selected.as_mut().next().await {
            sum += n;
        }
    });
    assert_eq!(sum, 6);
}

#[test]
fn one_future_chains() {
    let chained = compose(ready(Ok::<_, u8>(20)))
        .map_ok(|n| n + 1)
        .and_then(|n| ready(Ok(n * 2)))
        .inspect(|n| assert_eq!(*n, Ok(42)))
        .or_else(|_| ready(Err::<i32, ()>(())))
        .fuse();
    assert_eq!(block_on(chained), Ok(42));
    assert_eq!(block_on(ready(1).then(|n| ready(n + 1)).map(|n| n * 2)), 4);
}

#[test]
fn static_set_polls_only_woken_children() {
    const LEN: usize = 70;
    static WAKES: StaticWakeSet<{ LEN.div_ceil(8) }> = StaticWakeSet::new();
    let (remotes, children) = scripted_array::<LEN>();
    let (parent, waker) = Parent::new();
    let mut joined = pin!(children.join().wake_set(&WAKES));
    assert!(WAKES.is_taken());
    while {
        assert!(poll(joined.as_mut(), &waker).is_pending());
        remotes.iter().any(|remote| remote.polls() == 0)
    } {}
    let wakes = parent.wakes();
    let order = shuffled(LEN);
    for child in &order[1..] {
        remotes[*child].finish();
        assert!(poll(joined.as_mut(), &waker).is_pending());
    }
    remotes[order[0]].finish();
    assert!(poll(joined.as_mut(), &waker).is_ready());
    assert!(remotes.iter().all(|remote| remote.polls() == 2));
    assert_eq!(parent.wakes() - wakes, LEN);
    assert!(!WAKES.is_taken(), "free again at the end");
}

#[test]
fn static_set_is_taken_by_one_at_a_time() {
    static WAKES: StaticWakeSet<1> = StaticWakeSet::new();
    let (_, first) = scripted_array::<3>();
    let (_, waker) = Parent::new();
    let mut first = Box::pin(first.race().wake_set(&WAKES));
    assert!(poll(first.as_mut(), &waker).is_pending());
    let second = [ready(1), ready(2), ready(3)].join().wake_set(&WAKES);
    assert_eq!(block_on(second), [1, 2, 3], "goes on without it");
    drop(first);
    assert!(!WAKES.is_taken());
    let (_, many) = scripted_array::<33>();
    drop(many.join().wake_set(&WAKES));
    assert!(!WAKES.is_taken(), "has not got room for so many");
}

#[test]
fn static_set_stays_in_use_by_outliving_wakers() {
    static WAKES: StaticWakeSet<1> = StaticWakeSet::new();
    let (remotes, children) = scripted_array::<3>();
    let (parent, waker) = Parent::new();
    let mut joined = Box::pin(children.join().wake_set(&WAKES));
    assert!(poll(joined.as_mut(), &waker).is_pending());
    let late = remotes[1].waker();
    drop(joined);
    remotes.iter().for_each(|remote| remote.wake());
    assert_eq!(parent.wakes(), 0, "late wakes do nothing");
    drop(remotes);
    assert!(WAKES.is_taken());
    std::thread::spawn(move || late.wake()).join().unwrap();
    assert!(!WAKES.is_taken());
}

#[test]
fn static_set_serves_one_after_the_other() {
    static WAKES: StaticWakeSet<2> = StaticWakeSet::new();
    for round in 0..3 {
        let (remotes, children) = scripted_array::<9>();
        let (parent, waker) = Parent::new();
        let mut joined = pin!(children.join().wake_set(&WAKES).biased());
        assert!(poll(joined.as_mut(), &waker).is_pending());
        remotes.iter().for_each(|remote| remote.finish());
        assert!(poll(joined.as_mut(), &waker).is_ready(), "round {round}");
        assert_eq!(parent.wakes(), 1);
    }
}
