//! The views of a runtime that show the wait of each of its tasks.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tokio::sync::Notify;
use volt::runtime::{Dump, PollLimits, Runtime};
use volt::task::{Lifecycle, TaskInfo};

/// The views that show a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// The tree, and also the inspection poll.
    ByTree,
    /// The inspection poll only.
    ByPoll,
    /// Neither.
    Not,
}
pub(crate) use Shown::{ByPoll, ByTree, Not};

fn limits() -> PollLimits {
    let mut limits = PollLimits::default();
    limits.within = Duration::from_secs(60);
    limits
}

/// Waits until all tasks are idle, and have been polled.
fn settle(runtime: &Runtime) {
    let is_idle = |task: &TaskInfo| task.lifecycle == Lifecycle::Idle && task.polls > 0;
    // The task that is dormant waits for 10 ms first.
    let is_dormant =
        |task: &TaskInfo| task.name.as_deref() != Some("pinned, dormant") || task.polls > 1;
    while !runtime
        .dump()
        .tasks()
        .iter()
        .all(|task| is_idle(task) && is_dormant(task))
    {
        thread::sleep(Duration::from_millis(1));
    }
}

/// The lines of the awaits that a view has to show.
#[derive(Clone, Copy)]
pub(crate) struct AwaitLines {
    /// The line of the await in the function `wait`.
    pub(crate) wait: u32,
    /// The line of the await in the form without that function.
    pub(crate) block: u32,
}

/// Returns `true` if the tree of a task has the line of the await. Without debug information,
/// functions have names and no lines.
fn shows_wait(dump: &Dump, task: &TaskInfo, lines: AwaitLines) -> bool {
    let is_block = task.name.as_deref() == Some("async block, spawned");
    let (awaited, names): (u32, &[&str]) = if is_block {
        (lines.block, &["::spawn_all"])
    } else {
        (lines.wait, &["::wait", "::Wait"])
    };
    let is_wait = |name: &str, line| {
        line == awaited || line == 0 && names.iter().any(|end| name.ends_with(end))
    };
    let tree = dump.tree(task);
    let mut places = tree.iter().map(|node| node.place);
    places.any(|place| is_wait(place.name, place.line))
}

/// Returns `true` if the tree of a task shows the await, or names a task whose tree does.
fn leads_to_wait(dump: &Dump, task: &TaskInfo, lines: AwaitLines) -> bool {
    let tree = dump.tree(task);
    let is_awaited = |other: &&TaskInfo| {
        // The place at which the other task waits follows.
        let text = format!("task {}, which waits at ", other.id);
        let mut events = tree.iter().filter_map(|node| node.waits_for.as_deref());
        events.any(|event| event.starts_with(&text))
    };
    let mut awaited = dump.tasks().iter().filter(is_awaited);
    shows_wait(dump, task, lines) || awaited.any(|other| shows_wait(dump, other, lines))
}

/// Compares the views that show the wait of each form with the expected ones.
pub(crate) fn assert_shown(
    spawn_all: impl FnOnce(&Runtime, &Arc<Notify>),
    expected: &[(&'static str, Shown)],
    lines: AwaitLines,
) {
    let runtime = Runtime::builder().worker_threads(1).build().unwrap();
    let notify = Arc::new(Notify::new());
    spawn_all(&runtime, &notify);
    settle(&runtime);
    let by_tree = runtime.dump();
    let by_poll = runtime.dump_by_poll(&limits());
    let mut wrong = Vec::new();
    let mut forms = 0;
    for (task, polled) in by_tree.tasks().iter().zip(by_poll.tasks()) {
        assert_eq!(task.id, polled.id);
        let Some(name) = task.name.as_deref() else {
            continue;
        };
        let shown = match (
            leads_to_wait(&by_tree, task, lines),
            leads_to_wait(&by_poll, polled, lines),
        ) {
            (true, true) => ByTree,
            (false, true) => ByPoll,
            (false, false) => Not,
            (true, false) => panic!("{name}: the inspection poll hides the wait\n{by_poll}"),
        };
        let row = expected.iter().find(|(form, _)| *form == name);
        let (_, expected) = row.unwrap_or_else(|| panic!("{name} is not expected"));
        if shown != *expected {
            wrong.push(format!("{name}: {shown:?} in place of {expected:?}"));
        }
        forms += 1;
    }
    assert_eq!(forms, expected.len());
    assert!(wrong.is_empty(), "{by_poll}\n{}", wrong.join("\n"));
}
