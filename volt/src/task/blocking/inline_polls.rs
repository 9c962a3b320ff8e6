//! The tasks that threads poll inside of joins.
//!
//! A worker publishes the task that its loop polls. A thread that polls the target of its join,
//! worker or not, publishes that task here. Each thread has a record, which is created at its first
//! such poll and freed at its end. A dump reads the records.
//!
//! ```text
//! record   thread | target of a join | target in its poll | target in that poll | innermost of the rest
//! ```
//!
//! A poll costs two plain stores.

#[cfg(not(all(test, shuttle)))]
use crate::loom::PerProcess;
use crate::loom::sync::Arc;
#[cfg(all(test, shuttle))]
use crate::loom::sync::Mutex;
use crate::loom::sync::atomic::AtomicU64;
use crate::loom::sync::atomic::Ordering::Relaxed;
use crate::loom::thread::{self, Thread};
use crate::loom::thread_local_const;
use crate::task::id::TaskId;
use std::cell::{Cell, OnceCell};
use std::collections::HashMap;
use std::sync::Weak;

/// The number of nested joins that a record distinguishes.
const LEVELS: usize = 4;

/// The records of all threads.
#[cfg(not(all(test, shuttle)))]
static RECORDS: PerProcess<Vec<Weak<ThreadRecord>>> = PerProcess::new();

#[cfg(all(test, shuttle))]
shuttle::lazy_static! {
    static ref RECORDS: Mutex<Vec<Weak<ThreadRecord>>> = Mutex::new(Vec::new());
}

thread_local_const! {
    static LOCAL_RECORD: OnceCell<LocalRecord> = OnceCell::new();
}

/// The published record of a thread.
struct ThreadRecord {
    thread: Thread,
    /// The ids of the tasks as bits, or zero for none.
    tasks: [AtomicU64; LEVELS],
}

/// The private part of the record of a thread.
struct LocalRecord {
    record: Arc<ThreadRecord>,
    level: Cell<usize>,
}

/// A poll of a task inside of a join, which ends when the guard is dropped.
#[derive(Debug)]
pub(crate) struct InlinePollGuard {
    /// The value to restore in the slot of this level.
    before: u64,
}

impl LocalRecord {
    #[cold]
    fn new() -> Self {
        let record = Arc::new(ThreadRecord {
            thread: thread::current(),
            tasks: [const { AtomicU64::new(0) }; LEVELS],
        });
        let mut records = RECORDS.lock();
        records.retain(|other| other.strong_count() > 0);
        records.push(Arc::downgrade(&record));
        drop(records);
        Self {
            record,
            level: Cell::new(0),
        }
    }

    #[inline]
    fn slot(&self) -> &AtomicU64 {
        &self.record.tasks[self.level.get().min(LEVELS - 1)]
    }
}

impl InlinePollGuard {
    /// Publishes that this thread polls the task.
    #[inline]
    pub(crate) fn begin(task: TaskId) -> Self {
        let before = LOCAL_RECORD.try_with(|record| {
            let record = record.get_or_init(LocalRecord::new);
            let before = record.slot().load(Relaxed);
            // ORDERING: Relaxed, here and below: for diagnostics only.
            record.slot().store(task.to_bits(), Relaxed);
            record.level.set(record.level.get() + 1);
            before
        });
        // A thread that ends publishes nothing.
        let before = before.unwrap_or(0);
        Self { before }
    }
}

impl Drop for InlinePollGuard {
    #[inline]
    fn drop(&mut self) {
        let _ = LOCAL_RECORD.try_with(|record| {
            let Some(record) = record.get() else { return };
            record.level.set(record.level.get().saturating_sub(1));
            record.slot().store(self.before, Relaxed);
        });
    }
}

/// Returns the tasks that are polled inside of joins, with the names of their threads.
pub(crate) fn inline_polled_tasks() -> HashMap<TaskId, String> {
    let records: Vec<_> = RECORDS.lock().iter().filter_map(Weak::upgrade).collect();
    let of_record = |record: &Arc<ThreadRecord>| {
        let tasks = record.tasks.each_ref().map(|task| task.load(Relaxed));
        let name = name(&record.thread);
        let shown = tasks.into_iter().filter(|&task| task != 0);
        let named = shown.map(move |task| (TaskId::from_bits(task), name.clone()));
        named.collect::<Vec<_>>()
    };
    records.iter().flat_map(of_record).collect()
}

/// Returns the name of a thread, or its id if it has none.
fn name(thread: &Thread) -> String {
    match thread.name() {
        Some(name) => name.to_owned(),
        None => format!("{:?}", thread.id()),
    }
}

#[cfg(all(test, not(shuttle)))]
mod tests {
    use super::{InlinePollGuard, LEVELS, inline_polled_tasks};
    use crate::task::TaskId;

    fn id(number: u64) -> TaskId {
        TaskId::from_bits(0x7e57_0000 + number)
    }

    /// Returns the numbers of those of the first `count` ids that are published.
    fn shown(count: u64) -> Vec<u64> {
        let all = inline_polled_tasks();
        (1..=count)
            .filter(|&nth| all.contains_key(&id(nth)))
            .collect()
    }

    #[test]
    fn nested_polls_are_published_while_they_last() {
        let outer = InlinePollGuard::begin(id(1));
        let inner = InlinePollGuard::begin(id(2));
        assert_eq!(shown(2), [1, 2]);
        let thread = std::thread::current();
        assert_eq!(
            inline_polled_tasks()[&id(2)],
            thread.name().expect("a test has one")
        );
        drop(inner);
        assert_eq!(shown(2), [1]);
        drop(outer);
        assert!(shown(2).is_empty());
    }

    #[test]
    fn deep_nesting_shows_outermost_and_innermost() {
        let id = |nth| id(100 + nth);
        let count = LEVELS as u64 + 3;
        let mut polls: Vec<_> = (1..=count)
            .map(|nth| InlinePollGuard::begin(id(nth)))
            .collect();
        let is_shown = |nth| inline_polled_tasks().contains_key(&id(nth));
        assert!(is_shown(1) && is_shown(count) && !is_shown(count - 1));
        polls.pop();
        assert!(is_shown(count - 1) && !is_shown(count));
        while polls.pop().is_some() {}
        assert!((1..=count).all(|nth| !is_shown(nth)));
    }

    #[test]
    fn ended_thread_publishes_nothing() {
        let thread = std::thread::spawn(|| std::mem::forget(InlinePollGuard::begin(id(50))));
        thread.join().unwrap();
        assert!(!inline_polled_tasks().contains_key(&id(50)));
    }
}
