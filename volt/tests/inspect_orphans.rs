//! The code that has dropped the last waker of a task.
#![cfg(feature = "inspect")]

mod inspecting;

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use inspecting::{get, runtime, send};
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

/// The line of the await in `session`.
const AWAIT: u32 = line!() + 3;

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
fn requested_poll_of_an_orphan_has_its_line() {
    let (runtime, address) = runtime(0);
    orphan(&runtime);
    let text = finding(&runtime);
    assert!(text.contains(", spawned at "), "{text}");
    let place = format!("awaited by inspect_orphans::session at tests/inspect_orphans.rs:{AWAIT}:");
    let post = |path: &str| {
        let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        send(address, &head).body
    };
    let refused = post("/by-poll.txt");
    assert!(refused.contains("without a waker: 1 ("), "{refused}");
    // The gate has room for one waker, so the other task becomes an orphan by each poll.
    for _ in 0..2 {
        let polled = post("/by-poll.txt?orphans");
        assert!(polled.contains("polled for inspection: 2"), "{polled}");
        assert!(polled.contains("no waker left: 2 tasks"), "{polled}");
        assert!(polled.contains(&place), "{polled}");
    }
}

#[test]
fn future_without_a_waker_has_no_drop() {
    let (runtime, _) = runtime(0);
    runtime.spawn(std::future::pending::<()>()).detach();
    let text = finding(&runtime);
    assert!(!text.contains("dropped or overwritten in"), "{text}");
}
