//! Paused clocks: time advances only while all threads and tasks wait.

use std::time::Duration;

use shuttle::thread;

use super::{Flag, explore, runtime};
use crate::driver::Timer;
use crate::runtime::{Runtime, context, spawn};
use crate::task::{JoinHandle, yield_now};

const HOUR: Duration = Duration::from_secs(3_600);

/// A sleep that uses the driver directly, because `time` is a higher layer.
async fn sleep(time: Duration) {
    let driver = context::driver();
    let mut timer: Option<Timer> = None;
    let until = driver.now() + time;
    std::future::poll_fn(move |cx| {
        if driver.now() >= until {
            return std::task::Poll::Ready(());
        }
        match &mut timer {
            Some(timer) => timer.update(driver.now(), Some(until), cx.waker()),
            None => timer = Some(Timer::new(driver.clone(), Some(until), cx.waker())),
        }
        std::task::Poll::Pending
    })
    .await;
}

fn now() -> std::time::Instant {
    context::driver().now()
}

#[test]
fn paused_clock_advances_when_idle() {
    for workers in [1, 2] {
        explore(move || {
            let runtime = runtime(workers);
            runtime.block_on(async {
                let start = now();
                let task = spawn(sleep(2 * HOUR));
                sleep(HOUR).await;
                assert_eq!(now() - start, HOUR);
                task.await.unwrap();
                assert_eq!(now() - start, 2 * HOUR);
            });
        });
    }
}

/// Spawns a task with a timer at all times, so that the clock advances whenever it may.
fn ticks(runtime: &Runtime) -> JoinHandle<()> {
    runtime.spawn(async {
        loop {
            sleep(Duration::from_millis(1)).await;
            thread::yield_now();
        }
    })
}

#[test]
fn clock_waits_for_woken_task() {
    explore(|| {
        let runtime = runtime(2);
        let _ticks = ticks(&runtime);
        runtime.block_on(async {
            for _ in 0..2 {
                let (start, answer) = (now(), Flag::default());
                let raises = answer.clone();
                let task = spawn(async move {
                    yield_now().await;
                    raises.raise();
                    now()
                });
                answer.raised().await;
                assert_eq!(now(), start);
                assert_eq!(task.await.unwrap(), start);
            }
        });
    });
}

#[test]
fn clock_waits_for_ended_join() {
    explore(|| {
        let runtime = runtime(2);
        let _ticks = ticks(&runtime);
        let task = runtime.spawn(async {
            let ended = spawn(async {
                sleep(Duration::from_micros(300)).await;
                now()
            });
            assert_eq!(ended.join().unwrap(), now());
        });
        runtime.block_on(task).unwrap();
    });
}
