//! The `futures-core` traits of the combinators.
#![cfg(all(feature = "futures-core", feature = "alloc"))]

mod support;

use std::future::ready;
use std::pin::pin;

use futures::executor::block_on;
use futures::future::FusedFuture;
use futures::stream::FusedStream;
use futures::{Stream, StreamExt};
use support::{Parent, panics, poll};
use volt_combinators::{FutureExt, FutureGroup, FuturesExt, compose, lazy, scope};

#[test]
fn completed_futures_report_termination() {
    fn ends(future: impl FusedFuture) {
        let (_, waker) = Parent::new();
        let mut future = pin!(future);
        assert!(!future.is_terminated());
        assert!(poll(future.as_mut(), &waker).is_ready());
        assert!(future.is_terminated());
    }
    let fine = || ready(Ok::<_, u8>(1));
    ends([ready(1), ready(2)].join());
    ends((fine(), fine()).try_join());
    ends(vec![fine(), fine()].settle());
    ends((ready(1), ready(2), ready(3)).race());
    ends([fine(), fine()].race_ok());
    ends(lazy(|| 1));
    ends(compose(ready(1)).fuse());
    ends(FutureExt::fuse(async { 1 }));
    ends(FutureExt::map(ready(1), |n| n + 1));
    ends(compose(fine()).map_ok(|n| n + 1));
    ends(compose(fine()).map_err(|n| n + 1));
    ends(compose(ready(1)).inspect(|_| ()));
    ends(compose(ready(1)).then(|n| ready(n + 1)));
    ends(compose(fine()).and_then(|_| ready(Err::<u8, _>(2))));
    ends(compose(ready(Err::<u8, _>(2))).or_else(|_| fine()));
    ends(scope(|_| ready(1)));
    #[cfg(feature = "std")]
    ends(ready(1).catch_unwind());
}

#[test]
fn panicked_futures_report_termination() {
    fn ends(future: impl FusedFuture) {
        let (_, waker) = Parent::new();
        let mut future = pin!(future);
        let text = panics(|| poll(future.as_mut(), &waker).is_ready());
        assert_eq!(text, "page");
        assert!(future.is_terminated());
    }
    async fn bad() -> u8 {
        panic!("page")
    }
    ends(FutureExt::fuse(bad()));
    ends(FutureExt::map(bad(), |n| n));
    ends(bad().inspect(|_| ()));
    ends(FutureExt::then(bad(), ready));
    ends(lazy(|| -> u8 { panic!("page") }));
    ends([bad(), bad()].join());
    ends([bad(), bad(), bad()].race());
    ends([bad().map(Ok::<_, u8>)].try_join());
    ends([bad().map(Ok::<_, u8>)].settle());
    ends([bad().map(Ok::<_, u8>)].race_ok());
    ends(scope(|_| bad()));
}

#[test]
fn fused_future_stays_pending() {
    let (_, waker) = Parent::new();
    let mut fused = pin!(FutureExt::fuse(ready(1)));
    assert!(poll(fused.as_mut(), &waker).is_ready());
    assert!(poll(fused.as_mut(), &waker).is_pending());
}

#[test]
fn select_and_groups_are_streams() {
    let selected = vec![ready('a'), ready('b')].select();
    let all: Vec<_> = block_on(selected.collect());
    assert_eq!(all, [(0, 'a'), (1, 'b')]);
    let mut group: FutureGroup<_> = (0..3).map(ready).collect();
    assert!(!group.is_terminated());
    assert_eq!(group.size_hint(), (0, Some(3)));
    let all: Vec<_> = block_on(group.by_ref().map(|(_, n)| n).collect());
    assert_eq!(all, [0, 1, 2]);
    assert!(group.is_terminated());
}

#[test]
fn scoped_reports_termination_after_its_output() {
    let scoped = scope(|s| async move {
        let mut child = pin!(s.spawn(ready(7)));
        assert!(!child.is_terminated());
        let output = child.as_mut().await;
        (output, child.is_terminated())
    });
    assert_eq!(block_on(scoped), (7, true));
}
