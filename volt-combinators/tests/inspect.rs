//! The trees of the combinators, with a hook that stores registrations in a map.
#![cfg(feature = "std")]

#[path = "../../volt-inspect/tests/map_hook/mod.rs"]
mod map_hook;

use std::cell::RefCell;
use std::future::{Future, pending, poll_fn, ready};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use map_hook::install_hook;
use volt_combinators::{FutureExt as _, FutureGroup, FuturesExt as _, race, scope};
use volt_inspect::{Inspector, TreeWriter};

fn poll<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

fn tree<F>(future: Pin<&mut F>) -> String {
    let mut tree = TreeWriter::new(String::new());
    Inspector::new(&mut tree).future(future);
    let names = [
        ("core::future::pending::Pending<()>", "Pending"),
        ("core::future::ready::Ready<()>", "Ready"),
        ("inspect::Woken", "Woken"),
    ];
    let written = tree.into_inner();
    names
        .iter()
        .fold(written, |text, (long, short)| text.replace(long, short))
}

/// Is pending, and keeps its waker.
struct Woken(Rc<RefCell<Option<Waker>>>);

impl Future for Woken {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        *self.0.borrow_mut() = Some(cx.waker().clone());
        Poll::Pending
    }
}

fn woken() -> (Woken, impl Fn()) {
    let waker = Rc::new(RefCell::new(None));
    let wake = waker.clone();
    (Woken(waker), move || {
        let waker: Option<Waker> = wake.borrow_mut().take();
        waker.unwrap().wake();
    })
}

#[test]
fn race_shows_its_futures() {
    install_hook();
    let mut racing = pin!(race(pending::<()>(), (pending(), pending()).race()));
    assert!(poll(racing.as_mut()).is_pending());
    let expected = "Race\n  [0] Pending\n  [1] Race\n    [0] Pending\n    [1] Pending\n";
    assert_eq!(tree(racing), expected);
}

#[test]
fn join_shows_done_and_woken_futures() {
    install_hook();
    let (future, wake) = woken();
    let (other, _) = woken();
    let mut joined = pin!((ready(()), future, other, pending::<()>()).join());
    assert!(poll(joined.as_mut()).is_pending());
    let expected = "Join\n  [0] done\n  [1] Woken\n  [2] Woken\n  [3] Pending\n";
    assert_eq!(tree(joined.as_mut()), expected);
    wake();
    let expected = "Join\n  [0] done\n  [1] Woken, woken\n  [2] Woken\n  [3] Pending\n";
    assert_eq!(tree(joined), expected);
}

#[test]
fn vec_and_array_show_their_futures() {
    install_hook();
    let mut all = pin!(vec![pending::<()>(), pending()].join());
    assert_eq!(tree(all.as_mut()), "Join\n  [0] Pending\n  [1] Pending\n");
    let mut settled = pin!([pending::<Result<(), ()>>()].settle());
    assert!(tree(settled.as_mut()).starts_with("Settle\n  [0] core::future::pending"));
}

#[test]
fn select_shows_its_futures_through_next() {
    install_hook();
    let mut selected = pin!([ready(()), ready(())].select());
    let next = selected.as_mut().next();
    assert_eq!(poll(pin!(next)), Poll::Ready(Some((0, ()))));
    let next = pin!(selected.as_mut().next());
    assert_eq!(tree(next), "Select\n  [0] gone\n  [1] Ready\n");
}

#[test]
fn chain_shows_the_current_future() {
    install_hook();
    let chain = ready(1).then(|_| pending::<()>()).map(|()| 2);
    let mut chain = pin!(chain);
    let first = "Map\n  Then at first\n    core::future::ready::Ready<i32>\n";
    assert_eq!(tree(chain.as_mut()), first);
    assert!(poll(chain.as_mut()).is_pending());
    assert_eq!(tree(chain), "Map\n  Then at second\n    Pending\n");
}

#[test]
fn ended_chain_shows_its_end() {
    install_hook();
    let mut chain = pin!(ready(()).map(|()| 2));
    assert_eq!(poll(chain.as_mut()), Poll::Ready(2));
    assert_eq!(tree(chain), "Map, done\n");
    let mut caught = pin!(poll_fn::<(), _>(|_| panic!("caught")).catch_unwind());
    assert!(matches!(poll(caught.as_mut()), Poll::Ready(Err(_))));
    assert_eq!(tree(caught), "CatchUnwind, done\n");
}

#[test]
fn group_shows_woken_and_unstarted_futures() {
    install_hook();
    let (future, wake) = woken();
    let mut group = FutureGroup::new().limit(2.try_into().unwrap());
    for future in [woken().0, future, woken().0] {
        group.insert(future);
    }
    assert!(poll(pin!(group.next())).is_pending());
    wake();
    let expected = "FutureGroup\n  [0] Woken\n  [1] Woken, woken\n  [2] Woken, not started\n";
    assert_eq!(tree(pin!(group.next())), expected);
    assert_eq!(tree(pin!(&mut group)), expected);
}

#[test]
fn scope_shows_its_body_and_children() {
    install_hook();
    let mut scoped = pin!(scope(|s| {
        let child: volt_combinators::Scoped<()> = s.spawn(pending::<()>());
        child
    }));
    assert!(poll(scoped.as_mut()).is_pending());
    let expected = "Scope\n  Scoped\n    waits for \"a child of the scope\"\n  FutureGroup\n    \
                    [0] Map\n      Pending\n";
    assert_eq!(tree(scoped), expected);
}

#[test]
fn large_join_is_cut() {
    install_hook();
    let mut joined = pin!(vec![pending::<()>(); 3_000].join());
    let text = tree(joined.as_mut());
    assert_eq!(text.lines().count(), 1_001);
    assert!(text.ends_with("  (2001 omitted)\n"));
}
