//! The shutdown of a runtime, in bounded time.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use volt::runtime::Builder;
use volt::task::Lifecycle;
use volt::{JoinHandle, Runtime};

/// A value that every future of a test owns. Its strong count is the number of futures that are
/// alive.
type Life = Arc<()>;

const LIMIT: Duration = Duration::from_millis(50);
/// More than the limit, and much less than the running poll.
const BOUND: Duration = Duration::from_millis(1_500);
/// Longer than any operation of these tests.
const FAR: Duration = Duration::from_secs(10);

/// A runtime with an idle task, and a worker in a poll that ends when it is released.
struct Stuck {
    runtime: Runtime,
    release: Arc<AtomicBool>,
    life: Life,
    sluggard: JoinHandle<()>,
    idle: JoinHandle<()>,
}

fn stuck(builder: Builder) -> Stuck {
    let runtime = builder
        .worker_threads(2)
        .thread_name("crew")
        .build()
        .unwrap();
    let (release, life) = (Arc::new(AtomicBool::new(false)), Life::new(()));
    let entered = Arc::new(AtomicBool::new(false));
    let (gate, at, kept) = (release.clone(), entered.clone(), life.clone());
    let sluggard = runtime.handle().spawn_named("sluggard", async move {
        let _life = kept;
        at.store(true, Ordering::SeqCst);
        while !gate.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(1));
        }
        pending::<()>().await;
    });
    let kept = life.clone();
    let idle = runtime.spawn(async move {
        let _life = kept;
        pending::<()>().await;
    });
    while !entered.load(Ordering::SeqCst) || runtime.stats().sleeping == 0 {
        thread::yield_now();
    }
    Stuck {
        runtime,
        release,
        life,
        sluggard,
        idle,
    }
}

impl Stuck {
    /// Releases the poll, and waits for the drop of all futures.
    fn release(self) {
        self.release.store(true, Ordering::SeqCst);
        let error = futures_lite::future::block_on(self.sluggard).unwrap_err();
        assert!(error.is_cancelled());
        while Arc::strong_count(&self.life) > 1 {
            thread::yield_now();
        }
    }
}

#[test]
fn shutdown_names_stuck_tasks_and_ends_the_others() {
    let stuck = stuck(Runtime::builder());
    let handle = stuck.runtime.handle().clone();
    let before = Instant::now();
    let dump = stuck.runtime.shutdown(LIMIT);
    let took = before.elapsed();
    assert!(took >= LIMIT && took < BOUND, "{took:?}");
    let [task] = dump.tasks() else {
        panic!("{dump}");
    };
    assert_eq!(task.name.as_deref(), Some("sluggard"));
    assert_eq!((task.lifecycle, task.cancelled), (Lifecycle::Running, true));
    assert!(task.location.file().ends_with("shutdown.rs"));
    assert!(task.thread.as_deref().unwrap().starts_with("crew-"));
    assert!(stuck.idle.is_finished(), "the other tasks are complete");
    assert_eq!(Arc::strong_count(&stuck.life), 2);

    let late = handle.spawn(async {});
    assert!(
        futures_lite::future::block_on(late)
            .unwrap_err()
            .is_cancelled()
    );
    stuck.release.store(true, Ordering::SeqCst);
    assert!(
        futures_lite::future::block_on(stuck.sluggard)
            .unwrap_err()
            .is_cancelled()
    );
    while Arc::strong_count(&stuck.life) > 1 {
        thread::yield_now();
    }
}

#[test]
fn shutdown_of_an_idle_runtime_returns_at_once() {
    let runtime = Runtime::builder().worker_threads(2).build().unwrap();
    let task = runtime.spawn(pending::<()>());
    let before = Instant::now();
    assert!(
        runtime
            .shutdown(Duration::from_secs(3600))
            .tasks()
            .is_empty()
    );
    assert!(before.elapsed() < BOUND);
    assert!(
        futures_lite::future::block_on(task)
            .unwrap_err()
            .is_cancelled()
    );
}

#[test]
fn drop_waits_no_longer_than_the_timeout() {
    let mut stuck = stuck(Runtime::builder().shutdown_timeout(LIMIT));
    let other = Runtime::builder().worker_threads(1).build().unwrap();
    let before = Instant::now();
    drop(std::mem::replace(&mut stuck.runtime, other));
    let took = before.elapsed();
    assert!(took >= LIMIT && took < BOUND, "{took:?}");
    assert!(stuck.idle.is_finished());
    stuck.release();
}

#[test]
fn shutdown_background_returns_at_once() {
    let mut stuck = stuck(Runtime::builder());
    let other = Runtime::builder().worker_threads(1).build().unwrap();
    let before = Instant::now();
    std::mem::replace(&mut stuck.runtime, other).shutdown_background();
    assert!(before.elapsed() < BOUND);
    assert!(!stuck.sluggard.is_finished());
    stuck.release();
}

#[test]
fn shutdown_on_a_worker_does_not_wait_for_itself() {
    let runtime = Runtime::builder().worker_threads(2).build().unwrap();
    let dropped = Runtime::builder().worker_threads(2).build().unwrap();
    let handle = dropped.handle().clone();
    let (send, receive) = std::sync::mpsc::channel();
    let task = handle.spawn(async move {
        let stuck = dropped.shutdown(Duration::from_secs(3600));
        send.send(stuck.tasks().len()).unwrap();
    });
    assert_eq!(
        receive.recv_timeout(Duration::from_secs(10)),
        Ok(1),
        "the calling task"
    );
    let _ = runtime.block_on(task);
}

/// A poll occupies its worker until a task of the same runtime is dropped.
#[test]
fn shutdown_cancels_tasks_a_running_poll_waits_for() {
    let runtime = Runtime::builder().worker_threads(2).build().unwrap();
    let (kept, last) = std::sync::mpsc::channel::<()>();
    let _idle = runtime.spawn(async move {
        let _kept = kept;
        pending::<()>().await;
    });
    let (sender, receiver) = std::sync::mpsc::channel();
    let _blocked = runtime.spawn(async move {
        sender.send(()).unwrap();
        last.recv()
    });
    receiver.recv().unwrap();
    let before = Instant::now();
    assert!(runtime.shutdown(FAR).tasks().is_empty());
    assert!(before.elapsed() < FAR);
}

/// A joins B of another runtime. A keeps its worker, because B is being polled. B waits for C, a
/// task of the first runtime.
#[test]
fn shutdown_ends_a_join_through_another_runtime() {
    let [first, other] = [(); 2].map(|()| {
        let builder = Runtime::builder().worker_threads(2);
        builder.build().unwrap()
    });
    let c = first.spawn(pending::<()>());
    let [(begins, begun), (waits, waited)] = [(); 2].map(|()| std::sync::mpsc::channel());
    let b = other.spawn(async move {
        begins.send(()).unwrap();
        // The joiner falls asleep during this pause.
        thread::sleep(Duration::from_millis(100));
        waits.send(()).unwrap();
        c.await.unwrap_err()
    });
    let (sender, receiver) = std::sync::mpsc::channel();
    let _a = first.spawn(async move {
        begun.recv().unwrap();
        sender.send(b.join().unwrap().is_cancelled()).unwrap();
    });
    waited.recv().unwrap();
    while other.stats().sleeping < 2 {
        thread::yield_now();
    }
    let before = Instant::now();
    assert!(first.shutdown(FAR).tasks().is_empty());
    assert!(before.elapsed() < FAR);
    assert_eq!(receiver.recv(), Ok(true));
}

/// All workers are in a poll, so the joining thread polls the task.
#[test]
fn task_polled_by_a_join_ends_its_runtime() {
    let Stuck {
        runtime,
        release,
        sluggard,
        ..
    } = stuck(Runtime::builder().shutdown_timeout(FAR));
    let handle = runtime.handle().clone();
    // The other worker is in a poll too.
    let (gate, entered) = (release.clone(), Arc::new(AtomicBool::new(false)));
    let at = entered.clone();
    let other = handle.spawn(async move {
        at.store(true, Ordering::SeqCst);
        while !gate.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(1));
        }
    });
    while !entered.load(Ordering::SeqCst) {
        thread::yield_now();
    }
    let gate = release.clone();
    let last = handle.spawn(async move {
        gate.store(true, Ordering::SeqCst);
        let begin = Instant::now();
        drop(runtime);
        begin.elapsed()
    });
    assert!(last.join().unwrap() < BOUND);
    assert!(other.join().is_ok());
    assert!(sluggard.join().unwrap_err().is_cancelled());
}
