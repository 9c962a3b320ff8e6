//! Tasks that only yield.

use std::sync::mpsc;

use crate::executor::Executor;
use crate::workload::{Describe, Run, Workload, timed};

const TASKS: usize = 200;
const YIELDS: usize = 1_000;

pub(crate) struct YieldMany;

impl Describe for YieldMany {
    const NAME: &'static str = "yield_many";
    const ABOUT: &'static str = "200 tasks that yield 1,000 times each";
}

impl Workload for YieldMany {
    fn prepare<E: Executor>(executor: &E) -> Run {
        let executor = executor.clone();
        let (done, all_done) = mpsc::sync_channel(TASKS);
        timed(move || {
            for _ in 0..TASKS {
                let done = done.clone();
                E::detach(executor.spawn(async move {
                    for _ in 0..YIELDS {
                        E::yield_now().await;
                    }
                    done.send(()).expect("the receiver waits");
                }));
            }
            for _ in 0..TASKS {
                all_done.recv().expect("each task sends");
            }
        })
    }
}
