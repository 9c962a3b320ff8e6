//! Tasks that spawn their successor, and end.

use std::sync::mpsc::{self, SyncSender};

use crate::executor::Executor;
use crate::workload::{Describe, Run, Workload, timed};

const DEPTH: usize = 1_000;

pub(crate) struct ChainedSpawn;

impl Describe for ChainedSpawn {
    const NAME: &'static str = "chained_spawn";
    const ABOUT: &'static str = "each of 1,000 tasks spawns the next";
}

impl Workload for ChainedSpawn {
    fn prepare<E: Executor>(executor: &E) -> Run {
        let executor = executor.clone();
        let (done, all_done) = mpsc::sync_channel(1_000);
        timed(move || {
            let done = done.clone();
            executor.block_on(async {
                E::detach(E::spawn_here(async move { link::<E>(done, DEPTH) }));
                all_done.recv().expect("the last link sends");
            });
        })
    }
}

fn link<E: Executor>(done: SyncSender<()>, left: usize) {
    if left == 0 {
        done.send(()).expect("the receiver waits");
        return;
    }
    E::detach(E::spawn_here(async move { link::<E>(done, left - 1) }));
}
