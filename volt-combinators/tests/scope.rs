//! `scope`: children that borrow.
#![cfg(feature = "alloc")]

mod support;

use std::cell::RefCell;
#[cfg(feature = "std")]
use std::future::Future;
use std::future::ready;
use std::num::NonZeroUsize;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use futures::executor::block_on;
use support::{Parent, panics, poll, scripted, scripted_row};
use volt_combinators::{Scope, scope};

#[test]
fn scope_waits_for_borrowing_children() {
    let mut counts = [0; 3];
    let total = block_on(scope(|s| {
        let counts = &mut counts;
        async move {
            let handles: Vec<_> = counts
                .iter_mut()
                .zip(1..)
                .map(|(count, n)| {
                    s.spawn(async move {
                        *count = n;
                        n
                    })
                })
                .collect();
            let mut total = 0;
            for handle in handles {
                total += handle.await;
            }
            total
        }
    }));
    assert_eq!((total, counts), (6, [1, 2, 3]));
}

#[test]
fn scope_waits_for_siblings_spawned_by_children() {
    fn tree<'env>(s: Scope<'env>, depth: u32, leaves: &'env std::sync::atomic::AtomicU32) {
        let again = s.clone();
        drop(s.spawn(async move {
            if depth == 0 {
                leaves.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            } else {
                tree(again.clone(), depth - 1, leaves);
                tree(again, depth - 1, leaves);
            }
        }));
    }
    let leaves = std::sync::atomic::AtomicU32::new(0);
    let depth = if cfg!(miri) { 4 } else { 10 };
    block_on(scope(|s| {
        tree(s, depth, &leaves);
        ready(())
    }));
    assert_eq!(leaves.into_inner(), 1 << depth);
}

#[test]
fn only_woken_children_are_polled() {
    let (remotes, children) = scripted_row(10);
    let (parent, waker) = Parent::new();
    let mut scoped = pin!(scope(|s| async move {
        for child in children {
            drop(s.spawn(child));
        }
        "body"
    }));
    assert!(poll(scoped.as_mut(), &waker).is_pending());
    for child in [7, 2, 9, 0, 1, 3, 4, 5, 6] {
        remotes[child].finish();
        assert!(poll(scoped.as_mut(), &waker).is_pending());
        assert!(remotes[child].is_dropped());
    }
    let late = remotes[8].waker();
    remotes[8].finish();
    assert_eq!(poll(scoped.as_mut(), &waker), Poll::Ready("body"));
    assert!(remotes.iter().all(|remote| remote.polls() == 2));
    let wakes = parent.wakes();
    late.wake();
    assert_eq!(parent.wakes(), wakes);
}

#[test]
fn dropped_scope_drops_everything() {
    let (remotes, children) = scripted_row(3);
    let (parent, waker) = Parent::new();
    {
        let mut scoped = Box::pin(scope(|s| async move {
            let last = children.into_iter().map(|child| s.spawn(child)).last();
            last.unwrap().await
        }));
        assert!(poll(scoped.as_mut(), &waker).is_pending());
    }
    assert!(remotes.iter().all(|remote| remote.is_dropped()));
    assert_eq!(Arc::strong_count(&parent), 2);
}

#[test]
fn handle_outliving_its_scope_panics_on_spawn() {
    let escaped = block_on(scope(|s| async move { s }));
    let (remote, child) = scripted(0);
    let text = panics(|| drop(escaped.spawn(child)));
    assert_eq!(text, "the scope of this handle has ended");
    assert!(remote.is_dropped());
}

#[test]
fn panic_of_a_child_passes_through() {
    let (remote, child) = scripted(0);
    let (_, waker) = Parent::new();
    let mut scoped = Box::pin(scope(|s| async move {
        drop(s.spawn(child));
        drop(s.spawn(async { panic!("child") }));
    }));
    assert_eq!(panics(|| poll(scoped.as_mut(), &waker)), "child");
    remote.finish();
    let text = "`ScopeFuture` polled after one of its children panicked";
    assert_eq!(panics(|| poll(scoped.as_mut(), &waker)), text);
    drop(scoped);
    assert!(remote.is_dropped());
}

#[test]
fn scope_polled_after_its_end_panics() {
    let (_, waker) = Parent::new();
    let mut scoped = pin!(scope(|_| ready(7)));
    assert_eq!(poll(scoped.as_mut(), &waker), Poll::Ready(7));
    assert!(scoped.is_terminated());
    let text = "`ScopeFuture` polled after completion";
    assert_eq!(panics(|| poll(scoped.as_mut(), &waker)), text);
}

#[test]
fn children_beyond_the_limit_wait_unpolled() {
    let (remotes, children) = scripted_row(5);
    let (_, waker) = Parent::new();
    let body = |s: Scope<'static>| async move {
        for child in children {
            drop(s.spawn(child));
        }
    };
    let mut scoped = pin!(scope(body).limit(NonZeroUsize::new(2).unwrap()));
    for (running, child) in [(2, 1), (3, 0), (4, 2), (5, 4)] {
        assert!(poll(scoped.as_mut(), &waker).is_pending());
        let polled = remotes.iter().filter(|remote| remote.polls() > 0).count();
        assert_eq!(polled, running);
        remotes[child].finish();
    }
    assert!(poll(scoped.as_mut(), &waker).is_pending());
    remotes[3].finish();
    assert!(poll(scoped.as_mut(), &waker).is_ready());
}

#[test]
fn awaiting_dropped_child_wakes_and_panics() {
    let (remote, child) = scripted(0);
    let (parent, waker) = Parent::new();
    let handle = RefCell::new(None);
    let mut scoped = Box::pin(scope(|s| {
        *handle.borrow_mut() = Some(s.spawn(child));
        ready(())
    }));
    assert!(poll(scoped.as_mut(), &waker).is_pending());
    let (outside, outer) = Parent::new();
    let mut handle = Box::pin(handle.take().unwrap());
    assert!(poll(handle.as_mut(), &outer).is_pending());
    drop(scoped);
    assert!(remote.is_dropped());
    assert_eq!((outside.wakes(), parent.wakes()), (1, 0));
    let mut again = || panics(|| poll(handle.as_mut(), &outer));
    assert_eq!(again(), "`Scoped` polled after its child was dropped");
    assert_eq!(again(), "`Scoped` polled after its child was dropped");
}

#[cfg(feature = "std")]
#[test]
fn scope_spawns_from_other_threads() {
    let done = block_on(scope(|s| async move {
        let (send, receive) = futures::channel::oneshot::channel();
        let again = s.clone();
        // It lives only as long as the scope; what it spawns is waited for.
        let thread = std::thread::spawn(move || drop(again.spawn(async move { send.send(7) })));
        let sent = receive.await;
        thread.join().unwrap();
        sent
    }));
    assert_eq!(done, Ok(7));
}

#[cfg(feature = "std")]
#[test]
fn scopes_nest_and_go_to_other_threads() {
    fn sends<F: Future + Send>(future: F) -> F {
        future
    }
    let words = [String::from("a"), String::from("bc")];
    let words = &words;
    let lengths = sends(scope(|outer| async move {
        let first = outer.spawn(scope(move |inner| async move {
            inner.spawn(async move { words[0].len() }).await
        }));
        let second = outer.spawn(async move { words[1].len() });
        (first.await, second.await)
    }));
    assert_eq!(block_on(lengths), (1, 2));
}

#[test]
fn handle_outliving_dropped_scope_panics_on_spawn() {
    let (parent, waker) = Parent::new();
    let handle = RefCell::new(None);
    let mut scoped = Box::pin(scope(|s| {
        *handle.borrow_mut() = Some(s);
        std::future::pending::<()>()
    }));
    assert!(poll(scoped.as_mut(), &waker).is_pending());
    drop(scoped);
    assert_eq!(Arc::strong_count(&parent), 2, "the parent's waker is gone");
    let (remote, child) = scripted(0);
    let handle = handle.take().unwrap();
    let text = panics(|| drop(handle.spawn(child)));
    assert_eq!(text, "the scope of this handle has ended");
    assert!(remote.is_dropped());
}

/// Spawns a child when it is dropped.
struct Heir<'env>(Scope<'env>, Option<support::Scripted>);

impl Drop for Heir<'_> {
    fn drop(&mut self) {
        drop(self.0.spawn(self.1.take().unwrap()));
    }
}

#[test]
fn children_spawned_during_scope_drop_are_dropped() {
    let (remote, child) = scripted(0);
    let (_, waker) = Parent::new();
    let handle = RefCell::new(None);
    let mut scoped = Box::pin(scope(|s| {
        *handle.borrow_mut() = Some(s.clone());
        let heir = Heir(s, Some(child));
        async move {
            std::future::pending::<()>().await;
            drop(heir);
        }
    }));
    assert!(poll(scoped.as_mut(), &waker).is_pending());
    drop(scoped);
    assert!(remote.is_dropped());
    assert_eq!(remote.polls(), 0);
    drop(handle);
}

/// A thread spawns while the scope ends, or is dropped: what is accepted is run, or dropped.
#[cfg(feature = "std")]
#[test]
fn spawns_during_scope_end_are_refused_or_run() {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    struct Counts(Arc<AtomicUsize>);
    impl Drop for Counts {
        fn drop(&mut self) {
            self.0.fetch_add(1, SeqCst);
        }
    }
    let (rounds, spawns) = if cfg!(miri) { (10, 5) } else { (200, 10) };
    for round in 0..rounds {
        let ran = Arc::<AtomicUsize>::default();
        let gone = Arc::<AtomicUsize>::default();
        let mut thread = None;
        let mut scoped = Box::pin(scope(|s| {
            let (ran, counts) = (ran.clone(), gone.clone());
            thread = Some(std::thread::spawn(move || {
                let spawn = |_: &usize| {
                    let (ran, counts) = (ran.clone(), Counts(counts.clone()));
                    let child = async move {
                        ran.fetch_add(1, SeqCst);
                        drop(counts);
                    };
                    let spawning = std::panic::AssertUnwindSafe(|| drop(s.spawn(child)));
                    std::panic::catch_unwind(spawning).is_ok()
                };
                (0..spawns).filter(spawn).count()
            }));
            ready(())
        }));
        if round % 2 == 0 {
            block_on(scoped.as_mut());
        }
        drop(scoped);
        let accepted = thread.unwrap().join().unwrap();
        assert_eq!(gone.load(SeqCst), spawns, "every child is dropped");
        if round % 2 == 0 {
            assert_eq!(ran.load(SeqCst), accepted);
        }
    }
}
