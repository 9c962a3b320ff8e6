//! The executors that take part.

mod on_async_executor;
mod on_rayon;
mod on_smol;
mod on_thread_pool;
mod on_tokio;
mod on_volt;

pub(crate) use self::on_async_executor::OnAsyncExecutor;
pub(crate) use self::on_rayon::OnRayon;
use self::on_smol::OnSmol;
use self::on_thread_pool::OnThreadPool;
pub(crate) use self::on_tokio::OnTokio;
pub(crate) use self::on_volt::OnVolt;
use crate::executor::{Drives, Executor, Joins};
use crate::workload::{DriverWorkload, JoinWorkload, Run, Workload};

/// All executors, started. Idle executors sleep.
pub(crate) struct Contestants {
    volt: OnVolt,
    tokio: OnTokio,
    async_executor: OnAsyncExecutor,
    smol: OnSmol,
    thread_pool: OnThreadPool,
}

impl Contestants {
    pub(crate) fn start(workers: usize) -> Self {
        OnRayon::start(workers);
        Self {
            volt: OnVolt::start(workers),
            tokio: OnTokio::start(workers),
            async_executor: OnAsyncExecutor::start(workers),
            smol: OnSmol::start(workers),
            thread_pool: OnThreadPool::start(workers),
        }
    }

    pub(crate) fn prepare<W: Workload>(&self) -> Vec<(&'static str, Run)> {
        fn one<W: Workload, E: Executor>(executor: &E) -> (&'static str, Run) {
            (E::NAME, W::prepare(executor))
        }
        let mut runs = vec![
            one::<W, _>(&self.volt),
            one::<W, _>(&self.tokio),
            one::<W, _>(&self.async_executor),
        ];
        if !W::NEEDS_FAIRNESS {
            runs.push(one::<W, _>(&self.thread_pool));
        }
        runs
    }

    pub(crate) fn prepare_joins<W: JoinWorkload>(&self) -> Vec<(&'static str, Run)> {
        fn one<W: JoinWorkload, E: Joins>(executor: &E) -> (&'static str, Run) {
            (E::NAME, W::prepare(executor))
        }
        vec![
            one::<W, _>(&self.volt),
            one::<W, _>(&self.tokio),
            one::<W, _>(&self.async_executor),
        ]
    }

    pub(crate) fn prepare_driven<W: DriverWorkload>(&self) -> Vec<(&'static str, Run)> {
        fn one<W: DriverWorkload, E: Drives>(executor: &E) -> (&'static str, Run) {
            (E::NAME, W::prepare(executor))
        }
        vec![
            one::<W, _>(&self.volt),
            one::<W, _>(&self.tokio),
            one::<W, _>(&self.smol),
        ]
    }

    pub(crate) fn volt(&self) -> &OnVolt {
        &self.volt
    }

    pub(crate) fn tokio(&self) -> &OnTokio {
        &self.tokio
    }
}
