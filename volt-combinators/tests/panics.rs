//! Panics in children, destructors and wakers.
#![cfg(feature = "alloc")]

mod support;

use std::future::{Future, ready};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

use support::{Parent, panics, poll, scripted, scripted_row};
use volt_combinators::{BoxFuture, FutureExt, FuturesExt, select_all};

async fn bad() -> usize {
    panic!("child")
}

#[test]
fn panic_keeps_the_other_children_in_place() {
    let (remote, child) = scripted(0);
    let (_, waker) = Parent::new();
    let mut joined = Box::pin((child, bad(), ready(2)).join());
    assert_eq!(panics(|| poll(joined.as_mut(), &waker)), "child");
    assert_eq!(
        format!("{joined:?}"),
        "Join { children: [Live, Gone, Live] }"
    );
    let text = "`Join` polled after one of its children panicked";
    assert_eq!(panics(|| poll(joined.as_mut(), &waker)), text);
    assert!(!remote.is_dropped());
    drop(joined);
    assert!(remote.is_dropped());
}

#[test]
fn race_and_try_join_polled_after_a_panic_say_so() {
    let (_, waker) = Parent::new();
    let mut raced = pin!((bad(), bad()).race());
    assert_eq!(panics(|| poll(raced.as_mut(), &waker)), "child");
    assert!(panics(|| poll(raced.as_mut(), &waker)).contains("`Race`"));
    let fine = ready(Ok::<_, ()>(1));
    let mut joined = pin!((fine, bad().map(Ok::<_, ()>)).try_join());
    assert_eq!(panics(|| poll(joined.as_mut(), &waker)), "child");
    assert!(panics(|| poll(joined.as_mut(), &waker)).contains("`TryJoin`"));
}

/// Panics when dropped.
struct Grenade;

impl Drop for Grenade {
    fn drop(&mut self) {
        panic!("destructor");
    }
}

impl Future for Grenade {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        Poll::Ready(())
    }
}

#[test]
fn panic_of_a_destructor_leaves_the_slot_gone() {
    let (remotes, children) = scripted_row(2);
    let (_, waker) = Parent::new();
    let mut children = children.into_iter();
    let row = (children.next().unwrap(), Grenade, children.next().unwrap());
    let mut joined = Box::pin(row.join());
    assert_eq!(panics(|| poll(joined.as_mut(), &waker)), "destructor");
    assert_eq!(
        format!("{joined:?}"),
        "Join { children: [Live, Gone, Live] }"
    );
    assert!(panics(|| poll(joined.as_mut(), &waker)).contains("`Join`"));
    drop(joined);
    assert!(remotes.iter().all(|remote| remote.is_dropped()));
}

#[test]
fn panic_of_a_losers_destructor_drops_the_others() {
    let (remote, child) = scripted(0);
    let (_, waker) = Parent::new();
    let grenade = async {
        let grenade = Grenade;
        std::future::pending::<()>().await;
        drop(grenade);
        7
    };
    let mut raced = Box::pin((grenade, child, ready(2)).race());
    assert_eq!(panics(|| poll(raced.as_mut(), &waker)), "destructor");
    let text = "`Race` polled after one of its children panicked";
    assert_eq!(panics(|| poll(raced.as_mut(), &waker)), text);
    drop(raced);
    assert!(remote.is_dropped());
}

/// A parent's waker that panics.
struct Angry;

impl Wake for Angry {
    fn wake(self: Arc<Self>) {
        panic!("waker");
    }
}

#[test]
fn parent_waker_panic_passes_through_the_wake() {
    let (remotes, children) = scripted_row(3);
    let angry = Waker::from(Arc::new(Angry));
    let mut joined = pin!(children.join());
    assert!(poll(joined.as_mut(), &angry).is_pending());
    assert_eq!(panics(|| remotes[0].wake()), "waker");
    let (parent, calm) = Parent::new();
    assert!(poll(joined.as_mut(), &calm).is_pending());
    remotes.iter().for_each(|remote| remote.finish());
    assert_eq!(parent.wakes(), 1);
    assert_eq!(poll(joined.as_mut(), &calm), Poll::Ready(vec![0, 1, 2]));
}

/// A parent's waker that drops the combinator, as an executor that polls inside `wake` may.
struct Dropper(Mutex<Option<BoxFuture<'static, Vec<usize>>>>);

impl Wake for Dropper {
    fn wake(self: Arc<Self>) {
        drop(self.0.lock().unwrap().take());
    }
}

#[test]
fn parent_may_drop_the_set_while_it_is_woken() {
    let (remotes, children) = scripted_row(3);
    let dropper = Arc::new(Dropper(Mutex::new(None)));
    let waker = Waker::from(dropper.clone());
    let mut joined = Box::pin(children.join());
    assert!(poll(joined.as_mut(), &waker).is_pending());
    *dropper.0.lock().unwrap() = Some(joined);
    remotes[1].wake();
    assert!(remotes.iter().all(|remote| remote.is_dropped()));
}

#[test]
fn panic_keeps_woken_children_woken() {
    // In one group of wakers, and in several.
    for len in [4, 40] {
        let (remotes, children) = scripted_row(len);
        let (parent, waker) = Parent::new();
        let children = children.into_iter().enumerate().map(|(n, child)| {
            child.map(move |output| {
                assert!(n != 1, "child");
                output
            })
        });
        let mut selected = pin!(select_all(children));
        let mut next = || poll(pin!(selected.as_mut().next()), &waker);
        assert!(next().is_pending());
        for woken in [1, 2, len - 1] {
            remotes[woken].finish();
        }
        assert_eq!(panics(&mut next), "child");
        assert_eq!(next(), Poll::Ready(Some((2, 2))));
        assert_eq!(next(), Poll::Ready(Some((len - 1, len - 1))));
        assert!(next().is_pending());
        let wakes = parent.wakes();
        remotes[0].finish();
        assert_eq!(parent.wakes(), wakes + 1, "the next wake is heard");
        assert_eq!(next(), Poll::Ready(Some((0, 0))));
    }
}
