//! The trees of the combinators, with a hook that stores registrations in a map.
#![cfg(feature = "std")]

#[path = "../../volt-inspect/tests/map_hook/mod.rs"]
mod map_hook;

use std::cell::RefCell;
use std::future::{Future, pending, poll_fn, ready};
use std::num::{NonZeroU64, NonZeroUsize};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use map_hook::install_hook;
use volt_combinators::{
    Child, FutureExt as _, FutureGroup, FuturesExt as _, Group, Spawn, race, scope,
};
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

#[test]
fn boxed_future_shows_the_future_inside() {
    install_hook();
    let mut boxed = (pending::<()>(), pending()).race().boxed();
    assert!(poll(Pin::new(&mut boxed)).is_pending());
    let expected = "Race\n  [0] Pending\n  [1] Pending\n";
    assert_eq!(tree(Pin::new(&mut boxed)), expected);
    let mut local = pin!((pending::<()>(), pending()).race().boxed_local());
    assert!(poll(local.as_mut()).is_pending());
    assert_eq!(tree(local), expected);
}

/// A runtime that stores its children. The id of a task is the address of its waker's data.
#[derive(Clone, Copy)]
struct Stored<const HAS_CANCELLERS: bool>;

thread_local! {
    static CHILDREN: RefCell<Vec<Pin<Box<dyn Future<Output = ()>>>>> = RefCell::default();
}

impl<const HAS_CANCELLERS: bool> Spawn for Stored<HAS_CANCELLERS> {
    fn spawn<F>(&self, child: Child<F>)
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        CHILDREN.with_borrow_mut(|children| children.push(Box::pin(child)));
    }

    fn canceller(_: &Waker) -> Option<Waker> {
        HAS_CANCELLERS.then(|| Waker::noop().clone())
    }

    fn task_id(_: &Waker) -> Option<NonZeroU64> {
        CHILDREN.with_borrow(|children| NonZeroU64::new(100 + children.len() as u64))
    }
}

/// Polls the child that was spawned last, and returns it.
fn poll_last_child() -> Pin<Box<dyn Future<Output = ()>>> {
    let mut child = CHILDREN.with_borrow_mut(Vec::pop).unwrap();
    assert!(
        child
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
            .is_pending()
    );
    child
}

#[test]
fn owner_of_a_group_shows_the_tasks_of_its_children() {
    fn shows<const HAS_CANCELLERS: bool>() {
        let mut group = Group::new(Stored::<HAS_CANCELLERS>);
        (0..20).for_each(|_| _ = group.spawn(pending::<()>()));
        let mut waiting = pin!(group.wait());
        assert!(poll(waiting.as_mut()).is_pending());
        let expected = "Wait\n  waits for 20 children of the group\n";
        assert_eq!(tree(waiting.as_mut()), expected);
        let children: Vec<_> = (0..20).map(|_| poll_last_child()).collect();
        let shown = tree(waiting.as_mut());
        // The ids are those of the first children.
        let expected: String = (100..116)
            .map(|id| format!("  waits for task {id}\n"))
            .collect();
        let expected = format!("Wait\n{expected}  waits for 4 children of the group\n");
        assert_eq!(shown, expected);
        drop(children);
        assert_eq!(tree(waiting), "Wait\n");
    }
    install_hook();
    shows::<false>();
    shows::<true>();
}

#[test]
fn child_of_a_group_without_a_permit_is_counted() {
    install_hook();
    let mut group = Group::new(Stored::<true>).limit(NonZeroUsize::MIN);
    group.spawn(pending::<()>());
    group.spawn(pending::<()>());
    let _children = [poll_last_child(), poll_last_child()];
    let expected = "NextChild\n  waits for task 101\n  waits for 1 child of the group\n";
    assert_eq!(tree(pin!(group.next())), expected);
}
