//! Dumps, inspection polls, signals and forks beside everything else, also while runtimes end.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use signal_hook::consts::SIGUSR1;
use volt::Handle;
use volt::runtime::{Dump, PollLimits};
use volt::task::{TaskId, TaskInfo};

use crate::acts::ON_PURPOSE;
use crate::draws::Draws;
use crate::forks::fork;
use crate::inspection_act::InspectionAct;
use crate::inspections::InspectionPanics;
use crate::ledger::Ledger;

/// A thread that inspects the runtimes of a round until it is stopped.
#[derive(Debug)]
pub(crate) struct DumpThread {
    phase: Arc<Phase>,
    thread: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Phase {
    /// A runtime is being ended.
    is_ending: AtomicBool,
    is_over: AtomicBool,
}

impl DumpThread {
    pub(crate) fn start(handles: Vec<Handle>, mut draws: Draws, ledger: &Arc<Ledger>) -> Self {
        for handle in &handles {
            dump_on_signal(handle, ledger);
        }
        let phase = Arc::new(Phase::default());
        let now = Arc::clone(&phase);
        let thread = thread::spawn(move || {
            while !now.is_over.load(Relaxed) {
                for handle in &handles {
                    inspect(handle, &mut draws, &now);
                }
                if !now.is_ending.load(Relaxed) {
                    // Rounds are short, and dumps must not be all that they do.
                    thread::sleep(Duration::from_micros(draws.below(2_000)));
                }
            }
        });
        Self { phase, thread }
    }

    /// Reports that the runtimes are about to end, or have ended.
    pub(crate) fn set_ending(&self, is_ending: bool) {
        self.phase.is_ending.store(is_ending, Relaxed);
    }

    pub(crate) fn stop(self) {
        self.phase.is_over.store(true, Relaxed);
        self.thread.join().expect("a dump does not panic");
    }
}

/// Dumps the runtime on each signal, until it ends. Every other dump panics.
///
/// The guard of the ledger leads to a failure if the thread of the dumps does not end.
fn dump_on_signal(handle: &Handle, ledger: &Arc<Ledger>) {
    let guard = ledger.guard();
    let shown = AtomicU64::new(0);
    let show = move |dump: Dump| {
        let _guard = &guard;
        check_text(&dump);
        InspectionAct::SignalDump.count();
        if shown.fetch_add(1, Relaxed) % 2 == 1 {
            InspectionAct::SignalPanic.count();
            panic!("{ON_PURPOSE}");
        }
    };
    let dumps = handle.dump_on_signal(SIGUSR1, show);
    dumps.expect("the system starts a thread");
}

fn inspect(handle: &Handle, draws: &mut Draws, phase: &Phase) {
    let was_ending = phase.is_ending.load(Relaxed);
    let before = handle.dump();
    InspectionAct::Dump.count();
    if was_ending && phase.is_ending.load(Relaxed) {
        InspectionAct::DumpBesideEnd.count();
    }
    match draws.below(8) {
        0 => check_text(&before),
        1 => check_json(&before),
        2 | 3 => check_diff(&before, &handle.dump()),
        4 | 5 => poll_some(handle, draws, phase),
        6 => signal_hook::low_level::raise(SIGUSR1).expect("the signal is caught"),
        _ if draws.once_in(2) => fork(handle, draws),
        _ => {}
    }
    let with_values = |task: &&TaskInfo| task.type_name.contains("BeInspected");
    let (busy, others): (Vec<_>, Vec<_>) = before.tasks().iter().partition(with_values);
    for tasks in [busy, others] {
        for _ in 0..tasks.len().min(4) {
            let task = tasks[draws.below(tasks.len() as u64) as usize];
            check_values(handle, task.id);
        }
    }
}

/// Checks that the text of a dump has its tasks.
fn check_text(dump: &Dump) {
    let text = dump.to_string();
    let count = dump.tasks().len();
    let end = format!("{count} task{}", if count == 1 { "" } else { "s" });
    assert!(text.ends_with(&end), "{text}");
    let tasks = dump.tasks().iter().filter(|task| !task.blocking);
    for task in tasks.take(100) {
        let name = format!("task {}", task.id);
        assert!(text.contains(&name), "{name} is not in {text}");
    }
}

/// Checks that the JSON of a dump has its tasks.
fn check_json(dump: &Dump) {
    let text = dump.json().to_string();
    let value: serde_json::Value = serde_json::from_str(&text).expect("the dump is JSON");
    assert_eq!(value["schema"], 1, "{text}");
    let shown = value["tasks"].as_array().map_or(0, Vec::len);
    let all = dump.tasks().len() + dump.block_on_futures().len();
    assert_eq!(shown, all, "{text}");
}

/// Checks that the changes lead from the tasks of one dump to those of the other.
fn check_diff(before: &Dump, after: &Dump) {
    let ids = |dump: &Dump| -> HashSet<TaskId> {
        let all = dump.tasks().iter().chain(dump.block_on_futures());
        all.map(|task| task.id).collect()
    };
    let diff = after.diff(before);
    let kept = || diff.moved.iter().chain(&diff.not_moved).copied();
    let from: HashSet<_> = kept().chain(diff.gone.iter().copied()).collect();
    let to: HashSet<_> = kept().chain(diff.new.iter().copied()).collect();
    assert_eq!((from, to), (ids(before), ids(after)), "{diff}");
    InspectionAct::Diff.count();
}

/// Takes a dump of one task with its values, and compares the values with the panics in it.
fn check_values(handle: &Handle, id: TaskId) {
    let before = InspectionPanics::so_far();
    let Some(dump) = handle.dump_task_with_values(id) else {
        return;
    };
    let after = InspectionPanics::so_far();
    assert!(dump.tasks().iter().all(|found| found.id == id), "{dump}");
    let nodes = dump.tasks().iter().flat_map(|task| dump.tree(task));
    let values = nodes.flat_map(|node| node.values);
    let values = values.filter(|(name, _)| *name == "value");
    let (mut shown, mut panicked) = (0, 0);
    for (_, text) in values {
        match &*text {
            "busy" => shown += 1,
            "<panicked>" => panicked += 1,
            other => panic!("a value is shown as {other:?}"),
        }
    }
    if after.in_inspect == before.in_inspect {
        assert_eq!(panicked, after.in_debug - before.in_debug, "{dump}");
        InspectionAct::ShownValue.count_by(shown);
        InspectionAct::PanickedValue.count_by(panicked);
    } else {
        assert_eq!(shown + panicked, 0, "{dump}");
        InspectionAct::LostTree.count();
    }
}

/// Polls some tasks once more, orphans among them, also while the runtime ends.
fn poll_some(handle: &Handle, draws: &mut Draws, phase: &Phase) {
    let mut limits = PollLimits::default();
    limits.tasks = draws.below(30) as usize;
    limits.within = Duration::from_micros(draws.below(3_000));
    limits.orphans = draws.once_in(2);
    let was_ending = phase.is_ending.load(Relaxed);
    let dump = handle.dump_by_poll(&limits);
    let report = dump.poll_report().expect("a dump by poll has a report");
    assert!(
        report.polled + report.ended.len() <= limits.tasks,
        "{report}"
    );
    let unreached: HashSet<_> = report.unreached.iter().map(|task| task.id).collect();
    assert_eq!(unreached.len(), report.unreached.len(), "{report}");
    assert!(
        report.ended.iter().all(|id| !unreached.contains(id)),
        "{report}"
    );
    InspectionAct::PolledTask.count_by(report.polled);
    if was_ending && phase.is_ending.load(Relaxed) {
        InspectionAct::PollBesideEnd.count();
    }
}
