//! Timeouts on a driver that another thread waits in.

use std::future::{pending, ready};
use std::io;
use std::time::{Duration, Instant};

use futures_lite::future::{block_on, poll_once};

use super::{timeout, timeout_at};
use crate::driver::DriverThread;
use crate::runtime::context;
use crate::time::{Elapsed, sleep};

const HOUR: Duration = Duration::from_secs(3_600);

#[test]
fn ready_future_beats_passed_deadline() {
    assert_eq!(block_on(timeout(Duration::ZERO, ready(3))), Ok(3));
}

#[test]
fn timeout_of_pending_future_is_on_time() {
    let driver = DriverThread::start();
    let _entered = context::enter(driver.handle());
    let start = Instant::now();
    let result = block_on(timeout(Duration::from_millis(5), pending::<()>()));
    assert!(result.is_err());
    assert!(start.elapsed() >= Duration::from_millis(5));
    assert_eq!(driver.handle().timers(), 0);
}

/// On a busy machine the coarse clock may be late, so the test tries several times.
#[test]
fn late_first_poll_counts_from_the_call() {
    let driver = DriverThread::start();
    let _entered = context::enter(driver.handle());
    let is_over = |_| {
        let mut timed = timeout(Duration::from_millis(1), pending::<()>());
        std::thread::sleep(Duration::from_millis(200));
        block_on(poll_once(&mut timed)) == Some(Err(Elapsed::new()))
    };
    assert!((0..20).any(is_over));
}

#[test]
fn timeout_beyond_the_clock_waits() {
    let driver = DriverThread::start();
    let _entered = context::enter(driver.handle());
    let mut timed = timeout(Duration::MAX, pending::<()>());
    assert_eq!(block_on(poll_once(&mut timed)), None);
}

#[test]
fn future_in_time_leaves_no_timer() {
    let driver = DriverThread::start();
    let _entered = context::enter(driver.handle());
    let result = block_on(timeout(HOUR, sleep(Duration::from_millis(1))));
    assert_eq!(result, Ok(()));
    assert_eq!(driver.handle().timers(), 0);
}

#[test]
fn dropped_timeout_leaves_no_timer() {
    let driver = DriverThread::start();
    let _entered = context::enter(driver.handle());
    let mut both = Box::pin(timeout(HOUR, sleep(HOUR)));
    assert!(block_on(poll_once(&mut both)).is_none());
    assert_eq!(driver.handle().timers(), 2);
    drop(both);
    assert_eq!(driver.handle().timers(), 0);
}

#[test]
fn into_inner_returns_unfinished_future() {
    let deadline = Instant::now() + HOUR;
    let mut timed = timeout_at(deadline, ready(3));
    assert_eq!(timed.get_ref().clone().into_inner(), 3);
    *timed.get_mut() = ready(4);
    assert_eq!(timed.into_inner().into_inner(), 4);
}

#[test]
fn elapsed_converts_to_timed_out_error() {
    let error: io::Error = Elapsed::new().into();
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    assert_eq!(error.to_string(), Elapsed::new().to_string());
}

#[test]
fn time_futures_are_send_and_sync() {
    fn check<T: Send + Sync + Unpin>(_: T) {}
    check(sleep(HOUR));
    check(timeout(HOUR, ready(())));
}
