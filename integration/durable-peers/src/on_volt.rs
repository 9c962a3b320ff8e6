//! volt-durable: the machine is stored before each step.

use std::time::{Duration, Instant};

use volt_durable::store::PostgresStore;
use volt_durable::{Client, Worker};

use crate::workload::{Row, Server, add};

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn count(steps: u64) -> u64 {
    let mut sum: u64 = 0;
    let mut number: u64 = 0;
    while number < steps {
        #[step]
        #[state(Adding)]
        let next: u64 = add(sum, number).await;
        sum = next;
        number += 1;
    }
    sum
}

pub(crate) fn measure(server: &Server, row: Row) -> Duration {
    let database = server.new_database();
    let address = server.url(&database);
    let runtime = volt::Builder::new()
        .worker_threads(2)
        .build()
        .expect("a runtime");
    runtime.block_on(async move {
        let store = PostgresStore::connect(&address).await.expect("a store");
        let worker = Worker::new(store.clone()).runs::<Count>();
        let client = worker.client();
        let begin = Instant::now();
        worker.run_until(run(client, row)).await;
        begin.elapsed()
    })
}

async fn run(client: Client<PostgresStore>, row: Row) {
    let keys: Vec<String> = (0..row.workflows).map(|key| key.to_string()).collect();
    let starts = keys
        .iter()
        .map(|key| client.start(key.clone(), count(row.steps)));
    for started in volt::future::join_all(starts).await {
        started.expect("a workflow");
    }
    for key in &keys {
        let outcome = client.outcome::<Count>(key).await.expect("an outcome");
        assert_eq!(outcome, row.output());
    }
}
