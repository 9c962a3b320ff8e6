//! Each kind of finding, on dumps that are made by hand.

use super::{FindingKind, FindingLimits, Severity};
use crate::runtime::dump::Dump;
use crate::runtime::dump::sample::{dump, id, only_finding, running, task};
use crate::runtime::dump::tree::ValueLimit;
use crate::task::{Lifecycle, TaskInfo};
use std::time::Duration;
use volt_inspect::{Inspector, Node, Status, Wait};

#[test]
fn healthy_tasks_have_no_finding() {
    let unknown = TaskInfo {
        lifecycle: Lifecycle::Scheduled,
        since: 0,
        ..task(4, 0)
    };
    let delayed = TaskInfo {
        cancelled: true,
        shield: 1,
        ..task(5, 999)
    };
    let tasks = vec![
        task(1, 9_000),
        running(2, 999),
        task(3, 10),
        unknown,
        delayed,
    ];
    assert_eq!(dump(tasks).findings(), []);
}

#[test]
fn orphans_are_listed_by_their_place() {
    let orphan = |slot, age| TaskInfo {
        orphaned: true,
        ..task(slot, age)
    };
    let elsewhere = TaskInfo {
        position: [].into(),
        ..orphan(3, 10)
    };
    let findings = dump(vec![orphan(1, 20), orphan(2, 70), elsewhere, task(4, 10)]).findings();
    let counts: Vec<_> = findings.iter().map(|finding| finding.count).collect();
    assert_eq!(counts, [2, 1]);
    assert_eq!(findings[0].tasks, [id(2), id(1)]);
    assert_eq!(findings[0].longest, Duration::from_millis(70));
    assert_eq!(
        findings[0].to_string(),
        "no waker left: 2 tasks, such as task 2.1, at ReadFrame at await poll_fn, src/frame.rs:31:14, \
         awaited by Session at await read_frame, src/session.rs:52:30"
    );
}

#[test]
fn cancelled_task_names_its_joiners() {
    let delayed = TaskInfo {
        cancelled: true,
        shield: 1,
        ..task(1, 1_500)
    };
    let joins = TaskInfo {
        waits_for: vec![id(1)],
        ..task(2, 1_500)
    };
    let finding = only_finding(&dump(vec![delayed, joins]));
    let end = "; task 2.1 waits for its end at ReadFrame at await poll_fn, src/frame.rs:31:14";
    assert!(finding.text.ends_with(end), "{finding}");
}

#[test]
fn queued_tasks_are_starved_after_a_second() {
    let queued = |slot, age| TaskInfo {
        lifecycle: Lifecycle::Scheduled,
        ..task(slot, age)
    };
    let finding = only_finding(&dump(vec![
        queued(1, 999),
        queued(2, 1_000),
        queued(3, 2_000),
    ]));
    assert_eq!(finding.kind, FindingKind::Starved);
    assert_eq!(finding.tasks, [id(3), id(2)]);
    assert_eq!(
        finding.to_string(),
        "starved: 2 tasks queued for up to 2.0 s"
    );
}

#[test]
fn delayed_cancellation_is_a_warning() {
    let delayed = TaskInfo {
        cancelled: true,
        shield: 1,
        ..task(1, 1_500)
    };
    let finding = only_finding(&dump(vec![delayed]));
    assert_eq!(finding.kind, FindingKind::CancelledShielded);
    assert_eq!(finding.kind.severity(), Severity::Warning);
    let begin = "cancelled but shielded: task 1.1 for 1.5 s at ReadFrame at ";
    assert!(finding.text.starts_with(begin), "{finding}");
}

#[test]
fn thousand_tasks_at_one_place_are_found() {
    let tasks = |count| dump((1..=count).map(|slot| task(slot, 10)).collect());
    assert_eq!(tasks(999).findings(), []);
    let finding = only_finding(&tasks(1_000));
    assert_eq!(finding.kind, FindingKind::ManyAtOnePlace);
    assert_eq!((finding.count, finding.tasks.len()), (1_000, 5));
    let limits = FindingLimits {
        many: 1_001,
        ..FindingLimits::default()
    };
    assert_eq!(tasks(1_000).findings_with(&limits), []);
}

/// Returns a dump of one task that has waited for two seconds, with this tree.
fn dump_of_tree(wakers: u64, walk: impl FnOnce(&mut Inspector<'_>)) -> Dump {
    let mut dump = dump(Vec::new());
    let added = dump.forest.add(ValueLimit::None, |visitor| {
        walk(&mut Inspector::new(visitor));
    });
    dump.tasks.push(TaskInfo {
        tree: added.unwrap().1,
        wakers: Some(wakers),
        ..task(1, 2_000)
    });
    dump
}

/// Reports a race of a timer and a child with a status.
fn race(inspector: &mut Inspector<'_>, left: Duration, status: Status) {
    inspector.node(&Node::new("Race"), |inspector| {
        inspector.as_child(0, Status::Waiting, |inspector| {
            let wait = Wait::Timer { left };
            inspector.node(&Node::new("Sleep"), |inspector| inspector.waits(wait));
        });
        inspector.as_child(1, status, |inspector| {
            inspector.node(&Node::new("Receive"), |_| ());
        });
    });
}

#[test]
fn status_of_a_future_is_a_finding_after_a_second() {
    let left = Duration::from_secs(10);
    let dump_of = |status| dump_of_tree(2, |inspector| race(inspector, left, status));
    assert_eq!(dump_of(Status::Waiting).findings(), []);
    let kind = |status| {
        let mut dump = dump_of(status);
        // One waker, so that the wakers are no finding.
        dump.tasks[0].wakers = Some(1);
        let finding = only_finding(&dump);
        dump.tasks[0].since += 1_500;
        assert_eq!(dump.findings(), []);
        finding.kind
    };
    assert_eq!(kind(Status::Dormant), FindingKind::Dormant);
    assert_eq!(kind(Status::Woken), FindingKind::WokenNotPolled);
}

#[test]
fn wakers_without_leaves_are_a_finding() {
    let dump = |wakers, leaf| {
        dump_of_tree(wakers, |inspector| {
            inspector.node(&Node::new(leaf), |_| ());
        })
    };
    let kinds = |dump: Dump| -> Vec<_> { dump.findings().iter().map(|found| found.kind).collect() };
    let lock = FindingKind::LockWaits;
    assert_eq!(kinds(dump(1, "Mutex")), [lock]);
    let merged = only_finding(&dump(2, "Mutex"));
    assert_eq!(merged.kind, lock);
    let end = "task 1.1 has more wakers than waits, so a variable there may store a future that is \
               the next in the queue of the lock, and is not polled";
    assert!(merged.text.ends_with(end), "{merged}");
    assert_eq!(
        kinds(dump(2, "Notified")),
        [FindingKind::MoreWakersThanLeaves]
    );
    // An object may keep the waker of an earlier wait.
    assert_eq!(kinds(dump(2, "Next<WebSocketStream>")), []);
}

#[test]
fn only_wait_for_a_far_timer_is_a_finding() {
    let days = |days: u64| Duration::from_secs(days * 86_400);
    let sleep = |left| {
        dump_of_tree(1, |inspector| {
            let wait = Wait::Timer { left };
            inspector.node(&Node::new("Sleep"), |inspector| inspector.waits(wait));
        })
    };
    assert_eq!(sleep(Duration::from_secs(86_399)).findings(), []);
    let finding = only_finding(&sleep(days(30)));
    assert_eq!(finding.kind, FindingKind::FarTimer);
    assert!(finding.text.contains(" in Sleep"), "{finding}");
    let both = dump_of_tree(2, |inspector| race(inspector, days(30), Status::Waiting));
    assert_eq!(both.findings(), []);
}

#[test]
fn errors_precede_warnings() {
    let orphan = TaskInfo {
        orphaned: true,
        cancelled: true,
        shield: 1,
        ..task(1, 2_000)
    };
    let kinds = dump(vec![orphan])
        .findings()
        .into_iter()
        .map(|finding| finding.kind);
    let kinds: Vec<_> = kinds.collect();
    assert_eq!(kinds, [FindingKind::Orphan, FindingKind::CancelledShielded]);
}

#[test]
fn text_begins_with_findings_and_groups() {
    let mut tasks: Vec<_> = (1..=10).map(|slot| task(slot, 10)).collect();
    tasks[3].orphaned = true;
    let dump = dump(tasks);
    let text = dump.to_string();
    let place = "ReadFrame at await poll_fn, src/frame.rs:31:14";
    let outer = "Session at await read_frame, src/session.rs:52:30";
    let spawn = dump.tasks()[0].location;
    let begin = format!(
        "no waker left: task 4.1 at {place}, awaited by {outer}\n   {}\ngroup of 10 tasks for up to 10 ms: {place}, \
         spawned at {spawn}\n10 tasks spawned at {spawn}\ntask 4.1: ",
        FindingKind::Orphan.advice(),
    );
    assert!(text.starts_with(&begin), "{text}");
    let summary = dump.summary().to_string();
    assert!(!summary.contains("task 1.1"), "{summary}");
    assert!(summary.ends_with("\n10 tasks"), "{summary}");
}

#[test]
fn first_task_of_a_finding_is_named_first() {
    let times = [1_500, 2_000, 2_000, 1_000];
    let orphans = times.into_iter().zip(1..).map(|(age, slot)| TaskInfo {
        orphaned: true,
        ..task(slot, age)
    });
    let finding = only_finding(&dump(orphans.collect()));
    assert_eq!(finding.tasks, [id(2), id(3), id(1), id(4)]);
    assert!(finding.text.contains("such as task 2.1"), "{finding}");
    let finding = only_finding(&dump_of_waits("tokio::Mutex::lock", &[1_500, 2_000, 2_000]));
    assert_eq!(finding.tasks, [id(2), id(3), id(1)]);
    assert!(finding.text.contains("such as task 2.1"), "{finding}");
    let led = finding.clone().led_by(Some(id(1)));
    assert_eq!(led.tasks, [id(1), id(2), id(3)]);
    let other = finding.led_by(Some(id(9)));
    assert_eq!(other.tasks, [id(9), id(2), id(3), id(1)]);
    let full = only_finding(&dump_of_waits("tokio::Mutex::lock", &[2_000; 30]));
    let led = full.clone().led_by(Some(id(30)));
    assert_eq!((led.tasks[0], led.tasks.len()), (id(30), full.tasks.len()));
}

/// Returns a dump of tasks that have waited for a future of this name, each for its time.
fn dump_of_waits(name: &'static str, ages: &[u32]) -> Dump {
    let mut dump = dump(Vec::new());
    for (slot, age) in (1..).zip(ages) {
        let added = dump.forest.add(ValueLimit::None, |visitor| {
            Inspector::new(visitor).node(&Node::new(name), |_| ());
        });
        dump.tasks.push(TaskInfo {
            tree: added.unwrap().1,
            ..task(slot, *age)
        });
    }
    dump
}

#[test]
fn lock_without_progress_is_a_finding() {
    let name = "tokio::sync::mutex::Mutex<i64>::lock::{{closure}}";
    let finding = only_finding(&dump_of_waits(name, &[1_000, 7_000]));
    assert_eq!(finding.kind, FindingKind::LockWaits);
    assert_eq!(finding.tasks, [id(2), id(1)]);
    let begin = "locks that are not released: 2 tasks have waited for up to 7.0 s for a lock of \
                 tokio: 2 tasks, such as task 2.1, spawned at ";
    assert!(finding.text.starts_with(begin), "{finding}");
}

#[test]
fn lock_is_named_with_the_await_around_it() {
    let name = "tokio::sync::mutex::Mutex<i64>::lock::{{closure}}";
    let mut dump = dump(Vec::new());
    let states = task(1, 0).position;
    let added = dump.forest.add(ValueLimit::None, |visitor| {
        Inspector::new(visitor).node(&Node::of_state(states[0]), |inspector| {
            inspector.node(&Node::of_state(states[1]), |inspector| {
                inspector.node(&Node::new(name), |_| ());
            });
        });
    });
    dump.tasks.push(TaskInfo {
        tree: added.unwrap().1,
        ..task(1, 1_000)
    });
    let end = "src/frame.rs:31:14 in tokio::sync::mutex::Mutex<i64>::lock, \
               awaited by Session at await read_frame, src/session.rs:52:30";
    assert!(only_finding(&dump).text.ends_with(end), "{dump}");
}

#[test]
fn lock_with_progress_is_no_finding() {
    let name = "tokio::sync::mutex::Mutex<i64>::lock::{{closure}}";
    assert_eq!(dump_of_waits(name, &[7_000, 999]).findings(), []);
    assert_eq!(dump_of_waits("app::Receive", &[7_000]).findings(), []);
}

#[test]
fn far_timer_is_found_without_a_tree() {
    let untraced = |wakers| {
        let waits = TaskInfo {
            position: [].into(),
            wakers: Some(wakers),
            ..task(3, 2_000)
        };
        let mut dump = dump(vec![task(1, 10), waits, task(7, 10)]);
        dump.far_timers = vec![(id(3), Duration::from_secs(30 * 86_400))];
        dump
    };
    let finding = only_finding(&untraced(1));
    assert_eq!(finding.kind, FindingKind::FarTimer);
    assert!(
        finding
            .text
            .contains("task 3.1 waits for nothing but a timer that ends in 30.0 days"),
        "{finding}"
    );
    // Another event can wake the task too.
    assert_eq!(untraced(2).findings(), []);
}

#[test]
fn far_timer_counts_brief_waits_of_its_place() {
    let untraced = |slot, age| TaskInfo {
        position: [].into(),
        ..task(slot, age)
    };
    let text_of = |tasks| {
        let mut dump = dump(tasks);
        dump.far_timers = vec![(id(3), Duration::from_secs(30 * 86_400))];
        only_finding(&dump).text
    };
    let alone = text_of(vec![untraced(3, 2_000), untraced(6, 2_000)]);
    assert!(!alone.contains("of this place"), "{alone}");
    let brief = [untraced(3, 2_000), untraced(4, 10), untraced(5, 20)];
    let text = text_of(brief.into());
    let end = "; 2 other tasks of this place have waited less than 1.0 s";
    assert!(text.ends_with(end), "{text}");
}

#[test]
fn overdue_timer_names_the_poll_of_the_worker() {
    let overdue = |late| {
        let mut dump = dump(vec![running(1, 900), task(3, 3_000), task(7, 5_000)]);
        dump.overdue_timers = vec![
            (id(3), Duration::from_millis(20)),
            (id(3), Duration::from_millis(late)),
        ];
        dump
    };
    let finding = only_finding(&overdue(2_000));
    assert_eq!(finding.kind, FindingKind::OverdueTimers);
    assert_eq!(finding.tasks, [id(3)]);
    assert_eq!(
        finding.to_string(),
        "overdue timers: task 3.1 waits for timers that ended up to 2.0 s ago; \
         1 of 1 worker is in a poll, task 1.1 for 900 ms"
    );
    assert_eq!(overdue(999).findings(), []);
    // The clock of the timers jumped, and the task has not waited for long.
    let mut jumped = dump(vec![task(3, 10)]);
    jumped.overdue_timers = vec![(id(3), Duration::from_secs(60))];
    assert_eq!(jumped.findings(), []);
}
