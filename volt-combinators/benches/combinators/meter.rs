//! Time and memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use super::gates::Setting;
use super::rows::Row;

/// Counts allocations, those that grow among them, and the most bytes at a time.
struct Counting;

static IS_ON: AtomicUsize = AtomicUsize::new(0);
static COUNT: AtomicUsize = AtomicUsize::new(0);
static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn grown(bytes: usize) {
    COUNT.fetch_add(1, Relaxed);
    let now = NOW.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(now, Relaxed);
}

// SAFETY: forwards to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if IS_ON.load(Relaxed) != 0 {
            grown(layout.size());
        }
        // SAFETY: forwarded contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        if IS_ON.load(Relaxed) != 0 {
            NOW.fetch_sub(layout.size(), Relaxed);
        }
        // SAFETY: forwarded contract.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if IS_ON.load(Relaxed) != 0 {
            NOW.fetch_sub(layout.size(), Relaxed);
            if size > layout.size() {
                grown(size);
            } else {
                NOW.fetch_add(size, Relaxed);
            }
        }
        // SAFETY: forwarded contract.
        unsafe { System.realloc(ptr, layout, size) }
    }
}

#[global_allocator]
static GLOBAL: Counting = Counting;

/// The cost of one run.
#[derive(Clone, Copy)]
pub(crate) struct Cost {
    /// The median of the samples.
    pub(crate) nanos: f64,
    /// Half the interquartile range divided by the median. `None` if there are too few samples.
    pub(crate) spread: Option<f64>,
    pub(crate) polls: f64,
    pub(crate) allocations: usize,
    pub(crate) peak: usize,
    pub(crate) size: usize,
}

/// Allocations, and the most bytes at a time, of one run.
pub(crate) fn memory(run: impl FnOnce()) -> (usize, usize) {
    COUNT.store(0, Relaxed);
    NOW.store(1 << 40, Relaxed);
    PEAK.store(1 << 40, Relaxed);
    IS_ON.store(1, Relaxed);
    run();
    IS_ON.store(0, Relaxed);
    (COUNT.load(Relaxed), PEAK.load(Relaxed) - (1 << 40))
}

/// Measures several rows. They run in turns, so that a disturbance affects all of them.
pub(crate) fn measure(setting: &'static Setting, rows: &[Row]) -> Vec<(&'static str, Cost)> {
    const SAMPLES: usize = 41;
    let mut costs: Vec<_> = rows
        .iter()
        .map(|(_, run)| first_run(setting, *run))
        .collect();
    let mut times = vec![Vec::with_capacity(SAMPLES); rows.len()];
    for _ in 0..SAMPLES {
        for ((_, run), times) in rows.iter().zip(&mut times) {
            times.push(time(setting, *run));
        }
    }
    for (cost, times) in costs.iter_mut().zip(&mut times) {
        times.sort_by(f64::total_cmp);
        cost.nanos = times[SAMPLES / 2];
        let range = times[SAMPLES * 3 / 4] - times[SAMPLES / 4];
        cost.spread = Some(range / 2.0 / cost.nanos);
    }
    rows.iter().map(|(name, _)| *name).zip(costs).collect()
}

/// All but the time.
fn first_run(setting: &'static Setting, run: fn(&'static Setting)) -> Cost {
    setting.reset();
    let (allocations, peak) = memory(|| run(black_box(setting)));
    Cost {
        nanos: 0.0,
        spread: None,
        polls: setting.polls(),
        allocations,
        peak,
        size: setting.size.replace(0),
    }
}

/// Nanoseconds of a run, the mean of a few.
fn time(setting: &'static Setting, run: fn(&'static Setting)) -> f64 {
    let runs = (2000 / setting.len()).max(1);
    let mut spent = 0.0;
    for _ in 0..runs {
        setting.reset();
        let start = Instant::now();
        run(black_box(setting));
        spent += start.elapsed().as_nanos() as f64;
    }
    spent / runs as f64
}
