//! A million timers at once.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::task::{Context, Wake, Waker};
use std::time::{Duration, Instant};

use crate::executor::Drives;
use crate::workload::{Describe, DriverWorkload, Run};

const TIMERS: usize = 1_000_000;

type Timer = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Timers with late deadlines are created and polled once.
pub(crate) struct InsertTimers;

impl Describe for InsertTimers {
    const NAME: &'static str = "insert a timer among 1 M";
    const ABOUT: &'static str = "sleeps of 60 to 160 s in random order, created and polled";
    const HEAVY: bool = true;
}

impl DriverWorkload for InsertTimers {
    fn prepare<E: Drives>(executor: &E) -> Run {
        let executor = executor.clone();
        Box::new(move |costs| {
            executor.block_on(async {
                let start = Instant::now();
                let timers = insert_far::<E>();
                costs.push(start.elapsed().as_secs_f64() / TIMERS as f64);
                drop(timers);
            });
        })
    }
}

/// Timers are dropped before their deadlines.
pub(crate) struct CancelTimers;

impl Describe for CancelTimers {
    const NAME: &'static str = "cancel a timer among 1 M";
    const ABOUT: &'static str = "the same sleeps, dropped";
    const HEAVY: bool = true;
}

impl DriverWorkload for CancelTimers {
    fn prepare<E: Drives>(executor: &E) -> Run {
        let executor = executor.clone();
        Box::new(move |costs| {
            executor.block_on(async {
                let timers = insert_far::<E>();
                let start = Instant::now();
                drop(timers);
                costs.push(start.elapsed().as_secs_f64() / TIMERS as f64);
            });
        })
    }
}

fn insert_far<E: Drives>() -> Vec<Timer> {
    insert::<E>(Waker::noop(), |n| {
        // A permutation of the deadlines within 100 s, in steps of 100 µs.
        let place = n.wrapping_mul(7_368_787) % TIMERS;
        Duration::from_secs(60) + place as u32 * Duration::from_micros(100)
    })
}

fn insert<E: Drives>(waker: &Waker, due: impl Fn(usize) -> Duration) -> Vec<Timer> {
    let mut cx = Context::from_waker(waker);
    let timer = |n| {
        let mut timer: Timer = Box::pin(E::sleep(due(n)));
        assert!(timer.as_mut().poll(&mut cx).is_pending());
        timer
    };
    (0..TIMERS).map(timer).collect()
}

/// Timers with deadlines within 100 ms.
pub(crate) struct FireTimers;

impl Describe for FireTimers {
    const NAME: &'static str = "fire 1 M timers, per timer";
    const ABOUT: &'static str = "all due within 100 ms: processor time of the process per timer";
    const HEAVY: bool = true;
}

/// A waker that counts down, and sends a message at zero.
struct Fired {
    left: AtomicUsize,
    done: Sender<()>,
}

impl Wake for Fired {
    fn wake(self: Arc<Self>) {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.done.send(()).expect("the receiver exists");
        }
    }
}

impl DriverWorkload for FireTimers {
    fn prepare<E: Drives>(executor: &E) -> Run {
        let executor = executor.clone();
        Box::new(move |costs| {
            let (done, all_done) = mpsc::channel();
            let left = AtomicUsize::new(TIMERS);
            let waker = Waker::from(Arc::new(Fired { left, done }));
            executor.block_on(async {
                // All timers must be registered before the first deadline, also on a busy machine.
                let start = Instant::now();
                drop(insert_far::<E>());
                let due = Instant::now() + 3 * start.elapsed() + Duration::from_millis(300);
                let timers = insert::<E>(&waker, |n| {
                    let spread = n as u32 % 1000 * Duration::from_micros(100);
                    due.saturating_duration_since(Instant::now()) + spread
                });
                let before = processor_time();
                // This thread sleeps, because polling the counter would take a third of the
                // processor time.
                all_done.recv().expect("the last timer sends");
                costs.push((processor_time() - before) / TIMERS as f64);
                drop(timers);
            });
        })
    }
}

/// Returns the processor time of all threads of the process, in seconds.
#[cfg(target_os = "linux")]
fn processor_time() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

#[cfg(not(target_os = "linux"))]
fn processor_time() -> f64 {
    use std::sync::LazyLock;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}
