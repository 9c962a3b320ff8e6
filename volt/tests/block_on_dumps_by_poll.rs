//! Dumps by poll of the futures of `block_on`.
#![cfg(feature = "inspect")]

use std::future::poll_fn;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, mpsc};
use std::task::Poll;
use std::thread;
use std::time::Duration;

use tokio::sync::{Notify, oneshot};
use volt::Handle;
use volt::runtime::{Dump, LocalRuntime, PollLimits, Runtime};

async fn accept(notify: Arc<Notify>) {
    notify.notified().await;
}

fn runtime() -> Runtime {
    Runtime::builder().worker_threads(1).build().unwrap()
}

/// Takes dumps by poll until the text of one contains this.
fn dump_by_poll_with(handle: &Handle, text: &str) -> Dump {
    loop {
        let dump = handle.dump_by_poll(&PollLimits::default());
        if dump.to_string().contains(text) {
            return dump;
        }
        thread::yield_now();
    }
}

#[test]
fn functions_of_a_plain_future_are_found() {
    let runtime = runtime();
    let notify = Arc::new(Notify::new());
    let (handle, notified) = (runtime.handle().clone(), Arc::clone(&notify));
    let thread = thread::spawn(move || {
        handle.block_on(async {
            let (one, other) = (accept(Arc::clone(&notified)), accept(notified));
            futures::join!(one, other);
        });
    });
    let dump = dump_by_poll_with(runtime.handle(), "accept");
    let [future] = dump.block_on_futures() else {
        panic!("{dump}")
    };
    assert_eq!(future.polls, 1, "an inspection poll is not counted");
    let waited = dump.time_since(future);
    thread::sleep(Duration::from_millis(50));
    let later = runtime.dump_by_poll(&PollLimits::default());
    thread::sleep(Duration::from_millis(50));
    let last = runtime.dump();
    let times = [&later, &last].map(|dump| dump.time_since(&dump.block_on_futures()[0]));
    assert!(
        times[0] > waited && times[1] > times[0],
        "{waited:?}, {times:?}"
    );
    assert!(times[1] >= Duration::from_millis(90), "{times:?}");
    let names = dump.tree(future).into_iter().map(|node| node.place.name);
    let accepts = names.filter(|name| name.ends_with("::accept"));
    assert_eq!(accepts.count(), 1, "both are at one place: {dump}");
    assert_eq!(
        dump.poll_report().unwrap().polled,
        0,
        "the future is not a task"
    );
    notify.notify_waiters();
    thread.join().unwrap();
}

#[test]
fn future_of_a_local_runtime_is_polled_on_its_thread() {
    let (sender, handles) = mpsc::channel();
    let notify = Arc::new(Notify::new());
    let notified = Arc::clone(&notify);
    let thread = thread::spawn(move || {
        let runtime = LocalRuntime::new().unwrap();
        sender.send(runtime.handle().clone()).unwrap();
        runtime.block_on(accept(notified));
    });
    let dump = dump_by_poll_with(&handles.recv().unwrap(), "::accept at");
    assert_eq!(dump.block_on_futures()[0].polls, 1);
    notify.notify_waiters();
    thread.join().unwrap();
}

#[test]
fn ready_future_ends_the_call() {
    let runtime = runtime();
    let polls = Arc::new(AtomicUsize::new(0));
    let (handle, polled) = (runtime.handle().clone(), Arc::clone(&polls));
    let thread = thread::spawn(move || {
        handle.block_on(poll_fn(move |_| match polled.fetch_add(1, SeqCst) {
            0 => Poll::Pending,
            _ => Poll::Ready(7),
        }))
    });
    while polls.load(SeqCst) < 2 {
        drop(runtime.dump_by_poll(&PollLimits::default()));
    }
    assert_eq!(thread.join().unwrap(), 7);
    assert_eq!(polls.load(SeqCst), 2);
}

#[test]
fn one_future_is_polled_on_request() {
    let runtime = runtime();
    let (go, gone) = oneshot::channel::<()>();
    let handle = runtime.handle().clone();
    let thread = thread::spawn(move || handle.block_on(async { gone.await.unwrap() }));
    let id = loop {
        if let [thread] = runtime.dump().blocked() {
            break thread.future;
        }
        thread::yield_now();
    };
    let mut limits = PollLimits::default();
    limits.only = Some(id);
    let dump = runtime.dump_by_poll(&limits);
    assert_eq!(dump.block_on_futures()[0].id, id);
    assert!(dump.tasks().is_empty());
    go.send(()).unwrap();
    thread.join().unwrap();
}
