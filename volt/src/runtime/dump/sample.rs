//! A dump with one task of each kind. Its locations are those of this file.

use std::num::NonZeroUsize;
use std::panic::Location;
use std::time::{Duration, SystemTime};

use volt_inspect::{Inspector, Node, Status, Wait};

use super::blocked::BlockedThread;
use super::dump::{Dump, RuntimeState};
use super::thread_activity::{PollingThread, ThreadActivity};
use super::tree::{Forest, ValueLimit};
use crate::machine::State;
use crate::scheduler::{Stats, WorkerStats};
use crate::task::{Lifecycle, TaskId, TaskInfo, TreeRange};

/// The time of the sample, as a timestamp of tasks.
const NOW: u32 = 10_000;

static SESSION: State = State::new(
    "Session",
    2,
    "await read_frame",
    ("src/session.rs", 52, 30),
    &[],
);
static READ_FRAME: State = State::new(
    "ReadFrame",
    1,
    "await poll_fn",
    ("src/frame.rs", 31, 14),
    &[],
);

/// Returns an idle task in slot `slot` that was polled twice and has waited for `age` milliseconds.
pub(super) fn task(slot: u64, age: u32) -> TaskInfo {
    TaskInfo {
        id: id(slot),
        name: None,
        location: Location::caller(),
        lifecycle: Lifecycle::Idle,
        polls: 2,
        since: NOW - age,
        blocking: false,
        block_on: false,
        worker: None,
        thread: None,
        cancelled: false,
        shield: 0,
        orphaned: false,
        detached: false,
        wakers: Some(1),
        waits_for: Vec::new(),
        type_name: "app::Session",
        future_size: 96,
        position: [&SESSION, &READ_FRAME].into(),
        within: Box::default(),
        tree: TreeRange::default(),
    }
}

/// Returns a dump of these tasks, with one blocked thread.
pub(super) fn dump(tasks: Vec<TaskInfo>) -> Dump {
    let worker = WorkerStats {
        spawned: 4,
        polled: 9,
        stolen: 1,
        parked: 3,
        busy: Duration::from_millis(250),
        queued: 1,
        ..WorkerStats::default()
    };
    let stats = Stats {
        workers: vec![worker],
        spawned: 6,
        alive: tasks.len(),
        queued: 1,
        ..Stats::default()
    };
    let threads = tasks.iter().filter_map(thread);
    let threads = threads.collect();
    let blocked = BlockedThread {
        thread: Some("main".to_owned()),
        location: Location::caller(),
        since: NOW - 2_317,
        future: TaskId::from_bits(1 << 63 | 6),
    };
    Dump {
        tasks,
        forest: Forest::default(),
        blocked: vec![blocked],
        threads,
        #[cfg(feature = "inspect")]
        by_poll: None,
        socket_waits: Vec::new(),
        timers: 3,
        far_timers: Vec::new(),
        overdue_timers: Vec::new(),
        woken_children: Vec::new(),
        slow_polls: Vec::new(),
        #[cfg(feature = "inspect")]
        poll_samples: Vec::new(),
        #[cfg(feature = "inspect")]
        growth: Vec::new(),
        runtime: RuntimeState {
            id: NonZeroUsize::new(0xbeef).expect("not zero"),
            name: Some("api".to_owned()),
            stats,
            has_backtraces: None,
        },
        now: NOW,
        taken: SystemTime::UNIX_EPOCH + Duration::from_millis(1_700_000_000_000),
        took: Duration::from_micros(120),
        note: None,
    }
}

/// Returns the thread of a task that a worker polls, or of a long job.
fn thread(task: &TaskInfo) -> Option<PollingThread> {
    let is_long_job = task.blocking && task.since <= NOW - 1_000;
    (task.worker.is_some() || is_long_job).then(|| PollingThread {
        task: task.id,
        worker: task.worker.map(usize::from),
        thread_id: Some(4711),
        activity: Some(ThreadActivity::Blocked {
            system_call: Some("futex".to_owned()),
            wait_channel: Some("futex_wait_queue".to_owned()),
        }),
        futex: None,
        addresses: Vec::new(),
        further_addresses: Vec::new(),
        type_name: task.type_name,
        spawned_in: "",
    })
}

/// Returns the id of the task in a slot.
pub(super) fn id(slot: u64) -> TaskId {
    TaskId::from_bits(1 << 32 | slot)
}

/// Returns a task that a worker has polled for `age` milliseconds.
pub(super) fn running(slot: u64, age: u32) -> TaskInfo {
    TaskInfo {
        lifecycle: Lifecycle::Running,
        position: [].into(),
        thread: Some("volt-worker-0".into()),
        worker: Some(0),
        ..task(slot, age)
    }
}

/// Returns the only finding of a dump.
pub(super) fn only_finding(dump: &Dump) -> super::findings::Finding {
    let mut findings = dump.findings();
    assert_eq!(findings.len(), 1, "{findings:?}");
    findings.remove(0)
}

/// Returns a dump with each value that a column can have.
pub(super) fn sample() -> Dump {
    let named = TaskInfo {
        name: Some("the \"reader\"".into()),
        waits_for: vec![id(4)],
        ..task(1, 25)
    };
    let queued = TaskInfo {
        lifecycle: Lifecycle::Scheduled,
        polls: 0,
        since: 0,
        position: [].into(),
        ..task(2, 0)
    };
    let spinning = TaskInfo {
        type_name: "app::spin::{{closure}}",
        ..running(3, 2_792)
    };
    let stuck = TaskInfo {
        cancelled: true,
        shield: 1,
        orphaned: true,
        wakers: Some(0),
        waits_for: vec![id(1)],
        within: [vec![&READ_FRAME], vec![&SESSION]].into(),
        ..task(4, 4_000)
    };
    let job = TaskInfo {
        id: TaskId::from_bits(1 << 63 | 5),
        lifecycle: Lifecycle::Running,
        blocking: true,
        wakers: None,
        thread: Some("volt-blocking".into()),
        position: [].into(),
        type_name: "app::compress::{{closure}}",
        ..task(5, 40)
    };
    let mut dump = dump(vec![named, queued, spinning, stuck, job]);
    let added = dump.forest.add(ValueLimit::DEFAULT, |visitor| {
        walk(&mut Inspector::new(visitor));
    });
    dump.tasks[3].tree = added.expect("the walk does not panic").1;
    dump
}

/// Reports a machine that races a timer and a lock.
fn walk(inspector: &mut Inspector<'_>) {
    inspector.node(&Node::of_state(&SESSION), |inspector| {
        inspector.value("user", &"ada");
        inspector.node(&Node::new("Race"), |inspector| {
            inspector.as_child(0, Status::Waiting, |inspector| {
                let left = Duration::from_millis(2_500);
                let wait = Wait::Timer { left };
                inspector.node(&Node::new("Sleep"), |inspector| inspector.waits(wait));
            });
            inspector.as_child(1, Status::Woken, |inspector| {
                inspector.node(&Node::new("Lock"), |_| ());
            });
            inspector.ended_child(2, Status::Done);
        });
    });
}
