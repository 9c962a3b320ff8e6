//! Sleeps on a driver that another thread waits in.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use futures_lite::future::{block_on, poll_once};

use super::{Sleep, sleep, sleep_until};
use crate::driver::{DriverThread, Timer};
use crate::runtime::context;

const HOUR: Duration = Duration::from_secs(3_600);

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

/// Waits until a condition holds, which another thread changes.
fn eventually(mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(
            start.elapsed() < Duration::from_secs(10),
            "the condition does not hold"
        );
        std::thread::sleep(Duration::from_micros(200));
    }
}

#[test]
fn sleep_is_ready_on_time_and_again_after() {
    let driver = DriverThread::start();
    let _entered = context::enter(driver.handle());
    let start = Instant::now();
    let mut sleep = sleep(Duration::from_millis(5));
    block_on(&mut sleep);
    assert!(start.elapsed() >= Duration::from_millis(5));
    block_on(&mut sleep);
    assert!(sleep.is_elapsed());
}

#[test]
fn elapsed_sleep_needs_no_runtime() {
    block_on(sleep(Duration::ZERO));
    block_on(sleep_until(Instant::now()));
}

#[test]
fn pending_sleep_outside_a_runtime_panics() {
    let polled = std::panic::catch_unwind(|| block_on(sleep(HOUR)));
    let payload = polled.expect_err("there is no runtime");
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or(payload.downcast_ref::<&str>().copied());
    assert!(text.is_some_and(|text| text.contains("no volt runtime")));
}

#[test]
fn unpolled_sleep_has_no_timer() {
    let driver = DriverThread::start();
    let _entered = context::enter(driver.handle());
    let mut sleep = sleep(HOUR);
    assert_eq!(driver.handle().timers(), 0);
    assert!(block_on(poll_once(&mut sleep)).is_none());
    assert_eq!(driver.handle().timers(), 1);
    drop(sleep);
    assert_eq!(driver.handle().timers(), 0);
}

#[test]
fn endless_sleep_waits_and_keeps_its_waker() {
    let driver = DriverThread::start();
    let _entered = context::enter(driver.handle());
    let (waits, waker) = counted();
    let mut sleep = sleep(Duration::MAX);
    assert_eq!(sleep.deadline(), None);
    let polled = std::pin::Pin::new(&mut sleep).poll(&mut Context::from_waker(&waker));
    assert!(polled.is_pending());
    drop(waker);
    assert_eq!(
        Arc::strong_count(&waits),
        2,
        "the sleep does not store the waker"
    );
    drop(sleep);
    assert_eq!(Arc::strong_count(&waits), 1);
}

#[test]
fn near_sleep_after_far_sleep_is_on_time() {
    let driver = DriverThread::start();
    let _entered = context::enter(driver.handle());
    let mut far = sleep(HOUR);
    assert!(block_on(poll_once(&mut far)).is_none());
    std::thread::sleep(Duration::from_millis(20));
    let start = Instant::now();
    block_on(sleep(Duration::from_millis(1)));
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn reset_moves_a_pending_sleep() {
    let driver = DriverThread::start();
    let handle = driver.handle();
    let _entered = context::enter(handle.clone());
    handle.pause();
    let start = handle.now();
    let (wakes, waker) = counted();
    let mut cx = Context::from_waker(&waker);
    let mut sleep = sleep(HOUR);
    let mut poll = |sleep: &mut Sleep| pin!(sleep).poll(&mut cx);
    assert_eq!(poll(&mut sleep), Poll::Pending);

    sleep.reset(start + HOUR / 4);
    handle.advance(HOUR / 4);
    eventually(|| wakes.0.load(Ordering::SeqCst) == 1);

    sleep.reset(start + HOUR);
    assert_eq!(poll(&mut sleep), Poll::Pending);
    sleep.reset(start + 2 * HOUR);
    handle.advance(HOUR);
    eventually(|| wakes.0.load(Ordering::SeqCst) == 2);
    assert_eq!(poll(&mut sleep), Poll::Pending, "an early wake");
    handle.advance(HOUR);
    eventually(|| wakes.0.load(Ordering::SeqCst) == 3);
    assert_eq!(poll(&mut sleep), Poll::Ready(()));
    assert_eq!(handle.timers(), 0);
}

#[test]
fn moved_sleep_wakes_the_last_polling_task() {
    let driver = DriverThread::start();
    let handle = driver.handle();
    let _entered = context::enter(handle.clone());
    handle.pause();
    let ((one, first), (two, second)) = (counted(), counted());
    let mut sleep = sleep(HOUR);
    for waker in [&first, &first, &second] {
        let polled = pin!(&mut sleep).poll(&mut Context::from_waker(waker));
        assert!(polled.is_pending());
    }
    assert_eq!(Arc::strong_count(&one), 2);
    handle.advance(HOUR);
    eventually(|| two.0.load(Ordering::SeqCst) == 1);
    assert_eq!(one.0.load(Ordering::SeqCst), 0);
}

#[test]
fn many_sleeps_end_and_none_early() {
    const SLEEPS: u64 = 100_000;
    let driver = DriverThread::start();
    let _entered = context::enter(driver.handle());
    let sleeps = (0..SLEEPS).map(|nth| async move {
        let deadline = Instant::now() + Duration::from_micros(nth * 7_919 % 400_000);
        sleep_until(deadline).await;
        assert!(Instant::now() >= deadline, "early");
    });
    block_on(futures::future::join_all(sleeps));
    assert_eq!(driver.handle().timers(), 0);
}

#[test]
fn sleeps_on_two_threads_share_a_driver() {
    let driver = DriverThread::start();
    let threads: Vec<_> = (0..4_u64)
        .map(|nth| {
            let handle = driver.handle();
            std::thread::spawn(move || {
                let _entered = context::enter(handle);
                for round in 0..200 {
                    block_on(sleep(Duration::from_micros((nth * 37 + round * 13) % 300)));
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().expect("every sleep ended");
    }
    assert_eq!(driver.handle().timers(), 0);
}

#[test]
fn sleep_stores_its_location_without_extra_size() {
    let (deadline, timer) = (size_of::<Option<Instant>>(), size_of::<Option<Timer>>());
    assert_eq!(size_of::<Sleep>(), deadline + timer);
}
