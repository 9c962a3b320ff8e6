//! Tasks to look at in tokio-console.
//!
//! ```text
//! cargo run                  in this folder
//! tokio-console              in another terminal
//! ```

use std::thread;
use std::time::Duration;

use volt::TaskBuilder;
use volt::time::{interval, sleep};

#[volt::main]
async fn main() {
    // Before the first spawn: a task without a subscriber has no span.
    console_subscriber::init();
    TaskBuilder::new().name("ticker").spawn(ticks()).detach();
    TaskBuilder::new().name("slow").spawn(long_polls()).detach();
    loop {
        let brief = volt::spawn(async { sleep(Duration::from_millis(300)).await });
        brief.await.expect("it ends");
    }
}

async fn ticks() {
    let mut ticks = interval(Duration::from_millis(100));
    loop {
        ticks.tick().await;
    }
}

/// Each poll blocks its worker for a while: the console's histogram shows it.
async fn long_polls() {
    loop {
        thread::sleep(Duration::from_millis(20));
        sleep(Duration::from_millis(500)).await;
    }
}
