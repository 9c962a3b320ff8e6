//! Tasks whose `Debug` and `Inspect` run code of their own: they dump, spawn, wait and panic.

use std::cell::Cell;
use std::fmt;
use std::panic;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;

use volt::Handle;
use volt::time::sleep;
use volt_inspect::{Inspect, Inspector, Node, register, registrable};

use crate::acts::{ON_PURPOSE, World};
use crate::draws::Draws;
use crate::inspection_act::InspectionAct;

thread_local! {
    /// `true` while code of an inspection runs on this thread. An inspection within an inspection
    /// runs no code, so that the stack is bounded.
    static IS_INSPECTING: Cell<bool> = const { Cell::new(false) };
    static PANICS: Cell<InspectionPanics> = const {
        Cell::new(InspectionPanics { in_debug: 0, in_inspect: 0 })
    };
}

/// The panics of this thread in code of inspections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InspectionPanics {
    pub(crate) in_debug: usize,
    pub(crate) in_inspect: usize,
}

impl InspectionPanics {
    /// Returns the panics of this thread so far.
    pub(crate) fn so_far() -> Self {
        PANICS.get()
    }
}

/// The implementation that an inspection calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Called {
    Debug,
    Inspect,
}

/// A value whose `Debug` dumps, spawns, waits or panics, in random order.
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
    fn act(&self, called: Called) {
        let Some(world) = self.world.upgrade() else {
            return;
        };
        if IS_INSPECTING.replace(true) {
            return;
        }
        let mut draws = self.seed.child(self.calls.fetch_add(1, Relaxed));
        let handles: Vec<_> = (0..world.runtimes.len()).collect();
        let handle = &world.runtimes[draws.pick(&handles)];
        let act = || act(&world, handle, &mut draws, called);
        let acted = panic::catch_unwind(panic::AssertUnwindSafe(act));
        IS_INSPECTING.set(false);
        if let Err(payload) = acted {
            panic::resume_unwind(payload);
        }
    }
}

fn act(world: &World, handle: &Handle, draws: &mut Draws, called: Called) {
    let count = |in_debug: InspectionAct, in_inspect: InspectionAct| match called {
        Called::Debug => in_debug.count(),
        Called::Inspect => in_inspect.count(),
    };
    match draws.below(6) {
        0 => {
            drop(handle.dump().to_string());
            count(InspectionAct::DumpInDebug, InspectionAct::DumpInInspect);
        }
        1 => {
            // Under a lock of the inspection, the other thread would wait for this one.
            thread::scope(|scope| scope.spawn(|| dump_without_code(handle)).join())
                .expect("a dump does not panic");
            count(
                InspectionAct::OtherDumpInDebug,
                InspectionAct::OtherDumpInInspect,
            );
        }
        2 => {
            let guard = world.ledger.guard();
            handle.spawn(async move { drop(guard) }).detach();
            count(InspectionAct::SpawnInDebug, InspectionAct::SpawnInInspect);
        }
        3 => {
            world.wait_for_lock(Duration::from_micros(draws.below(300)));
            count(InspectionAct::BlockInDebug, InspectionAct::BlockInInspect);
        }
        4 => {
            count(InspectionAct::PanicInDebug, InspectionAct::PanicInInspect);
            let mut panics = PANICS.get();
            panics.in_debug += usize::from(called == Called::Debug);
            panics.in_inspect += usize::from(called == Called::Inspect);
            PANICS.set(panics);
            panic!("{ON_PURPOSE}");
        }
        _ => {}
    }
}

/// Dumps a runtime on a thread that runs no code of inspections.
fn dump_without_code(handle: &Handle) {
    IS_INSPECTING.set(true);
    drop(handle.dump());
}

impl fmt::Debug for BusyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.act(Called::Debug);
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
            self.value.act(Called::Inspect);
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
