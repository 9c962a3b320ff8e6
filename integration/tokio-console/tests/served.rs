//! A client of the console's protocol receives volt's tasks.

use std::collections::HashMap;
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use console_api::instrument::instrument_client::InstrumentClient;
use console_api::instrument::{InstrumentRequest, Update};
use console_api::tasks::{Stats, Task};
use console_subscriber::ConsoleLayer;
use tracing_subscriber::prelude::*;
use volt::TaskBuilder;
use volt::time::sleep;

/// The updates of all tasks that the client has received.
#[derive(Default)]
struct Heard {
    tasks: HashMap<u64, Task>,
    stats: HashMap<u64, Stats>,
}

impl Heard {
    fn note(&mut self, update: Update) {
        let Some(update) = update.task_update else {
            return;
        };
        for task in update.new_tasks {
            self.tasks.insert(task.id.expect("it has an id").id, task);
        }
        self.stats.extend(update.stats_update);
    }

    /// The task of that name, and what is known of it.
    fn named(&self, name: &str) -> Option<(&Task, &Stats)> {
        let is_it = |task: &Task| {
            task.fields
                .iter()
                .any(|it| format!("{it:?}").contains(name))
        };
        let (id, task) = self.tasks.iter().find(|(_, task)| is_it(task))?;
        Some((task, self.stats.get(id)?))
    }
}

fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap()
}

/// Receives from the console's server until `is_enough` returns `true`.
fn listen(address: SocketAddr, is_enough: impl Fn(&Heard) -> bool) -> Heard {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build().unwrap();
    runtime.block_on(async {
        let mut client = loop {
            match InstrumentClient::connect(format!("http://{address}")).await {
                Ok(client) => break client,
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        };
        let updates = client.watch_updates(InstrumentRequest {}).await.unwrap();
        let (mut updates, mut heard) = (updates.into_inner(), Heard::default());
        while !is_enough(&heard) {
            heard.note(
                updates
                    .message()
                    .await
                    .unwrap()
                    .expect("the server goes on"),
            );
        }
        heard
    })
}

#[test]
fn console_sees_tasks_polls_and_wakers() {
    let address = free_address();
    let layer = ConsoleLayer::builder()
        .server_addr(address)
        .publish_interval(Duration::from_millis(50))
        .spawn();
    tracing_subscriber::registry().with(layer).init();
    let runtime = volt::Runtime::new().unwrap();
    let _entered = runtime.enter();
    let line = line!() + 1;
    let ticker = TaskBuilder::new().name("ticker").spawn(async {
        loop {
            sleep(Duration::from_millis(5)).await;
        }
    });
    let brief = TaskBuilder::new().name("brief").spawn(async {});
    let heard = listen(address, |heard| {
        let ticks = |stats: &Stats| stats.wakes >= 5;
        let is_over = |stats: &Stats| stats.dropped_at.is_some();
        heard.named("ticker").is_some_and(|(_, it)| ticks(it))
            && heard.named("brief").is_some_and(|(_, it)| is_over(it))
    });
    let (task, stats) = heard.named("ticker").unwrap();
    let location = task.location.as_ref().expect("it has a place");
    assert!(location.file().ends_with("tests/served.rs"), "{location:?}");
    assert_eq!(location.line, Some(line));
    let polls = stats.poll_stats.as_ref().expect("it was polled").polls;
    assert!(polls >= stats.wakes, "{stats:?}");
    assert_eq!(stats.self_wakes, 0);
    // The driver has one waker. Without it the console would report that the task has lost its
    // waker.
    let alive = stats.waker_clones - stats.waker_drops;
    assert!(alive <= 1, "{stats:?}");
    assert!(stats.dropped_at.is_none());
    ticker.cancel();
    drop(brief);
}
