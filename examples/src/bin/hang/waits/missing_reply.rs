//! A store answers the requests of other tasks. One path neither answers nor drops a request.

use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use volt::Runtime;
use volt::time::sleep;

struct Request {
    key: u32,
    reply: oneshot::Sender<u32>,
}

#[volt::state_machine]
async fn look_up(store: &mpsc::Sender<Request>, key: u32) -> Option<u32> {
    let (reply, answer) = oneshot::channel();
    store.send(Request { key, reply }).await.ok()?;
    answer.await.ok() // It hangs here.
}

#[volt::state_machine]
async fn client(store: mpsc::Sender<Request>, number: u32) {
    let mut round: u32 = 0;
    while look_up(&store, 100 * number + round % 100).await.is_some() {
        round += 1;
        sleep(Duration::from_millis(50)).await;
    }
}

#[volt::state_machine]
async fn answer_all(mut requests: mpsc::Receiver<Request>) {
    let mut later: Vec<Request> = Vec::new();
    while let Some(request) = requests.recv().await {
        // The reserved keys wait for an event that has no code.
        match request.key {
            307..=309 => later.push(request),
            key => drop(request.reply.send(key + 1)),
        }
    }
}

pub(crate) fn begin(runtime: &Runtime) {
    let handle = runtime.handle();
    let (store, requests) = mpsc::channel(16);
    handle.spawn_named("store", answer_all(requests)).detach();
    for number in 0..8 {
        let name = format!("client {number}");
        handle
            .spawn_named(&name, client(store.clone(), number))
            .detach();
    }
}
