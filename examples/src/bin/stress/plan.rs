//! A round: runtimes, tasks, and an end.

use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use volt::runtime::OrphanPolicy;
use volt::{JoinHandle, Runtime};

use crate::acts::{World, life, waking_thread};
use crate::draws::Draws;
use crate::dumps::DumpThread;
use crate::files::Files;
use crate::ledger::{Ledger, Totals};
use crate::watch;

/// How long the end of a runtime may take.
const END: Duration = Duration::from_secs(60);

/// One round.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The workers of each runtime.
    workers: Vec<usize>,
    roots: u64,
    end: End,
    queue_interval: Option<u32>,
    /// A thread inspects the runtimes until the end of the round.
    dumps: bool,
}

#[derive(Clone, Copy, Debug)]
enum End {
    /// When all tasks have ended.
    Drained,
    /// With tasks in every state.
    Dropped,
    Shutdown,
    Background,
}

impl Plan {
    pub(crate) fn draw(draws: &mut Draws) -> Self {
        let runtimes = 1 + draws.below(2);
        let workers = [1, 1, 2, 2, 3, 4, 4, 8, 64, 65, 130];
        Self {
            workers: (0..runtimes).map(|_| draws.pick(&workers)).collect(),
            roots: draws.pick(&[1, 10, 100, 1_000]),
            end: draws.pick(&[End::Drained, End::Dropped, End::Shutdown, End::Background]),
            queue_interval: draws.pick(&[None, None, Some(1), Some(61)]),
            dumps: draws.once_in(2),
        }
    }

    /// Plays the round.
    ///
    /// # Panics
    ///
    /// If anything is found.
    pub(crate) fn run(&self, draws: &Draws) -> Totals {
        let runtimes: Vec<_> = self
            .workers
            .iter()
            .map(|it| self.build(*it, draws))
            .collect();
        let handles: Vec<_> = runtimes.iter().map(|it| it.handle().clone()).collect();
        handles.iter().for_each(watch::include);
        let ledger = Arc::new(Ledger::default());
        let dumping = (self.dumps)
            .then(|| DumpThread::start(handles.clone(), draws.child(u64::MAX - 2), &ledger));
        let (waking, waking_thread) = waking_thread(draws.child(u64::MAX));
        let world = Arc::new(World {
            ledger,
            lock: Mutex::default(),
            files: Arc::new(Files::new()),
            runtimes: handles,
            waking,
        });
        let roots: Vec<_> = (0..self.roots)
            .map(|number| {
                let runtime = &runtimes[number as usize % runtimes.len()];
                runtime.spawn(life(&world, draws.child(number), 0))
            })
            .collect();
        self.play(&runtimes, roots, draws);
        let mut totals = Totals {
            rounds: 1,
            ..Totals::default()
        };
        if let Some(dumping) = &dumping {
            dumping.set_ending(true);
        }
        for runtime in runtimes {
            self.end(runtime, &mut totals);
        }
        if let Some(dumping) = &dumping {
            dumping.set_ending(false);
        }
        let (ledger, files) = (Arc::clone(&world.ledger), Arc::clone(&world.files));
        totals.tasks = ledger.begun();
        drop(world);
        until("futures that were never dropped", || ledger.alive() == 0);
        if !matches!(self.end, End::Background) {
            files.check();
        }
        if let Some(dumping) = dumping {
            dumping.stop();
        }
        let woken = waking_thread.join();
        woken.expect("a wake does not panic");
        totals
    }

    fn build(&self, workers: usize, draws: &Draws) -> Runtime {
        let mut builder = Runtime::builder()
            .worker_threads(workers)
            .seed(draws.clone().below(u64::MAX))
            .orphans(OrphanPolicy::Panic);
        if let Some(polls) = self.queue_interval {
            builder = builder.queue_interval(polls);
        }
        builder.build().expect("the system has threads enough")
    }

    /// Waits for the roots: all of them, or a part.
    fn play(&self, runtimes: &[Runtime], roots: Vec<JoinHandle<u64>>, draws: &Draws) {
        let mut draws = draws.child(u64::MAX - 1);
        let part = match self.end {
            End::Drained => roots.len(),
            _ => draws.below(roots.len() as u64 + 1) as usize,
        };
        for root in roots.into_iter().take(part) {
            let runtime = &runtimes[0];
            let result = match draws.below(3) {
                0 => root.join(),
                _ => runtime.block_on(root),
            };
            assert!(result.is_ok(), "a root ended early: {result:?}");
        }
        if matches!(self.end, End::Drained) {
            let alive = || runtimes.iter().map(|it| it.stats().alive).sum::<usize>();
            until("tasks that do not end", || alive() == 0);
        }
    }

    fn end(&self, runtime: Runtime, totals: &mut Totals) {
        let stats = runtime.stats();
        assert_eq!(stats.orphans, 0, "{}", runtime.dump());
        totals.polls += stats.workers.iter().map(|it| it.polled).sum::<u64>();
        totals.stolen += stats.workers.iter().map(|it| it.stolen).sum::<u64>();
        match self.end {
            End::Drained | End::Dropped => drop(runtime),
            End::Background => runtime.shutdown_background(),
            End::Shutdown => {
                let stuck = runtime.shutdown(END);
                assert!(stuck.tasks().is_empty(), "stuck: {stuck}");
            }
        }
    }
}

fn until(what: &str, done: impl Fn() -> bool) {
    let begin = Instant::now();
    while !done() {
        assert!(begin.elapsed() < END, "{what}");
        thread::sleep(Duration::from_micros(100));
    }
}
