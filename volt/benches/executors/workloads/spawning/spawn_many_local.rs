//! Many spawns from the thread of `block_on`.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use crate::executor::Executor;
use crate::workload::{Describe, Run, Workload, timed};

const SPAWNS: usize = 10_000;

pub(crate) struct SpawnManyLocal;

impl Describe for SpawnManyLocal {
    const NAME: &'static str = "spawn_many_local";
    const ABOUT: &'static str = "10,000 tasks spawned in block_on, each counts itself down";
}

impl Workload for SpawnManyLocal {
    fn prepare<E: Executor>(executor: &E) -> Run {
        let executor = executor.clone();
        let (done, all_done) = mpsc::sync_channel(1_000);
        let remaining = Arc::new(AtomicUsize::new(0));
        timed(move || {
            remaining.store(SPAWNS, Ordering::Relaxed);
            executor.block_on(async {
                for _ in 0..SPAWNS {
                    let (done, remaining) = (done.clone(), remaining.clone());
                    E::detach(E::spawn_here(async move {
                        if remaining.fetch_sub(1, Ordering::Relaxed) == 1 {
                            done.send(()).expect("the receiver waits");
                        }
                    }));
                }
                all_done.recv().expect("the last task sends");
            });
        })
    }
}
