//! The code that has dropped the last waker of a task.
#![cfg(feature = "inspect")]

mod inspecting;

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use inspecting::{get, runtime};
use volt::runtime::{FindingKind, Runtime};

/// A future with room for one waker, which each poll overwrites.
#[derive(Clone, Default)]
struct Gate(Arc<Mutex<Option<Waker>>>);

/// The line that overwrites the waker.
const OVERWRITE: u32 = line!() + 6;

impl Future for Gate {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        *self.0.lock().unwrap() = Some(cx.waker().clone());
        Poll::Pending
    }
}

async fn session(gate: Gate) {
    gate.await;
}

/// Spawns two tasks that wait for one gate. One of them becomes an orphan.
fn orphan(runtime: &Runtime) {
    let gate = Gate::default();
    for _ in 0..2 {
        runtime.spawn(session(gate.clone())).detach();
    }
}

/// Waits until the runtime has reported an orphan, and returns the finding about it.
fn finding(runtime: &Runtime) -> String {
    loop {
        let findings = runtime.dump().findings().into_iter();
        let mut orphans = findings.filter(|finding| finding.kind == FindingKind::Orphan);
        if let Some(finding) = orphans.next() {
            return finding.to_string();
        }
        std::thread::yield_now();
    }
}

#[test]
fn orphan_names_the_drop_of_its_waker() {
    let (runtime, address) = runtime(0);
    orphan(&runtime);
    let text = finding(&runtime);
    let place = format!("tests/inspect_orphans.rs:{OVERWRITE}:");
    let begin = "; its last waker was dropped or overwritten in ";
    let at = text.find(begin).expect(&text);
    assert!(text[at..].contains(&place), "{text}");
    assert!(!text[at..].contains("volt::"), "{text}");
    let groups = get(address, "/groups.json", "").body;
    assert!(groups.contains(&place), "{groups}");
}

#[test]
fn future_without_a_waker_has_no_drop() {
    let (runtime, _) = runtime(0);
    runtime.spawn(std::future::pending::<()>()).detach();
    let text = finding(&runtime);
    assert!(!text.contains("dropped or overwritten in"), "{text}");
}
