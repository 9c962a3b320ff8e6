//! durare: `recover` starts the abandoned workflows, and a workflow reads each result.

use std::time::Duration;

use durare::{DurableContext, DurableEngine, Result, WorkflowOptions};
use tokio::runtime::Runtime;

use super::gate::{arrivals, pass};
use super::{Ended, Engine, STEPS, tables};

pub(super) const ENGINE: Engine = Engine {
    name: "durare 0.5.0",
    prepare,
    copy: tables::copy,
    count: "select count(*) from dbos.workflow_status where status = 'SUCCESS'",
    recover,
};

#[durare::step]
async fn add(ctx: &DurableContext, sum: u64, number: u64) -> Result<u64> {
    Ok(crate::workload::add(sum, number).await)
}

#[durare::step]
async fn pass_gate(ctx: &DurableContext) -> Result<u64> {
    Ok(pass().await)
}

#[durare::workflow]
async fn count_to_gate(ctx: DurableContext, steps: u64) -> Result<u64> {
    let mut sum = 0;
    for number in 0..steps {
        sum = add(&ctx, sum, number).await?;
    }
    Ok(sum + pass_gate(&ctx).await?)
}

fn runtime() -> Runtime {
    let runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = { runtime }.worker_threads(2).enable_all().build();
    runtime.expect("a runtime")
}

async fn connect(url: &str) -> DurableEngine {
    let engine = DurableEngine::connect(url).await.expect("an engine");
    engine.build().await.expect("an engine")
}

fn prepare(url: &str) {
    runtime().block_on(async {
        let engine = connect(url).await;
        let options = WorkflowOptions::with_id("1");
        let workflow = engine.start_with(CountToGate, STEPS, options).await;
        let _workflow = workflow.expect("a workflow");
        while arrivals() == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let _is_late = engine.shutdown(Duration::from_millis(100)).await;
    });
}

fn recover(url: &str, ended: Ended) -> Duration {
    let runtime = runtime();
    let engine = runtime.block_on(async {
        let engine = connect(url).await;
        engine.recover().await.expect("abandoned workflows");
        engine
    });
    let time = ended();
    let _is_late = runtime.block_on(engine.shutdown(Duration::from_secs(1)));
    time
}
