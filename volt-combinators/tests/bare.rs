//! What holds with every set of features, the empty one included.

mod support;

use std::future::{pending, ready};
use std::pin::pin;
use std::task::Poll;

use futures::executor::block_on;
use support::{Parent, panics, poll, scripted_array};
use volt_combinators::{FutureExt, FuturesExt, compose, join, lazy, race, try_join};

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
fn children_that_wake_one_by_one_complete() {
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
