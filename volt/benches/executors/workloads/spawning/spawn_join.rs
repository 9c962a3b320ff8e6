//! Empty tasks that are spawned and joined one at a time.

use crate::executor::{Executor, Joins};
use crate::workload::{Describe, JoinWorkload, Run, Workload, timed_each};

const TASKS: usize = 1_000;

/// Awaits in a task.
pub(crate) struct SpawnAwait;

impl Describe for SpawnAwait {
    const NAME: &'static str = "spawn + await in a worker";
    const ABOUT: &'static str = "a task spawns one that is ready at once, and awaits it";
    const IN_README: bool = true;
}

impl Workload for SpawnAwait {
    fn prepare<E: Executor>(executor: &E) -> Run {
        let executor = executor.clone();
        timed_each(TASKS, move || {
            let task = executor.spawn(async {
                for _ in 0..TASKS {
                    E::join(E::spawn_here(async {})).await;
                }
            });
            executor.block_on(E::join(task));
        })
    }
}

/// Blocking joins in a task.
pub(crate) struct SpawnJoin;

impl Describe for SpawnJoin {
    const NAME: &'static str = "spawn + join in a worker";
    const ABOUT: &'static str = "a task spawns one that is ready at once, and blocks until it is";
}

impl JoinWorkload for SpawnJoin {
    fn prepare<E: Joins>(executor: &E) -> Run {
        let executor = executor.clone();
        timed_each(TASKS, move || {
            let task = executor.spawn(async {
                for _ in 0..TASKS {
                    E::join_here(E::spawn_here(async {}));
                }
            });
            executor.block_on(E::join(task));
        })
    }
}

/// Blocking joins on a thread that is not a worker.
pub(crate) struct SpawnJoinOutside;

impl Describe for SpawnJoinOutside {
    const NAME: &'static str = "spawn + join from outside";
    const ABOUT: &'static str = "a thread spawns a task that is ready at once, and waits for it";
}

impl JoinWorkload for SpawnJoinOutside {
    fn prepare<E: Joins>(executor: &E) -> Run {
        let executor = executor.clone();
        timed_each(TASKS, move || {
            for _ in 0..TASKS {
                executor.join_outside(executor.spawn(async {}));
            }
        })
    }
}
