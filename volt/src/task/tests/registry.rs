//! The registry of live tasks.

use super::support::{Probe, Queue, ready};
use crate::task::handle::TaskRef;
use crate::task::registry::Closed;
use crate::task::{JoinHandle, LocalFreeList, Registry, Runnable, Schedule, TaskId, new_task};
use std::collections::HashSet;
use std::panic::Location;
use std::sync::{Arc, Mutex};

/// A scheduler with a registry and the free lists of two workers.
#[derive(Clone)]
struct World(Arc<Parts>);

struct Parts {
    registry: Registry,
    queue: Mutex<Vec<Runnable>>,
    free_lists: [Mutex<LocalFreeList>; 2],
}

impl World {
    fn new(shards: usize) -> Self {
        Self(Arc::new(Parts {
            registry: Registry::new(shards),
            queue: Mutex::default(),
            free_lists: Default::default(),
        }))
    }

    fn registry(&self) -> &Registry {
        &self.0.registry
    }

    /// Inserts a task through one of the free lists, or a shard.
    fn enter(&self, by: usize, task: &Runnable) -> Result<TaskId, Closed> {
        match self.0.free_lists.get(by % 3) {
            Some(free_list) => self.registry().insert(&mut free_list.lock().unwrap(), task),
            None => self.registry().insert_at_shard(task),
        }
    }

    fn spawn<F>(&self, by: usize, future: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        let (task, handle) = new_task(future, self.clone(), Location::caller());
        match self.enter(by, &task) {
            Ok(id) => {
                assert_eq!(id, handle.id());
                self.schedule(task);
            }
            Err(Closed) => task.shutdown(),
        }
        handle
    }

    fn run_all(&self) {
        while let Some(task) = { self.0.queue.lock().unwrap().pop() } {
            let _ = task.run();
        }
    }

    fn ids(&self) -> HashSet<TaskId> {
        let mut ids = HashSet::new();
        self.registry().for_each(|task| {
            assert!(ids.insert(task.id()), "a task was visited twice");
        });
        ids
    }
}

impl Schedule for World {
    fn schedule(&self, task: Runnable) {
        self.0.queue.lock().unwrap().push(task);
    }

    fn release(&self, id: TaskId) {
        // A task may be removed through another free list than it was inserted through.
        match self.0.free_lists.get(id.slot().unwrap_or(0) as usize % 3) {
            Some(free_list) => self.registry().remove(&mut free_list.lock().unwrap(), id),
            None => _ = self.registry().remove_at_shard(id),
        }
    }
}

#[test]
fn walk_finds_exactly_the_live_tasks() {
    for shards in [1, 3, 4] {
        let world = World::new(shards);
        let count = if cfg!(miri) { 36 } else { 1000 };
        let handles: Vec<_> = (0..count).map(|hint| world.spawn(hint, async {})).collect();
        let ids: HashSet<_> = handles.iter().map(JoinHandle::id).collect();
        assert_eq!((ids.len(), world.registry().len()), (count, count));
        assert_eq!(world.ids(), ids);
        world.run_all();
        assert!(world.registry().len() == 0);
        assert!(world.ids().is_empty());
    }
}

#[test]
fn vacant_slots_are_reused_with_new_ids() {
    let world = World::new(1);
    let first = world.spawn(0, async {});
    let old = first.id();
    world.run_all();
    // Through the free list that owns the slot.
    let second = world.spawn(old.slot().unwrap() as usize, async {});
    assert_eq!(old.slot(), second.id().slot());
    assert_ne!(old, second.id());
    assert!(!world.ids().contains(&old));
    assert!(world.ids().contains(&second.id()));
    world.run_all();
    assert!(world.ids().is_empty());
}

#[test]
fn tasks_come_and_go_in_any_order() {
    let world = World::new(2);
    let mut probes = Vec::new();
    let (rounds, new) = if cfg!(miri) { (2, 12) } else { (5_usize, 50) };
    for round in 0..rounds {
        for index in 0..new {
            let (probe, counts) = Probe::new(2, ());
            probes.push((world.spawn(index, probe), counts));
        }
        world.run_all();
        let mut index = 0;
        probes.retain(|(handle, counts)| {
            index += 1;
            let leaves = index % 3 == round % 3;
            if leaves {
                counts.take_waker().wake();
                assert!(world.ids().contains(&handle.id()));
            }
            !leaves
        });
        world.run_all();
        let ids: HashSet<_> = probes.iter().map(|(handle, _)| handle.id()).collect();
        assert_eq!(world.ids(), ids);
    }
    assert_eq!(world.registry().shutdown_all(), 0);
    assert!(world.registry().len() == 0);
}

#[test]
fn closed_registry_refuses() {
    let world = World::new(2);
    let mut before = world.spawn(0, async {});
    world.registry().close();
    let (probe, counts) = Probe::new(1, ());
    let mut after = world.spawn(1, probe);
    assert_eq!((counts.polls.get(), counts.drops.get()), (0, 1));
    assert!(ready(&mut after).unwrap_err().is_cancelled());
    assert_eq!(world.registry().len(), 1);
    world.run_all();
    ready(&mut before).unwrap();
}

#[test]
fn cancel_of_all_reaches_idle_and_queued_tasks() {
    let world = World::new(2);
    let mut idle = world.spawn(0, std::future::pending::<()>());
    world.run_all();
    let mut queued = world.spawn(1, async {});
    world.registry().for_each(TaskRef::cancel);
    world.run_all();
    assert!(ready(&mut idle).unwrap_err().is_cancelled());
    assert!(ready(&mut queued).unwrap_err().is_cancelled());
    assert!(world.registry().len() == 0);
}

#[test]
fn shutdown_with_spawn_in_drop_does_not_deadlock() {
    struct Spawns(World);
    impl Drop for Spawns {
        fn drop(&mut self) {
            self.0.spawn(0, async {}).detach();
        }
    }
    let world = World::new(1);
    let guard = Spawns(world.clone());
    let _handle = world.spawn(0, async move {
        let _guard = guard;
        std::future::pending::<()>().await;
    });
    world.run_all();
    assert_eq!(world.registry().shutdown_all(), 0);
    world.run_all();
    assert!(world.registry().len() == 0);
}

#[test]
fn unregistered_task_has_a_unique_id() {
    let queue = Queue::new();
    let (one, _one) = queue.spawn_unregistered(async {}, Location::caller());
    let (two, _two) = queue.spawn_unregistered(async {}, Location::caller());
    assert_ne!(one.id(), two.id());
    assert_eq!(one.id(), one.id());
    assert_eq!(one.id().slot(), None);
    // The number is a small counter, and not an address.
    let text = one.id().to_string();
    let number = text
        .strip_prefix('#')
        .and_then(|number| number.parse().ok());
    assert!(number.is_some_and(|number: u64| number < 1 << 32), "{text}");
}
