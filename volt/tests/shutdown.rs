//! The end of a runtime, in bounded time.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use volt::runtime::Builder;
use volt::task::Lifecycle;
use volt::{JoinHandle, Runtime};

/// What every future of a test holds: its strong count tells how many are not dropped.
type Life = Arc<()>;

const LIMIT: Duration = Duration::from_millis(50);
/// More than the limit, and much less than the poll that is under way.
const BOUND: Duration = Duration::from_millis(1_500);
/// Nothing that ends by itself takes so long.
const FAR: Duration = Duration::from_secs(10);

/// A runtime with a worker in a poll that ends when it is told to, and an idle task.
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
    /// The poll ends, and with it everything.
    fn let_go(self) {
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
    assert!(stuck.idle.is_finished(), "what is not stuck is complete");
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
    stuck.let_go();
}

#[test]
fn shutdown_background_returns_at_once() {
    let mut stuck = stuck(Runtime::builder());
    let other = Runtime::builder().worker_threads(1).build().unwrap();
    let before = Instant::now();
    std::mem::replace(&mut stuck.runtime, other).shutdown_background();
    assert!(before.elapsed() < BOUND);
    assert!(!stuck.sluggard.is_finished());
    stuck.let_go();
}

#[test]
fn shutdown_on_a_worker_does_not_wait_for_itself() {
    let runtime = Runtime::builder().worker_threads(2).build().unwrap();
    let doomed = Runtime::builder().worker_threads(2).build().unwrap();
    let handle = doomed.handle().clone();
    let (send, receive) = std::sync::mpsc::channel();
    let task = handle.spawn(async move {
        let stuck = doomed.shutdown(Duration::from_secs(3600));
        send.send(stuck.tasks().len()).unwrap();
    });
    assert_eq!(
        receive.recv_timeout(Duration::from_secs(10)),
        Ok(1),
        "itself"
    );
    let _ = runtime.block_on(task);
}

/// A poll that holds its worker until a task of the same runtime is gone.
#[test]
fn shutdown_cancels_tasks_a_running_poll_waits_for() {
    let runtime = Runtime::builder().worker_threads(2).build().unwrap();
    let (kept, last) = std::sync::mpsc::channel::<()>();
    let _idle = runtime.spawn(async move {
        let _kept = kept;
        pending::<()>().await;
    });
    let (tell, told) = std::sync::mpsc::channel();
    let _blocked = runtime.spawn(async move {
        tell.send(()).unwrap();
        last.recv()
    });
    told.recv().unwrap();
    let before = Instant::now();
    assert!(runtime.shutdown(FAR).tasks().is_empty());
    assert!(before.elapsed() < FAR);
}

/// A joins B of another runtime, and keeps its worker, as B is being polled; B waits for C, which
/// is a task of the first.
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
        // The other goes to sleep meanwhile.
        thread::sleep(Duration::from_millis(100));
        waits.send(()).unwrap();
        c.await.unwrap_err()
    });
    let (tell, told) = std::sync::mpsc::channel();
    let _a = first.spawn(async move {
        begun.recv().unwrap();
        tell.send(b.join().unwrap().is_cancelled()).unwrap();
    });
    waited.recv().unwrap();
    while other.stats().sleeping < 2 {
        thread::yield_now();
    }
    let before = Instant::now();
    assert!(first.shutdown(FAR).tasks().is_empty());
    assert!(before.elapsed() < FAR);
    assert_eq!(told.recv(), Ok(true));
}

/// The only worker is in a poll, so that whoever joins the task polls it.
#[test]
fn task_polled_by_a_join_ends_its_runtime() {
    let Stuck {
        runtime,
        release,
        sluggard,
        ..
    } = stuck(Runtime::builder().shutdown_timeout(FAR));
    let handle = runtime.handle().clone();
    // The other worker too.
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
