//! Dumps by poll of tasks that wait for sets of futures.
#![cfg(feature = "inspect")]

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::thread;
use std::time::Duration;

use tokio::sync::{Notify, oneshot};
use volt::future::{FutureGroup, FuturesExt as _, join_all};
use volt::runtime::{Dump, PollLimits, Runtime};
use volt::task::{Lifecycle, TaskInfo};

const WAIT: u32 = line!() + 3;

async fn wait_in_set(notify: Arc<Notify>) {
    notify.notified().await;
}

fn runtime() -> Runtime {
    Runtime::builder().worker_threads(1).build().unwrap()
}

fn settle(runtime: &Runtime) {
    let is_idle = |task: &TaskInfo| task.lifecycle == Lifecycle::Idle && task.polls > 0;
    while !runtime.dump().tasks().iter().all(is_idle) {
        thread::sleep(Duration::from_millis(1));
    }
}

fn dump(runtime: &Runtime) -> Dump {
    settle(runtime);
    let mut limits = PollLimits::default();
    limits.within = Duration::from_secs(60);
    runtime.dump_by_poll(&limits)
}

/// Returns the number of functions in the trees that are `wait_in_set`.
fn waits(dump: &Dump) -> usize {
    let nodes = dump.tasks().iter().flat_map(|task| dump.tree(task));
    let is_wait = |name: &str, line| name.ends_with("wait_in_set") || line == WAIT;
    nodes
        .filter(|node| is_wait(node.place.name, node.place.line))
        .count()
}

#[test]
fn children_of_a_join_are_polled_and_woken_later() {
    let runtime = runtime();
    let notifies: Vec<_> = (0..70).map(|_| Arc::new(Notify::new())).collect();
    let children = notifies.clone();
    let task =
        runtime.spawn(async move { join_all(children.into_iter().map(wait_in_set)).await.len() });
    for notify in &notifies {
        let dump = dump(&runtime);
        assert_eq!(dump.poll_report().unwrap().polled, 1, "{dump}");
        assert_eq!(waits(&dump), 1, "{dump}");
        notify.notify_one();
    }
    assert_eq!(runtime.block_on(task).unwrap(), 70);
}

#[test]
fn futures_of_a_group_are_polled_and_woken_later() {
    let runtime = runtime();
    let notifies: Vec<_> = (0..40).map(|_| Arc::new(Notify::new())).collect();
    let children = notifies.clone();
    let task = runtime.spawn(async move {
        let mut group = FutureGroup::new();
        for notify in children {
            group.insert(wait_in_set(notify));
        }
        let mut ended = Vec::new();
        while let Some((id, ())) = group.next().await {
            ended.push(id.get());
        }
        ended
    });
    for notify in notifies.iter().rev() {
        let dump = dump(&runtime);
        assert_eq!(waits(&dump), 1, "{dump}");
        notify.notify_one();
    }
    let expected: Vec<_> = (0..40).rev().collect();
    assert_eq!(runtime.block_on(task).unwrap(), expected);
}

#[test]
fn child_ends_in_the_inspection_before_the_others() {
    let runtime = runtime();
    let (notify, gate) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (send, received) = oneshot::channel::<u32>();
    let inner = (notify.clone(), gate.clone());
    let task = runtime.spawn(async move {
        let (notify, gate) = inner;
        // A future that is ready from its second poll on, and does not wake.
        let mut polls = 0;
        let quiet = poll_fn(move |cx| {
            polls += 1;
            std::mem::drop(cx.waker().clone());
            if polls > 1 {
                Poll::Ready(1)
            } else {
                Poll::Pending
            }
        });
        let last = async move { received.await.unwrap() };
        let first = async move {
            wait_in_set(notify).await;
            2
        };
        let mut outputs = Vec::new();
        let mut select = pin!((first, quiet, last).select());
        while let Some(output) = select.as_mut().next().await {
            outputs.push(output);
            gate.notified().await;
        }
        outputs.len()
    });
    drop(dump(&runtime));
    gate.notify_one();
    settle(&runtime);
    send.send(3).unwrap();
    settle(&runtime);
    drop(dump(&runtime));
    gate.notify_one();
    settle(&runtime);
    notify.notify_one();
    settle(&runtime);
    gate.notify_one();
    assert_eq!(runtime.block_on(task).unwrap(), 3);
}
