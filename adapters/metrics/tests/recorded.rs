//! The metrics of a runtime, as a recorder receives them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use metrics::{
    Counter, Gauge, Histogram, Key, KeyName, Label, Metadata, Recorder, SharedString, Unit,
    with_local_recorder,
};
use volt::{Builder, LocalRuntime};
use volt_metrics::{Meters, report};

/// Keeps each value by name and labels, and the descriptions.
#[derive(Clone, Default)]
struct Kept {
    values: Arc<Mutex<BTreeMap<String, Arc<AtomicU64>>>>,
    described: Arc<Mutex<Vec<String>>>,
}

impl Kept {
    fn value(&self, key: &Key) -> Arc<AtomicU64> {
        let labels = key.labels();
        let labels = labels.map(|it| format!(" {}={}", it.key(), it.value()));
        let name = key.name().to_owned() + &labels.collect::<String>();
        Arc::clone(self.values.lock().unwrap().entry(name).or_default())
    }

    fn names(&self) -> Vec<String> {
        self.values.lock().unwrap().keys().cloned().collect()
    }

    fn counter(&self, name: &str) -> u64 {
        self.values.lock().unwrap()[name].load(Ordering::Relaxed)
    }

    fn gauge(&self, name: &str) -> f64 {
        f64::from_bits(self.counter(name))
    }
}

impl Recorder for Kept {
    fn describe_counter(&self, name: KeyName, _: Option<Unit>, _: SharedString) {
        self.described
            .lock()
            .unwrap()
            .push(name.as_str().to_owned());
    }

    fn describe_gauge(&self, name: KeyName, _: Option<Unit>, _: SharedString) {
        self.described
            .lock()
            .unwrap()
            .push(name.as_str().to_owned());
    }

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(self.value(key))
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(self.value(key))
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}

#[test]
fn figures_of_a_runtime_are_recorded() {
    let kept = Kept::default();
    let runtime = Builder::new().worker_threads(2).build().unwrap();
    for _ in 0..10 {
        runtime.block_on(runtime.spawn(async {})).unwrap();
    }
    let waits = runtime.spawn(std::future::pending::<()>());
    while runtime.stats().sleeping < 2 {
        std::thread::yield_now();
    }
    let meters = with_local_recorder(&kept, || Meters::new(2));
    meters.record(&runtime.stats());
    assert_eq!(kept.counter("volt_tasks_spawned_total"), 11);
    assert_eq!(kept.gauge("volt_tasks_alive"), 1.0);
    assert_eq!(kept.gauge("volt_workers_sleeping"), 2.0);
    let polls = [0, 1].map(|it| kept.counter(&format!("volt_worker_polls_total worker={it}")));
    assert_eq!(polls.iter().sum::<u64>(), kept.counter("volt_polls_total"));
    assert!(kept.counter("volt_polls_total") >= 11);
    waits.cancel();
}

#[test]
fn poll_times_are_a_cumulative_histogram() {
    let kept = Kept::default();
    let runtime = Builder::new()
        .worker_threads(1)
        .exact_poll_times(true)
        .build()
        .unwrap();
    for millis in [0, 40, 40] {
        let poll = async move { std::thread::sleep(Duration::from_millis(millis)) };
        runtime.block_on(runtime.spawn(poll)).unwrap();
    }
    while runtime.stats().sleeping < 1 {
        std::thread::yield_now();
    }
    with_local_recorder(&kept, || Meters::new(1)).record(&runtime.stats());
    let bucket = |bound: &str| kept.counter(&format!("volt_poll_seconds_bucket le={bound}"));
    // 2^24 and 2^34 nanoseconds.
    let buckets = ["0.016777216", "17.179869184", "+Inf"].map(bucket);
    assert_eq!(buckets, [1, 3, 3]);
}

#[test]
fn every_meter_is_described() {
    let kept = Kept::default();
    with_local_recorder(&kept, || Meters::new(1));
    let names = kept.names();
    let mut names: Vec<_> = names
        .iter()
        .map(|it| it.split(' ').next().unwrap())
        .collect();
    names.sort_unstable();
    names.dedup();
    let mut described = kept.described.lock().unwrap().clone();
    described.sort_unstable();
    assert_eq!(names, described);
}

#[test]
fn labels_are_on_every_meter() {
    let kept = Kept::default();
    let labels = [Label::new("runtime", "io")];
    with_local_recorder(&kept, || Meters::with_labels(1, &labels));
    assert!(kept.names().iter().all(|name| name.contains(" runtime=io")));
}

#[test]
fn report_goes_on_period_after_period() {
    let kept = Kept::default();
    let runtime = LocalRuntime::new().unwrap();
    with_local_recorder(&kept, || {
        let reports = runtime.spawn_local(report(runtime.handle(), Duration::from_millis(1)));
        runtime.block_on(async {
            while kept.names().is_empty() {
                volt::task::yield_now().await;
            }
            let before = kept.counter("volt_tasks_spawned_total");
            volt::spawn_local(async {}).await.unwrap();
            while kept.counter("volt_tasks_spawned_total") <= before {
                volt::time::sleep(Duration::from_millis(1)).await;
            }
        });
        reports.cancel();
    });
}
