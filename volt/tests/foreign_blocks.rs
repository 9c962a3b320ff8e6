//! Futures of other crates that are always ready, in `async` blocks and closures of machines.
//! Timeouts around their loops elapse.
#![cfg(not(miri))]

use std::future::ready;
use std::sync::mpsc as threads;
use std::time::Duration;

use tokio::sync::mpsc::{Receiver, Sender};
use volt::Runtime;
use volt::time::timeout;

fn runtime() -> Runtime {
    Runtime::builder().worker_threads(1).build().unwrap()
}

/// Asserts that a timeout around `endless` elapses on the only worker.
#[track_caller]
fn assert_limit_passes<F>(endless: F)
where
    F: Future<Output: Send + 'static> + Send + 'static,
{
    let (report, reported) = threads::channel();
    let runtime = runtime();
    runtime
        .spawn(async move {
            let passes = timeout(Duration::from_millis(10), endless).await.is_err();
            report.send(passes).unwrap();
        })
        .detach();
    let passes = reported.recv_timeout(Duration::from_secs(10));
    if passes != Ok(true) {
        // The drop of the runtime would wait for its worker.
        std::mem::forget(runtime);
    }
    assert_eq!(passes, Ok(true));
}

/// Returns a full channel of tokio.
fn never_empty() -> (Sender<u64>, Receiver<u64>) {
    let (sender, receiver) = tokio::sync::mpsc::channel(64);
    (0..64).for_each(|number| sender.try_send(number).unwrap());
    (sender, receiver)
}

struct Source(Receiver<u64>, Sender<u64>);

#[volt::state_machine]
impl Source {
    async fn next(&mut self) -> u64 {
        let number = self.0.recv().await.unwrap();
        self.1.try_send(number).unwrap();
        number
    }

    /// A block in a native method.
    async fn drain(mut self) -> u64 {
        let drained = async {
            loop {
                let number = self.0.recv().await.unwrap();
                self.1.try_send(number).unwrap();
            }
        };
        drained.await
    }

    /// The timeout is inside, where no other code could read the clock.
    async fn limit(mut self) -> bool {
        let endless = async { while self.next().await > 0 || ready(true).await {} };
        timeout(Duration::from_millis(10), endless).await.is_err()
    }
}

#[volt::state_machine(explicit)]
async fn block_of_an_explicit_machine(times: u64) -> u64 {
    let mut done: u64 = times;
    let block = async move {
        while done > 0 {
            done += ready(1_u64).await;
        }
        done
    };
    block.await
}

#[volt::state_machine]
async fn nested_blocks<T: Clone + Send + Sync>(value: T) {
    let inner = async || {
        for _ in 0_u64.. {
            drop(ready(value.clone()).await);
        }
    };
    async { inner().await }.await;
}

#[test]
fn loops_of_blocks_in_a_machine_let_a_timeout_elapse() {
    let source = || {
        let (sender, receiver) = never_empty();
        Source(receiver, sender)
    };
    assert_limit_passes(source().drain());
    assert_limit_passes(block_of_an_explicit_machine(1));
    assert_limit_passes(nested_blocks(String::from("value")));
    assert!(runtime().block_on(source().limit()));
}
