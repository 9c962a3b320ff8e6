//! `SpawnCount`: the live tasks that were spawned at one place.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;

use crate::runtime::dump::dump::Dump;
use crate::runtime::dump::groups::Grouping;
use crate::runtime::dump::place::Place;
use crate::task::Lifecycle;

/// The tasks and blocking jobs of a dump that were spawned at one place; see [`Dump::spawns`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpawnCount {
    /// The place of the spawn.
    pub place: Place,
    /// The number of tasks.
    pub count: usize,
    /// The number of idle tasks.
    pub idle: usize,
    /// The number of queued tasks.
    pub queued: usize,
    /// The number of tasks that are being polled.
    pub running: usize,
    /// The longest time for which a task has been in its state; see [`Dump::time_since`].
    pub longest: Duration,
}

impl Dump {
    /// Returns the numbers of tasks and blocking jobs by the place of their spawn, the largest
    /// first.
    ///
    /// A [group](Self::groups) has the tasks that wait at one place. Tasks that never end may wait
    /// at several places, but the place of their spawn is one, and its number grows.
    ///
    /// # Examples
    ///
    /// ```
    /// let runtime = volt::Runtime::new()?;
    /// for _ in 0..3 {
    ///     runtime.spawn(std::future::pending::<()>()).detach();
    /// }
    /// let spawns = runtime.dump().spawns();
    /// assert_eq!((spawns.len(), spawns[0].count), (1, 3));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn spawns(&self) -> Vec<SpawnCount> {
        spawn_counts(self, &Grouping::of(self))
            .into_iter()
            .map(|(_, count)| count)
            .collect()
    }
}

/// Returns the numbers of tasks by the place of their spawn, each with the index of the place.
pub(in crate::runtime::dump) fn spawn_counts(
    dump: &Dump,
    grouping: &Grouping,
) -> Vec<(u32, SpawnCount)> {
    let mut indices = HashMap::new();
    let mut counts: Vec<(u32, SpawnCount)> = Vec::new();
    // The future of `block_on` is not spawned.
    let tasks = dump.tasks.iter().zip(&grouping.tasks);
    for (task, places) in tasks.filter(|(task, _)| !task.block_on) {
        let index = *indices.entry(places.spawned).or_insert_with(|| {
            let place = grouping.places.get(places.spawned);
            counts.push((places.spawned, SpawnCount::new(place)));
            counts.len() - 1
        });
        counts[index].1.add(task.lifecycle, dump.time_since(task));
    }
    counts.sort_by_key(|(_, spawn)| Reverse((spawn.count, spawn.longest)));
    counts
}

impl SpawnCount {
    fn new(place: Place) -> Self {
        Self {
            place,
            count: 0,
            idle: 0,
            queued: 0,
            running: 0,
            longest: Duration::ZERO,
        }
    }

    fn add(&mut self, lifecycle: Lifecycle, time: Duration) {
        self.count += 1;
        match lifecycle {
            Lifecycle::Idle => self.idle += 1,
            Lifecycle::Scheduled => self.queued += 1,
            Lifecycle::Running => self.running += 1,
            Lifecycle::Complete => {}
        }
        self.longest = self.longest.max(time);
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use std::panic::Location;
    use std::time::Duration;

    use crate::runtime::dump::sample::{dump, task};
    use crate::task::{Lifecycle, TaskInfo};

    #[test]
    fn tasks_are_counted_by_the_spawn() {
        let here = Location::caller();
        let of_here = |slot, age| TaskInfo {
            location: here,
            ..task(slot, age)
        };
        let without_trace = TaskInfo {
            position: [].into(),
            lifecycle: Lifecycle::Scheduled,
            ..of_here(3, 70)
        };
        let future = TaskInfo {
            block_on: true,
            ..of_here(4, 900)
        };
        let tasks = vec![task(1, 10), of_here(2, 50), without_trace, future];
        let spawns = dump(tasks).spawns();
        assert_eq!(spawns.len(), 2);
        let spawn = &spawns[0];
        assert_eq!((spawn.place.line, spawn.count), (here.line(), 2));
        assert_eq!((spawn.idle, spawn.queued, spawn.running), (1, 1, 0));
        assert_eq!(spawn.longest, Duration::from_millis(70));
        assert_eq!(spawns[1].count, 1);
    }
}
