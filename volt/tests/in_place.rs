//! `block_in_place`: blocking calls on a worker.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::channel;
use std::time::Duration;

use volt::net::UnixStream;
use volt::time::{sleep, timeout};
use volt::{Builder, Handle, LocalRuntime, Runtime, block_in_place};

const LONG: Duration = Duration::from_secs(20);

fn runtime(workers: usize, spare: usize) -> Runtime {
    let builder = Builder::new()
        .worker_threads(workers)
        .max_spare_threads(spare);
    builder.build().expect("a runtime")
}

/// The only worker blocks until a task in its queue has run.
#[test]
fn tasks_run_while_their_only_worker_blocks() {
    let runtime = runtime(1, 8);
    let blocking = runtime.spawn(async {
        let (send, sent) = channel();
        volt::spawn(async move {
            // The timer needs a thread that waits in the driver.
            sleep(Duration::from_millis(2)).await;
            send.send(7).expect("the receiver waits");
        })
        .detach();
        block_in_place(|| sent.recv_timeout(LONG))
    });
    assert_eq!(runtime.block_on(blocking).expect("no panic"), Ok(7));
    // The runtime still runs tasks.
    let next = runtime.spawn(async { 1 });
    assert_eq!(runtime.block_on(next).expect("no panic"), 1);
}

#[test]
fn many_block_at_once() {
    let runtime = runtime(2, 64);
    let (send, sent) = channel();
    let blocking: Vec<_> = (0..20)
        .map(|n| {
            let (begin, begun) = channel::<()>();
            send.send(begin).expect("kept");
            runtime.spawn(async move { block_in_place(|| begun.recv_timeout(LONG).map(|()| n)) })
        })
        .collect();
    // All tasks wait before the first is released.
    let begin: Vec<_> = sent.try_iter().collect();
    let release = runtime.spawn(async move {
        for begin in begin {
            begin.send(()).expect("the receiver waits");
        }
    });
    runtime.block_on(release).expect("no panic");
    for (n, task) in blocking.into_iter().enumerate() {
        assert_eq!(runtime.block_on(task).expect("no panic"), Ok(n));
    }
}

#[test]
fn nested_block_on_waits_for_tasks_of_its_runtime() {
    let runtime = runtime(1, 8);
    let blocking = runtime.spawn(async {
        block_in_place(|| {
            Handle::current().block_on(async {
                let other = volt::spawn(async {
                    sleep(Duration::from_millis(2)).await;
                    5
                });
                timeout(LONG, other)
                    .await
                    .expect("in time")
                    .expect("no panic")
            })
        })
    });
    assert_eq!(runtime.block_on(blocking).expect("no panic"), 5);
    // Outside of `block_in_place`, `block_on` panics.
    let refused = runtime.spawn(async {
        block_in_place(|| ());
        catch_unwind(|| Handle::current().block_on(async {})).is_err()
    });
    assert!(runtime.block_on(refused).expect("no panic"));
}

/// The driver serves the waits of the poll until the poll ends, so the shutdown takes no longer
/// than the poll.
#[test]
fn nested_block_on_ends_during_shutdown() {
    for (workers, blocked) in [(1, 1), (2, 1), (2, 2), (2, 5)] {
        let runtime = runtime(workers, 8);
        let (send, entered) = channel();
        let tasks: Vec<_> = (0..blocked)
            .map(|_| {
                let send = send.clone();
                runtime.spawn(async move {
                    block_in_place(|| {
                        send.send(()).expect("the receiver waits");
                        Handle::current().block_on(async {
                            for _ in 0..5 {
                                sleep(Duration::from_millis(10)).await;
                            }
                            read_late().await
                        })
                    })
                })
            })
            .collect();
        (0..blocked).for_each(|_| entered.recv().expect("a poll"));
        let stuck = runtime.shutdown(LONG);
        assert_eq!(stuck.tasks().len(), 0, "{workers} workers, {blocked}");
        for task in tasks {
            assert_eq!(futures::executor::block_on(task).expect("no panic"), 1);
        }
    }
}

/// A paused clock advances during such a poll, as it does before the shutdown.
#[test]
fn paused_clock_advances_during_shutdown() {
    let builder = Builder::new().worker_threads(2).start_paused(true);
    let runtime = builder.build().expect("a runtime");
    let ((send, entered), (release, released)) = (channel(), channel());
    let task = runtime.spawn(async move {
        block_in_place(|| {
            send.send(()).expect("the receiver waits");
            released.recv().expect("a release");
            Handle::current().block_on(async {
                for _ in 0..5 {
                    sleep(Duration::from_secs(3600)).await;
                }
            });
        });
    });
    entered.recv().expect("a poll");
    let releaser = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        release.send(()).expect("the receiver waits");
    });
    assert_eq!(runtime.shutdown(LONG).tasks().len(), 0);
    assert!(task.is_finished());
    releaser.join().expect("no panic");
}

/// Reads bytes that another thread writes later.
async fn read_late() -> usize {
    let (near, far) = UnixStream::pair().expect("a pair");
    let far = far.into_std().expect("a socket");
    let writer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(10));
        std::io::Write::write(&mut &far, b"x").expect("read")
    });
    let count = near.read(&mut [0; 4]).await.expect("the driver serves it");
    writer.join().expect("no panic");
    count
}

#[test]
fn block_in_place_works_without_spare_threads() {
    let runtime = runtime(1, 0);
    let blocking = runtime.spawn(async {
        let within = block_in_place(|| {
            catch_unwind(AssertUnwindSafe(|| Handle::current().block_on(async {}))).is_err()
        });
        (within, block_in_place(|| 3))
    });
    assert_eq!(runtime.block_on(blocking).expect("no panic"), (true, 3));
}

#[test]
fn panic_in_block_in_place_reaches_the_handle() {
    let runtime = runtime(1, 8);
    for _ in 0..3 {
        let blocking = runtime.spawn(async { block_in_place(|| panic!("within")) });
        assert!(runtime.block_on(blocking).expect_err("a panic").is_panic());
    }
    let next = runtime.spawn(async { block_in_place(|| 1) });
    assert_eq!(runtime.block_on(next).expect("no panic"), 1);
}

#[test]
fn block_in_place_outside_workers_calls_the_job() {
    assert_eq!(block_in_place(|| 1), 1);
    let runtime = runtime(1, 8);
    assert_eq!(runtime.block_on(async { block_in_place(|| 2) }), 2);
    let local = LocalRuntime::new().expect("a runtime");
    let task = local.spawn(async {
        let refused = block_in_place(|| catch_unwind(|| Handle::current().block_on(async {})));
        (refused.is_err(), block_in_place(|| 4))
    });
    assert_eq!(local.block_on(task).expect("no panic"), (true, 4));
    let job = runtime.handle().spawn_blocking(|| block_in_place(|| 5));
    assert_eq!(runtime.block_on(job).expect("no panic"), 5);
}
