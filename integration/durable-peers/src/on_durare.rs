//! durare: the result of each step is stored.

use std::time::{Duration, Instant};

use durare::{DurableContext, DurableEngine, Result, WorkflowOptions};

use crate::workload::{Row, Server};

#[durare::step]
async fn add(ctx: &DurableContext, sum: u64, number: u64) -> Result<u64> {
    Ok(crate::workload::add(sum, number).await)
}

#[durare::workflow]
async fn count(ctx: DurableContext, steps: u64) -> Result<u64> {
    let mut sum = 0;
    for number in 0..steps {
        sum = add(&ctx, sum, number).await?;
    }
    Ok(sum)
}

pub(crate) fn measure(server: &Server, row: Row) -> Duration {
    let address = server.url(&server.new_database());
    let runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = { runtime }.worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(async move {
        let engine = DurableEngine::connect(&address).await.expect("an engine");
        let engine = engine.build().await.expect("an engine");
        let begin = Instant::now();
        let mut handles = Vec::new();
        for key in 0..row.workflows {
            let options = WorkflowOptions::with_id(key.to_string());
            let handle = engine.start_with(Count, row.steps, options).await;
            handles.push(handle.expect("a workflow"));
        }
        for handle in handles {
            assert_eq!(handle.await.expect("an output"), row.output());
        }
        begin.elapsed()
    })
}
