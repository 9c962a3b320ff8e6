//! volt-durable: a machine is one row.

use std::time::Duration;

use postgres::Client;
use volt_durable::Worker;
use volt_durable::store::PostgresStore;

use super::gate::{arrivals, pass};
use super::{Ended, Engine, STEPS};
use crate::workload::add;

pub(super) const ENGINE: Engine = Engine {
    name: "volt-durable",
    prepare,
    copy,
    count: "select count(*) from durable_machine where status = 3",
    recover,
};

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
    #[step]
    #[state(Passing)]
    let passed = pass().await;
    sum + passed
}

fn runtime() -> volt::Runtime {
    let runtime = volt::Builder::new().worker_threads(2).build();
    runtime.expect("a runtime")
}

fn prepare(url: &str) {
    runtime().block_on(async {
        let store = PostgresStore::connect(url).await.expect("a store");
        let worker = Worker::new(store).runs::<Count>();
        let client = worker.client();
        let arrived = async {
            client.start("1", count(STEPS)).await.expect("a workflow");
            while arrivals() == 0 {
                volt::time::sleep(Duration::from_millis(1)).await;
            }
        };
        worker.run_until(arrived).await;
    });
}

/// Copies the machine. All leases have ended.
fn copy(client: &mut Client, workflows: u64) {
    let copy = format!(
        "update durable_machine set lease = changed, due = changed, attempts = 1;
        insert into durable_machine (type, key, status, state, snapshot, next_step, seq, fence,
            lease, due, attempts, created, changed)
        select type, number::text, status, state, snapshot, next_step, seq, fence,
            lease, due, attempts, created, changed
        from durable_machine, generate_series(2, {workflows}) as number"
    );
    client.batch_execute(&copy).expect("copies");
}

fn recover(url: &str, ended: Ended) -> Duration {
    runtime().block_on(async {
        let store = PostgresStore::connect(url).await.expect("a store");
        let worker = Worker::new(store).runs::<Count>();
        let ended = volt::spawn_blocking(ended);
        worker.run_until(ended).await.expect("a time")
    })
}
