//! The drop of a runtime on each kind of thread. It does not wait for its own caller.
#![cfg(not(miri))]

use std::cell::RefCell;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use volt::runtime::OrphanPolicy;
use volt::{Builder, Handle, Runtime, block_in_place, spawn_blocking};

const SOON: Duration = Duration::from_secs(10);

fn builder() -> Builder {
    Builder::new()
        .worker_threads(2)
        .shutdown_timeout(Duration::MAX)
}

/// Drops the runtime, and reports the time that the drop takes.
struct Ends {
    runtime: Option<Runtime>,
    report: Sender<Duration>,
}

impl Drop for Ends {
    fn drop(&mut self) {
        let begin = Instant::now();
        drop(self.runtime.take());
        let _ = self.report.send(begin.elapsed());
    }
}

/// Calls `begin`, which drops the runtime on another thread. The drop must end in time.
#[track_caller]
fn assert_ends(begin: impl FnOnce(Handle, Ends)) {
    let runtime = builder().build().unwrap();
    let handle = runtime.handle().clone();
    let (report, reported) = channel();
    let runtime = Some(runtime);
    begin(handle, Ends { runtime, report });
    let took = reported.recv_timeout(SOON);
    assert!(took.is_ok(), "the drop waits for its caller");
}

#[test]
fn task_ends_its_runtime() {
    assert_ends(|handle, ends| handle.spawn(async move { drop(ends) }).detach());
}

#[test]
fn task_ends_its_runtime_in_place() {
    assert_ends(|handle, ends| {
        let task = async move { block_in_place(|| drop(ends)) };
        handle.spawn(task).detach();
    });
}

#[test]
fn task_ends_its_runtime_in_place_of_its_only_worker() {
    let runtime = builder().worker_threads(1).max_spare_threads(0);
    let runtime = Some(runtime.build().unwrap());
    let handle = runtime.as_ref().unwrap().handle().clone();
    let (report, reported) = channel();
    let ends = Ends { runtime, report };
    let task = async move { block_in_place(|| drop(ends)) };
    handle.spawn(task).detach();
    assert!(reported.recv_timeout(SOON).is_ok());
}

/// After `block_in_place` the poll continues without its worker.
#[test]
fn task_ends_its_runtime_after_a_block_in_place() {
    assert_ends(|handle, ends| {
        let task = async move {
            block_in_place(|| thread::sleep(Duration::from_millis(5)));
            drop(ends);
        };
        handle.spawn(task).detach();
    });
}

#[test]
fn nested_block_on_ends_its_runtime() {
    assert_ends(|handle, ends| {
        let task = async move {
            let here = Handle::current();
            block_in_place(|| block_in_place(|| here.block_on(async { drop(ends) })));
        };
        handle.spawn(task).detach();
    });
}

#[test]
fn tasks_in_place_end_their_runtime_together() {
    assert_ends(|handle, ends| {
        let others: Vec<_> = (0..4)
            .map(|_| {
                let (release, wait) = channel::<()>();
                let blocks = async move {
                    let _ = block_in_place(|| wait.recv());
                };
                handle.spawn(blocks).detach();
                release
            })
            .collect();
        let task = async move {
            block_in_place(|| {
                drop(others);
                drop(ends);
            });
        };
        handle.spawn(task).detach();
    });
}

#[test]
fn job_ends_its_runtime() {
    assert_ends(|handle, ends| handle.spawn_blocking(move || drop(ends)).detach());
}

#[test]
fn joined_job_ends_its_runtime() {
    for in_place in [false, true] {
        assert_ends(|handle, ends| {
            let task = async move {
                let job = spawn_blocking(move || {
                    thread::sleep(Duration::from_millis(50));
                    drop(ends);
                });
                let join = || job.join();
                let joined = if in_place {
                    block_in_place(join)
                } else {
                    join()
                };
                drop(joined);
            };
            handle.spawn(task).detach();
        });
    }
}

#[test]
fn joined_task_ends_its_runtime() {
    for in_place in [false, true] {
        assert_ends(|handle, ends| {
            let (begin, begun) = channel();
            let ending = handle.spawn(async move {
                let _ = begin.send(());
                thread::sleep(Duration::from_millis(50));
                if in_place {
                    block_in_place(|| drop(ends));
                } else {
                    drop(ends);
                }
            });
            let _ = begun.recv();
            handle.spawn(async move { drop(ending.join()) }).detach();
        });
    }
}

#[test]
fn joining_thread_ends_the_runtime() {
    assert_ends(|handle, ends| {
        let task = handle.spawn(async move { drop(ends) });
        thread::spawn(|| task.join());
    });
    assert_ends(|handle, ends| {
        let task = handle.spawn(async move { block_in_place(|| drop(ends)) });
        thread::spawn(|| task.join());
    });
}

#[test]
fn worker_of_another_runtime_ends_the_runtime() {
    let other = builder().build().unwrap();
    assert_ends(|_, ends| other.spawn(async move { drop(ends) }).detach());
    assert_ends(|_, ends| {
        let task = async move { block_in_place(|| drop(ends)) };
        other.spawn(task).detach();
    });
    assert_ends(|_, ends| other.spawn_blocking(move || drop(ends)).detach());
    // The worker polls a task of the runtime inside its own task.
    assert_ends(|handle, ends| {
        let inner = handle.spawn(async move { drop(ends) });
        other.spawn(async move { drop(inner.join()) }).detach();
    });
}

#[test]
fn future_of_block_on_ends_the_runtime() {
    assert_ends(|handle, ends| handle.block_on(async move { drop(ends) }));
    let local = volt::LocalRuntime::new().unwrap();
    assert_ends(|_, ends| local.block_on(async move { drop(ends) }));
    assert_ends(|_, ends| {
        local.block_on(async {
            let task = volt::spawn_local(async move { block_in_place(|| drop(ends)) });
            task.await.unwrap();
        });
    });
}

thread_local! {
    static AT_END: RefCell<Option<Ends>> = const { RefCell::new(None) };
}

#[test]
fn destructor_of_a_thread_local_ends_the_runtime() {
    assert_ends(|_, ends| {
        thread::spawn(|| AT_END.set(Some(ends)));
    });
    // A thread that has lost its worker ends after the poll.
    assert_ends(|handle, ends| {
        let task = async move {
            block_in_place(|| ());
            AT_END.set(Some(ends));
        };
        handle.spawn(task).detach();
    });
    // A worker of another runtime ends.
    assert_ends(|_, ends| {
        let other = builder().build().unwrap();
        let task = other.spawn(async { AT_END.set(Some(ends)) });
        drop(other.block_on(task));
    });
    assert_ends(|_, ends| {
        let other = builder().build().unwrap();
        let job = other.spawn_blocking(|| AT_END.set(Some(ends)));
        drop(other.block_on(job));
    });
}

/// Calls `cause`, and expects that a hook drops the runtime.
#[track_caller]
fn assert_hook_ends(
    set: impl FnOnce(Builder, Box<dyn Fn() + Send + Sync>) -> Builder,
    cause: impl FnOnce(&Handle),
) {
    let place = Arc::new(Mutex::new(None::<Ends>));
    let hook = Arc::clone(&place);
    let take = Box::new(move || {
        let ends = hook.lock().unwrap().take();
        drop(ends);
    });
    let runtime = set(builder(), take).build().unwrap();
    let handle = runtime.handle().clone();
    let (report, reported) = channel();
    let runtime = Some(runtime);
    *place.lock().unwrap() = Some(Ends { runtime, report });
    cause(&handle);
    let took = reported.recv_timeout(SOON);
    assert!(took.is_ok(), "the drop waits for the hook");
}

#[test]
fn hooks_end_the_runtime() {
    let spawns = |handle: &Handle| handle.spawn(async {}).detach();
    let joins = |handle: &Handle| drop(handle.spawn(async {}).join());
    assert_hook_ends(|builder, hook| builder.on_thread_park(hook), spawns);
    assert_hook_ends(
        |builder, hook| builder.on_thread_unpark(hook),
        |handle| {
            // The workers sleep after this pause.
            thread::sleep(Duration::from_millis(50));
            handle.spawn(async {}).detach();
        },
    );
    for cause in [spawns as fn(&Handle), joins] {
        assert_hook_ends(
            |builder, hook| builder.on_task_spawn(move |_| hook()),
            cause,
        );
        assert_hook_ends(
            |builder, hook| builder.on_task_terminate(move |_| hook()),
            cause,
        );
        assert_hook_ends(|builder, hook| builder.before_poll(move |_| hook()), cause);
        assert_hook_ends(|builder, hook| builder.after_poll(move |_| hook()), cause);
    }
}

#[test]
fn hooks_of_blocking_threads_end_the_runtime() {
    let job = |handle: &Handle| handle.spawn_blocking(|| ()).detach();
    assert_hook_ends(|builder, hook| builder.on_blocking_thread_start(hook), job);
    assert_hook_ends(
        |builder, hook| {
            let builder = builder.thread_keep_alive(Duration::from_millis(1));
            builder.on_blocking_thread_stop(hook)
        },
        job,
    );
}

#[test]
fn orphan_hook_ends_the_runtime() {
    let orphans = |builder: Builder, hook: Box<dyn Fn() + Send + Sync>| {
        let builder = builder.orphans(OrphanPolicy::Cancel);
        builder.on_orphan(move |_| hook())
    };
    assert_hook_ends(orphans, |handle| {
        handle.spawn(std::future::pending::<()>()).detach();
    });
    // This thread drops the last waker.
    let (send, wakers) = channel();
    assert_hook_ends(orphans, |handle| {
        let waits = std::future::poll_fn(move |cx| {
            let _ = send.send(cx.waker().clone());
            std::task::Poll::<()>::Pending
        });
        handle.spawn(waits).detach();
        let waker = wakers.recv().unwrap();
        thread::sleep(Duration::from_millis(20));
        drop(waker);
    });
}
