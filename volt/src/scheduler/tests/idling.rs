//! The cost of an idle scheduler, and its reaction to new tasks.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::mpsc;
use std::task::{Poll, Wake, Waker};
use std::thread;
use std::time::{Duration, Instant};

use super::{LIMIT, Running, within};
use crate::driver::Timer;
use crate::scheduler::Config;

/// The resources that threads have used.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cost {
    threads: usize,
    /// Threads that run, or wait for a processor.
    awake: usize,
    /// Processor time.
    ticks: u64,
    /// The number of context switches.
    switches: u64,
}

/// Returns the cost of all threads of this process whose names begin with `prefix`.
#[cfg(target_os = "linux")]
fn cost_of_threads(prefix: &str) -> Cost {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let mut sum = Cost::default();
    for task in tasks {
        let path = task.unwrap().path();
        let read = |name: &str| std::fs::read_to_string(path.join(name)).unwrap_or_default();
        if !read("comm").starts_with(prefix) {
            continue;
        }
        let stat = read("stat");
        let fields: Vec<_> = stat.rsplit(") ").next().unwrap().split(' ').collect();
        let ticks: u64 = fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
        let status = read("status");
        let switches = status.lines().filter(|line| line.contains("ctxt_switches"));
        let switches = switches.map(|line| line.rsplit('\t').next().unwrap());
        sum.threads += 1;
        sum.awake += usize::from(fields[0] != "S");
        sum.ticks += ticks;
        sum.switches += switches.map(|n| n.parse::<u64>().unwrap()).sum::<u64>();
    }
    sum
}

/// Waits until the system has put these threads to sleep. A thread that has announced its sleep may
/// have to wait for a processor first.
#[cfg(target_os = "linux")]
fn cost_when_all_sleep(prefix: &str) -> Cost {
    loop {
        let before = cost_of_threads(prefix);
        thread::sleep(Duration::from_millis(50));
        if before.awake == 0 && cost_of_threads(prefix) == before {
            return before;
        }
    }
}

/// A thread that runs at all, or makes a system call that waits, has a context switch afterwards.
#[test]
#[cfg(all(target_os = "linux", not(miri)))]
fn idle_workers_neither_run_nor_wake() {
    for (workers, prefix) in [(1, "idle-1-"), (4, "idle-4-"), (65, "idle-65-")] {
        let mut config = Config::new(workers);
        config.thread_name = Box::new(move |index| format!("{prefix}{index}"));
        let running = Running::with(config);
        running.run(async {});
        running.settle();
        let before = cost_when_all_sleep(prefix);
        let parked = running.handle.stats().parked();
        thread::sleep(Duration::from_secs(1));
        assert_eq!(cost_of_threads(prefix), before);
        assert_eq!(
            (before.threads, running.handle.stats().parked()),
            (workers, parked)
        );
    }
}

#[test]
fn sleeping_workers_are_woken_for_all_tasks() {
    for workers in [2, 64, 65, 130] {
        within(LIMIT, move || {
            let running = Running::new(workers);
            running.settle();
            // The number of tasks is that of workers, and all must be in a poll at once.
            let barrier = Arc::new(std::sync::Barrier::new(workers));
            let tasks: Vec<_> = (0..workers)
                .map(|_| {
                    let barrier = Arc::clone(&barrier);
                    running.spawn(async move { _ = barrier.wait() })
                })
                .collect();
            for task in tasks {
                futures_lite::future::block_on(task).unwrap();
            }
        });
    }
}

#[test]
fn hooks_run_on_every_worker() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let mut config = Config::new(3);
    for (hook, name) in [
        (&mut config.on_start, "start"),
        (&mut config.on_stop, "stop"),
    ] {
        let log = Arc::clone(&log);
        *hook = Some(Box::new(move || log.lock().unwrap().push(name)));
    }
    let running = Running::with(config);
    running.run(async {});
    running.stop();
    let mut log = log.lock().unwrap();
    log.sort_unstable();
    assert_eq!(*log, ["start", "start", "start", "stop", "stop", "stop"]);
}

#[test]
fn stats_count_spawns_polls_and_parks() {
    let running = Running::new(2);
    for _ in 0..10 {
        running.run(async {
            super::spawn_here(async {}).await.unwrap();
        });
    }
    running.settle();
    let stats = running.handle.stats();
    assert_eq!((stats.spawned, stats.alive, stats.queued), (20, 0, 0));
    assert!(stats.polled() >= 20 && stats.parked() > 0, "{stats:?}");
    assert!(
        stats.workers.iter().map(|w| w.lifo_hits).sum::<u64>() > 0,
        "{stats:?}"
    );
    assert!(
        stats.workers.iter().map(|w| w.batch_fetches).sum::<u64>() > 0,
        "{stats:?}"
    );
    assert!(
        stats.workers.iter().any(|w| w.busy > Duration::ZERO),
        "{stats:?}"
    );
}

/// A timer wakes the worker in the driver, which is back there after a short poll. No other worker
/// wakes up meanwhile.
#[test]
#[cfg(all(target_os = "linux", not(miri)))]
fn periodic_timer_raises_one_worker_a_tick() {
    const TICKS: u64 = 100;
    within(LIMIT, || {
        let running = Running::new(4);
        running.settle();
        let driver = running.handle.driver().clone();
        let parked = running.handle.stats().parked();
        running.run(async move {
            for _ in 0..TICKS {
                let due = Some(Instant::now() + Duration::from_millis(2));
                let mut timer = None;
                poll_fn(|cx| match timer {
                    Some(_) => Poll::Ready(()),
                    None => {
                        timer = Some(Timer::new(driver.clone(), due, cx.waker()));
                        Poll::Pending
                    }
                })
                .await;
            }
        });
        let parked = running.handle.stats().parked() - parked;
        assert!(parked < TICKS * 3 / 2, "{parked} times in {TICKS} ticks");
    });
}

/// The worker that the timer wakes blocks; the one on standby serves the other timer.
#[test]
fn timers_are_served_while_a_woken_worker_blocks() {
    timers_are_served_beside_a_blocking_poll(0);
}

/// Before it blocks, the worker is woken so often that it counts as busy.
#[test]
fn timers_are_served_while_a_busy_worker_blocks() {
    timers_are_served_beside_a_blocking_poll(100);
}

fn timers_are_served_beside_a_blocking_poll(brief_sleeps: u32) {
    within(LIMIT, move || {
        let running = Running::new(2);
        running.settle();
        let driver = running.handle.driver().clone();
        let (fired, other_fired) = mpsc::channel();
        running.run(async move {
            for _ in 0..brief_sleeps {
                let due = Some(Instant::now() + Duration::from_micros(20));
                let mut timer = None;
                poll_fn(|cx| {
                    if timer.is_some() {
                        return Poll::Ready(());
                    }
                    timer = Some(Timer::new(driver.clone(), due, cx.waker()));
                    Poll::Pending
                })
                .await;
            }
            let start = Instant::now();
            let due = |millis| Some(start + Duration::from_millis(millis));
            let mut timers = None;
            poll_fn(|cx| {
                if timers.is_some() {
                    return Poll::Ready(());
                }
                let sender = Waker::from(Arc::new(Sends(fired.clone())));
                let first = Timer::new(driver.clone(), due(2), cx.waker());
                timers = Some((first, Timer::new(driver.clone(), due(4), &sender)));
                Poll::Pending
            })
            .await;
            other_fired.recv().expect("a worker is in the driver");
        });
    });
}

struct Sends(mpsc::Sender<()>);

impl Wake for Sends {
    fn wake(self: Arc<Self>) {
        let _ = self.0.send(());
    }
}
