//! Dumps and inspection polls beside everything else, of tasks whose `Debug` and `Inspect` run code
//! of their own.

use std::cell::Cell;
use std::fmt;
use std::panic;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use volt::Handle;
use volt::runtime::PollLimits;
use volt::time::sleep;
use volt_inspect::{Inspect, Inspector, Node, register, registrable};

use crate::acts::{ON_PURPOSE, World};
use crate::draws::Draws;

thread_local! {
    /// `true` while code of an inspection runs on this thread. An inspection within an inspection
    /// runs no code, so that the stack is bounded.
    static IS_INSPECTING: Cell<bool> = const { Cell::new(false) };
}

/// A value whose `Debug` dumps, spawns, blocks or panics, in random order.
struct BusyValue {
    world: Weak<World>,
    seed: Draws,
    calls: AtomicU64,
}

impl BusyValue {
    fn new(world: &Arc<World>, seed: Draws) -> Self {
        Self {
            // A task must not keep the runtimes of its round alive by itself.
            world: Arc::downgrade(world),
            seed,
            calls: AtomicU64::new(0),
        }
    }

    /// Runs the code of one inspection.
    fn act(&self) {
        let Some(world) = self.world.upgrade() else {
            return;
        };
        if IS_INSPECTING.replace(true) {
            return;
        }
        world.ledger.add_inspected();
        let mut draws = self.seed.child(self.calls.fetch_add(1, Relaxed));
        let handles: Vec<_> = (0..world.runtimes.len()).collect();
        let handle = &world.runtimes[draws.pick(&handles)];
        let acted =
            panic::catch_unwind(panic::AssertUnwindSafe(|| act(&world, handle, &mut draws)));
        IS_INSPECTING.set(false);
        if let Err(payload) = acted {
            panic::resume_unwind(payload);
        }
    }
}

fn act(world: &World, handle: &Handle, draws: &mut Draws) {
    match draws.below(5) {
        0 => drop(handle.dump().to_string()),
        1 => {
            let guard = world.ledger.guard();
            handle.spawn(async move { drop(guard) }).detach();
        }
        2 => thread::sleep(Duration::from_micros(draws.below(300))),
        3 => panic!("{ON_PURPOSE}"),
        _ => {}
    }
}

impl fmt::Debug for BusyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.act();
        f.write_str("busy")
    }
}

/// A leaf whose `Inspect` does the same. It is ready after some polls.
struct BusyLeaf {
    value: BusyValue,
    polls: u64,
}

impl Future for BusyLeaf {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.polls == 0 {
            return Poll::Ready(());
        }
        self.polls -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

impl Inspect for BusyLeaf {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        inspector.node(&Node::new("BusyLeaf"), |inspector| {
            self.value.act();
            inspector.value("value", &self.value);
        });
    }
}

registrable!(BusyLeaf);

/// Waits with values and a leaf that inspections run code of. The layout is explicit because only
/// its values are shown.
#[volt::state_machine(explicit)]
pub(crate) async fn be_inspected(world: Arc<World>, draws: Draws) {
    register::<BusyLeaf>();
    let guard = world.ledger.guard();
    let value = BusyValue::new(&world, draws.clone());
    let leaf = BusyLeaf {
        value: BusyValue::new(&world, draws.child(0)),
        polls: draws.child(1).below(20),
    };
    let pause = Duration::from_micros(draws.child(2).below(2_000));
    sleep(pause).await;
    leaf.await;
    drop((value, guard));
}

/// A thread that dumps the runtimes of a round until it is stopped.
#[derive(Debug)]
pub(crate) struct DumpThread {
    is_over: Arc<AtomicBool>,
    thread: JoinHandle<u64>,
}

impl DumpThread {
    pub(crate) fn start(handles: Vec<Handle>, mut draws: Draws) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&is_over);
        let thread = thread::spawn(move || {
            let mut dumps = 0;
            while !stop.load(Relaxed) {
                for handle in &handles {
                    dump(handle, &mut draws);
                    dumps += 1;
                }
                // Rounds are short, and dumps must not be all that they do.
                thread::sleep(Duration::from_micros(draws.below(2_000)));
            }
            dumps
        });
        Self { is_over, thread }
    }

    /// Stops the thread. Returns the number of its dumps.
    pub(crate) fn stop(self) -> u64 {
        self.is_over.store(true, Relaxed);
        let dumps = self.thread.join();
        dumps.expect("a dump does not panic")
    }
}

/// Takes a dump of all tasks, and some of single tasks with their values.
fn dump(handle: &Handle, draws: &mut Draws) {
    let before = handle.dump();
    if draws.once_in(2) {
        assert!(before.json().to_string().starts_with("{\"schema\":1,"));
    }
    let tasks = before.tasks();
    for _ in 0..tasks.len().min(4) {
        let task = &tasks[draws.below(tasks.len() as u64) as usize];
        if let Some(one) = handle.dump_task_with_values(task.id) {
            assert!(one.tasks().iter().all(|found| found.id == task.id), "{one}");
        }
    }
    if draws.once_in(4) {
        drop(handle.dump().diff(&before).to_string());
    }
    if draws.once_in(4) {
        poll_some(handle, draws);
    }
}

/// Polls some tasks once more, orphans among them, also while the runtime ends.
fn poll_some(handle: &Handle, draws: &mut Draws) {
    let mut limits = PollLimits::default();
    limits.tasks = draws.below(30) as usize;
    limits.within = Duration::from_micros(draws.below(3_000));
    limits.orphans = draws.once_in(2);
    let dump = handle.dump_by_poll(&limits);
    let report = dump.poll_report().expect("a dump by poll has a report");
    assert!(report.polled <= limits.tasks, "{report}");
}
