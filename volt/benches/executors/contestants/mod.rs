//! The executors that take part.

mod on_async_executor;
mod on_tokio;
mod on_volt;

use self::on_async_executor::OnAsyncExecutor;
use self::on_tokio::OnTokio;
use self::on_volt::OnVolt;
use crate::executor::Executor;
use crate::workload::{Run, Workload};

/// All of them, started; whoever is not at work is asleep.
pub(crate) struct Contestants {
    volt: OnVolt,
    tokio: OnTokio,
    async_executor: OnAsyncExecutor,
}

impl Contestants {
    pub(crate) fn start(workers: usize) -> Self {
        Self {
            volt: OnVolt::start(workers),
            tokio: OnTokio::start(workers),
            async_executor: OnAsyncExecutor::start(workers),
        }
    }

    /// The table's columns, in its order.
    pub(crate) fn prepare<W: Workload>(&self) -> Vec<(&'static str, Run)> {
        vec![
            named::<W, _>(&self.volt),
            named::<W, _>(&self.tokio),
            named::<W, _>(&self.async_executor),
        ]
    }
}

fn named<W: Workload, E: Executor>(executor: &E) -> (&'static str, Run) {
    (E::NAME, W::prepare(executor))
}
