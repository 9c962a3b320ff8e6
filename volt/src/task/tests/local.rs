//! Tasks whose future is bound to a thread, run on that thread and on others.

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

/// Pointers to futures that are leaked on purpose, so that Miri reports no leak.
static LEAKED: Mutex<Vec<AtomicPtr<()>>> = Mutex::new(Vec::new());

/// A task that was polled on its thread, and into whose future `notify` points.
struct Linked {
    notify: Arc<Notify>,
    task: Task<()>,
    waker: Waker,
    /// The drops of the future.
    drops: Counter,
}

/// Spawns such a task with a schedule function, and polls it once.
fn linked(schedule: impl Fn(Runnable) + Send + Sync + 'static) -> Linked {
    let (notify, drops) = (Arc::new(Notify::new()), Counter::default());
    let (inner, guard, not_send) = (notify.clone(), Dropped(drops.clone()), Rc::new(()));
    let (send, wakers) = channel();
    let future = async move {
        let mut held = (guard, not_send);
        let place = AtomicPtr::new((&raw mut held).cast());
        LEAKED.lock().unwrap().push(place);
        poll_fn(|cx| {
            send.send(cx.waker().clone()).unwrap();
            Poll::Ready(())
        })
        .await;
        // Polled with another waker, which does not keep the task alive.
        let mut notified = pin!(inner.notified());
        poll_fn(|_| poll_once(&mut notified)).await;
        drop(held);
    };
    let (runnable, task) = spawn_local(future, schedule);
    assert!(matches!(runnable.run(), RunOutcome::Idle));
    let waker = wakers.recv().unwrap();
    Linked {
        notify,
        task,
        waker,
        drops,
    }
}

/// Calls `end` with the runnable on another thread, which must leak the future.
fn end_on_foreign_thread(end: impl FnOnce(Runnable) + Send) {
    let (queue, runnables) = channel();
    let mut linked = linked(move |runnable| queue.send(runnable).unwrap());
    linked.waker.wake();
    let runnable = runnables.recv().unwrap();
    thread::scope(|scope| scope.spawn(|| end(runnable)).join().unwrap());
    let error = ready(&mut linked.task).unwrap_err();
    assert!(error.is_panic());
    assert!(error.to_string().contains(file!()), "{error}");
    drop(linked.task);
    // This call writes into the future.
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
fn cancelled_local_task_drops_its_future() {
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
fn run_on_foreign_thread_leaks_local_future() {
    end_on_foreign_thread(|runnable| assert!(matches!(runnable.run(), RunOutcome::Complete)));
}

#[test]
fn shutdown_on_foreign_thread_leaks_local_future() {
    end_on_foreign_thread(Runnable::shutdown);
}

#[test]
fn unwind_on_foreign_thread_leaks_local_future() {
    end_on_foreign_thread(|runnable| {
        let unwinding = AssertUnwindSafe(|| {
            let _runnable = runnable;
            panic!("on purpose");
        });
        assert!(catch_unwind(unwinding).is_err());
    });
}

#[test]
fn wake_after_executor_end_leaks_local_future() {
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
fn cancel_on_foreign_thread_leaks_local_future() {
    let (queue, runnables) = channel();
    let linked = linked(move |runnable| queue.send(runnable).unwrap());
    drop((linked.waker, linked.task));
    let runnable = runnables.recv().unwrap();
    thread::spawn(move || drop(runnable.run())).join().unwrap();
    linked.notify.notify_waiters();
    assert_eq!(linked.drops.get(), 0);
}
