//! Signals, and the listeners that receive them.
#![cfg(all(feature = "signal", unix, not(miri)))]

use std::future::Future;
use std::io::{self, ErrorKind};
use std::os::unix::process::CommandExt;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Wake, Waker};
use std::time::{Duration, Instant};

use signal_hook::consts::{FORBIDDEN, SIGINT, SIGURG};
use signal_hook::low_level::raise;
use volt::Runtime;
use volt::future::race;
use volt::signal::ctrl_c;
use volt::signal::unix::{Signal, SignalKind, signal};
use volt::time::{sleep, timeout};

fn runtime() -> Runtime {
    Runtime::new().expect("a runtime")
}

/// A signal is sent to the whole process, so tests that raise the same signal run one at a time.
fn interrupts() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

const LONG: Duration = Duration::from_secs(10);
const SOON: Duration = Duration::from_millis(30);

async fn arrives(signal: &mut Signal) -> bool {
    timeout(LONG, signal.recv())
        .await
        .is_ok_and(|received| received.is_ok())
}

async fn stays_away(signal: &mut Signal) -> bool {
    timeout(SOON, signal.recv()).await.is_err()
}

#[test]
fn signal_reaches_all_listeners_of_two_runtimes() {
    let runtimes = [runtime(), runtime()];
    let listening = runtimes.each_ref().map(|runtime| {
        let _entered = runtime.enter();
        [(); 3].map(|()| signal(SignalKind::user_defined1()).expect("a listener"))
    });
    for _ in 0..3 {
        raise(SignalKind::user_defined1().as_raw_value()).expect("raised");
    }
    for (runtime, listeners) in runtimes.iter().zip(listening) {
        for mut listener in listeners {
            runtime.block_on(async {
                assert!(arrives(&mut listener).await);
                assert!(
                    stays_away(&mut listener).await,
                    "several signals are reported as one"
                );
            });
        }
    }
}

#[test]
fn waiting_task_is_woken_by_each_signal() {
    let runtime = runtime();
    runtime.block_on(async {
        let mut listener = signal(SignalKind::user_defined2()).expect("a listener");
        let (send, received) = std::sync::mpsc::channel();
        let task = volt::spawn(async move {
            for _ in 0..5 {
                listener.recv().await?;
                send.send(()).expect("the test counts");
            }
            io::Result::Ok(())
        });
        for _ in 0..5 {
            sleep(Duration::from_millis(2)).await;
            raise(SignalKind::user_defined2().as_raw_value()).expect("raised");
            received.recv_timeout(LONG).expect("received");
        }
        task.await.expect("no panic").expect("received");
    });
}

/// A waker that panics.
struct Panics;

impl Wake for Panics {
    fn wake(self: Arc<Self>) {
        panic!("a waker of the test");
    }
}

#[test]
fn panic_of_a_waker_keeps_other_listeners() {
    let runtime = runtime();
    runtime.block_on(async {
        let kind = SignalKind::alarm();
        let mut listeners: Vec<_> = (0..20).map(|_| signal(kind).expect("a listener")).collect();
        let waker = Waker::from(Arc::new(Panics));
        for listener in &mut listeners[..10] {
            let polled = listener.poll_recv(&mut Context::from_waker(&waker));
            assert!(polled.is_pending());
        }
        let waiting = listeners.split_off(10);
        let waiting: Vec<_> = waiting
            .into_iter()
            .map(|mut listener| volt::spawn(async move { arrives(&mut listener).await }))
            .collect();
        sleep(SOON).await;
        let begin = Instant::now();
        raise(kind.as_raw_value()).expect("raised");
        for task in waiting {
            assert!(task.await.expect("no panic"));
        }
        // Its limit polls a listener that was not woken.
        assert!(begin.elapsed() < LONG / 2);
    });
}

#[test]
fn signal_of_a_ready_descriptor_is_received() {
    runtime().block_on(async {
        let mut listener = signal(SignalKind::io()).expect("a listener");
        raise(SignalKind::io().as_raw_value()).expect("raised");
        assert!(arrives(&mut listener).await);
    });
}

#[test]
fn signal_without_listeners_is_ignored() {
    let runtime = runtime();
    let _entered = runtime.enter();
    drop(signal(SignalKind::hangup()).expect("a listener"));
    raise(SignalKind::hangup().as_raw_value()).expect("raised");
    let mut listener = signal(SignalKind::hangup()).expect("a listener");
    assert!(runtime.block_on(stays_away(&mut listener)));
}

#[cfg(target_os = "linux")]
fn descriptors() -> usize {
    let open = std::fs::read_dir("/proc/self/fd").expect("Linux has it");
    open.count()
}

/// Other tests of this file open descriptors at the same time, so the limit is a part of the number
/// of listeners.
#[cfg(target_os = "linux")]
#[test]
fn listeners_share_descriptors() {
    const COUNT: usize = 3000;
    let runtime = runtime();
    runtime.block_on(async {
        let before = descriptors();
        let kind = SignalKind::from_raw(signal_hook::consts::SIGIO);
        let listeners = [(); COUNT].map(|()| signal(kind).expect("a listener"));
        let taken = descriptors().saturating_sub(before);
        assert!(taken < COUNT / 10, "{taken} descriptors");
        let waiting: Vec<_> = listeners
            .into_iter()
            .map(|mut listener| volt::spawn(async move { listener.recv().await }))
            .collect();
        sleep(SOON).await;
        raise(kind.as_raw_value()).expect("raised");
        for task in waiting {
            let received = timeout(LONG, task).await.expect("a signal");
            received.expect("no panic").expect("received");
        }
    });
}

#[test]
fn listeners_in_many_runtimes_receive_signals() {
    let kind = SignalKind::from_raw(signal_hook::consts::SIGTTOU);
    // Without a listener, this signal stops the process.
    let first = runtime();
    let _kept = {
        let _entered = first.enter();
        signal(kind).expect("a listener")
    };
    let threads: Vec<_> = (0..8)
        .map(|at| {
            std::thread::spawn(move || {
                let receive_all = |mut listener: Signal| async move {
                    for _ in 0..20 {
                        assert!(arrives(&mut listener).await);
                    }
                };
                if at % 2 == 0 {
                    let runtime = runtime();
                    runtime
                        .block_on(async { receive_all(signal(kind).expect("a listener")).await });
                } else {
                    let runtime = volt::LocalRuntime::new().expect("a runtime");
                    runtime
                        .block_on(async { receive_all(signal(kind).expect("a listener")).await });
                }
            })
        })
        .collect();
    while threads.iter().any(|thread| !thread.is_finished()) {
        raise(kind.as_raw_value()).expect("raised");
        std::thread::sleep(Duration::from_millis(1));
    }
    for thread in threads {
        thread.join().expect("all signals came");
    }
}

#[test]
fn listener_of_an_ended_runtime_fails() {
    let first = runtime();
    let mut listener = {
        let _entered = first.enter();
        signal(SignalKind::pipe()).expect("a listener")
    };
    let second = runtime();
    let waiting = second.spawn(async move {
        let error = listener.recv().await.expect_err("its runtime has ended");
        (listener, error)
    });
    std::thread::sleep(SOON);
    drop(first);
    let (mut listener, _) = second.block_on(waiting).expect("no panic");
    second
        .block_on(listener.recv())
        .expect_err("its runtime has ended");
}

#[test]
fn listener_receives_its_signal_only() {
    let runtime = runtime();
    runtime.block_on(async {
        let mut alarm = signal(SignalKind::alarm()).expect("a listener");
        let mut window = signal(SignalKind::window_change()).expect("a listener");
        raise(SignalKind::window_change().as_raw_value()).expect("raised");
        assert!(arrives(&mut window).await);
        assert!(stays_away(&mut alarm).await);
        assert_eq!(
            alarm.kind(),
            SignalKind::from(i32::from(SignalKind::alarm()))
        );
    });
}

#[test]
fn uncatchable_signal_is_an_error() {
    let runtime = runtime();
    let _entered = runtime.enter();
    for &number in FORBIDDEN
        .iter()
        .chain(&[i32::MIN, -1, 0, 100, 128, i32::MAX])
    {
        let refused =
            signal(SignalKind::from_raw(number)).expect_err("the signal cannot be caught");
        assert_eq!(refused.kind(), ErrorKind::InvalidInput, "{number}");
    }
}

#[test]
fn ctrl_c_counts_from_its_call() {
    let _turn = interrupts();
    let stop = ctrl_c();
    raise(SIGINT).expect("raised");
    let runtime = runtime();
    runtime.block_on(async {
        let mut stop = pin!(stop);
        timeout(LONG, stop.as_mut())
            .await
            .expect("in time")
            .expect("received");
        // The same future waits for the next signal.
        assert!(timeout(SOON, stop.as_mut()).await.is_err());
        raise(SIGINT).expect("raised");
        timeout(LONG, stop)
            .await
            .expect("in time")
            .expect("received");
    });
}

#[volt::state_machine(explicit)]
async fn until_stopped(mut hangup: Signal) -> io::Result<u32> {
    let mut count: u32 = 0;
    while count < 3 {
        hangup.recv().await?;
        count += 1;
        raise(SIGINT)?;
    }
    Ok(count)
}

#[test]
fn machines_await_signals() {
    let _turn = interrupts();
    let runtime = runtime();
    runtime.block_on(async {
        let mut stopped = ctrl_c();
        let listener = signal(SignalKind::quit()).expect("a listener");
        let mut machine = pin!(until_stopped(listener));
        for count in 1..=3 {
            raise(SignalKind::quit().as_raw_value()).expect("raised");
            let first = race(&mut stopped, sleep_then_error());
            if count < 3 {
                assert!(polled(machine.as_mut()).await.is_none());
                first.await.expect("raised by the machine");
            }
        }
        assert_eq!(machine.await.ok(), Some(3));
    });
}

async fn sleep_then_error() -> io::Result<()> {
    sleep(LONG).await;
    Err(ErrorKind::TimedOut.into())
}

/// Polls the future for a short time.
async fn polled<F: Future>(future: F) -> Option<F::Output> {
    timeout(SOON, future).await.ok()
}

/// The child raises the signal between the fork and its program.
#[test]
fn signal_in_a_fork_is_not_reported_in_the_parent() {
    const URGENT: SignalKind = SignalKind::from_raw(SIGURG);
    let runtime = runtime();
    let _entered = runtime.enter();
    let mut listener = signal(URGENT).expect("a listener");
    let mut waits = Box::pin(async { stays_away(&mut listener).await });
    let waiting = waits.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    assert!(waiting.is_pending());
    let mut child = std::process::Command::new("true");
    // SAFETY: `raise` and the handler are async-signal-safe, so they may be called after a fork.
    unsafe { child.pre_exec(|| raise(SIGURG)) };
    assert!(child.status().expect("a status").success());
    assert!(runtime.block_on(waits));
    raise(SIGURG).expect("raised");
    assert!(runtime.block_on(arrives(&mut listener)));
}
