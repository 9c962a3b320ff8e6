//! Reports of orphaned tasks: hooks, counts, dumps and errors.

use std::future::{Future, pending, poll_fn};
use std::num::NonZeroUsize;
use std::pin::Pin;
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use volt::future::{Policy, TaskError, scope};
use volt::runtime::OrphanPolicy;
use volt::task::{Lifecycle, Orphan, shielded};
use volt::{Current, Group, Runtime};

/// Returns a runtime, and the orphans that its hook receives.
fn watched(policy: OrphanPolicy) -> (Runtime, Receiver<Orphan>) {
    let (send, orphans) = channel();
    let send = Mutex::new(send);
    let runtime = Runtime::builder()
        .worker_threads(2)
        .orphans(policy)
        .on_orphan(move |orphan| send.lock().unwrap().send(orphan.clone()).unwrap())
        .build();
    (runtime.unwrap(), orphans)
}

const SOON: Duration = Duration::from_secs(10);

/// A future that never completes, and stores its waker.
#[derive(Clone, Default)]
struct Door(Arc<Mutex<Option<Waker>>>);

impl Future for Door {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        *self.0.lock().unwrap() = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Door {
    /// Waits until a task has stored its waker, and takes it.
    fn waker(&self) -> Waker {
        loop {
            if let Some(waker) = self.taken() {
                return waker;
            }
            std::thread::yield_now();
        }
    }

    /// Takes the waker, if a task has stored one.
    fn taken(&self) -> Option<Waker> {
        self.0.lock().unwrap().take()
    }
}

#[volt::state_machine]
async fn knock(door: Door) {
    door.await;
}

#[volt::state_machine]
async fn visit(door: Door) {
    knock(door).await;
}

#[test]
fn orphan_hook_receives_task_and_position() {
    let (runtime, orphans) = watched(OrphanPolicy::Ignore);
    let door = Door::default();
    let line = line!() + 1;
    let task = runtime.handle().spawn_named("visitor", visit(door.clone()));
    let waker = door.waker();
    while runtime.stats().sleeping < 2 {
        std::thread::yield_now();
    }
    assert!(orphans.try_recv().is_err());
    drop(waker);
    let orphan = orphans.recv_timeout(SOON).unwrap();
    assert_eq!(orphan.task().name.as_deref(), Some("visitor"));
    assert_eq!(orphan.task().location.line(), line);
    let names: Vec<_> = orphan.task().position.iter().map(|at| at.machine).collect();
    assert_eq!(names, ["Visit", "Knock"]);
    let text = orphan.to_string();
    assert!(text.contains("waits in Knock at await door"), "{text}");
    assert!(text.contains("tests/orphans.rs"), "{text}");
    assert_eq!(runtime.stats().orphans, 1);
    assert!(!task.is_finished());
    assert!(orphans.try_recv().is_err(), "one report for each task");
}

#[test]
fn orphans_of_all_kinds_are_counted() {
    let (runtime, orphans) = watched(OrphanPolicy::Ignore);
    for _ in 0..100 {
        runtime.spawn(pending::<()>()).detach();
        let forgetful = poll_fn(|cx| {
            let waker = cx.waker().clone();
            std::thread::spawn(move || drop(waker));
            Poll::<()>::Pending
        });
        runtime.spawn(forgetful).detach();
    }
    for _ in 0..200 {
        orphans.recv_timeout(SOON).unwrap();
    }
    assert_eq!(runtime.stats().orphans, 200);
    assert_eq!(
        runtime
            .dump()
            .tasks()
            .iter()
            .filter(|task| task.orphaned)
            .count(),
        200
    );
}

#[test]
fn cancelled_orphan_is_reported_to_its_joiner() {
    let (runtime, orphans) = watched(OrphanPolicy::Cancel);
    let door = Door::default();
    let task = runtime.spawn(shielded(door.clone()));
    drop(door.waker());
    let error = runtime.block_on(task).unwrap_err();
    assert!(error.is_orphaned() && error.is_cancelled());
    assert!(orphans.try_recv().is_ok());
}

/// The user cancels the task, so the error does not report an orphan.
#[test]
fn orphan_cancelled_by_its_user_is_not_orphaned() {
    let (runtime, orphans) = watched(OrphanPolicy::Ignore);
    let task = runtime.spawn(pending::<()>());
    orphans.recv_timeout(SOON).unwrap();
    task.cancel();
    let error = runtime.block_on(task).unwrap_err();
    assert!(error.is_cancelled() && !error.is_orphaned(), "{error}");
    assert!(error.to_string().ends_with("was cancelled"), "{error}");
}

#[test]
fn orphan_cancelled_by_shutdown_is_orphaned() {
    let (runtime, orphans) = watched(OrphanPolicy::Ignore);
    let task = runtime.spawn(pending::<()>());
    orphans.recv_timeout(SOON).unwrap();
    drop(runtime);
    let error = futures_lite::future::block_on(task).unwrap_err();
    assert!(error.is_orphaned(), "{error}");
}

#[test]
fn detached_orphan_is_kept_by_default() {
    let (send, orphans) = channel();
    let send = Mutex::new(send);
    let builder = Runtime::builder().worker_threads(1);
    let runtime = builder.on_orphan(move |_| send.lock().unwrap().send(()).unwrap());
    let runtime = runtime.build().unwrap();
    let (door, owned) = (Door::default(), Arc::new(()));
    let (visited, held) = (door.clone(), Arc::clone(&owned));
    let task = runtime.spawn(async move {
        let _held = held;
        visited.await;
    });
    task.detach();
    drop(door.waker());
    orphans.recv_timeout(SOON).unwrap();
    runtime.spawn(async {}).join().unwrap();
    assert_eq!((runtime.stats().orphans, runtime.stats().alive), (1, 1));
    assert_eq!(Arc::strong_count(&owned), 2, "its future is kept");
    assert!(runtime.dump().tasks()[0].orphaned);
    drop(runtime);
    assert_eq!(Arc::strong_count(&owned), 1);
}

#[test]
fn panicking_orphan_carries_its_report() {
    let (runtime, _orphans) = watched(OrphanPolicy::Panic);
    let task = runtime.spawn(pending::<()>());
    let error = runtime.block_on(task).unwrap_err();
    let payload = error.into_panic();
    let text = payload.downcast_ref::<String>().unwrap();
    assert!(text.contains("has no waker left"), "{text}");
}

#[test]
fn panicking_orphan_hook_keeps_the_policy() {
    let runtime = Runtime::builder()
        .worker_threads(1)
        .on_orphan(|_| panic!("on purpose"))
        .orphans(OrphanPolicy::Cancel)
        .build()
        .unwrap();
    let task = runtime.spawn(pending::<()>());
    assert!(runtime.block_on(task).unwrap_err().is_orphaned());
}

#[test]
fn task_with_live_waker_is_not_an_orphan() {
    let (runtime, orphans) = watched(OrphanPolicy::Panic);
    runtime.block_on(async {
        volt::time::sleep(Duration::from_millis(5)).await;
        let slow = volt::spawn(volt::time::sleep(Duration::from_millis(20)));
        let joiner = volt::spawn(async { slow.await.unwrap() });
        joiner.await.unwrap();
    });
    assert!(orphans.try_recv().is_err());
    assert_eq!(runtime.stats().orphans, 0);
}

/// Only the policy `Log` prints, with one line for each task.
#[test]
fn log_is_one_line_on_the_standard_error() {
    const CHILD: &str = "VOLT_TEST_OF_ORPHANS";
    if let Ok(policy) = std::env::var(CHILD) {
        let policy = match policy.as_str() {
            "log" => OrphanPolicy::Log,
            _ => OrphanPolicy::Ignore,
        };
        let (runtime, orphans) = watched(policy);
        runtime.spawn(pending::<()>()).detach();
        orphans.recv_timeout(SOON).unwrap();
        return;
    }
    for (policy, lines) in [("log", 1), ("ignore", 0)] {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args([
            "--exact",
            "--nocapture",
            "log_is_one_line_on_the_standard_error",
        ]);
        let output = child.env(CHILD, policy).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(text.matches("has no waker left\n").count(), lines, "{text}");
    }
}

/// Waits for the task, and returns `true` if it was cancelled as an orphan.
fn is_found<T>(runtime: &Runtime, task: volt::task::JoinHandle<T>) -> bool {
    matches!(runtime.block_on(task), Err(error) if error.is_orphaned())
}

#[test]
fn orphan_in_a_combinator_is_found() {
    let (runtime, _orphans) = watched(OrphanPolicy::Cancel);
    for len in [2, 3, 40] {
        let doors: Vec<_> = (0..len).map(|_| Door::default()).collect();
        let joined = runtime.spawn(volt::future::join_all(doors.clone()));
        drop(doors.iter().map(Door::waker).collect::<Vec<_>>());
        assert!(is_found(&runtime, joined));
        let raced = runtime.spawn(volt::future::race_all(doors.clone()));
        drop(doors.iter().map(Door::waker).collect::<Vec<_>>());
        assert!(is_found(&runtime, raced));
    }
}

#[test]
fn orphan_with_futures_without_wakers_is_found() {
    let (runtime, _orphans) = watched(OrphanPolicy::Cancel);
    let joined = runtime.spawn(volt::future::join_all((0..5).map(|_| pending::<()>())));
    assert!(is_found(&runtime, joined));
}

#[test]
fn orphaned_child_of_a_group_is_found() {
    let (runtime, orphans) = watched(OrphanPolicy::Cancel);
    let _entered = runtime.enter();
    for limit in [1, 8] {
        let limit = NonZeroUsize::new(limit).unwrap();
        let mut group = Group::new(Current).policy(Policy::Supervise).limit(limit);
        let doors: Vec<_> = (0..3).map(|_| Door::default()).collect();
        for door in &doors {
            group.spawn(door.clone());
        }
        let leaves = runtime.spawn(async move { group.join_all().await.len() });
        // With a limit of one, the order of the children is not known.
        let mut left = doors;
        while !left.is_empty() {
            left.retain(|door| door.taken().is_none());
            std::thread::yield_now();
        }
        assert_eq!(runtime.block_on(leaves).unwrap(), 3);
        assert_eq!(orphans.try_iter().count(), 3);
    }
}

#[test]
fn group_child_with_a_waker_is_cancelled_by_shutdown() {
    let (runtime, orphans) = watched(OrphanPolicy::Cancel);
    let _entered = runtime.enter();
    let door = Door::default();
    let mut group = Group::new(Current);
    group.spawn(door.clone());
    let waker = door.waker();
    let (_, outcome) = runtime.block_on(group.shutdown()).pop().unwrap();
    assert!(matches!(outcome, Err(TaskError::Cancelled)));
    drop(waker);
    assert_eq!(orphans.try_iter().count(), 0);
}

#[test]
fn orphan_in_a_scope_is_found() {
    let (runtime, _orphans) = watched(OrphanPolicy::Cancel);
    let doors: Vec<_> = (0..3).map(|_| Door::default()).collect();
    let children = doors.clone();
    let task = runtime.spawn(scope(|s| async move {
        for door in children {
            s.spawn(door);
        }
    }));
    drop(doors.iter().map(Door::waker).collect::<Vec<_>>());
    assert!(is_found(&runtime, task));
}

/// The owner of the handle can spawn a child, which wakes the task.
#[test]
fn task_with_a_live_scope_handle_is_not_an_orphan() {
    let (runtime, orphans) = watched(OrphanPolicy::Cancel);
    let (sender, receiver) = channel();
    let task = runtime.spawn(scope(|s| async move {
        s.spawn(pending::<()>());
        sender.send(s).unwrap();
    }));
    let s = receiver.recv().unwrap();
    while runtime.dump().tasks()[0].lifecycle != Lifecycle::Idle {
        std::thread::yield_now();
    }
    assert_eq!(orphans.try_iter().count(), 0);
    drop(s);
    assert!(is_found(&runtime, task));
}
