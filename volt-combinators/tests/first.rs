//! `race`, `race_ok`, `select`, `try_join`, `settle`: who wins, who is dropped, and when.
#![cfg(feature = "alloc")]

mod support;

use std::cell::RefCell;
use std::future::{Future, pending, ready};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;

use futures::executor::block_on;
use support::{Parent, Remote, panics, poll, scripted, scripted_array, scripted_row};
use volt_combinators::{
    FutureExt, FuturesExt, race, race_all, race_ok_all, select_all, try_join_all,
};

#[test]
fn losers_are_dropped_before_the_winner_returns() {
    let (remotes, children) = scripted_array::<5>();
    let (parent, waker) = Parent::new();
    let mut raced = pin!(children.race());
    assert!(poll(raced.as_mut(), &waker).is_pending());
    remotes[3].finish();
    assert_eq!(poll(raced.as_mut(), &waker), Poll::Ready(3));
    assert!(remotes.iter().all(|remote| remote.is_dropped()));
    assert_eq!(Arc::strong_count(&parent), 2, "the parent's waker is gone");
    assert!(panics(|| poll(raced.as_mut(), &waker)).contains("`Race` polled after completion"));
}

/// Pushes its number when it is dropped.
struct Logged(u32, Rc<RefCell<Vec<u32>>>);

impl Drop for Logged {
    fn drop(&mut self) {
        self.1.borrow_mut().push(self.0);
    }
}

type Runner = Pin<Box<dyn Future<Output = ()>>>;

#[test]
fn losers_are_dropped_in_order() {
    fn order(start: impl FnOnce(&dyn Fn(u32) -> Runner)) -> Vec<u32> {
        let log = Rc::default();
        start(&|number| Box::pin(run(Logged(number, Rc::clone(&log)))));
        log.take()
    }
    async fn run(logged: Logged) {
        if logged.0 != 1 {
            pending::<()>().await;
        }
    }
    let first = [1, 0, 2, 3];
    assert_eq!(order(|run| block_on([0, 1, 2, 3].map(run).race())), first);
    let vec = order(|run| block_on(Vec::from([0, 1, 2, 3].map(run)).race()));
    assert_eq!(vec, first);
    let tuple = order(|run| block_on((run(0), run(1), run(2), run(3)).race()));
    assert_eq!(tuple, first);
}

#[test]
fn race_polls_the_woken_child_only() {
    let (remotes, children) = scripted_row(64);
    let (_, waker) = Parent::new();
    let mut raced = pin!(children.race());
    assert!(poll(raced.as_mut(), &waker).is_pending());
    for remote in &remotes {
        remote.wake();
        assert!(poll(raced.as_mut(), &waker).is_pending());
    }
    assert!(remotes.iter().all(|remote| remote.polls() == 2));
}

#[test]
fn race_of_two_takes_either() {
    assert_eq!(block_on(race(pending(), ready(2))), 2);
    assert_eq!(block_on(race(ready(1), pending())), 1);
    assert_eq!(block_on(race_all([ready(1), ready(2), ready(3)])), 1);
    assert_eq!(block_on((pending(), ready(2), async { 3 }).race()), 2);
}

#[test]
fn race_of_three_releases_the_parents_waker() {
    fn finish_first<F: Future>(mut raced: Pin<&mut F>, first: &Remote) {
        let (parent, waker) = Parent::new();
        assert!(poll(raced.as_mut(), &waker).is_pending());
        assert!(Arc::strong_count(&parent) > 2, "the wake set has a waker");
        first.finish();
        assert!(poll(raced, &waker).is_ready());
        assert_eq!(Arc::strong_count(&parent), 2, "the parent's waker is gone");
    }
    let (remotes, children) = scripted_array::<3>();
    finish_first(pin!(children.race()), &remotes[0]);
    let (remotes, [a, b, c]) = scripted_array::<3>();
    finish_first(pin!((a, b, c).race()), &remotes[0]);
}

#[test]
fn race_of_no_futures_panics_on_creation() {
    let text = panics(|| race_all(Vec::<std::future::Ready<()>>::new()));
    assert_eq!(text, "a race of no futures has no winner");
}

#[test]
fn select_keeps_the_others_in_place() {
    let (remotes, children) = scripted_array::<4>();
    let (_, waker) = Parent::new();
    let mut selected = pin!(children.select());
    assert!(poll(pin!(selected.as_mut().next()), &waker).is_pending());
    remotes[2].finish();
    remotes[1].finish();
    let mut next = || poll(pin!(selected.as_mut().next()), &waker);
    assert_eq!(next(), Poll::Ready(Some((1, 1))));
    assert_eq!(next(), Poll::Ready(Some((2, 2))));
    assert!(next().is_pending());
    assert!(!remotes[0].is_dropped());
    assert_eq!(remotes[0].polls(), 1, "its waker stayed in place");
    remotes[0].finish();
    assert_eq!(next(), Poll::Ready(Some((0, 0))));
    remotes[3].finish();
    assert_eq!(next(), Poll::Ready(Some((3, 3))));
    assert_eq!(next(), Poll::Ready(None));
    assert_eq!(next(), Poll::Ready(None));
    assert!(selected.is_empty());
}

#[test]
fn select_of_two_hands_out_both() {
    let (a, first) = scripted(0);
    let (b, second) = scripted(1);
    let (_, waker) = Parent::new();
    let mut selected = pin!((first, second).select());
    assert!(poll(pin!(selected.as_mut().next()), &waker).is_pending());
    b.finish();
    a.finish();
    assert_eq!(
        poll(pin!(selected.as_mut().next()), &waker),
        Poll::Ready(Some((0, 0)))
    );
    assert!(a.is_dropped() && !b.is_dropped());
    assert_eq!(
        poll(pin!(selected.as_mut().next()), &waker),
        Poll::Ready(Some((1, 1)))
    );
    assert_eq!(
        poll(pin!(selected.as_mut().next()), &waker),
        Poll::Ready(None)
    );
}

#[test]
fn select_goes_on_after_a_panic() {
    let bad = async { panic!("child") };
    let (_, waker) = Parent::new();
    let mut selected = pin!((ready(1), bad, ready(3)).select());
    let mut next = || poll(pin!(selected.as_mut().next()), &waker);
    assert_eq!(next(), Poll::Ready(Some((0, 1))));
    assert_eq!(panics(&mut next), "child");
    assert_eq!(next(), Poll::Ready(Some((2, 3))));
    assert_eq!(next(), Poll::Ready(None));
}

#[test]
fn dropped_next_loses_nothing() {
    block_on(async {
        let mut selected = pin!(select_all([ready(1), ready(2)]));
        drop(selected.as_mut().next());
        assert_eq!(selected.as_mut().next().await, Some((0, 1)));
        assert_eq!(selected.as_mut().next().await, Some((1, 2)));
    });
}

fn failing(
    child: impl Future<Output = usize>,
    fails: bool,
) -> impl Future<Output = Result<usize, usize>> {
    child.map(move |n| if fails { Err(n) } else { Ok(n) })
}

#[test]
fn first_error_in_time_drops_the_rest() {
    let (remotes, children) = scripted_row(4);
    let (_, waker) = Parent::new();
    let children = children.into_iter().enumerate();
    let mut joined = pin!(try_join_all(
        children.map(|(n, child)| failing(child, n != 0))
    ));
    assert!(poll(joined.as_mut(), &waker).is_pending());
    remotes[0].finish();
    assert!(poll(joined.as_mut(), &waker).is_pending());
    remotes[2].finish();
    assert_eq!(poll(joined.as_mut(), &waker), Poll::Ready(Err(2)));
    assert!(remotes.iter().all(|remote| remote.is_dropped()));
}

#[test]
fn values_of_different_types_try_join() {
    let joined = (ready(Ok::<_, ()>(1)), ready(Ok("2")), ready(Ok('3'))).try_join();
    assert_eq!(block_on(joined), Ok((1, "2", '3')));
    let array = [ready(Ok::<_, ()>(1)), ready(Ok(2)), ready(Ok(3))].try_join();
    assert_eq!(block_on(array), Ok([1, 2, 3]));
}

#[test]
fn settle_waits_for_all_errors() {
    let (remotes, children) = scripted_row(3);
    let (_, waker) = Parent::new();
    let children: Vec<_> = children
        .into_iter()
        .map(|child| failing(child, true))
        .collect();
    let mut settled = pin!(children.settle());
    for remote in &remotes {
        assert!(poll(settled.as_mut(), &waker).is_pending());
        remote.finish();
    }
    let Poll::Ready(Err(errors)) = poll(settled.as_mut(), &waker) else {
        panic!("all have failed");
    };
    assert_eq!(errors.as_slice(), [(0, 0), (1, 1), (2, 2)]);
    assert_eq!(errors.to_string(), "future 0: 0; future 1: 1; future 2: 2");
    let mixed = (ready(Ok(1)), ready(Err::<u8, _>("no")), ready(Ok('3'))).settle();
    assert_eq!(block_on(mixed).unwrap_err().into_vec(), [(1, "no")]);
    assert_eq!(
        block_on((ready(Ok::<_, ()>(1)), ready(Ok(2))).settle()),
        Ok((1, 2))
    );
}

#[test]
fn race_ok_passes_over_errors() {
    let (remotes, children) = scripted_row(3);
    let (_, waker) = Parent::new();
    let children = children.into_iter().enumerate();
    let mut raced = pin!(race_ok_all(
        children.map(|(n, child)| failing(child, n != 1))
    ));
    remotes[2].finish();
    assert!(poll(raced.as_mut(), &waker).is_pending());
    remotes[1].finish();
    assert_eq!(poll(raced.as_mut(), &waker), Poll::Ready(Ok(1)));
    assert!(remotes.iter().all(|remote| remote.is_dropped()));
    let all_fail = [ready(Err::<(), _>('a')), ready(Err('b')), ready(Err('c'))].race_ok();
    assert_eq!(block_on(all_fail).unwrap_err().len(), 3);
    let nobody = Vec::<std::future::Ready<Result<(), ()>>>::new().race_ok();
    assert!(block_on(nobody).unwrap_err().is_empty());
}

/// The alias of a call has the name of the function.
#[test]
fn calls_name_their_futures() {
    use std::future::Ready;
    use volt_combinators::{compose, join, join_all, settle_all, try_join};
    type Fine = Ready<Result<u8, ()>>;
    let fine = || ready(Ok(1));
    let joined: join<Ready<u8>, Ready<char>> = join(ready(1), ready('2'));
    assert_eq!(block_on(joined), (1, '2'));
    let raced: race<Ready<u8>, Ready<u8>> = race::<Ready<u8>, Ready<u8>>(ready(1), ready(2));
    assert_eq!(block_on(raced), 1);
    let tried: try_join<Fine, Fine> = try_join::<Fine, Fine>(fine(), fine());
    assert_eq!(block_on(tried), Ok((1, 1)));
    let row: join_all<Vec<Fine>> = join_all::<Vec<Fine>>(vec![fine()]);
    assert_eq!(block_on(row), [Ok(1)]);
    let settled: settle_all<[Fine; 1]> = settle_all([fine()]);
    assert_eq!(block_on(settled), Ok(vec![1]));
    let first: race_ok_all<[Fine; 1]> = race_ok_all([fine()]);
    assert_eq!(block_on(first), Ok(1));
    let composed: compose<Fine> = compose(fine());
    assert_eq!(block_on(composed), Ok(1));
}
