//! Findings about threads, on dumps that are made by hand.

use crate::runtime::dump::findings::finding::FindingKind;
use crate::runtime::dump::sample::{dump, id, only_finding, running, task};
use crate::runtime::dump::thread_activity::ThreadActivity;
use crate::scheduler::{MAX_SLOW_POLLS, SlowPoll};
use crate::task::TaskInfo;
use std::time::Duration;

/// Returns a blocking job that has run for `age` milliseconds.
fn job(slot: u64, age: u32) -> TaskInfo {
    TaskInfo {
        blocking: true,
        worker: None,
        ..running(slot, age)
    }
}

#[test]
fn blocked_worker_is_found_with_its_jobs() {
    let named = TaskInfo {
        name: Some("culprit".into()),
        ..running(1, 1_000)
    };
    let finding = only_finding(&dump(vec![job(7, 1_100), named, job(8, 500), task(3, 10)]));
    assert_eq!(finding.kind, FindingKind::BlockedWorker);
    assert_eq!((finding.tasks, finding.jobs), (vec![id(1)], vec![id(7)]));
    let text = finding.text;
    let begin = "blocked worker: task 1.1 \"culprit\" has been in poll 2 of app::Session for 1.0 s on volt-worker-0";
    assert!(text.starts_with(begin), "{text}");
    let middle = "; the worker's thread 4711 is blocked in the system call futex (futex_wait_queue): a mutex, \
                  a channel or a join of the standard library; another task of this function waits at \
                  ReadFrame at await poll_fn, src/frame.rs:31:14, so look at the code after it; \
                  before this poll began, blocking job 7.1 has run app::Session for 1.1 s, spawned at ";
    assert!(text.contains(middle), "{text}");
    let end = "; the job's thread 4711 is blocked in the system call futex (futex_wait_queue): \
               a mutex, a channel or a join of the standard library; blocking job 7.1 is blocked \
               in the system call futex itself, so it may own the lock that this poll waits for: \
               look in its code at ";
    assert!(text.contains(end), "{text}");
    assert!(
        text.ends_with(" for a guard that is alive while it waits"),
        "{text}"
    );
}

#[test]
fn advice_fits_the_activity_of_the_thread() {
    let with = |activity| {
        let mut dump = dump(vec![job(7, 1_100), running(1, 1_000)]);
        let worker = dump.threads.iter_mut().find(|thread| thread.task == id(1));
        worker.unwrap().activity = activity;
        only_finding(&dump)
    };
    let blocked = |call: Option<&str>| {
        Some(ThreadActivity::Blocked {
            system_call: call.map(str::to_owned),
            wait_channel: None,
        })
    };
    let ends = |activity, end: &str| {
        let finding = with(activity);
        assert!(finding.advice().ends_with(end), "{}", finding.advice());
        finding.text.contains("may own the lock")
    };
    let futex = ": a lock, a channel or a join of the standard library.";
    assert!(ends(blocked(Some("futex")), futex));
    assert!(!ends(blocked(Some("read")), ": a blocking call."));
    let computes = ": a loop or a long computation.";
    assert!(!ends(Some(ThreadActivity::Running), computes));
    let unknown = ": a lock, a blocking call or a loop.";
    assert!(!ends(blocked(None), unknown));
    assert!(!ends(None, unknown));
}

#[test]
fn blocked_worker_has_the_one_place_of_siblings() {
    let elsewhere = TaskInfo {
        position: task(5, 0).position[..1].into(),
        ..task(5, 10)
    };
    let text_of = |others: Vec<TaskInfo>| {
        let tasks = std::iter::once(running(1, 1_000)).chain(others);
        only_finding(&dump(tasks.collect())).text
    };
    let place = "2 other tasks of this function wait at ReadFrame";
    assert!(text_of(vec![task(3, 10), task(4, 10)]).contains(place));
    assert!(!text_of(vec![task(3, 10), elsewhere]).contains("of this function"));
    let other = TaskInfo {
        type_name: "app::Other",
        ..task(3, 10)
    };
    assert!(!text_of(vec![other]).contains("of this function"));
}

#[test]
fn backtraces_are_advised_where_they_are_off() {
    let text_with = |has_backtraces| {
        let mut dump = dump(vec![running(1, 1_000), task(3, 10)]);
        dump.runtime.has_backtraces = has_backtraces;
        only_finding(&dump).text
    };
    let variable = "VOLT_INSPECT_BACKTRACES";
    assert!(text_with(Some(false)).contains(variable));
    assert!(!text_with(Some(true)).contains(variable));
    assert!(!text_with(None).contains(variable));
}

#[test]
fn long_job_is_a_finding_if_tasks_wait_for_it() {
    let waits = TaskInfo {
        waits_for: vec![id(7)],
        name: Some("reader".into()),
        ..task(1, 5_000)
    };
    let with_job = |age, waits: TaskInfo| dump(vec![waits, job(7, age)]);
    assert_eq!(with_job(5_000, task(1, 5_000)).findings(), []);
    assert_eq!(with_job(4_999, waits.clone()).findings(), []);
    let finding = only_finding(&with_job(5_000, waits));
    assert_eq!(finding.kind, FindingKind::LongJob);
    assert_eq!(
        (&finding.tasks[..], &finding.jobs[..]),
        (&[id(1)][..], &[id(7)][..])
    );
    let begin = "long job: blocking job 7.1 has run app::Session for 5.0 s, spawned at ";
    assert!(finding.text.starts_with(begin), "{finding}");
    let end = "; task 1.1 \"reader\" waits for it";
    assert!(finding.text.ends_with(end), "{finding}");
}

#[test]
fn task_without_its_worker_does_not_block_it() {
    let joins = TaskInfo {
        waits_for: vec![id(2)],
        ..running(1, 5_000)
    };
    let in_place = TaskInfo {
        worker: None,
        thread: None,
        ..running(3, 5_000)
    };
    let finding = only_finding(&dump(vec![joins, running(2, 5_000), in_place]));
    assert_eq!(finding.tasks, [id(2)]);
}

#[test]
fn full_log_of_slow_polls_counts_at_least() {
    let slow = SlowPoll::new(task(1, 0), Duration::from_millis(200), Vec::new());
    let mut dump = dump(vec![task(1, 0)]);
    dump.slow_polls = vec![slow; MAX_SLOW_POLLS];
    let full = only_finding(&dump).text;
    assert!(
        full.starts_with("slow polls: at least 64 slow polls of task 1.1"),
        "{full}"
    );
    dump.slow_polls.pop();
    let exact = only_finding(&dump).text;
    assert!(
        exact.starts_with("slow polls: 63 slow polls of task 1.1"),
        "{exact}"
    );
    let other = TaskInfo {
        polls: 16_612,
        ..task(2, 0)
    };
    dump.tasks.push(other);
    let polls = " in the last minute, of about 16,600 polls in all, spawned at ";
    let text = only_finding(&dump).text;
    assert!(text.contains(polls), "{text}");
}

#[cfg(feature = "inspect")]
#[test]
fn slow_polls_name_the_setting_of_backtraces() {
    let slow = SlowPoll::new(task(1, 0), Duration::from_millis(200), Vec::new());
    let mut dump = dump(vec![task(1, 0)]);
    dump.slow_polls = vec![slow; 2];
    dump.runtime.has_backtraces = Some(false);
    let disabled = "; with `VOLT_INSPECT_BACKTRACES=1`, the functions of the polls are shown";
    assert!(only_finding(&dump).text.ends_with(disabled));
    dump.runtime.has_backtraces = Some(true);
    assert!(!only_finding(&dump).text.contains("sampled"));
}

#[test]
fn task_of_the_slowest_poll_is_first() {
    let slow =
        |slot, millis| SlowPoll::new(task(slot, 0), Duration::from_millis(millis), Vec::new());
    let mut dump = dump(vec![task(1, 0), task(2, 0)]);
    dump.slow_polls = vec![slow(1, 200), slow(2, 300)];
    let finding = only_finding(&dump);
    assert_eq!(finding.tasks, [id(2), id(1)]);
    assert!(finding.text.contains("such as task 2.1"), "{finding}");
}

#[test]
fn inspection_job_has_no_slow_polls() {
    let job = TaskInfo {
        type_name: "volt::scheduler::inspection_job::InspectionJob",
        ..task(1, 0)
    };
    let slow = SlowPoll::new(job, Duration::from_millis(200), Vec::new());
    let mut dump = dump(vec![task(2, 0)]);
    dump.slow_polls = vec![slow; 2];
    assert_eq!(dump.findings(), []);
}

#[test]
fn workers_in_the_same_code_are_one_finding() {
    let twice = dump(vec![running(1, 2_000), running(2, 3_000), task(3, 10)]);
    let finding = only_finding(&twice);
    assert_eq!(
        (finding.count, &finding.tasks[..]),
        (2, &[id(2), id(1)][..])
    );
    let begin = "blocked worker: 2 tasks, such as task 2.1, have been in poll 2 of app::Session \
                 for up to 3.0 s on volt-worker-0 and 1 more, spawned at ";
    assert!(finding.text.starts_with(begin), "{finding}");
    let mut apart = twice;
    apart.threads[0].activity = Some(ThreadActivity::Running);
    assert_eq!(apart.findings().len(), 2);
}

#[test]
fn equal_addresses_of_futexes_are_one_lock() {
    let mut dump = dump(vec![
        running(1, 2_000),
        running(2, 3_000),
        job(7, 4_000),
        job(8, 4_000),
    ]);
    let one = "these 2 polls wait for one `Mutex`, `RwLock` or `Condvar`";
    assert!(!only_finding(&dump).text.contains(one));
    let mut set = |addresses: [usize; 4]| {
        for (thread, address) in dump.threads.iter_mut().zip(addresses) {
            thread.futex = Some(address);
        }
        only_finding(&dump).text
    };
    assert!(!set([16, 32, 48, 64]).contains(one));
    // The first job waits for the lock of the polls, so it does not own it.
    let text = set([16, 16, 16, 64]);
    assert!(text.contains(one), "{text}");
    assert!(
        text.contains("; blocking job 8.1 is blocked in the system call futex itself"),
        "{text}"
    );
}
