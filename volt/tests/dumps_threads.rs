//! The threads in a dump, and the times of their states.

mod held;

#[cfg(all(target_os = "linux", not(miri)))]
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(all(target_os = "linux", not(miri)))]
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use held::{Block, blocked, named};
use volt::runtime::Dump;
#[cfg(all(target_os = "linux", not(miri)))]
use volt::runtime::ThreadActivity;
use volt::task::Lifecycle;
use volt::{Builder, Runtime};

/// The joining thread polls the task, so the task blocks this thread.
#[test]
fn blocker_inside_of_a_join_is_named_with_its_thread() {
    let (runtime, block) = blocked(1, "blocker of the worker");
    let culprit = Block::default();
    let held = culprit.clone();
    let inner = runtime
        .handle()
        .spawn_named("culprit", async move { held.hold() });
    let outer = runtime
        .handle()
        .spawn_named("outer", async move { inner.join().unwrap() });
    let visitor = thread::Builder::new().name(String::from("visitor"));
    let visitor = visitor.spawn(move || outer.join().unwrap()).unwrap();
    culprit.wait_for(1);
    thread::sleep(Duration::from_millis(50));
    let dump = runtime.dump();
    for name in ["culprit", "outer"] {
        let task = named(&dump, name);
        assert_eq!(task.thread.as_deref(), Some("visitor"), "{dump}");
        assert!(dump.time_since(task) >= Duration::from_millis(50), "{dump}");
        let text = format!("\"{name}\": running for ");
        assert!(dump.to_string().contains(&text), "{dump}");
    }
    culprit.release();
    visitor.join().unwrap();
    block.release();
}

#[test]
fn blocker_inside_of_a_workers_join_is_named() {
    let runtime = Runtime::builder().worker_threads(1).thread_name("post");
    let runtime = runtime.build().unwrap();
    let culprit = Block::default();
    let held = culprit.clone();
    let outer = runtime.handle().spawn_named("outer", async move {
        let inner = volt::Handle::current().spawn_named("culprit", async move { held.hold() });
        inner.join().unwrap();
    });
    culprit.wait_for(1);
    let dump = runtime.dump();
    for name in ["culprit", "outer"] {
        assert_eq!(
            named(&dump, name).thread.as_deref(),
            Some("post-0"),
            "{dump}"
        );
    }
    culprit.release();
    outer.join().unwrap();
    assert!(
        runtime
            .dump()
            .tasks()
            .iter()
            .all(|task| task.thread.is_none())
    );
}

#[test]
fn queued_task_shows_its_waiting_time() {
    let runtime = Runtime::builder().worker_threads(1).build().unwrap();
    let block = Block::default();
    let (wake, woken) = futures::channel::oneshot::channel::<()>();
    let patient = runtime
        .handle()
        .spawn_named("patient", async move { woken.await.unwrap() });
    while runtime.stats().polled() < 1 {
        thread::yield_now();
    }
    thread::sleep(Duration::from_secs(1));
    let held = block.clone();
    let waker = async move {
        wake.send(()).unwrap();
        held.hold();
    };
    runtime.spawn(waker).detach();
    block.wait_for(1);
    let before = runtime.dump();
    thread::sleep(Duration::from_millis(50));
    let dump = runtime.dump();
    let task = named(&dump, "patient");
    assert_eq!((task.lifecycle, task.polls), (Lifecycle::Scheduled, 1));
    let queued = before.time_since(named(&before, "patient"));
    assert!(queued < Duration::from_millis(900), "{before}");
    assert!(dump.time_since(task) >= Duration::from_millis(50), "{dump}");
    let text = dump.to_string();
    assert!(text.contains("\"patient\": queued for "), "{text}");
    assert!(text.contains(" ms, polled once, spawned at "), "{text}");
    block.release();
    runtime.block_on(patient).unwrap();
}

/// Takes dumps until a thread waits in `block_on`.
fn dump_of_blocked(handle: &volt::Handle) -> Dump {
    for _ in 0..5_000 {
        let dump = handle.dump();
        if !dump.blocked().is_empty() {
            return dump;
        }
        thread::sleep(Duration::from_millis(1));
    }
    panic!("no thread waits: {}", handle.dump());
}

#[test]
fn threads_in_block_on_are_shown() {
    let many = Runtime::builder().worker_threads(1).build().unwrap();
    let other = Runtime::builder().worker_threads(1).build().unwrap();
    let (go, gone) = futures::channel::oneshot::channel::<()>();
    let handle = many.handle().clone();
    let line = line!() + 2;
    let waits = thread::Builder::new().name(String::from("visitor"));
    let waits = waits.spawn(move || handle.block_on(gone)).unwrap();
    drop(dump_of_blocked(many.handle()));
    thread::sleep(Duration::from_millis(20));
    let dump = many.dump();
    let [thread] = dump.blocked() else {
        panic!("{dump}")
    };
    assert_eq!(thread.thread.as_deref(), Some("visitor"));
    assert_eq!(
        (thread.location.file(), thread.location.line()),
        (file!(), line)
    );
    assert!(dump.blocked_for(thread) >= Duration::from_millis(20));
    let text = dump.to_string();
    assert!(text.contains("thread visitor: in block_on for "), "{text}");
    assert!(
        text.contains(" ms, called at volt/tests/dumps_threads.rs:"),
        "{text}"
    );
    assert!(other.dump().blocked().is_empty());
    go.send(()).unwrap();
    waits.join().unwrap().unwrap();
    assert!(many.dump().blocked().is_empty());
}

#[test]
fn thread_of_a_local_runtime_is_shown() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let (go, gone) = futures::channel::oneshot::channel::<()>();
    let waits = thread::spawn(move || {
        let runtime = Builder::new().build_local().unwrap();
        sender.send(runtime.handle().clone()).unwrap();
        runtime.block_on(gone).unwrap();
        assert!(runtime.dump().blocked().is_empty());
    });
    let dump = dump_of_blocked(&receiver.recv().unwrap());
    assert_eq!(dump.blocked()[0].thread, None);
    assert!(
        dump.to_string()
            .contains("thread without a name: in block_on"),
        "{dump}"
    );
    go.send(()).unwrap();
    waits.join().unwrap();
}

#[volt::state_machine]
async fn waits_in_a_box() {
    std::future::pending::<()>().await;
}

/// The future is polled by one task, then by another, and dropped by a thread.
#[test]
fn inspected_future_is_shown_by_its_polling_task() {
    use std::task::Poll;
    type Boxed = std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;
    let runtime = Runtime::builder().worker_threads(2).build().unwrap();
    let within = |task: volt::task::TaskId| {
        let dump = runtime.dump();
        let task = dump.tasks().iter().find(|info| info.id == task);
        task.map_or(0, |task| task.within.len())
    };
    let shows = |task, count| {
        let end = std::time::Instant::now() + Duration::from_secs(20);
        while within(task) != count && std::time::Instant::now() < end {
            std::thread::yield_now();
        }
        within(task) == count
    };
    let (give, given) = std::sync::mpsc::channel::<Boxed>();
    let mut boxed: Boxed = Box::pin(volt::task::inspected(waits_in_a_box()));
    let (wake, wakers) = std::sync::mpsc::channel();
    let first = runtime.spawn(async move {
        let mut polled = Some(());
        std::future::poll_fn(|cx| {
            let _ = boxed.as_mut().poll(cx);
            let _ = wake.send(cx.waker().clone());
            polled.take().map_or(Poll::Ready(()), |()| Poll::Pending)
        })
        .await;
        give.send(boxed).unwrap();
        std::future::pending::<()>().await;
    });
    assert!(shows(first.id(), 1));
    wakers.recv().unwrap().wake();
    let mut moved = given.recv().unwrap();
    let second = runtime.spawn(async move {
        std::future::poll_fn(|cx| moved.as_mut().poll(cx)).await;
    });
    assert!(shows(second.id(), 1) && shows(first.id(), 0));
    second.cancel();
    assert!(shows(second.id(), 0));
    // A poll outside of tasks records nothing.
    let mut alone: Boxed = Box::pin(volt::task::inspected(waits_in_a_box()));
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(alone.as_mut().poll(&mut cx).is_pending());
}

/// Returns the text and the activity of the task's thread, from the first dump that has it.
#[cfg(all(target_os = "linux", not(miri)))]
fn activity(runtime: &Runtime, name: &str) -> (String, ThreadActivity) {
    for _ in 0..2_000 {
        let dump = runtime.dump();
        let task = named(&dump, name).id;
        let thread = dump
            .polling_threads()
            .iter()
            .find(|thread| thread.task == task);
        if let Some(activity) = thread.and_then(|thread| thread.activity.clone()) {
            return (dump.to_string(), activity);
        }
        thread::sleep(Duration::from_millis(1));
    }
    panic!("no thread is shown: {}", runtime.dump());
}

#[cfg(all(target_os = "linux", not(miri)))]
#[test]
fn blocked_thread_shows_its_system_call() {
    let lock = Arc::new(Mutex::new(()));
    let held = lock.lock().unwrap();
    let runtime = Runtime::builder().worker_threads(1).build().unwrap();
    let waiting = Arc::clone(&lock);
    let future = async move { drop(waiting.lock()) };
    let task = runtime.handle().spawn_named("locks", future);
    let (text, activity) = activity(&runtime, "locks");
    let ThreadActivity::Blocked { system_call, .. } = activity else {
        panic!("{text}");
    };
    // A container may hide the call.
    if let Some(call) = system_call {
        assert_eq!(call, "futex", "{text}");
        assert!(
            text.contains(" is blocked in the system call futex"),
            "{text}"
        );
    }
    drop(held);
    runtime.block_on(task).unwrap();
}

#[cfg(all(target_os = "linux", not(miri)))]
#[test]
fn computing_thread_is_running() {
    let end = Arc::new(AtomicBool::new(false));
    let runtime = Runtime::builder().worker_threads(1).build().unwrap();
    let is_over = Arc::clone(&end);
    let future = async move {
        while !is_over.load(Ordering::Relaxed) {
            std::hint::spin_loop();
        }
    };
    let task = runtime.handle().spawn_named("computes", future);
    let (text, activity) = activity(&runtime, "computes");
    assert_eq!(activity, ThreadActivity::Running, "{text}");
    assert!(text.contains(" computes\n"), "{text}");
    end.store(true, Ordering::Relaxed);
    runtime.block_on(task).unwrap();
    assert!(runtime.dump().polling_threads().is_empty());
}

#[cfg(all(target_os = "linux", not(miri)))]
#[test]
fn blocking_job_shows_its_thread() {
    let (send, receive) = std::sync::mpsc::channel::<()>();
    let runtime = Runtime::builder().worker_threads(1).build().unwrap();
    let job = runtime.spawn_blocking(move || receive.recv().is_err());
    let thread = loop {
        let dump = runtime.dump();
        if let Some(thread) = dump.polling_threads().first() {
            break thread.clone();
        }
        thread::sleep(Duration::from_millis(1));
    };
    assert_eq!(thread.task, runtime.dump().tasks()[0].id);
    assert_eq!(thread.worker, None);
    assert!(thread.thread_id.is_some());
    let json = runtime.dump().json().to_string();
    assert!(json.contains("\"job_threads\":[{\"job\":\"#"), "{json}");
    drop(send);
    assert!(runtime.block_on(job).unwrap());
    assert!(runtime.dump().polling_threads().is_empty());
}
