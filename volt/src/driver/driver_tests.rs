//! Tests of the driver with the real system.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Wake, Waker};
use std::thread;
use std::time::{Duration, Instant};

use super::{Driver, DriverHandle};
use crate::driver::{Direction, Registration, Timer};

/// Long enough to differ from an immediate return on a busy machine.
const LONG: Duration = Duration::from_millis(200);

struct Counted(AtomicUsize);

impl Wake for Counted {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

fn counted() -> (Arc<Counted>, Waker) {
    let counted = Arc::new(Counted(AtomicUsize::new(0)));
    (Arc::clone(&counted), Waker::from(counted))
}

impl Counted {
    fn calls(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

fn driver() -> (Driver, DriverHandle) {
    Driver::new().expect("the system grants three descriptors")
}

fn timer(handle: &DriverHandle, left: Duration, waker: &Waker) -> Timer {
    Timer::new(handle.clone(), Some(handle.now() + left), waker)
}

/// Waits once; returns the number of polls of the system, and the duration.
fn waited(driver: &mut Driver) -> (u64, Duration) {
    let start = Instant::now();
    driver.wait();
    (driver.polls, start.elapsed())
}

#[test]
fn unpark_before_wait_is_remembered() {
    let (mut driver, handle) = driver();
    handle.unpark();
    handle.unpark();
    driver.wait();
    handle.unpark();
    driver.turn();
    driver.wait();
}

#[test]
fn unpark_ends_a_wait_on_another_thread() {
    let (mut driver, handle) = driver();
    let waits = thread::spawn(move || driver.wait());
    thread::sleep(LONG / 4);
    handle.unpark();
    waits.join().expect("the wait ended");
}

#[test]
fn each_unpark_ends_a_wait() {
    let (mut driver, handle) = driver();
    let (there, back) = std::sync::mpsc::channel();
    let waits = thread::spawn(move || {
        for _ in 0..2_000 {
            driver.wait();
            there.send(()).expect("the test waits");
        }
    });
    for _ in 0..2_000 {
        handle.unpark();
        back.recv_timeout(Duration::from_secs(10))
            .expect("a lost unpark");
    }
    waits.join().expect("the driver ran");
}

#[test]
fn timer_fires_once_and_never_early() {
    let (mut driver, handle) = driver();
    let (fired, waker) = counted();
    let start = Instant::now();
    let _timer = timer(&handle, Duration::from_millis(3), &waker);
    while fired.calls() == 0 {
        driver.wait();
    }
    assert!(start.elapsed() >= Duration::from_millis(3));
    driver.turn();
    assert_eq!((fired.calls(), handle.timers()), (1, 0));
}

#[test]
fn driver_counts_fired_timers_for_the_length_of_waits() {
    let (mut driver, handle) = driver();
    driver.shared.clock.pause();
    let (fired, waker) = counted();
    let soon = Duration::from_millis(1);
    let _timers: Vec<_> = (0..100).map(|_| timer(&handle, soon, &waker)).collect();
    driver.turn();
    assert!(!driver.firing_rate.is_dense(driver.shared.clock.tick()));
    driver.shared.clock.advance(soon);
    driver.turn();
    assert_eq!(fired.calls(), 100);
    assert!(driver.firing_rate.is_dense(driver.shared.clock.tick()));
}

#[test]
fn earlier_timer_behind_a_far_one_interrupts_the_wait() {
    let (mut driver, handle) = driver();
    let ((_, far), (fired, near)) = (counted(), counted());
    let _far = timer(&handle, Duration::from_secs(3_600), &far);
    let waits = thread::spawn(move || {
        while fired.calls() == 0 {
            driver.wait();
        }
        (fired.calls(), driver)
    });
    thread::sleep(LONG / 4);
    let start = Instant::now();
    let near = timer(&handle, Duration::from_millis(1), &near);
    // The driver outlives the timer, which cannot be created without one.
    let (calls, _driver) = waits.join().expect("the wait ended");
    assert_eq!(calls, 1);
    assert!(start.elapsed() < LONG, "fired after {:?}", start.elapsed());
    drop(near);
}

#[test]
fn wait_without_timers_makes_one_system_call() {
    let (mut driver, handle) = driver();
    let waits = thread::spawn(move || waited(&mut driver));
    thread::sleep(2 * LONG);
    handle.unpark();
    let (polls, lasted) = waits.join().expect("the wait ended");
    assert!(polls == 1 && lasted >= LONG, "{polls} polls, {lasted:?}");
}

#[test]
fn far_timer_lets_the_driver_sleep() {
    let (mut driver, handle) = driver();
    let (_, waker) = counted();
    let _far = timer(&handle, Duration::from_secs(100_000), &waker);
    let _never = Timer::new(handle.clone(), None, &waker);
    let waits = thread::spawn(move || waited(&mut driver));
    thread::sleep(2 * LONG);
    handle.unpark();
    let (polls, lasted) = waits.join().expect("the wait ended");
    assert!(polls == 1 && lasted >= LONG, "{polls} polls, {lasted:?}");
}

#[test]
fn dropped_timer_ends_no_later_wait() {
    let (mut driver, handle) = driver();
    let (fired, waker) = counted();
    drop(timer(&handle, Duration::from_millis(20), &waker));
    assert_eq!((handle.timers(), Arc::strong_count(&fired)), (0, 2));
    let start = Instant::now();
    let unparks = thread::spawn(move || {
        thread::sleep(LONG);
        handle.unpark();
    });
    driver.wait();
    assert!(start.elapsed() >= LONG, "the wait ended without cause");
    unparks.join().expect("the unpark ran");
}

#[test]
fn hundred_thousand_timers_all_fire() {
    const TIMERS: u64 = 100_000;
    let (mut driver, handle) = driver();
    let (fired, waker) = counted();
    let timers: Vec<_> = (0..TIMERS)
        .map(|nth| timer(&handle, Duration::from_micros(nth * 7919 % 300_000), &waker))
        .collect();
    let waits = thread::spawn(move || {
        while fired.calls() < timers.len() {
            driver.wait();
        }
        driver.turn();
        fired.calls() as u64
    });
    assert_eq!(waits.join().expect("every timer fired"), TIMERS);
    assert_eq!(handle.timers(), 0);
}

#[test]
fn paused_clock_fires_only_when_advanced() {
    let (mut driver, handle) = driver();
    let (fired, waker) = counted();
    handle.pause();
    let _timer = timer(&handle, Duration::from_secs(60), &waker);
    handle.advance(Duration::from_secs(59));
    driver.wait();
    assert_eq!(fired.calls(), 0);
    handle.advance(Duration::from_secs(1));
    driver.wait();
    assert_eq!(fired.calls(), 1);
}

#[test]
fn dropped_driver_wakes_timers_and_refuses_new_ones() {
    let (driver, handle) = driver();
    let (fired, waker) = counted();
    let mut waiting = timer(&handle, Duration::from_secs(60), &waker);
    drop(driver);
    assert_eq!((fired.calls(), handle.timers()), (1, 0));
    let renewed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        waiting.update(handle.now(), None, &waker);
    }));
    assert!(renewed.is_err(), "waits for a driver that is gone");
    let made = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        timer(&handle, Duration::ZERO, &waker)
    }));
    assert!(made.is_err(), "waits for a driver that is gone");
    assert_eq!(handle.timers(), 0);
}

#[test]
fn moved_timers_fire_at_expected_times() {
    let (mut driver, handle) = driver();
    let (fired, waker) = counted();
    handle.pause();
    let start = handle.now();
    let at = |secs| Some(start + Duration::from_secs(secs));
    let mut timer = Timer::new(handle.clone(), at(10), &waker);
    timer.bring_forward(at(20));
    handle.advance(Duration::from_secs(10));
    driver.wait();
    assert_eq!(fired.calls(), 1);
    timer.update(handle.now(), at(20), &waker);
    timer.bring_forward(at(15));
    handle.advance(Duration::from_secs(5));
    driver.wait();
    assert_eq!((fired.calls(), handle.timers()), (2, 0));
}

#[test]
fn renewing_with_another_waker_replaces_the_first() {
    let (mut driver, handle) = driver();
    let ((one, first), (two, second)) = (counted(), counted());
    handle.pause();
    let deadline = Some(handle.now() + Duration::from_secs(1));
    let mut timer = Timer::new(handle.clone(), deadline, &first);
    timer.update(handle.now(), deadline, &first);
    timer.update(handle.now(), deadline, &second);
    drop(first);
    assert_eq!(Arc::strong_count(&one), 1);
    handle.advance(Duration::from_secs(1));
    driver.wait();
    assert_eq!((one.calls(), two.calls()), (0, 1));
}

#[test]
#[cfg(target_os = "linux")]
fn short_timers_are_precise() {
    let (mut driver, handle) = driver();
    let mut lateness = || {
        let (fired, waker) = counted();
        let deadline = Instant::now() + Duration::from_micros(100);
        let _timer = Timer::new(handle.clone(), Some(deadline), &waker);
        while fired.calls() == 0 {
            driver.wait();
        }
        let now = Instant::now();
        assert!(now >= deadline);
        now - deadline
    };
    let mut median = || {
        let mut late = [(); 50].map(|()| lateness());
        late.sort_unstable();
        late[25]
    };
    // A busy machine delays many waits for a while. A wheel of whole milliseconds would delay each
    // by half of one on average, and a poll of whole milliseconds by nearly one.
    let medians: Vec<_> = (0..10)
        .map(|_| median())
        .take_while(|late| *late >= Duration::from_micros(300))
        .collect();
    assert!(medians.len() < 10, "late by {medians:?}");
}

#[test]
fn deregistered_descriptor_leaves_nothing_behind() {
    let (_driver, handle) = driver();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("a socket");
    let mut listener = mio::net::TcpListener::from_std(listener);
    for _ in 0..2 {
        let registration = Registration::new(handle.clone(), &mut listener);
        let registration = registration.expect("the system knows it no more");
        assert!(!handle.shared.registry.is_empty());
        registration.deregister(&mut listener);
        assert!(handle.shared.registry.is_empty());
    }
}

#[test]
fn failed_poll_fails_descriptors_but_not_timers() {
    let (mut driver, handle) = driver();
    let (fired, waker) = counted();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("a socket");
    let mut listener = mio::net::TcpListener::from_std(listener);
    let (_, source) = handle.register(&mut listener).expect("registers");
    let report = || source.ready(Direction::Read).expect("ready").check();
    driver.turn();
    report().expect("nothing has failed yet");
    driver.failure = Some(std::io::ErrorKind::InvalidInput.into());
    driver.turn();
    let refused = handle.register(&mut listener).map(drop);
    for error in [report(), refused] {
        let message = error.expect_err("no report will come").to_string();
        assert!(
            message.ends_with("the system's poll has failed"),
            "{message}"
        );
    }
    let _timer = timer(&handle, Duration::from_millis(3), &waker);
    while fired.calls() == 0 {
        driver.wait();
    }
    handle.unpark();
    driver.wait();
}
