//! dbos: the result of each step is stored.

use std::time::{Duration, Instant};

use dbos::{Config, DBOS, Result, step};

use crate::workload::{Row, Server, add};

async fn count(steps: u64) -> Result<u64> {
    let mut sum = 0;
    for number in 0..steps {
        sum = step("add", || async move {
            Ok::<_, dbos::Error>(add(sum, number).await)
        })
        .await?;
    }
    Ok(sum)
}

pub(crate) fn measure(server: &Server, row: Row) -> Duration {
    let address = server.url(&server.new_database());
    let runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = { runtime }.worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(async move {
        let dbos = DBOS::new(Config {
            app_version: Some("1".into()),
            ..Config::new("steps", address)
        });
        let count = dbos.register_workflow("count", count).expect("a workflow");
        dbos.launch().await.expect("an engine");
        let begin = Instant::now();
        let mut handles = Vec::new();
        for _ in 0..row.workflows {
            handles.push(count.start(row.steps).await.expect("a workflow"));
        }
        for handle in handles {
            assert_eq!(handle.result().await.expect("an output"), row.output());
        }
        let time = begin.elapsed();
        dbos.shutdown().await;
        time
    })
}
