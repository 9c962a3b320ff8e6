//! The data of the inspection server.
#![cfg(feature = "inspect")]

mod inspecting;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use inspecting::{get, runtime, runtime_of, send};
use volt::runtime::{Builder, InspectAddress, Runtime};
use volt::task::{Lifecycle, TaskInfo};
use volt::time::sleep;

#[volt::state_machine]
async fn rest(pause: Duration) {
    #[state(Resting)]
    sleep(pause).await;
}

/// Returns the text after `before`, up to the next quotation mark.
fn text_after<'a>(body: &'a str, before: &str) -> &'a str {
    let at = body.find(before).expect("the text is in the body");
    body[at + before.len()..].split('"').next().unwrap()
}

#[test]
fn json_of_one_task_and_one_group() {
    let (runtime, address) = runtime(0);
    for name in ["one", "two"] {
        let handle = runtime.handle();
        handle
            .spawn_named(name, rest(Duration::from_secs(60)))
            .detach();
    }
    let pending = handle_pending(&runtime);
    while runtime.stats().sleeping == 0 {
        std::thread::yield_now();
    }
    let all = get(address, "/dump.json", "");
    assert!(all.head.contains("Content-Type: application/json"));
    assert!(all.head.contains("Server-Timing: render;dur="));
    assert!(all.body.contains("\"one\"") && all.body.contains("\"two\""));
    let dump = runtime.dump();
    let one = dump
        .tasks()
        .iter()
        .find(|task| task.name.as_deref() == Some("one"));
    let path = format!("/dump.json?task={}", one.unwrap().id);
    let task = get(address, &path, "").body;
    assert!(
        task.contains("\"one\"") && !task.contains("\"two\""),
        "{task}"
    );
    let text = get(address, &path.replace("json", "txt"), "").body;
    assert!(
        text.contains("Rest at Resting") && !text.contains("two"),
        "{text}"
    );
    let groups = get(address, "/groups.json", "").body;
    assert!(!groups.contains("\"one\""), "it has no tasks");
    let largest = text_after(&groups, "\"key\":\"");
    let group = get(address, &format!("/dump.json?group={largest}"), "").body;
    assert!(
        group.contains("\"one\"") && group.contains("\"two\""),
        "{group}"
    );
    assert!(!group.contains("\"pending\""), "{group}");
    let text = get(address, &format!("/dump.txt?group={largest}"), "").body;
    assert!(
        text.contains("\"one\"") && text.contains("\"two\""),
        "{text}"
    );
    assert!(!text.contains("pending"), "{text}");
    assert!(text.ends_with('\n'), "the last line has an end: {text:?}");
    drop(pending);
}

fn handle_pending(runtime: &Runtime) -> volt::JoinHandle<()> {
    runtime
        .handle()
        .spawn_named("pending", std::future::pending())
}

#[test]
fn diagram_has_states_and_transitions() {
    let (runtime, address) = runtime(0);
    runtime
        .block_on(runtime.spawn(rest(Duration::ZERO)))
        .unwrap();
    let file = format!("/diagram.json?machine=Rest&file={}", file!());
    for path in ["/diagram.json?machine=Rest", &file] {
        let diagram = get(address, path, "");
        assert_eq!(diagram.status, 200);
        let body = diagram.body;
        assert!(
            body.starts_with("{\"machine\":\"Rest\",\"states\":[{\"name\":\"start\""),
            "{body}"
        );
        assert!(body.contains("{\"name\":\"Resting\","), "{body}");
        assert!(body.contains("\"transitions\":[[0,1],"), "{body}");
    }
    let other = "/diagram.json?machine=Rest&file=other.rs";
    assert_eq!(get(address, other, "").status, 404);
}

#[volt::state_machine]
async fn inner(pause: Duration) {
    sleep(pause).await;
}

#[volt::state_machine]
async fn outer(pause: Duration) {
    inner(pause).await;
}

#[test]
fn diagram_of_an_inner_machine_needs_its_task() {
    let (runtime, address) = runtime(0);
    let task = runtime.spawn(outer(Duration::from_secs(60)));
    while runtime.stats().sleeping == 0 {
        std::thread::yield_now();
    }
    let id = runtime.dump().tasks()[0].id;
    let path = format!("/diagram.json?machine=Inner&task={id}");
    let diagram = get(address, &path, "").body;
    assert!(diagram.starts_with("{\"machine\":\"Inner\","), "{diagram}");
    assert_eq!(get(address, "/diagram.json?machine=Inner", "").status, 404);
    drop(task);
}

#[volt::state_machine]
async fn greet(user: String, pause: Duration) {
    sleep(pause).await;
    drop(user);
}

#[volt::state_machine]
async fn log_in(user: String, #[secret] password: String, key: ApiKey) {
    sleep(Duration::from_secs(60)).await;
    drop((user, password, key));
}

#[derive(Debug)]
struct ApiKey(&'static str);

#[test]
fn secret_values_are_not_in_the_data() {
    let (runtime, address) = shown_values(Runtime::builder().inspect_secret::<ApiKey>());
    let key = ApiKey("k-123");
    assert_eq!(key.0, "k-123");
    let task = runtime.spawn(log_in("ada".to_owned(), "hunter2".to_owned(), key));
    let of_task = data_of_only_task(&runtime, address);
    assert!(of_task.contains(r#"["user","\"ada\""]"#), "{of_task}");
    for name in ["password", "key"] {
        let shown = format!(r#"["{name}","\u003csecret>"]"#);
        assert!(of_task.contains(&shown), "{of_task}");
    }
    assert!(!of_task.contains("hunter2") && !of_task.contains("k-123"));
    drop(task);
}

/// A value whose `Debug` panics, or waits until its flag is set.
struct Awkward(Arc<AtomicBool>, &'static str);

impl std::fmt::Debug for Awkward {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.1 == "panics" {
            panic!("a value panics");
        }
        while !self.0.load(Ordering::Acquire) {
            std::thread::sleep(Duration::from_millis(1));
        }
        f.write_str("awkward")
    }
}

#[volt::state_machine]
async fn hold(value: Awkward) {
    sleep(Duration::from_secs(60)).await;
    drop(value);
}

#[test]
fn panicking_value_is_shown_as_such() {
    let (runtime, address) = shown_values(Runtime::builder());
    let task = runtime.spawn(hold(Awkward(Arc::default(), "panics")));
    let of_task = data_of_only_task(&runtime, address);
    assert!(
        of_task.contains(r#"["value","\u003cpanicked>"]"#),
        "{of_task}"
    );
    drop(task);
}

#[test]
fn blocking_value_does_not_block_the_server() {
    let (runtime, address) = shown_values(Runtime::builder());
    let may_return = Arc::new(AtomicBool::new(false));
    let task = runtime.spawn(hold(Awkward(may_return.clone(), "blocks")));
    let id = task.id();
    let first = data_of_only_task(&runtime, address);
    assert!(first.contains("\"note\":\"values are missing: "), "{first}");
    let path = format!("/dump.txt?task={id}");
    let request = |_| {
        let begin = Instant::now();
        let second = get(address, &path, "").body;
        assert!(second.starts_with("values are missing: "), "{second}");
        let all = get(address, "/dump.json", "").body;
        assert!(all.contains(&id.to_string()));
        begin.elapsed()
    };
    // The thread that waits is not started again for each request. A busy machine may delay one.
    let took = (0..25).map(request);
    assert!(
        took.into_iter()
            .any(|took| took < Duration::from_millis(900))
    );
    may_return.store(true, Ordering::Release);
    while !get(address, &format!("/dump.json?task={id}"), "")
        .body
        .contains("awkward")
    {}
    drop(task);
}

fn shown_values(builder: Builder) -> (Runtime, SocketAddr) {
    let address = InspectAddress::from(0).show_values(true);
    runtime_of(builder.worker_threads(1).inspect(address))
}

/// Waits until the only task sleeps, and returns its data.
fn data_of_only_task(runtime: &Runtime, address: SocketAddr) -> String {
    while runtime.stats().sleeping == 0 {
        std::thread::yield_now();
    }
    let id = runtime.dump().tasks()[0].id;
    get(address, &format!("/dump.json?task={id}"), "").body
}

#[test]
fn values_of_a_task_need_a_setting() {
    for shown in [false, true] {
        let (runtime, address) = runtime(InspectAddress::from(0).show_values(shown));
        let task = runtime.spawn(greet("ada".to_owned(), Duration::from_secs(60)));
        while runtime.stats().sleeping == 0 {
            std::thread::yield_now();
        }
        let id = runtime.dump().tasks()[0].id;
        let of_task = get(address, &format!("/dump.json?task={id}"), "").body;
        assert_eq!(
            of_task.contains(r#"["user","\"ada\""]"#),
            shown,
            "{of_task}"
        );
        let of_all = get(address, "/dump.json", "").body;
        assert!(
            !of_all.contains("ada"),
            "only the data of one task has values"
        );
        drop(task);
    }
}

#[test]
fn poll_by_post_needs_the_token_and_names_functions() {
    let token = "0123456789abcdef";
    let (runtime, address) = runtime(InspectAddress::from(0).token(token));
    let handle = runtime.handle();
    handle
        .spawn_named("boxed", async { rest(Duration::from_secs(60)).await })
        .detach();
    while runtime.stats().sleeping == 0 {
        std::thread::yield_now();
    }
    let post = |path: &str, headers: &str| {
        let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n");
        send(address, &head)
    };
    assert_eq!(post("/by-poll.json", "").status, 401);
    let allowed = format!("Authorization: Bearer {token}\r\n");
    let json = post("/by-poll.json?within_ms=5000&limit=10", &allowed);
    assert_eq!(json.status, 200, "{}", json.body);
    assert!(
        json.body.contains("\"by_poll\":{\"polled\":1,"),
        "{}",
        json.body
    );
    let text = post("/by-poll.txt", &allowed).body;
    assert!(text.starts_with("polled for inspection: 1\n"), "{text}");
    assert!(text.ends_with('\n'), "the last line has an end: {text:?}");
    let limited = post("/by-poll.txt?limit=0", &allowed).body;
    assert!(
        limited.contains("not polled, above the limit of tasks: 1"),
        "{limited}"
    );
}

#[test]
fn dump_is_answered_during_a_dump_by_poll() {
    let (runtime, address) = runtime(0);
    let (release, released) = std::sync::mpsc::channel::<()>();
    let blocker = runtime.spawn(async move { released.recv().unwrap() });
    let is_running = |task: &TaskInfo| task.lifecycle == Lifecycle::Running;
    while !runtime.dump().tasks().iter().any(is_running) {
        std::thread::yield_now();
    }
    // The only worker is blocked, so the poll lasts until its time limit.
    let polled = std::thread::spawn(move || {
        let head = "POST /by-poll.txt?within_ms=10000 HTTP/1.1\r\nHost: localhost\r\n\r\n";
        send(address, head)
    });
    std::thread::sleep(Duration::from_millis(100));
    let begin = Instant::now();
    assert_eq!(get(address, "/dump.txt", "").status, 200);
    assert!(begin.elapsed() < Duration::from_secs(5));
    let second = "POST /by-poll.txt HTTP/1.1\r\nHost: localhost\r\n\r\n";
    assert_eq!(send(address, second).status, 503);
    assert!(!polled.is_finished());
    release.send(()).unwrap();
    let polled = polled.join().unwrap();
    assert_eq!(polled.status, 200, "{}", polled.body);
    runtime.block_on(blocker).unwrap();
}
