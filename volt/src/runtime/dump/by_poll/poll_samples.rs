//! `PollSamples`: the functions of long polls, recorded while a runtime has a server with
//! backtraces.
//!
//! A dump sees a poll of some milliseconds only by chance. So a thread reads the progress of the
//! workers at intervals, and takes the backtrace of a worker that has not begun another poll since
//! the last time. Each poll is recorded at most once.

use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

use crate::loom::sync::atomic::AtomicBool;
use crate::loom::sync::atomic::Ordering::Relaxed;
use crate::loom::sync::{Arc, Mutex};
use crate::loom::thread;
use crate::runtime::dump::dump::{Dump, PollSample};
use crate::runtime::handle::Handle;
use crate::scheduler::WorkerProgress;
use crate::task::TaskId;

/// The time between two looks at the workers. A poll is recorded if it lasts for two of them.
const INTERVAL: Duration = Duration::from_millis(25);

/// The age up to which a dump has samples.
const RECENT: Duration = Duration::from_secs(60);

/// The number of samples that are stored.
const MAX_SAMPLES: usize = 64;

/// The last samples of a runtime, the oldest first.
#[derive(Clone, Debug, Default)]
pub(in crate::runtime) struct PollSamples(Arc<Mutex<VecDeque<(Instant, PollSample)>>>);

impl PollSamples {
    /// Starts the thread that takes samples, until the runtime ends. It starts none if the runtime
    /// has no backtraces.
    ///
    /// # Errors
    ///
    /// Returns an error if the system starts no thread.
    pub(in crate::runtime) fn start(&self, runtime: &Handle) -> io::Result<()> {
        if runtime.scheduler.has_backtraces() != Some(true) {
            return Ok(());
        }
        let (samples, handle) = (self.clone(), runtime.clone());
        let end = Arc::new(AtomicBool::new(false));
        let is_over = Arc::clone(&end);
        thread::Builder::new()
            .name("volt-samples".to_owned())
            .spawn(move || {
                let mut watch = PollWatch::default();
                // ORDERING: Relaxed: the flag publishes nothing.
                while !is_over.load(Relaxed) {
                    samples.take(&handle, &mut watch);
                    std::thread::sleep(INTERVAL);
                }
            })?;
        // ORDERING: Relaxed, as in the loop.
        let stop = move || end.store(true, Relaxed);
        runtime.blocking.companions().add(Box::new(stop));
        Ok(())
    }

    /// Stores the samples of the last minute in a dump.
    pub(in crate::runtime) fn add_to(&self, dump: &mut Dump, now: Instant) {
        let samples = self.0.lock();
        let is_recent = |taken: Instant| now.saturating_duration_since(taken) <= RECENT;
        let recent = samples.iter().filter(|(taken, _)| is_recent(*taken));
        dump.poll_samples = recent.map(|(_, sample)| sample.clone()).collect();
    }

    fn take(&self, runtime: &Handle, watch: &mut PollWatch) {
        let scheduler = &runtime.scheduler;
        for (worker, task) in watch.long_polls(scheduler.progress()) {
            let before = watch.progress[worker];
            let thread = scheduler.thread_id_of(worker);
            let addresses = thread.map_or_else(Vec::new, |id| scheduler.backtrace_of(id));
            // The poll may have ended meanwhile.
            let is_same = scheduler.progress().get(worker) == Some(&before);
            if is_same && !addresses.is_empty() {
                let addresses = addresses.into();
                self.record(PollSample { task, addresses }, Instant::now());
            }
        }
    }

    fn record(&self, sample: PollSample, now: Instant) {
        let mut samples = self.0.lock();
        if samples.len() == MAX_SAMPLES {
            samples.pop_front();
        }
        samples.push_back((now, sample));
    }
}

/// The progress of the workers at the last look.
#[derive(Debug, Default)]
struct PollWatch {
    progress: Vec<WorkerProgress>,
    /// `true` for each worker whose poll was recorded.
    is_recorded: Vec<bool>,
}

impl PollWatch {
    /// Returns the workers that have begun no poll since the last look, each with its task and
    /// once for each poll.
    fn long_polls(&mut self, progress: Vec<WorkerProgress>) -> Vec<(usize, TaskId)> {
        self.is_recorded.resize(progress.len(), false);
        let before = std::mem::replace(&mut self.progress, progress);
        let mut found = Vec::new();
        for (worker, now) in self.progress.iter().enumerate() {
            let is_same = before.get(worker) == Some(now);
            let is_new = !std::mem::replace(&mut self.is_recorded[worker], is_same);
            if let Some(task) = now.running
                && is_same
                && is_new
            {
                found.push((worker, task));
            }
        }
        found
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use std::time::Instant;

    use super::{Duration, MAX_SAMPLES, PollSample, PollSamples, PollWatch, RECENT};
    use crate::runtime::dump::sample::{dump, id};
    use crate::scheduler::WorkerProgress;

    #[test]
    fn long_poll_is_found_once() {
        let mut watch = PollWatch::default();
        let mut look = |polled, running| {
            let running = Some(running).filter(|slot| *slot > 0).map(id);
            watch.long_polls(vec![WorkerProgress { polled, running }])
        };
        assert_eq!(look(1, 7), []);
        assert_eq!(look(1, 7), [(0, id(7))]);
        assert_eq!(look(1, 7), []);
        assert_eq!(look(2, 7), [], "another poll of the task");
        assert_eq!(look(2, 7), [(0, id(7))]);
        assert_eq!(look(3, 0), []);
        assert_eq!(look(3, 0), [], "the worker sleeps");
    }

    #[test]
    fn samples_are_limited_by_number_and_age() {
        let (samples, begin) = (PollSamples::default(), Instant::now());
        for slot in 0..=MAX_SAMPLES {
            let sample = PollSample {
                task: id(slot as u64),
                addresses: [1].into(),
            };
            let late = if slot == MAX_SAMPLES {
                RECENT
            } else {
                Duration::ZERO
            };
            samples.record(sample, begin + late);
        }
        let mut dump = dump(Vec::new());
        samples.add_to(&mut dump, begin);
        let first = dump.poll_samples.first().map(|sample| sample.task);
        assert_eq!((dump.poll_samples.len(), first), (MAX_SAMPLES, Some(id(1))));
        samples.add_to(&mut dump, begin + RECENT + Duration::from_secs(1));
        assert_eq!(dump.poll_samples.len(), 1);
    }
}
