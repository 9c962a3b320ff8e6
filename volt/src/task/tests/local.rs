//! Tasks whose future stays on its thread, at home and elsewhere.

use super::support::{Counter, Dropped, poll_once, ready};
use crate::task::raw::{RunOutcome, Runnable, Task, spawn_local};
use crate::task::yield_now;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::rc::Rc;
use std::sync::atomic::AtomicPtr;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::thread;
use tokio::sync::Notify;

/// What is leaked on purpose is reachable from here, so that Miri does not complain of it.
static LEAKED: Mutex<Vec<AtomicPtr<()>>> = Mutex::new(Vec::new());

/// A task that was polled at home, and whose future `notify` points into.
struct Linked {
    notify: Arc<Notify>,
    task: Task<()>,
    waker: Waker,
    /// Of the future.
    drops: Counter,
}

/// `schedule` gets what is queued.
fn linked(schedule: impl Fn(Runnable) + Send + Sync + 'static) -> Linked {
    let (notify, drops) = (Arc::new(Notify::new()), Counter::default());
    let (inner, guard, not_send) = (notify.clone(), Dropped(drops.clone()), Rc::new(()));
    let (tell, told) = channel();
    let future = async move {
        let mut held = (guard, not_send);
        let place = AtomicPtr::new((&raw mut held).cast());
        LEAKED.lock().unwrap().push(place);
        poll_fn(|cx| {
            tell.send(cx.waker().clone()).unwrap();
            Poll::Ready(())
        })
        .await;
        // Its waker would keep the task.
        let mut notified = pin!(inner.notified());
        poll_fn(|_| poll_once(&mut notified)).await;
        drop(held);
    };
    let (runnable, task) = spawn_local(future, schedule);
    assert!(matches!(runnable.run(), RunOutcome::Idle));
    let waker = told.recv().unwrap();
    Linked {
        notify,
        task,
        waker,
        drops,
    }
}

/// Ends the task on another thread, by `end`.
fn end_elsewhere(end: impl FnOnce(Runnable) + Send) {
    let (queue, runnables) = channel();
    let mut linked = linked(move |runnable| queue.send(runnable).unwrap());
    linked.waker.wake();
    let runnable = runnables.recv().unwrap();
    thread::scope(|scope| scope.spawn(|| end(runnable)).join().unwrap());
    let error = ready(&mut linked.task).unwrap_err();
    assert!(error.is_panic());
    assert!(error.to_string().contains(file!()), "{error}");
    drop(linked.task);
    // It writes into the future.
    linked.notify.notify_waiters();
    assert_eq!(linked.drops.get(), 0);
}

#[test]
fn local_task_runs_on_its_thread() {
    let (send, queue) = channel();
    let shared = Rc::new(7);
    let inner = Rc::clone(&shared);
    let (runnable, mut task) = spawn_local(
        async move {
            yield_now().await;
            inner
        },
        move |runnable| send.send(runnable).unwrap(),
    );
    runnable.schedule();
    while let Ok(runnable) = queue.try_recv() {
        if let RunOutcome::Woken(runnable) = runnable.run() {
            runnable.schedule();
        }
    }
    assert_eq!(*ready(&mut task).unwrap(), 7);
    assert_eq!(Rc::strong_count(&shared), 1);
}

#[test]
fn cancelled_local_task_drops_its_future_at_home() {
    let (queue, runnables) = channel();
    let Linked {
        notify,
        task,
        drops,
        ..
    } = linked(move |runnable| queue.send(runnable).unwrap());
    drop(task);
    assert!(matches!(
        runnables.recv().unwrap().run(),
        RunOutcome::Cancelled
    ));
    assert_eq!(drops.get(), 1);
    notify.notify_waiters();
}

#[test]
fn local_task_run_elsewhere_leaves_its_future_in_place() {
    end_elsewhere(|runnable| assert!(matches!(runnable.run(), RunOutcome::Complete)));
}

#[test]
fn local_task_shut_down_elsewhere_leaves_its_future_in_place() {
    end_elsewhere(Runnable::shutdown);
}

#[test]
fn local_task_dropped_elsewhere_by_a_panic_leaves_its_future_in_place() {
    end_elsewhere(|runnable| {
        let unwinding = AssertUnwindSafe(|| {
            let _runnable = runnable;
            panic!("on purpose");
        });
        assert!(catch_unwind(unwinding).is_err());
    });
}

#[test]
fn detached_local_task_whose_executor_is_gone_leaves_its_future_in_place() {
    let (queue, runnables) = channel();
    let linked = linked(move |runnable| drop(queue.send(runnable)));
    drop(runnables);
    linked.task.detach();
    let waker = linked.waker;
    thread::spawn(move || waker.wake()).join().unwrap();
    linked.notify.notify_waiters();
    assert_eq!(linked.drops.get(), 0);
}

#[test]
fn cancelled_local_task_run_elsewhere_leaves_its_future_in_place() {
    let (queue, runnables) = channel();
    let linked = linked(move |runnable| queue.send(runnable).unwrap());
    drop((linked.waker, linked.task));
    let runnable = runnables.recv().unwrap();
    thread::spawn(move || drop(runnable.run())).join().unwrap();
    linked.notify.notify_waiters();
    assert_eq!(linked.drops.get(), 0);
}
