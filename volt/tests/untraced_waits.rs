//! Waits of tasks whose futures cannot be inspected.

use std::future::{Future, pending, ready};
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use volt::Runtime;
use volt::future::{FutureGroup, race};
use volt::net::{TcpListener, TcpStream};
use volt::runtime::{Finding, FindingKind, FindingLimits};
use volt::time::sleep;

fn runtime() -> Runtime {
    Runtime::builder().worker_threads(1).build().unwrap()
}

/// Returns the findings of a kind, about tasks that have waited for this time.
fn findings(runtime: &Runtime, kind: FindingKind, long: Duration) -> Vec<Finding> {
    let mut limits = FindingLimits::default();
    limits.long = long;
    let mut findings = runtime.dump().findings_with(&limits);
    findings.retain(|finding| finding.kind == kind);
    findings
}

/// Repeats until there is a finding.
fn first_finding(runtime: &Runtime, kind: FindingKind, long: Duration) -> Finding {
    let begin = Instant::now();
    loop {
        if let Some(finding) = findings(runtime, kind, long).pop() {
            return finding;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "no finding");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A future that stores its waker, and is never ready.
#[derive(Clone, Default)]
struct Gate(Arc<Mutex<Option<Waker>>>);

impl Future for Gate {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        *self.0.lock().unwrap() = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Gate {
    /// Wakes the future, once it has been polled.
    fn wake(&self) {
        loop {
            let waker = self.0.lock().unwrap().take();
            match waker {
                Some(waker) => return waker.wake(),
                None => std::thread::yield_now(),
            }
        }
    }
}

/// Polls a group once, and then waits without polling it.
async fn hold(gates: [Gate; 3]) {
    let mut group = FutureGroup::new();
    for gate in gates {
        group.insert(gate);
    }
    race(group.next(), ready(None)).await;
    pending::<()>().await;
}

#[test]
fn woken_children_of_a_plain_task_are_found() {
    let runtime = runtime();
    let gates: [Gate; 3] = Default::default();
    let task = runtime.handle().spawn_named("hold", hold(gates.clone()));
    let kind = FindingKind::WokenNotPolled;
    gates[2].wake();
    gates[1].wake();
    let finding = loop {
        let finding = first_finding(&runtime, kind, Duration::ZERO);
        if !finding.to_string().contains("1 woken future") {
            break finding;
        }
    };
    let text = finding.to_string();
    let begin = "woken and not polled: 2 woken futures in task ";
    assert!(text.starts_with(begin), "{text}");
    assert!(text.contains(" \"hold\"; it waits, spawned at "), "{text}");
    assert_eq!(finding.tasks, [task.id()]);
    drop(task);
}

#[test]
fn polled_group_is_no_finding() {
    let runtime = runtime();
    let gates: [Gate; 3] = Default::default();
    let held = gates.clone();
    let task = runtime.spawn(async move {
        let mut group = FutureGroup::new();
        for gate in held {
            group.insert(gate);
        }
        group.next().await;
    });
    for _ in 0..50 {
        gates[1].wake();
        while runtime.dump().tasks()[0].polls == 0 || runtime.stats().queued > 0 {
            std::thread::yield_now();
        }
    }
    // The group polls each child that was woken, so the last waker arrives again.
    gates[1].wake();
    let begin = Instant::now();
    while gates[1].0.lock().unwrap().is_none() {
        assert!(begin.elapsed() < Duration::from_secs(60));
    }
    let kind = FindingKind::WokenNotPolled;
    let mut last = findings(&runtime, kind, Duration::ZERO);
    for _ in 0..20 {
        if last.is_empty() {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
        last = findings(&runtime, kind, Duration::ZERO);
    }
    assert_eq!(last, []);
    drop(task);
}

#[test]
fn woken_set_within_another_set_is_found() {
    let runtime = runtime();
    let gates: [Gate; 3] = Default::default();
    let held = gates.clone();
    let task = runtime.spawn(async move {
        let mut outer = FutureGroup::new();
        outer.insert(hold(held));
        outer.next().await;
    });
    gates[0].wake();
    let finding = first_finding(&runtime, FindingKind::WokenNotPolled, Duration::ZERO);
    assert_eq!(finding.tasks, [task.id()]);
    drop(task);
}

#[test]
fn timer_beside_a_blocked_worker_is_overdue() {
    let runtime = runtime();
    // The worker begins the last task before these timers end.
    let time = Duration::from_secs(1);
    let races = runtime.spawn(async move { _ = race(sleep(time), pending::<()>()).await });
    let sleeps = runtime.spawn(sleep(time));
    while runtime.dump().tasks().iter().any(|task| task.polls == 0) {
        std::thread::yield_now();
    }
    let (release, released) = std::sync::mpsc::channel::<()>();
    let blocks = runtime.spawn(async move { _ = released.recv() });
    let long = Duration::from_millis(50);
    // The finding about the worker also has the timers, each as soon as it is overdue for long.
    loop {
        let finding = first_finding(&runtime, FindingKind::BlockedWorker, long);
        assert_eq!(finding.tasks, [blocks.id()]);
        let text = finding.to_string();
        if text.contains("; meanwhile 2 tasks") {
            assert!(
                text.contains(" wait for timers that ended up to "),
                "{text}"
            );
            break;
        }
        std::thread::yield_now();
    }
    assert!(findings(&runtime, FindingKind::OverdueTimers, long).is_empty());
    drop(release);
    drop((races, sleeps));
}

/// Echoes on threads, except for clients that send `silent`.
fn echo_server() -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            std::thread::spawn(move || {
                let mut request = [0];
                while stream.read_exact(&mut request).is_ok() {
                    if request != [0] && stream.write_all(&request).is_err() {
                        return;
                    }
                }
            });
        }
    });
    address
}

/// Spawns clients at one place, of which the first ones get no answers.
fn spawn_clients(runtime: &Runtime, silent: u8, all: u8) -> SocketAddr {
    let address = echo_server();
    for client in 0..all {
        let client_task = async move {
            let stream = TcpStream::connect(address).await.unwrap();
            loop {
                let byte = u8::from(client >= silent);
                stream.write_all(&[byte]).await.unwrap();
                stream.read_exact(&mut [0]).await.unwrap();
                sleep(Duration::from_millis(5)).await;
            }
        };
        runtime.handle().spawn_named("client", client_task).detach();
    }
    address
}

const LONG: Duration = Duration::from_millis(400);

#[test]
fn silent_peer_is_named() {
    let runtime = runtime();
    let address = spawn_clients(&runtime, 1, 4);
    let finding = first_finding(&runtime, FindingKind::SilentPeer, LONG);
    let text = finding.to_string();
    assert!(text.starts_with("silent peer: task "), "{text}");
    assert!(text.contains(" \"client\" waits for "), "{text}");
    let from = format!(" ms to read from {address}; the other 3 tasks spawned at ");
    assert!(text.contains(&from), "{text}");
    assert_eq!(finding.tasks.len(), 1);
    let dump = runtime.dump();
    let waits = dump.socket_waits().iter();
    let wait = waits.clone().find(|wait| wait.task == finding.tasks[0]);
    let wait = wait.expect("the task still waits");
    assert_eq!(wait.direction, volt_inspect::Direction::Read);
    let line = format!(
        "   waits to read from descriptor {} ({address})",
        wait.descriptor
    );
    assert!(dump.to_string().contains(&line), "{dump}");
}

#[test]
fn place_with_many_silent_peers_is_no_finding() {
    let runtime = runtime();
    spawn_clients(&runtime, 2, 4);
    let begin = Instant::now();
    while begin.elapsed() < 3 * LONG {
        assert_eq!(findings(&runtime, FindingKind::SilentPeer, LONG), []);
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_ne!(runtime.dump().socket_waits(), []);
}

#[test]
fn silent_client_is_no_finding() {
    let runtime = runtime();
    let listener = runtime.block_on(async { TcpListener::bind("127.0.0.1:0").unwrap() });
    let address = listener.local_addr().unwrap();
    let accept = async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let session = async move { while stream.read(&mut [0; 8]).await.unwrap() > 0 {} };
            volt::spawn(session).detach();
        }
    };
    runtime.spawn(accept).detach();
    let mut clients: Vec<_> = (0..4)
        .map(|_| std::net::TcpStream::connect(address).unwrap())
        .collect();
    let begin = Instant::now();
    while begin.elapsed() < 3 * LONG {
        for client in &mut clients[1..] {
            client.write_all(&[1]).unwrap();
        }
        assert_eq!(findings(&runtime, FindingKind::SilentPeer, LONG), []);
        std::thread::sleep(Duration::from_millis(20));
    }
    let waits = runtime.dump().socket_waits().to_vec();
    let accepted = waits.iter().filter(|wait| wait.is_accepted);
    assert_eq!(accepted.count(), 4, "{waits:?}");
}
