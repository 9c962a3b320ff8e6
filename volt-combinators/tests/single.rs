//! Combinators of one future: the order of drops, and the messages of misuse.
#![cfg(feature = "std")]

mod support;

use std::future::{Future, Ready, poll_fn, ready};
use std::mem;
use std::panic::{AssertUnwindSafe, panic_any};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};

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
fn dropped_chain_drops_its_running_future() {
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
    check("CatchUnwind", ready(1).catch_unwind());
    let panics = async { panic!("page") }.map(|()| 1);
    check("CatchUnwind", panics.catch_unwind());
}

#[test]
fn future_is_dropped_as_it_completes() {
    fn check<U: Future>(compose: impl FnOnce(support::Scripted) -> U) {
        let (remote, child) = scripted(0);
        remote.finish();
        let (_, waker) = Parent::new();
        let mut composed = pin!(compose(child));
        assert!(poll(composed.as_mut(), &waker).is_ready());
        assert!(remote.is_dropped());
    }
    check(|child| child.map(|n| n));
    check(|child| child.map(Ok::<_, ()>).map_ok(|n| n));
    check(|child| child.map(Err::<(), _>).map_err(|n| n));
    check(|child| child.then(ready));
    check(|child| child.fuse());
    check(|child| child.inspect(|_| ()));
    check(|child| AssertUnwindSafe(child).catch_unwind());
}

/// Panics at its first poll only, so that a second poll would be noticed.
struct PanicsOnce {
    has_panicked: bool,
    _held: Rc<()>,
}

impl Future for PanicsOnce {
    type Output = u8;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<u8> {
        assert!(mem::replace(&mut self.has_panicked, true), "page");
        Poll::Ready(2)
    }
}

#[test]
fn poll_after_a_panic_panics() {
    fn check<U: Future>(name: &str, compose: impl FnOnce(PanicsOnce) -> U) {
        let held = Rc::new(());
        let (_, waker) = Parent::new();
        let mut composed = pin!(compose(PanicsOnce {
            has_panicked: false,
            _held: held.clone(),
        }));
        assert_eq!(
            panics(|| poll(composed.as_mut(), &waker).is_ready()),
            "page"
        );
        assert_eq!(Rc::strong_count(&held), 1, "{name} dropped it");
        for _ in 0..2 {
            let text = panics(|| poll(composed.as_mut(), &waker).is_ready());
            assert_eq!(text, format!("`{name}` polled after a panic"));
        }
    }
    check("Map", |bad| bad.map(|n| n));
    check("Inspect", |bad| bad.inspect(|_| ()));
    check("Fuse", |bad| bad.fuse());
    check("Then", |bad| bad.then(ready));
    check("Then", |bad| ready(()).then(|()| bad));
    check("Map", |bad| ready(bad).map(|_bad| -> u8 { panic!("page") }));
    check("Inspect", |bad| ready(bad).inspect(|_| panic!("page")));
    check("Then", |bad| {
        ready(bad).then(|_bad| -> Ready<u8> { panic!("page") })
    });
    check("Lazy", |bad| {
        lazy(move || {
            drop(bad);
            panic!("page")
        })
    });
}

#[test]
fn destructor_panic_is_caught() {
    struct Grenade(&'static str);
    impl Drop for Grenade {
        fn drop(&mut self) {
            panic_any(self.0);
        }
    }
    fn caught(future: impl Future<Output = ()>) -> &'static str {
        let (_, waker) = Parent::new();
        let mut future = pin!(AssertUnwindSafe(future).catch_unwind());
        match poll(future.as_mut(), &waker) {
            Poll::Ready(Err(payload)) => *payload.downcast::<&str>().unwrap(),
            _ => "no panic",
        }
    }
    let grenade = Grenade("destructor");
    let quiet = poll_fn(move |_| Poll::Ready(_ = &grenade));
    assert_eq!(caught(quiet), "destructor");
    let grenade = Grenade("destructor");
    let loud = poll_fn(move |_| -> Poll<()> { panic_any((&grenade, "poll").1) });
    assert_eq!(caught(loud), "poll");
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
fn into_inner_returns_the_composed_future() {
    let composed = compose(ready(7));
    assert_eq!(composed.get_ref().clone().into_inner(), 7);
    assert_eq!(block_on(composed.into_inner()), 7);
    let local: LocalBoxFuture<'_, _> = ready(Rc::new(7)).boxed_local();
    assert_eq!(*block_on(local), 7);
    let (_, waker) = Parent::new();
    let mut boxed = ready(1).boxed();
    assert_eq!(poll(boxed.as_mut(), &waker), Poll::Ready(1));
}
