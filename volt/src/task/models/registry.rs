//! Looks into the registry beside the begin and the end of a task.

use super::super::{LocalFreeList, Registry, Runnable, Schedule, TaskId, new_task};
use super::{Gate, race};
use crate::loom::sync::atomic::Ordering;
use crate::loom::sync::{Arc, Mutex};
use std::panic::Location;

/// A registry, and the free list of the one who runs tasks.
#[derive(Clone)]
struct World(Arc<(Registry, Mutex<LocalFreeList>)>);

impl World {
    fn new() -> Self {
        Self(Arc::new((
            Registry::new(1),
            Mutex::new(LocalFreeList::default()),
        )))
    }

    /// A task that nobody joins, which is ready at once or waits without a waker.
    fn spawn(&self, ends: bool) -> Runnable {
        let (gate, go, _wakers) = Gate::new(0);
        go.store(ends, Ordering::Relaxed);
        let (task, handle) = new_task(gate, self.clone(), Location::caller());
        handle.detach();
        self.0.0.insert(&mut self.0.1.lock(), &task).unwrap();
        task
    }

    /// Looks at each, and counts them.
    fn inspect_all(&self) -> usize {
        let mut seen = 0;
        self.0.0.for_each(|task| {
            assert!(task.inspect().id.is_registered());
            seen += 1;
        });
        seen
    }
}

impl Schedule for World {
    fn schedule(&self, task: Runnable) {
        let _ = task.run();
    }

    fn release(&self, id: TaskId) {
        self.0.0.remove(&mut self.0.1.lock(), id);
    }
}

/// Fails if `Entry::look` does not pin, or if `Entry::vacate` takes the place of a task that is
/// pinned.
#[test]
fn look_against_the_end() {
    loom::model(|| {
        let world = World::new();
        let task = world.spawn(true);
        let looker = world.clone();
        let ((), seen) = race(move || drop(task.run()), move || looker.inspect_all());
        assert!(seen <= 1);
        assert_eq!(world.inspect_all(), 0);
    });
}

/// Fails if `Entry::look` passes over what another has pinned: the shutdown would miss it.
#[test]
fn shutdown_against_a_look() {
    loom::model(|| {
        let world = World::new();
        let _ = world.spawn(false).run();
        let looker = world.clone();
        let (_, seen) = race(
            {
                let world = world.clone();
                move || {
                    while world.0.0.shutdown_all() > 0 {
                        loom::thread::yield_now();
                    }
                }
            },
            move || looker.inspect_all(),
        );
        assert!(seen <= 1);
        assert_eq!(world.inspect_all(), 0);
    });
}

/// Fails if `Entry::occupy` does not publish what it puts there.
#[test]
fn look_against_the_begin() {
    loom::model(|| {
        let world = World::new();
        // The page is made here: loom does not see how the standard library publishes it.
        let _ = world.spawn(true).run();
        let spawner = world.clone();
        let (task, seen) = race(move || spawner.spawn(true), {
            let looker = world.clone();
            move || looker.inspect_all()
        });
        assert!(seen <= 1);
        let _ = task.run();
        assert_eq!(world.inspect_all(), 0);
    });
}
