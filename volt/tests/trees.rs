//! The trees of futures that an inspection reports.

use std::future::{Future, pending};
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;

use volt::future::{FuturesExt as _, race};
use volt::task::{cooperative, shielded, unconstrained};
use volt::time::{sleep, timeout};
use volt_inspect::{Inspector, TreeWriter};

const HOUR: Duration = Duration::from_secs(3600);

/// Polls a future once in a runtime, and returns its tree without places and times.
fn tree<F: Future>(make: impl FnOnce() -> F) -> Vec<String> {
    volt::block_on(async {
        let mut future = pin!(make());
        let polled = future
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()));
        assert!(polled.is_pending());
        let mut tree = TreeWriter::new(String::new()).with_values();
        Inspector::new(&mut tree).future(future);
        let written = tree.into_inner();
        let line = |line: &str| {
            let end = line.find(", volt/").or(line.find(" in 60.0 min"));
            line[..end.unwrap_or(line.len())].to_owned()
        };
        written.lines().map(line).collect()
    })
}

#[volt::state_machine]
async fn explicit(id: u32) -> u32 {
    let name = format!("{id}");
    sleep(HOUR).await;
    id + name.len() as u32
}

#[volt::state_machine(native)]
async fn native(id: u32) -> u32 {
    let name = format!("{id}");
    sleep(HOUR).await;
    id + name.len() as u32
}

#[volt::state_machine]
async fn generic<T: Clone + Send>(value: T) -> T {
    sleep(HOUR).await;
    value.clone()
}

#[volt::state_machine]
async fn outer(id: u32) -> u32 {
    explicit(id).await + id
}

#[volt::state_machine(native)]
async fn both(id: u32) -> (u32, u32) {
    (explicit(id), native(id)).join().await
}

#[test]
fn explicit_machine_shows_values_and_leaf() {
    let expected = [
        "Outer at await explicit",
        "  id: 7",
        "  Explicit at await sleep",
        "    id: 7",
        "    name: \"7\"",
        "    Sleep",
        "      waits for a timer",
    ];
    assert_eq!(tree(|| outer(7)), expected);
}

#[test]
fn native_machine_shows_combinator_and_machines() {
    let expected = [
        "Both at await",
        "  Join",
        "    [0] Explicit at await sleep",
        "      id: 7",
        "      name: \"7\"",
        "      Sleep",
        "        waits for a timer",
        "    [1] Native at await sleep",
        "      Sleep",
        "        waits for a timer",
    ];
    let mut nodes = tree(|| both(7));
    assert!(nodes[0].starts_with("Both at await"), "{}", nodes[0]);
    nodes[0] = "Both at await".into();
    assert_eq!(nodes, expected);
}

#[test]
fn generic_machine_in_a_box_shows_its_leaf() {
    let nodes = tree(|| Box::pin(generic(String::from("a"))));
    assert_eq!(nodes[0], "Generic at await sleep");
    assert_eq!(
        nodes[nodes.len() - 2..],
        ["  Sleep", "    waits for a timer"]
    );
}

#[test]
fn wrappers_show_the_inner_future() {
    let make = || {
        let inner = unconstrained(cooperative(timeout(HOUR, explicit(7))));
        shielded(inner)
    };
    let expected = [
        "Shielded",
        "  Unconstrained",
        "    Cooperative",
        "      Timeout",
        "        waits for a timer",
        "        Explicit at await sleep",
        "          id: 7",
        "          name: \"7\"",
        "          Sleep",
        "            waits for a timer",
    ];
    assert_eq!(tree(make), expected);
}

#[test]
fn race_shows_the_task_of_a_handle() {
    let make = || {
        let task = volt::spawn(pending::<()>());
        race(task, async {
            sleep(HOUR).await;
            Ok(())
        })
    };
    let nodes = tree(make);
    assert_eq!(nodes[..2], ["Race", "  [0] JoinHandle"]);
    assert!(nodes[2].starts_with("    waits for task "), "{}", nodes[2]);
}
