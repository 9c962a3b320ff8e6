//! A meter for each figure.

use std::fmt;

use metrics::{Counter, Gauge, Label, Unit, counter, describe_counter, describe_gauge, gauge};
use volt::runtime::{Stats, WorkerStats};

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
    workers: Vec<WorkerMeters>,
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
        for (meters, stats) in self.workers.iter().zip(&stats.workers) {
            meters.record(stats);
        }
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
