//! Latencies between threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::wake_signal::WakeSignal;
use crate::executor::Executor;
use crate::workload::{Describe, LATENCY, Quantile, Run, Workload};

/// The pause between two events, in which all workers fall asleep.
const PAUSE: Duration = Duration::from_micros(200);
const EVENTS: usize = 50;

/// The time from an external wake to the poll, with all workers asleep.
pub(crate) struct WakeLatency;

impl Describe for WakeLatency {
    const NAME: &'static str = "wake from another thread";
    const ABOUT: &'static str = "from the wake of an idle task, all workers asleep, to its poll";
    const SHOWN: &'static [Quantile] = LATENCY;
    const IN_README: bool = true;
}

impl Workload for WakeLatency {
    fn prepare<E: Executor>(executor: &E) -> Run {
        let executor = executor.clone();
        let (sender, receiver) = mpsc::channel();
        Box::new(move |costs| {
            let signal = Arc::new(WakeSignal::default());
            let task = executor.spawn(listen(Arc::clone(&signal), sender.clone()));
            for _ in 0..EVENTS {
                signal.wait_for_listener();
                thread::sleep(PAUSE);
                signal.send();
                costs.push(seconds(receiver.recv()));
            }
            executor.block_on(E::join(task));
        })
    }
}

async fn listen(signal: Arc<WakeSignal>, sender: Sender<Duration>) {
    for _ in 0..EVENTS {
        let waited = signal.received().await;
        sender.send(waited).expect("the receiver exists");
    }
}

/// The time from an external spawn to the first poll, with all workers asleep.
pub(crate) struct SpawnLatency;

impl Describe for SpawnLatency {
    const NAME: &'static str = "external spawn, all asleep";
    const ABOUT: &'static str = "from a spawn by a thread that is not a worker to the first poll";
    const SHOWN: &'static [Quantile] = LATENCY.split_at(2).0;
}

impl Workload for SpawnLatency {
    fn prepare<E: Executor>(executor: &E) -> Run {
        let executor = executor.clone();
        let spawns = mpsc::channel();
        Box::new(move |costs| {
            for _ in 0..EVENTS {
                costs.push(spawn_after_pause(&executor, &spawns));
            }
        })
    }
}

/// Returns the time from a spawn to the first poll of the task.
fn spawn_after_pause<E: Executor>(
    executor: &E,
    (sender, receiver): &(Sender<Duration>, Receiver<Duration>),
) -> f64 {
    thread::sleep(PAUSE);
    let (sender, at) = (sender.clone(), Instant::now());
    E::detach(executor.spawn(async move {
        sender.send(at.elapsed()).expect("the receiver exists");
    }));
    seconds(receiver.recv())
}

/// The time from an external spawn to the first poll, next to busy tasks.
pub(crate) struct BusySpawnLatency;

impl Describe for BusySpawnLatency {
    const NAME: &'static str = "external spawn, workers busy";
    const ABOUT: &'static str =
        "from the spawn to the first poll, while 8 tasks yield and work for 10 µs";
    const SHOWN: &'static [Quantile] = LATENCY;
    const NEEDS_FAIRNESS: bool = true;
}

impl Workload for BusySpawnLatency {
    fn prepare<E: Executor>(executor: &E) -> Run {
        let executor = executor.clone();
        let spawns = mpsc::channel();
        Box::new(move |costs| {
            let busy = Arc::new(AtomicBool::new(true));
            let tasks: Vec<_> = (0..8)
                .map(|_| executor.spawn(work::<E>(Arc::clone(&busy))))
                .collect();
            for _ in 0..EVENTS {
                costs.push(spawn_after_pause(&executor, &spawns));
            }
            busy.store(false, Ordering::Relaxed);
            for task in tasks {
                executor.block_on(E::join(task));
            }
        })
    }
}

async fn work<E: Executor>(busy: Arc<AtomicBool>) {
    while busy.load(Ordering::Relaxed) {
        let start = Instant::now();
        while start.elapsed() < Duration::from_micros(10) {
            std::hint::spin_loop();
        }
        E::yield_now().await;
    }
}

fn seconds(received: Result<Duration, mpsc::RecvError>) -> f64 {
    received.expect("the task sends a duration").as_secs_f64()
}
