//! Groups whose children are tasks.

use std::future::pending;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use volt::future::{ChildId, GroupHandle, Policy, TaskError};
use volt::task::{shield, shielded, yield_now};
use volt::time::sleep;
use volt::{Current, Group, Runtime};

/// A guard that counts the values that are alive.
struct Alive(Arc<AtomicUsize>);

impl Alive {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, SeqCst);
        Self(count.clone())
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

fn runtime() -> Runtime {
    Runtime::builder()
        .worker_threads(2)
        .build()
        .expect("a runtime")
}

#[test]
fn ten_thousand_children_are_waited_for() {
    let values = runtime().block_on(async {
        let mut group = Group::new(Current);
        for n in 0..10_000_usize {
            group.spawn(async move {
                yield_now().await;
                n
            });
        }
        group.wait().await
    });
    assert_eq!(values.unwrap(), (0..10_000).collect::<Vec<_>>());
}

/// The number is a million with optimization, and fewer without. `.ci/run` runs the test with
/// optimization.
#[test]
fn million_children_complete_or_are_cancelled() {
    const MILLION: usize = if cfg!(debug_assertions) {
        50_000
    } else {
        1_000_000
    };
    let alive = Arc::new(AtomicUsize::new(0));
    runtime().block_on(async {
        let mut group = Group::new(Current);
        for n in 0..MILLION {
            group.spawn(async move {
                yield_now().await;
                n
            });
        }
        let values = group.wait().await.unwrap();
        assert!(values.into_iter().eq(0..MILLION));

        let mut group = Group::new(Current);
        for _ in 0..MILLION {
            let alive = Alive::new(&alive);
            group.spawn(async move {
                std::future::pending::<()>().await;
                drop(alive);
            });
        }
        assert_eq!(group.len(), MILLION);
        assert_eq!(group.shutdown().await.len(), MILLION);
        assert_eq!(alive.load(SeqCst), 0);
    });
}

#[test]
fn children_are_returned_in_finish_or_spawn_order() {
    runtime().block_on(async {
        let mut group = Group::new(Current);
        let slow = group.spawn(async {
            sleep(Duration::from_millis(200)).await;
            "slow"
        });
        let quick = group.spawn(async { "quick" });
        let (id, value) = group.next().await.unwrap();
        assert_eq!((id, value.unwrap()), (quick, "quick"));
        let rest = group.join_all().await;
        assert_eq!(rest[0].0, slow);
    });
}

fn spread(handle: GroupHandle<(), Current>, depth: u32, leaves: Arc<AtomicUsize>) {
    let again = handle.clone();
    handle.spawn(async move {
        if depth == 0 {
            leaves.fetch_add(1, SeqCst);
        } else {
            spread(again.clone(), depth - 1, leaves.clone());
            spread(again, depth - 1, leaves);
        }
    });
}

#[test]
fn children_of_children_are_waited_for() {
    let leaves = Arc::new(AtomicUsize::new(0));
    runtime().block_on(async {
        let mut group = Group::new(Current);
        spread(group.handle(), 10, leaves.clone());
        group.wait().await.unwrap();
    });
    assert_eq!(leaves.load(SeqCst), 1 << 10);
}

#[test]
fn shutdown_returns_when_the_last_destructor_has_run() {
    let alive = Arc::new(AtomicUsize::new(0));
    runtime().block_on(async {
        let mut group = Group::new(Current);
        for _ in 0..100 {
            let alive = Alive::new(&alive);
            group.spawn(async move {
                std::future::pending::<()>().await;
                drop(alive);
            });
        }
        yield_now().await;
        let ends = group.shutdown().await;
        assert_eq!(ends.len(), 100);
        assert!(
            ends.iter()
                .all(|(_, end)| end.as_ref().is_err_and(TaskError::is_cancelled))
        );
        assert_eq!(alive.load(SeqCst), 0);
    });
}

#[test]
fn dropped_group_cancels_its_children() {
    let alive = Arc::new(AtomicUsize::new(0));
    runtime().block_on(async {
        {
            let group = Group::new(Current);
            for _ in 0..10 {
                let alive = Alive::new(&alive);
                group.spawn(async move {
                    std::future::pending::<()>().await;
                    drop(alive);
                });
            }
        }
        while alive.load(SeqCst) > 0 {
            yield_now().await;
        }
    });
}

#[test]
fn first_panic_cancels_the_others_and_is_resumed() {
    let alive = Arc::new(AtomicUsize::new(0));
    let ends = std::panic::catch_unwind(|| {
        runtime().block_on(async {
            let mut group = Group::new(Current);
            let token = Alive::new(&alive);
            group.spawn(async move {
                std::future::pending::<()>().await;
                drop(token);
            });
            group.spawn(async { panic!("child") });
            _ = group.wait().await;
        });
    });
    assert_eq!(*ends.unwrap_err().downcast::<&str>().unwrap(), "child");
    assert_eq!(alive.load(SeqCst), 0);
}

#[test]
fn supervised_children_fail_alone() {
    let error = runtime().block_on(async {
        let mut group = Group::new(Current).policy(Policy::Supervise);
        group.spawn(async { 1 });
        group.spawn(async { panic!("child") });
        group.spawn(async { 3 });
        group.wait().await.unwrap_err()
    });
    let [(id, TaskError::Panicked(_))] = error.errors() else {
        panic!("{error}");
    };
    assert_eq!(id.get(), 1);
}

#[test]
fn limit_holds_across_workers() {
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    runtime().block_on(async {
        let mut group = Group::new(Current).limit(NonZeroUsize::new(3).unwrap());
        for _ in 0..200 {
            let (running, most) = (running.clone(), most.clone());
            group.spawn(async move {
                let now = Alive::new(&running);
                most.fetch_max(now.0.load(SeqCst), SeqCst);
                yield_now().await;
            });
        }
        group.wait().await.unwrap();
    });
    assert!(most.load(SeqCst) <= 3, "{most:?} at a time");
}

/// The runtime of the children shuts down while a task of another runtime waits for them.
#[test]
fn runtime_shutdown_ends_a_group_wait() {
    let (inner, outer) = (runtime(), runtime());
    let handle = inner.handle().clone();
    let mut group: Group<(), _> = Group::new(handle);
    let ids: Vec<ChildId> = (0..50)
        .map(|_| group.spawn(std::future::pending()))
        .collect();
    let waiting = outer.spawn(async move { (group.wait().await, group) });
    std::thread::sleep(Duration::from_millis(20));
    drop(inner);
    let (ends, group) = outer.block_on(waiting).unwrap();
    let cancelled: Vec<_> = ends.unwrap_err().into_errors();
    assert!(cancelled.iter().all(|(_, error)| error.is_cancelled()));
    assert_eq!(cancelled.iter().map(|(id, _)| *id).collect::<Vec<_>>(), ids);
    // After the shutdown, a child is cancelled at once.
    group.spawn(async {});
    let ends = outer.block_on(async move {
        let mut group = group;
        group.join_all().await
    });
    assert!(matches!(&ends[..], [(_, Err(TaskError::Cancelled))]));
}

#[test]
fn cancel_child_leaves_its_siblings_running() {
    let runtime = Runtime::new().unwrap();
    runtime.block_on(async {
        let mut group = Group::new(Current);
        let ended = group.spawn(async { 1 });
        let stays = group.spawn(std::future::pending());
        let go = Arc::new(AtomicUsize::new(0));
        let may_go = go.clone();
        let goes = group.spawn(async move {
            while may_go.load(SeqCst) == 0 {
                sleep(Duration::from_millis(1)).await;
            }
            3
        });
        assert!(matches!(group.next().await, Some((id, Ok(1))) if id == ended));
        assert!(group.try_next().is_none(), "no other child has completed");
        assert!(!group.cancel_child(ended), "the child has completed");
        assert!(group.cancel_child(stays));
        let (id, outcome) = group.next().await.unwrap();
        assert!(id == stays && outcome.unwrap_err().is_cancelled());
        assert!(!group.is_cancelled());
        go.store(1, SeqCst);
        while group.live() > 0 {
            yield_now().await;
        }
        assert!(matches!(group.try_next(), Some((id, Ok(3))) if id == goes));
        assert!(group.try_next().is_none() && group.is_empty());
    });
}

#[test]
fn child_queued_by_the_limit_can_be_cancelled() {
    let runtime = Runtime::new().unwrap();
    runtime.block_on(async {
        let mut group = Group::new(Current).limit(NonZeroUsize::MIN);
        let runs = group.spawn(std::future::pending::<()>());
        let waits = group.spawn(async {});
        assert!(group.cancel_child(waits));
        assert!(matches!(group.next().await, Some((id, Err(_))) if id == waits));
        assert!(group.cancel_child(runs));
        assert!(matches!(group.next().await, Some((id, Err(_))) if id == runs));
        assert!(group.next().await.is_none());
    });
}

/// The ways in which the children of a group are cancelled.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stop {
    All,
    One,
    Shutdown,
    Drop,
    Panic,
}

#[test]
fn shielded_child_is_cancelled_after_its_section() {
    for stop in [
        Stop::All,
        Stop::One,
        Stop::Shutdown,
        Stop::Drop,
        Stop::Panic,
    ] {
        let committed = Arc::new(AtomicUsize::new(0));
        let alive = Arc::new(AtomicUsize::new(0));
        let (begun, begins) = async_channel::bounded(1);
        let (open, gate) = async_channel::bounded::<()>(1);
        runtime().block_on(async {
            let mut group = Group::new(Current);
            let (counted, is_alive) = (committed.clone(), Alive::new(&alive));
            let id = group.spawn(async move {
                let _alive = is_alive;
                let section = async {
                    begun.send(()).await.unwrap();
                    gate.recv().await.unwrap();
                    counted.fetch_add(1, SeqCst);
                };
                shielded(section).await;
                pending::<()>().await;
            });
            begins.recv().await.unwrap();
            match stop {
                Stop::All => group.cancel(),
                Stop::One => assert!(group.cancel_child(id)),
                Stop::Shutdown => drop(group.shutdown()),
                Stop::Drop => drop(std::mem::replace(&mut group, Group::new(Current))),
                Stop::Panic => {
                    group.spawn(async { panic!("struck") });
                    let (other, outcome) = group.next().await.unwrap();
                    assert!(other != id && !outcome.unwrap_err().is_cancelled());
                }
            }
            open.send(()).await.unwrap();
            if stop == Stop::Drop {
                while alive.load(SeqCst) > 0 {
                    yield_now().await;
                }
            } else {
                let (stopped, outcome) = group.next().await.unwrap();
                assert_eq!(stopped, id, "{stop:?}");
                assert!(outcome.unwrap_err().is_cancelled(), "{stop:?}");
            }
        });
        assert_eq!(committed.load(SeqCst), 1, "{stop:?}");
        assert_eq!(alive.load(SeqCst), 0, "{stop:?}");
    }
}

#[test]
fn shielded_child_survives_its_cancel_of_the_group() {
    let committed = Arc::new(AtomicUsize::new(0));
    let outcomes = runtime().block_on(async {
        let mut group = Group::new(Current);
        let (handle, counted) = (group.handle(), committed.clone());
        group.spawn(async move {
            let shield = shield();
            handle.cancel();
            yield_now().await;
            counted.fetch_add(1, SeqCst);
            drop(shield);
            pending::<()>().await;
        });
        group.join_all().await
    });
    assert!(outcomes[0].1.as_ref().unwrap_err().is_cancelled());
    assert_eq!(committed.load(SeqCst), 1);
}
