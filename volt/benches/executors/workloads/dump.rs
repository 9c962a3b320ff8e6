//! A dump of all tasks while a worker is blocked.

use std::hint::black_box;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use volt::runtime::{Dump, Stats};
use volt::time::sleep;
use volt::{Builder, Runtime};

use crate::contestants::OnVolt;
use crate::executor::{Executor, WORKERS};
use crate::workload::{Describe, Run, Target, timed};

const TASKS: usize = 1_000;

/// Dumps of the other executors need a compiler flag or the blocked worker, so they do not take
/// part.
pub(crate) struct DumpOfIdle;

impl Describe for DumpOfIdle {
    const NAME: &'static str = "dump of 1,000 tasks, one worker blocked";
    const ABOUT: &'static str = "all tasks, their positions, and the task that blocks";
    const TARGET: Option<Target> = Some(Target::AtMost(5e-3));
}

impl DumpOfIdle {
    pub(crate) fn prepare() -> Vec<(&'static str, Run)> {
        vec![(OnVolt::NAME, run())]
    }
}

/// A runtime with idle tasks and a blocked worker. The field order is the drop order: the sender
/// must be dropped before the runtime, which waits for its worker.
struct Blocked {
    _release: Sender<()>,
    runtime: Runtime,
}

impl Blocked {
    fn new() -> Self {
        let runtime = Builder::new().worker_threads(WORKERS).build();
        let runtime = runtime.expect("volt starts");
        for _ in 0..TASKS {
            runtime.spawn(sleep(Duration::from_secs(3_600))).detach();
        }
        wait_until_all_sleep(&runtime);
        let (entered, blocked) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let blocker = async move {
            entered.send(()).expect("the receiver exists");
            // `recv` returns an error when the sender is dropped.
            released.recv().expect_err("nothing is sent");
        };
        runtime.spawn(blocker).detach();
        blocked.recv().expect("the task begins");
        Self {
            _release: release,
            runtime,
        }
    }

    fn dump(&self) -> Dump {
        self.runtime.dump()
    }
}

fn wait_until_all_sleep(runtime: &Runtime) {
    let awake = |stats: Stats| stats.polled() < TASKS as u64 || stats.sleeping < WORKERS;
    while awake(runtime.stats()) {
        thread::yield_now();
    }
}

fn run() -> Run {
    let held = Blocked::new();
    timed(move || {
        let dump = black_box(held.dump());
        assert_eq!(dump.tasks().len(), TASKS + 1);
    })
}
