//! Failures of dumps on a signal. `dumps.rs` tests their content.
#![cfg(all(feature = "signal", unix))]

use std::io::ErrorKind;
use std::sync::mpsc::channel;
use std::time::Duration;

use signal_hook::consts::{FORBIDDEN, SIGALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGVTALRM};
use volt::Runtime;
use volt::runtime::{Dump, DumpOnSignal};
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
    dump_on(SIGUSR2).expect("the signal can be caught").stop();
    let by_kind = runtime.handle().dump_on_signal(SignalKind::alarm(), drop);
    by_kind.expect("the signal can be caught").stop();
}

#[test]
fn panicking_callback_keeps_later_dumps() {
    let runtime = runtime();
    let (send, dumps) = channel();
    let show = move |_: Dump| {
        send.send(()).unwrap();
        panic!("shown");
    };
    runtime.handle().dump_on_signal(SIGUSR1, show).unwrap();
    for _ in 0..3 {
        signal_hook::low_level::raise(SIGUSR1).unwrap();
        dumps.recv_timeout(Duration::from_secs(10)).unwrap();
    }
}

#[test]
fn dumps_stopped_in_their_callback_end() {
    let runtime = runtime();
    let ((give, given), (send, dumps)) = (channel(), channel());
    let show = move |_: Dump| {
        let dumps: DumpOnSignal = given.recv().unwrap();
        dumps.stop();
        send.send(()).unwrap();
    };
    let stopped = runtime.handle().dump_on_signal(SIGALRM, show).unwrap();
    give.send(stopped).unwrap();
    signal_hook::low_level::raise(SIGALRM).unwrap();
    dumps.recv_timeout(Duration::from_secs(10)).unwrap();
    assert!(dumps.recv().is_err(), "the thread of the dumps has ended");
}

#[test]
fn dumps_of_a_builder_end_with_the_runtime() {
    let (send, dumps) = channel();
    let show = move |_: Dump| send.send(()).unwrap();
    let runtime = Runtime::builder()
        .worker_threads(1)
        .dump_on_signal(SIGPROF, show);
    let runtime = runtime.build().unwrap();
    for _ in 0..2 {
        signal_hook::low_level::raise(SIGPROF).unwrap();
        dumps.recv_timeout(Duration::from_secs(10)).unwrap();
    }
    drop(runtime);
    assert!(dumps.recv().is_err(), "the thread of the dumps has ended");
}

#[test]
fn builder_returns_the_error_of_its_signal() {
    let runtime = Runtime::builder().dump_on_signal(SignalKind::from_raw(FORBIDDEN[0]), drop);
    let refused = runtime.build().expect_err("the signal cannot be caught");
    assert_eq!(refused.kind(), ErrorKind::InvalidInput);
}

#[test]
fn dropped_result_keeps_the_dumps() {
    let runtime = runtime();
    let (send, dumps) = channel();
    let show = move |_: Dump| send.send(()).unwrap();
    let _ = runtime.handle().dump_on_signal(SIGVTALRM, show).unwrap();
    signal_hook::low_level::raise(SIGVTALRM).unwrap();
    dumps.recv_timeout(Duration::from_secs(10)).unwrap();
}
