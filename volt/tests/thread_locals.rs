//! Runtimes in destructors of thread-locals, before and after the destructors of volt's
//! thread-locals.
#![cfg(not(miri))]

use std::cell::RefCell;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use volt::time::sleep;
use volt::{Builder, Handle, LocalRuntime, Runtime};

/// Calls its function on drop.
struct AtEnd(Option<Box<dyn FnOnce()>>);

impl Drop for AtEnd {
    fn drop(&mut self) {
        if let Some(call) = self.0.take() {
            call();
        }
    }
}

thread_local! {
    static AT_END: RefCell<Option<AtEnd>> = const { RefCell::new(None) };
}

/// Calls the function at the end of two threads. One thread uses volt before it stores the
/// function, the other after it. A panic there ends the process.
fn at_end_of_threads(runtime: &Runtime, call: impl Fn() + Clone + Send + 'static) {
    for volt_is_first in [true, false] {
        let (handle, call) = (runtime.handle().clone(), call.clone());
        let keep = move || AT_END.set(Some(AtEnd(Some(Box::new(call)))));
        let thread = thread::spawn(move || {
            if volt_is_first {
                use_volt(&handle);
                keep();
            } else {
                keep();
                use_volt(&handle);
            }
        });
        thread.join().unwrap();
    }
}

/// Initializes the thread-locals of volt.
fn use_volt(handle: &Handle) {
    handle
        .spawn(sleep(Duration::from_millis(1)))
        .join()
        .unwrap();
    handle.block_on(async {});
}

fn runtime() -> Runtime {
    Runtime::builder().worker_threads(1).build().unwrap()
}

fn received<T>(send_all: impl FnOnce(Sender<T>)) -> Vec<T> {
    let (send, receive) = channel();
    send_all(send);
    receive.into_iter().collect()
}

#[test]
fn tasks_are_joined_at_the_end_of_a_thread() {
    let runtime = runtime();
    let outputs = received(|send| {
        let handle = runtime.handle().clone();
        at_end_of_threads(&runtime, move || {
            // The task finds its runtime on every thread that polls it.
            let task = handle.spawn(async {
                sleep(Duration::from_millis(1)).await;
                volt::spawn(async { 1 }).await.unwrap()
            });
            send.send(task.join().unwrap()).unwrap();
        });
    });
    assert_eq!(outputs, [1, 1]);
}

#[test]
fn futures_are_blocked_on_at_the_end_of_a_thread() {
    let paused = Builder::new().worker_threads(1).start_paused(true);
    for runtime in [runtime(), paused.build().unwrap()] {
        let outputs = received(|send| {
            let handle = runtime.handle().clone();
            at_end_of_threads(&runtime, move || {
                let _entered = handle.enter();
                let task = handle.spawn(sleep(Duration::from_millis(5)));
                let output = handle.block_on(async { task.await.map(|()| 2) });
                send.send(output.unwrap()).unwrap();
            });
        });
        assert_eq!(outputs, [2, 2]);
    }
}

#[test]
fn local_runtime_may_be_kept_in_a_thread_local() {
    let runtime = runtime();
    let outputs = received(|send| {
        at_end_of_threads(&runtime, move || {
            let local = LocalRuntime::new().unwrap();
            let waits = local.spawn_local(std::future::pending::<()>());
            local.block_on(async {});
            drop(local);
            send.send(waits.is_finished()).unwrap();
        });
    });
    assert_eq!(outputs, [true, true]);
}
