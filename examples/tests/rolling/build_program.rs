//! The commands of a build: `schema`, `start FILE KEY`, `send FILE KEY NAME` and
//! `work FILE KEY STATE`.

use std::error::Error;
use std::time::Duration;

use volt_durable::store::{SqliteStore, Status};
use volt_durable::{Client, Durable, Schema, Worker};

/// Runs the command of this process.
pub(crate) fn run<M: Durable>(ship: impl FnOnce(u64) -> M) -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if words == ["schema"] {
        print!("{}", Schema::new().machine::<M>().to_json()?);
        return Ok(());
    }
    volt::block_on(async {
        let [command, file, ref others @ ..] = words[..] else {
            return Err("a command and a file are required".into());
        };
        let client = Client::new(SqliteStore::open(file).await?);
        match (command, others) {
            ("start", [key]) => _ = client.start(*key, ship(7)).await?,
            ("send", [key, name]) => _ = client.send::<M>(key, name, *name, name).await?,
            ("work", [key, state]) => work::<M>(&client, key, state).await?,
            _ => return Err("an unknown command".into()),
        }
        Ok(())
    })
}

/// Runs a worker until a machine waits in a state, has ended, or is parked.
async fn work<M: Durable>(
    client: &Client<SqliteStore>,
    key: &str,
    state: &str,
) -> Result<(), Box<dyn Error>> {
    let worker = Worker::new(client.store().clone()).runs::<M>();
    let worker = worker.max_attempts(2).retry_delay(Duration::from_millis(1));
    let stopped = async {
        loop {
            let row = client.row::<M>(key).await?.ok_or("no row")?;
            let is_waiting = row.status == Status::Waiting && row.state == state;
            if is_waiting || row.status.is_final() || row.status == Status::Parked {
                return Ok(());
            }
            volt::time::sleep(Duration::from_millis(1)).await;
        }
    };
    worker.run_until(stopped).await
}
