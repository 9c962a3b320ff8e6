//! Signals: who hears of them, and who does not.
#![cfg(all(feature = "signal", unix, not(miri)))]

use std::future::Future;
use std::io::{self, ErrorKind};
use std::os::unix::process::CommandExt;
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};
use std::time::Duration;

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

/// A signal belongs to the whole process: tests that raise the same one take turns.
fn interrupts() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

const LONG: Duration = Duration::from_secs(10);
const SOON: Duration = Duration::from_millis(30);

async fn comes(signal: &mut Signal) -> bool {
    timeout(LONG, signal.recv())
        .await
        .is_ok_and(|it| it.is_ok())
}

async fn stays_away(signal: &mut Signal) -> bool {
    timeout(SOON, signal.recv()).await.is_err()
}

#[test]
fn signal_is_heard_by_all_of_two_runtimes() {
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
                assert!(comes(&mut listener).await);
                assert!(stays_away(&mut listener).await, "many count as one");
            });
        }
    }
}

#[test]
fn task_that_waits_is_woken_each_time() {
    let runtime = runtime();
    runtime.block_on(async {
        let mut listener = signal(SignalKind::user_defined2()).expect("a listener");
        let (send, heard) = std::sync::mpsc::channel();
        let task = volt::spawn(async move {
            for _ in 0..5 {
                listener.recv().await?;
                send.send(()).expect("somebody counts");
            }
            io::Result::Ok(())
        });
        for _ in 0..5 {
            sleep(Duration::from_millis(2)).await;
            raise(SignalKind::user_defined2().as_raw_value()).expect("raised");
            heard.recv_timeout(LONG).expect("heard");
        }
        task.await.expect("no panic").expect("heard");
    });
}

#[test]
fn signal_without_listeners_left_does_nothing() {
    let runtime = runtime();
    let _entered = runtime.enter();
    drop(signal(SignalKind::hangup()).expect("a listener"));
    raise(SignalKind::hangup().as_raw_value()).expect("raised");
    let mut listener = signal(SignalKind::hangup()).expect("a listener");
    assert!(runtime.block_on(stays_away(&mut listener)));
}

#[test]
fn listeners_hear_their_signal_only() {
    let runtime = runtime();
    runtime.block_on(async {
        let mut alarm = signal(SignalKind::alarm()).expect("a listener");
        let mut window = signal(SignalKind::window_change()).expect("a listener");
        raise(SignalKind::window_change().as_raw_value()).expect("raised");
        assert!(comes(&mut window).await);
        assert!(stays_away(&mut alarm).await);
        assert_eq!(
            alarm.kind(),
            SignalKind::from(i32::from(SignalKind::alarm()))
        );
    });
}

#[test]
fn signal_that_cannot_be_caught_is_an_error() {
    let runtime = runtime();
    let _entered = runtime.enter();
    for &number in FORBIDDEN
        .iter()
        .chain(&[i32::MIN, -1, 0, 100, 128, i32::MAX])
    {
        let refused = signal(SignalKind::from_raw(number)).expect_err("nobody can catch it");
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
            .expect("it came")
            .expect("heard");
        // The same future waits for the next one.
        assert!(timeout(SOON, stop.as_mut()).await.is_err());
        raise(SIGINT).expect("raised");
        timeout(LONG, stop).await.expect("it came").expect("heard");
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

/// Polls for a while.
async fn polled<F: Future>(future: F) -> Option<F::Output> {
    timeout(SOON, future).await.ok()
}

/// The child raises the signal between the fork and its own program.
#[test]
fn signal_of_a_fork_is_not_heard_in_the_parent() {
    const URGENT: SignalKind = SignalKind::from_raw(SIGURG);
    let runtime = runtime();
    let _entered = runtime.enter();
    let mut listener = signal(URGENT).expect("a listener");
    let mut waits = Box::pin(async { stays_away(&mut listener).await });
    let waiting = waits.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    assert!(waiting.is_pending());
    let mut child = std::process::Command::new("true");
    // SAFETY: `raise` and the handler may be called after a fork.
    unsafe { child.pre_exec(|| raise(SIGURG)) };
    assert!(child.status().expect("it ran").success());
    assert!(runtime.block_on(waits));
    raise(SIGURG).expect("raised");
    assert!(runtime.block_on(comes(&mut listener)));
}
