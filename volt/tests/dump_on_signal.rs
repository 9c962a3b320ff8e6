//! Failures of dumps on a signal. `dumps.rs` tests their content.
#![cfg(all(feature = "signal", unix))]

use std::io::ErrorKind;
use std::sync::mpsc::channel;
use std::time::Duration;

use signal_hook::consts::{FORBIDDEN, SIGALRM, SIGUSR1, SIGUSR2};
use volt::Runtime;
use volt::runtime::Dump;
use volt::signal::SignalKind;

fn runtime() -> Runtime {
    Runtime::builder().worker_threads(1).build().unwrap()
}

#[test]
fn dump_on_uncatchable_signal_is_an_error() {
    let runtime = runtime();
    let dump_on = |signal| runtime.handle().dump_on_signal(signal, drop);
    let none = [i32::MIN, -1, 0, 100, 127, 128, 10_000, i32::MAX];
    for &signal in FORBIDDEN.iter().chain(&none) {
        let refused = dump_on(signal).expect_err("the signal cannot be caught");
        assert_eq!(refused.kind(), ErrorKind::InvalidInput, "{signal}");
    }
    drop(dump_on(SIGUSR2).expect("the signal can be caught"));
    let by_kind = runtime.handle().dump_on_signal(SignalKind::alarm(), drop);
    drop(by_kind.expect("the signal can be caught"));
}

#[test]
fn panicking_callback_keeps_later_dumps() {
    let runtime = runtime();
    let (send, dumps) = channel();
    let show = move |_: Dump| {
        send.send(()).unwrap();
        panic!("shown");
    };
    let _guard = runtime.handle().dump_on_signal(SIGUSR1, show).unwrap();
    for _ in 0..3 {
        signal_hook::low_level::raise(SIGUSR1).unwrap();
        dumps.recv_timeout(Duration::from_secs(10)).unwrap();
    }
}

#[test]
fn guard_dropped_in_its_callback_ends_the_dumps() {
    let runtime = runtime();
    let ((give, given), (send, dumps)) = (channel(), channel());
    let show = move |_: Dump| {
        drop(given.recv().unwrap());
        send.send(()).unwrap();
    };
    let guard = runtime.handle().dump_on_signal(SIGALRM, show).unwrap();
    give.send(guard).unwrap();
    signal_hook::low_level::raise(SIGALRM).unwrap();
    dumps.recv_timeout(Duration::from_secs(10)).unwrap();
    assert!(dumps.recv().is_err(), "the thread of the dumps has ended");
}
