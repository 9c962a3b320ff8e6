//! Reports of runtimes that make no progress.

use std::future::pending;
use std::net::{Ipv4Addr, UdpSocket};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use volt::runtime::{StuckCause, StuckReport};
use volt::task::yield_now;
use volt::time::sleep;
use volt::{Builder, Runtime};

const LIMIT: Duration = Duration::from_millis(80);
const LONG: Duration = Duration::from_millis(400);
const TIMEOUT: Duration = Duration::from_secs(10);

fn reporting(builder: Builder) -> (Builder, Receiver<StuckReport>) {
    let (send, reports) = channel();
    let report = move |report| send.send(report).unwrap();
    (builder.dump_when_stuck(LIMIT, report), reports)
}

fn watched(workers: usize) -> (Runtime, Receiver<StuckReport>) {
    let (builder, reports) = reporting(Builder::new().worker_threads(workers));
    (builder.build().unwrap(), reports)
}

/// Asserts that nothing is reported for some limits, and until the runtime is dropped.
fn assert_quiet(runtime: Runtime, reports: &Receiver<StuckReport>) {
    if let Ok(report) = reports.recv_timeout(LONG) {
        panic!("{report}");
    }
    drop(runtime);
    assert!(reports.recv().is_err());
}

/// A task in one poll that ends only when the sender sends or is dropped.
///
/// A poll of a fixed length may end before a thread on a busy machine looks at it.
fn blocked_poll(runtime: &Runtime) -> (volt::JoinHandle<()>, Sender<()>) {
    let (end, ended) = channel();
    let task = runtime.handle().spawn_named("blocker", async move {
        let _ = ended.recv();
    });
    (task, end)
}

#[test]
fn long_poll_is_reported_once_with_its_task() {
    let (runtime, reports) = watched(2);
    let begin = Instant::now();
    let (blocker, end) = blocked_poll(&runtime);
    let report = reports.recv_timeout(TIMEOUT).unwrap();
    assert!(begin.elapsed() >= LIMIT);
    assert_eq!(report.cause, StuckCause::LongPoll(blocker.id()));
    let text = report.to_string();
    let first = format!("stuck: a poll of task {} takes over 80 ms\n", blocker.id());
    assert!(text.starts_with(&first), "{text}");
    assert!(text.contains("\"blocker\": running for "), "{text}");
    assert!(reports.recv_timeout(LONG).is_err());
    drop(end);
    runtime.block_on(blocker).unwrap();
    assert_quiet(runtime, &reports);
}

#[test]
fn next_long_poll_is_reported_too() {
    let (runtime, reports) = watched(1);
    let (end, ended) = channel();
    let task = runtime.spawn(async move {
        while ended.recv().is_ok() {
            yield_now().await;
        }
    });
    for _ in 0..2 {
        let report = reports.recv_timeout(TIMEOUT).unwrap();
        assert_eq!(report.cause, StuckCause::LongPoll(task.id()));
        end.send(()).unwrap();
    }
    drop(end);
    runtime.block_on(task).unwrap();
}

#[test]
fn tasks_without_a_wakeup_are_reported_once() {
    let (runtime, reports) = watched(2);
    let (waits, other) = (
        runtime.spawn(pending::<()>()),
        runtime.spawn(pending::<()>()),
    );
    let report = reports.recv_timeout(TIMEOUT).unwrap();
    assert_eq!(report.cause, StuckCause::NoWakeup);
    assert_eq!(report.dump.tasks().len(), 2);
    assert!(matches!(
        reports.recv_timeout(LONG),
        Err(RecvTimeoutError::Timeout)
    ));
    // The next standstill is reported again.
    runtime.block_on(runtime.spawn(yield_now())).unwrap();
    assert_eq!(
        reports.recv_timeout(TIMEOUT).unwrap().cause,
        StuckCause::NoWakeup
    );
    drop((waits, other));
}

#[test]
fn runtime_without_tasks_is_not_stuck() {
    let (runtime, reports) = watched(2);
    assert_quiet(runtime, &reports);
}

#[test]
fn task_in_a_timer_is_not_stuck() {
    let (runtime, reports) = watched(2);
    let _task = runtime.spawn(sleep(TIMEOUT));
    assert_quiet(runtime, &reports);
}

#[test]
fn task_in_a_read_is_not_stuck() {
    let (runtime, reports) = watched(2);
    let _task = runtime.spawn(async {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        socket.set_nonblocking(true).unwrap();
        let socket = volt::net::UdpSocket::from_std(socket).unwrap();
        socket.recv_from(&mut [0]).await
    });
    assert_quiet(runtime, &reports);
}

#[test]
fn task_awaiting_a_job_is_not_stuck() {
    let (runtime, reports) = watched(2);
    let task = runtime.spawn(async {
        volt::spawn_blocking(|| thread::sleep(2 * LONG))
            .await
            .unwrap();
    });
    assert_quiet(runtime, &reports);
    drop(task);
}

#[test]
fn busy_runtime_is_not_stuck() {
    let (runtime, reports) = watched(1);
    let _task = runtime.spawn(async {
        loop {
            thread::sleep(LIMIT / 20);
            yield_now().await;
        }
    });
    assert_quiet(runtime, &reports);
}

#[test]
fn local_runtime_outside_of_block_on_is_not_stuck() {
    let (builder, reports) = reporting(Builder::new());
    let runtime = builder.build_local().unwrap();
    let _task = runtime.spawn_local(pending::<()>());
    runtime.block_on(yield_now());
    assert!(reports.recv_timeout(LONG).is_err());
    let task = runtime.spawn_local(async move {
        let report = reports.recv_timeout(TIMEOUT).unwrap();
        assert!(matches!(report.cause, StuckCause::LongPoll(_)), "{report}");
    });
    runtime.block_on(task).unwrap();
}

#[test]
fn panicking_report_does_not_end_the_next() {
    let (send, reports) = channel();
    let runtime = Builder::new().worker_threads(1).build().unwrap();
    let show = move |_: StuckReport| {
        send.send(()).unwrap();
        std::panic::panic_any("on purpose");
    };
    runtime.handle().dump_when_stuck(LIMIT, show).unwrap();
    for _ in 0..2 {
        let (task, end) = blocked_poll(&runtime);
        reports.recv_timeout(TIMEOUT).unwrap();
        drop(end);
        runtime.block_on(task).unwrap();
    }
}
