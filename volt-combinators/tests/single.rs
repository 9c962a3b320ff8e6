//! Combinators of one future: when things go, and what misuse says.
#![cfg(feature = "std")]

mod support;

use std::future::{Future, ready};
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;

use futures::executor::block_on;
use support::{Parent, panics, poll, scripted};
use volt_combinators::{FutureExt, LocalBoxFuture, compose, lazy};

#[test]
fn first_future_is_dropped_before_the_function_runs() {
    fn check<U>(chain: impl FnOnce(support::Scripted, Arc<support::Remote>) -> U)
    where
        U: Future<Output = bool>,
    {
        let (remote, child) = scripted(0);
        remote.finish();
        assert!(block_on(chain(child, remote)));
    }
    check(|child, remote| child.map(move |_| remote.is_dropped()));
    check(|child, remote| child.then(move |_| ready(remote.is_dropped())));
    check(|child, remote| {
        let value = child.map(Ok::<_, ()>);
        let chained = value.and_then(move |_| ready(Ok(remote.is_dropped())));
        chained.map(|gone| gone == Ok(true))
    });
    check(|child, remote| {
        let error = child.map(Err::<(), _>);
        let chained = error.or_else(move |_| ready(Err(remote.is_dropped())));
        chained.map(|gone| gone == Err(true))
    });
}

#[test]
fn dropped_chain_drops_what_runs() {
    let ((first, a), (second, b)) = (scripted(0), scripted(1));
    let (_, waker) = Parent::new();
    let mut chain = Box::pin(a.then(|_| b));
    assert!(poll(chain.as_mut(), &waker).is_pending());
    first.finish();
    assert!(poll(chain.as_mut(), &waker).is_pending());
    assert!(first.is_dropped() && !second.is_dropped());
    drop(chain);
    assert!(second.is_dropped());
}

#[test]
fn chain_polled_after_its_end_says_so() {
    fn check(name: &str, future: impl Future) {
        let (_, waker) = Parent::new();
        let mut future = pin!(future);
        assert!(poll(future.as_mut(), &waker).is_ready());
        let text = panics(|| poll(future.as_mut(), &waker).is_ready());
        assert_eq!(text, format!("`{name}` polled after completion"));
    }
    let fine = || ready(Ok::<_, u8>(1));
    check("Map", ready(1).map(|n| n));
    check("MapOk", fine().map_ok(|n| n));
    check("MapErr", fine().map_err(|n| n));
    check("Inspect", ready(1).inspect(|_| ()));
    check("Then", ready(1).then(ready));
    check("AndThen", fine().and_then(|n| ready(Ok(n))));
    check("OrElse", fine().or_else(|n| ready(Err(n))));
    check("Lazy", lazy(|| 1));
}

#[test]
fn one_side_of_a_result_goes_through_untouched() {
    let fine = || ready(Ok::<_, u8>(1));
    let failed = || ready(Err::<u8, _>(2));
    assert_eq!(block_on(fine().map_err(|_| "no")), Ok(1));
    assert_eq!(block_on(failed().map_ok(|_| "yes")), Err(2));
    assert_eq!(block_on(failed().and_then(|n| ready(Ok(n)))), Err(2));
    assert_eq!(block_on(fine().or_else(|n| ready(Err(n)))), Ok(1));
}

#[test]
fn panic_becomes_an_error_once() {
    let caught = block_on(async { panic!("bad page") }.map(|()| 1).catch_unwind());
    assert_eq!(support::panic_text(caught.unwrap_err()), "bad page");
    assert_eq!(block_on(ready(1).catch_unwind()).unwrap(), 1);
}

#[test]
fn composed_future_gives_back_what_it_holds() {
    let composed = compose(ready(7));
    assert_eq!(composed.get_ref().clone().into_inner(), 7);
    assert_eq!(block_on(composed.into_inner()), 7);
    let local: LocalBoxFuture<'_, _> = ready(Rc::new(7)).boxed_local();
    assert_eq!(*block_on(local), 7);
    let (_, waker) = Parent::new();
    let mut boxed = ready(1).boxed();
    assert_eq!(poll(boxed.as_mut(), &waker), Poll::Ready(1));
}
