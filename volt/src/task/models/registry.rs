//! Models of walks over the registry during the begin and the end of a task.

use super::super::{LocalFreeList, Registry, Runnable, Schedule, TaskId, new_task};
use super::{Gate, race};
use crate::loom::sync::atomic::Ordering;
use crate::loom::sync::{Arc, Mutex};
use std::panic::Location;

/// A registry, and the free list of the thread that runs tasks.
#[derive(Clone)]
struct World(Arc<(Registry, Mutex<LocalFreeList>)>);

impl World {
    fn new() -> Self {
        Self(Arc::new((
            Registry::new(1),
            Mutex::new(LocalFreeList::default()),
        )))
    }

    /// Spawns a detached task, which is ready at once or waits without a waker.
    fn spawn(&self, ends: bool) -> Runnable {
        let (gate, go, _wakers) = Gate::new(0);
        go.store(ends, Ordering::Relaxed);
        let (task, handle) = new_task(gate, self.clone(), Location::caller());
        handle.detach();
        self.0.0.insert(&mut self.0.1.lock(), &task).unwrap();
        task
    }

    /// Inspects all tasks. Returns their number.
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

/// Fails if `Entry::get` does not pin, or if `Entry::vacate` vacates a pinned entry.
#[test]
fn walk_against_completion() {
    loom::model(|| {
        let world = World::new();
        let task = world.spawn(true);
        let reader = world.clone();
        let ((), seen) = race(move || drop(task.run()), move || reader.inspect_all());
        assert!(seen <= 1);
        assert_eq!(world.inspect_all(), 0);
    });
}

/// Fails if `Entry::get` skips an entry that another thread has pinned: the shutdown would miss it.
#[test]
fn shutdown_against_walk() {
    loom::model(|| {
        let world = World::new();
        let _ = world.spawn(false).run();
        let reader = world.clone();
        let (_, seen) = race(
            {
                let world = world.clone();
                move || {
                    while world.0.0.shutdown_all() > 0 {
                        loom::thread::yield_now();
                    }
                }
            },
            move || reader.inspect_all(),
        );
        assert!(seen <= 1);
        assert_eq!(world.inspect_all(), 0);
    });
}

/// Fails if `Entry::occupy` does not publish the task.
#[test]
fn walk_against_spawn() {
    loom::model(|| {
        let world = World::new();
        // The page is created here, because loom does not model its publication by the standard
        // library.
        let _ = world.spawn(true).run();
        let spawner = world.clone();
        let (task, seen) = race(move || spawner.spawn(true), {
            let reader = world.clone();
            move || reader.inspect_all()
        });
        assert!(seen <= 1);
        let _ = task.run();
        assert_eq!(world.inspect_all(), 0);
    });
}
