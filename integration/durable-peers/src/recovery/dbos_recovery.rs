//! dbos: `launch` returns abandoned workflows to their queue, and a workflow reads each result.

use std::time::Duration;

use dbos::{Config, DBOS, Result, WorkflowRef, step};
use tokio::runtime::Runtime;

use super::gate::{arrivals, pass};
use super::{Ended, Engine, STEPS, tables};
use crate::workload::add;

pub(super) const ENGINE: Engine = Engine {
    name: "dbos 0.5.0",
    prepare,
    copy: tables::copy,
    count: "select count(*) from dbos.workflow_status where status = 'SUCCESS'",
    recover,
};

async fn count(steps: u64) -> Result<u64> {
    let mut sum = 0;
    for number in 0..steps {
        sum = step("add", || async move {
            Ok::<_, dbos::Error>(add(sum, number).await)
        })
        .await?;
    }
    let passed = step("pass", || async { Ok::<_, dbos::Error>(pass().await) }).await?;
    Ok(sum + passed)
}

fn runtime() -> Runtime {
    let runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = { runtime }.worker_threads(2).enable_all().build();
    runtime.expect("a runtime")
}

async fn launch(url: &str) -> (DBOS, WorkflowRef<u64, u64>) {
    let dbos = DBOS::new(Config {
        app_version: Some("1".into()),
        ..Config::new("steps", url)
    });
    let count = dbos.register_workflow("count", count).expect("a workflow");
    dbos.launch().await.expect("an engine");
    (dbos, count)
}

fn prepare(url: &str) {
    runtime().block_on(async {
        let (dbos, count) = launch(url).await;
        let _workflow = count.start(STEPS).await.expect("a workflow");
        while arrivals() == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        dbos.shutdown().await;
    });
}

fn recover(url: &str, ended: Ended) -> Duration {
    let runtime = runtime();
    let (dbos, _count) = runtime.block_on(launch(url));
    let time = ended();
    runtime.block_on(dbos.shutdown());
    time
}
