//! A meter for each figure.

use std::fmt;
use std::time::Duration;

use metrics::{Counter, Gauge, Label, Unit, counter, describe_counter, describe_gauge, gauge};
use volt::runtime::{PollTimes, Stats, WorkerStats};

/// The meters of one runtime.
///
/// They belong to the recorder that was installed when they were made.
pub struct Meters {
    spawned: Counter,
    alive: Gauge,
    orphans: Counter,
    polls: Counter,
    queued: Gauge,
    sleeping: Gauge,
    searching: Gauge,
    poll_times: PollTimeMeters,
    workers: Vec<WorkerMeters>,
}

/// A cumulative histogram: a counter for each bound, and one for all polls.
struct PollTimeMeters {
    bounded: Vec<(Duration, Counter)>,
    all: Counter,
}

struct WorkerMeters {
    polls: Counter,
    spawns: Counter,
    steals: Counter,
    parks: Counter,
    overflows: Counter,
    busy: Gauge,
    queued: Gauge,
}

impl Meters {
    /// Meters for a runtime with so many workers, without labels beside `worker`.
    #[must_use]
    pub fn new(workers: usize) -> Self {
        Self::with_labels(workers, &[])
    }

    /// The same with labels that all of them have, such as the name of one runtime of several.
    #[must_use]
    pub fn with_labels(workers: usize, labels: &[Label]) -> Self {
        describe();
        let labels = labels.to_vec();
        let worker = |index: usize| {
            let index = Label::new("worker", index.to_string());
            WorkerMeters::new(labels.iter().cloned().chain([index]).collect())
        };
        Self {
            workers: (0..workers).map(worker).collect(),
            spawned: counter!("volt_tasks_spawned_total", labels.iter()),
            alive: gauge!("volt_tasks_alive", labels.iter()),
            orphans: counter!("volt_tasks_orphaned_total", labels.iter()),
            polls: counter!("volt_polls_total", labels.iter()),
            queued: gauge!("volt_global_queue_depth", labels.iter()),
            sleeping: gauge!("volt_workers_sleeping", labels.iter()),
            searching: gauge!("volt_workers_searching", labels.iter()),
            poll_times: PollTimeMeters::new(&labels),
        }
    }

    /// Sets them to these figures. Workers that there are no meters for are left out.
    pub fn record(&self, stats: &Stats) {
        self.spawned.absolute(stats.spawned);
        self.alive.set(stats.alive as f64);
        self.orphans.absolute(stats.orphans);
        self.polls.absolute(stats.polled());
        self.queued.set(stats.queued as f64);
        self.sleeping.set(stats.sleeping as f64);
        self.searching.set(stats.searching as f64);
        self.poll_times.record(&stats.poll_times());
        for (meters, stats) in self.workers.iter().zip(&stats.workers) {
            meters.record(stats);
        }
    }
}

impl PollTimeMeters {
    /// The exponents of the bounds, which are powers of two in nanoseconds: 1 µs to 17 s.
    const EXPONENTS: std::ops::RangeInclusive<u32> = 10..=34;

    fn new(labels: &[Label]) -> Self {
        let counter = |bound: String| {
            let bound = Label::new("le", bound);
            let labels: Vec<_> = labels.iter().cloned().chain([bound]).collect();
            counter!("volt_poll_seconds_bucket", labels.iter())
        };
        let bounds = Self::EXPONENTS.step_by(2);
        let bounds = bounds.map(|exponent| Duration::from_nanos(1 << exponent));
        Self {
            bounded: bounds
                .map(|bound| (bound, counter(bound.as_secs_f64().to_string())))
                .collect(),
            all: counter("+Inf".to_owned()),
        }
    }

    fn record(&self, times: &PollTimes) {
        for (bound, counter) in &self.bounded {
            let below = times.buckets().filter(|(range, _)| range.end <= *bound);
            counter.absolute(below.map(|(_, polls)| polls).sum());
        }
        self.all.absolute(times.count());
    }
}

impl WorkerMeters {
    fn new(labels: Vec<Label>) -> Self {
        Self {
            polls: counter!("volt_worker_polls_total", labels.iter()),
            spawns: counter!("volt_worker_spawns_total", labels.iter()),
            steals: counter!("volt_worker_steals_total", labels.iter()),
            parks: counter!("volt_worker_parks_total", labels.iter()),
            overflows: counter!("volt_worker_overflows_total", labels.iter()),
            busy: gauge!("volt_worker_busy_seconds", labels.iter()),
            queued: gauge!("volt_worker_queue_depth", labels.iter()),
        }
    }

    fn record(&self, stats: &WorkerStats) {
        self.polls.absolute(stats.polled);
        self.spawns.absolute(stats.spawned);
        self.steals.absolute(stats.stolen);
        self.parks.absolute(stats.parked);
        self.overflows.absolute(stats.overflows);
        self.busy.set(stats.busy.as_secs_f64());
        self.queued.set(stats.queued as f64);
    }
}

fn describe() {
    let counters = [
        ("volt_tasks_spawned_total", "Tasks that were spawned."),
        (
            "volt_tasks_orphaned_total",
            "Tasks found waiting while nobody could wake them.",
        ),
        ("volt_polls_total", "Queue entries that were run."),
        (
            "volt_poll_seconds_bucket",
            "Polls that took at most `le` seconds; sampled by default.",
        ),
        (
            "volt_worker_polls_total",
            "Queue entries that the worker has run.",
        ),
        (
            "volt_worker_spawns_total",
            "Tasks that tasks on the worker have spawned.",
        ),
        ("volt_worker_steals_total", "Thefts from other workers."),
        ("volt_worker_parks_total", "Times the worker went to sleep."),
        (
            "volt_worker_overflows_total",
            "Times the worker's queue was full.",
        ),
    ];
    for (name, text) in counters {
        describe_counter!(name, Unit::Count, text);
    }
    let gauges = [
        ("volt_tasks_alive", "Tasks that are not complete."),
        (
            "volt_global_queue_depth",
            "Tasks that wait in the global queue.",
        ),
        ("volt_workers_sleeping", "Workers that sleep."),
        (
            "volt_workers_searching",
            "Workers that look for work in the queues of others.",
        ),
        (
            "volt_worker_queue_depth",
            "Tasks that wait in the worker's own queues.",
        ),
    ];
    for (name, text) in gauges {
        describe_gauge!(name, Unit::Count, text);
    }
    let busy = "How long the worker was awake.";
    describe_gauge!("volt_worker_busy_seconds", Unit::Seconds, busy);
}

impl fmt::Debug for Meters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meters")
            .field("workers", &self.workers.len())
            .finish_non_exhaustive()
    }
}
