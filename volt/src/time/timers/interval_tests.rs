//! Intervals on a paused clock.

use std::time::{Duration, Instant};

use super::MissedTickBehavior::{self, Burst, Delay, Skip};
use super::{interval, interval_at};
use crate::runtime::Builder;
use crate::time::{advance, now, sleep};

const SECOND: Duration = Duration::from_secs(1);

fn paused<F: Future>(future: F) -> F::Output {
    let runtime = Builder::new().worker_threads(1).start_paused(true).build();
    runtime.expect("a runtime").block_on(future)
}

/// Returns the times at which ticks come and at which they were due, in seconds since the first.
/// The caller waits for three and a half periods after the second tick.
fn ticks_after_a_long_wait(behavior: MissedTickBehavior) -> (Vec<f64>, Vec<f64>) {
    paused(async move {
        let start = now();
        let mut ticks = interval(SECOND);
        ticks.set_missed_tick_behavior(behavior);
        assert_eq!(ticks.missed_tick_behavior(), behavior);
        let since = |instant: Instant| instant.duration_since(start).as_secs_f64();
        let (mut came, mut due) = (Vec::new(), Vec::new());
        for nth in 0..7 {
            due.push(since(ticks.tick().await));
            came.push(since(now()));
            if nth == 1 {
                advance(3 * SECOND + SECOND / 2).await;
            }
        }
        (came, due)
    })
}

#[test]
fn burst_makes_up_for_missed_ticks() {
    let (came, due) = ticks_after_a_long_wait(Burst);
    assert_eq!(came, [0.0, 1.0, 4.5, 4.5, 4.5, 5.0, 6.0]);
    assert_eq!(due, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
}

#[test]
fn delay_restarts_period_after_missed_ticks() {
    let (came, due) = ticks_after_a_long_wait(Delay);
    assert_eq!(came, [0.0, 1.0, 4.5, 5.5, 6.5, 7.5, 8.5]);
    assert_eq!(due, [0.0, 1.0, 2.0, 5.5, 6.5, 7.5, 8.5]);
}

#[test]
fn skip_omits_missed_ticks() {
    let (came, due) = ticks_after_a_long_wait(Skip);
    assert_eq!(came, [0.0, 1.0, 4.5, 5.0, 6.0, 7.0, 8.0]);
    assert_eq!(due, [0.0, 1.0, 2.0, 5.0, 6.0, 7.0, 8.0]);
}

#[test]
fn small_lateness_is_not_a_delay() {
    let due = Instant::now();
    let after = |late| Delay.next(due, due + late, SECOND);
    assert_eq!(after(Duration::from_millis(4)), Some(due + SECOND));
    let late = Duration::from_millis(5);
    assert_eq!(after(late), Some(due + late + SECOND));
    let (late, short) = (Duration::from_micros(200), Duration::from_millis(1));
    assert_eq!(Delay.next(due, due + late, short), Some(due + late + short));
}

#[test]
fn skip_keeps_to_the_multiples_of_the_period() {
    let due = Instant::now();
    let period = Duration::from_nanos(7);
    for late in 0..50 {
        let now = due + Duration::from_nanos(late);
        let next = Skip.next(due, now, period).expect("a clock counts that");
        assert!(next > now && next <= now + period);
        assert_eq!((next - due).as_nanos() % 7, 0);
    }
}

#[test]
fn first_tick_comes_at_the_start() {
    paused(async {
        let start = now() + 5 * SECOND;
        let mut ticks = interval_at(start, SECOND);
        assert_eq!(ticks.tick().await, start);
        assert_eq!(now(), start);
        assert_eq!(ticks.tick().await, start + SECOND);
        assert_eq!(ticks.period(), SECOND);
    });
}

#[test]
fn reset_moves_the_next_tick() {
    paused(async {
        let start = now();
        let mut ticks = interval(SECOND);
        ticks.tick().await;
        sleep(SECOND / 2).await;
        ticks.reset();
        assert_eq!(ticks.tick().await, start + SECOND + SECOND / 2);
        ticks.reset_at(start + 10 * SECOND);
        assert_eq!(ticks.tick().await, start + 10 * SECOND);
        assert_eq!(ticks.tick().await, start + 11 * SECOND);
        ticks.reset_after(3 * SECOND);
        assert_eq!(ticks.tick().await, start + 14 * SECOND);
        assert_eq!(ticks.tick().await, start + 15 * SECOND);
        ticks.reset_immediately();
        assert_eq!(ticks.tick().await, start + 15 * SECOND);
        assert_eq!(ticks.tick().await, start + 16 * SECOND);
        ticks.reset_after(Duration::MAX);
        assert!(
            futures_lite::future::poll_once(ticks.tick())
                .await
                .is_none()
        );
    });
}

#[test]
fn dropped_tick_is_not_lost() {
    paused(async {
        let start = now();
        let mut ticks = interval(SECOND);
        ticks.tick().await;
        assert!(
            futures_lite::future::poll_once(ticks.tick())
                .await
                .is_none()
        );
        sleep(2 * SECOND).await;
        assert_eq!(ticks.tick().await, start + SECOND);
    });
}

#[test]
fn interval_longer_than_any_clock_ticks_once() {
    paused(async {
        let mut ticks = interval(Duration::MAX);
        ticks.tick().await;
        assert!(
            futures_lite::future::poll_once(ticks.tick())
                .await
                .is_none()
        );
    });
}

#[test]
#[should_panic(expected = "must be above zero")]
fn interval_of_zero_panics() {
    drop(interval(Duration::ZERO));
}
