//! The description of a thread in a long poll or job.

#[cfg(not(feature = "inspect"))]
use std::convert::Infallible;
#[cfg(feature = "inspect")]
use std::fmt::Write;

use crate::runtime::dump::findings::advice::{COMPUTES, IN_FUTEX, IN_SYSTEM_CALL};
use crate::runtime::dump::findings::finding::FindingKind;
use crate::runtime::dump::findings::rules::Rules;
#[cfg(feature = "inspect")]
use crate::runtime::dump::place::Place;
use crate::runtime::dump::thread_activity::{PollingThread, ThreadActivity};
use crate::task::TaskInfo;

impl<'a> Rules<'a> {
    /// Returns the thread of a task in a long poll, or of a long job.
    pub(super) fn thread_of(&self, task: &TaskInfo) -> Option<&'a PollingThread> {
        let mut threads = self.dump.threads.iter();
        threads.find(|thread| thread.task == task.id)
    }
}

/// Returns the activity of a thread, and the functions in which it is, if they are known.
pub(super) fn described(thread: &PollingThread) -> String {
    format!("{thread}{}", code_text(thread))
}

/// Returns the usual causes of the activity of a thread, or the known one, and the functions in
/// which it is.
pub(super) fn code_text(thread: &PollingThread) -> String {
    format!("{}{}", explained(thread), code_of(thread))
}

/// Returns the advice about a poll by the activity of its thread.
pub(super) fn advice_of(thread: &PollingThread) -> &'static str {
    match &thread.activity {
        Some(ThreadActivity::Running) => COMPUTES,
        Some(ThreadActivity::Blocked {
            system_call: Some(call),
            ..
        }) => match call.as_str() {
            "futex" => IN_FUTEX,
            _ => IN_SYSTEM_CALL,
        },
        Some(ThreadActivity::Blocked { .. }) | None => FindingKind::BlockedWorker.advice(),
    }
}

/// Returns `true` if a thread may wait for a lock of the standard library.
pub(super) fn may_wait_for_lock(thread: &PollingThread) -> bool {
    advice_of(thread) == IN_FUTEX && std_wait(thread).is_none_or(StdWait::is_lock)
}

/// Returns the usual causes of the activity of a thread.
fn explained(thread: &PollingThread) -> &'static str {
    if await_loop(thread).is_some() {
        return ": its awaits are ready at once";
    }
    match &thread.activity {
        Some(ThreadActivity::Running) => ": a loop or a long computation",
        Some(ThreadActivity::Blocked { system_call, .. }) => match system_call.as_deref() {
            Some("futex") => std_wait(thread).map_or(
                ": a mutex, a channel or a join of the standard library",
                StdWait::text,
            ),
            _ => "",
        },
        None => "",
    }
}

/// An event of the standard library for which a thread waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StdWait {
    Mutex,
    RwLock,
    Condvar,
    Channel,
    Once,
    Barrier,
}

impl StdWait {
    /// The files of the standard library in which a thread waits, the innermost first. A channel
    /// and a barrier use others.
    const FILES: [(&'static str, Self); 8] = [
        ("/std/src/sync/mpmc/", Self::Channel),
        ("/std/src/sync/mpsc/", Self::Channel),
        ("/std/src/sync/barrier.rs", Self::Barrier),
        ("/std/src/sys/sync/condvar/", Self::Condvar),
        ("/std/src/sys/sync/rwlock/", Self::RwLock),
        ("/std/src/sys/sync/mutex/", Self::Mutex),
        ("/std/src/sys/sync/once/", Self::Once),
        ("/std/src/sync/poison/mutex.rs", Self::Mutex),
    ];

    /// Returns the event for which a thread with active functions in these files waits.
    pub(super) fn in_files(files: &[&str]) -> Option<Self> {
        let mut known = Self::FILES.iter();
        let is_active = |part: &str| files.iter().any(|file| file.contains(part));
        known.find_map(|(part, wait)| is_active(part).then_some(*wait))
    }

    pub(super) fn is_lock(self) -> bool {
        matches!(self, Self::Mutex | Self::RwLock)
    }

    fn text(self) -> &'static str {
        match self {
            Self::Mutex => ": it waits for a `Mutex` of the standard library",
            Self::RwLock => ": it waits for an `RwLock` of the standard library",
            Self::Condvar => ": it waits for a `Condvar` of the standard library",
            Self::Channel => ": it waits for a channel of the standard library",
            Self::Once => ": it waits for a `Once` of the standard library",
            Self::Barrier => ": it waits for a `Barrier` of the standard library",
        }
    }
}

/// Returns the event of the standard library for which a thread waits, if its backtrace is known.
#[cfg(feature = "inspect")]
pub(super) fn std_wait(thread: &PollingThread) -> Option<StdWait> {
    StdWait::in_files(&thread.files_of_std())
}

#[cfg(not(feature = "inspect"))]
pub(super) fn std_wait(_: &PollingThread) -> Option<StdWait> {
    StdWait::in_files(&[])
}

/// Returns the function that awaits ready futures in a loop, if the thread is in such a poll.
#[cfg(feature = "inspect")]
pub(super) fn await_loop(thread: &PollingThread) -> Option<Place> {
    thread.await_loop()
}

#[cfg(not(feature = "inspect"))]
pub(super) fn await_loop(_: &PollingThread) -> Option<Infallible> {
    None
}

/// Returns the functions of the program in which a thread is, if its backtrace is known.
#[cfg(feature = "inspect")]
fn code_of(thread: &PollingThread) -> String {
    if let Some(place) = thread.await_loop() {
        return format!(" in {place}");
    }
    let text = called_by(&thread.backtrace());
    if text.is_empty() {
        text
    } else {
        format!(",{text}")
    }
}

/// Returns the innermost functions of a backtrace with lines: ` in app::parse at src/main.rs:15:17,
/// called by app::serve at src/main.rs:24:30`.
#[cfg(feature = "inspect")]
pub(super) fn called_by(backtrace: &[Place]) -> String {
    let mut lined = backtrace.iter().filter(|place| !place.file.is_empty());
    let Some(innermost) = lined.next() else {
        return String::new();
    };
    let mut text = format!(" in {innermost}");
    for caller in lined.take(MAX_CALLERS) {
        _ = write!(text, ", called by {caller}");
    }
    text
}

#[cfg(not(feature = "inspect"))]
fn code_of(_: &PollingThread) -> String {
    String::new()
}

/// The number of callers of the innermost function that a text names.
#[cfg(feature = "inspect")]
const MAX_CALLERS: usize = 2;

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::StdWait;

    #[test]
    fn event_of_std_follows_from_the_files() {
        let file = |name| format!("/rustc/59/library/std/src/{name}");
        let [futex, mutex, condvar, mpmc, barrier] = [
            "sys/pal/unix/futex.rs",
            "sys/sync/mutex/futex.rs",
            "sys/sync/condvar/futex.rs",
            "sync/mpmc/list.rs",
            "sync/barrier.rs",
        ]
        .map(file);
        let event = |files: &[&String]| {
            let files: Vec<&str> = files.iter().map(|file| file.as_str()).collect();
            StdWait::in_files(&files)
        };
        assert_eq!(event(&[&futex]), None);
        assert_eq!(event(&[&futex, &mutex]), Some(StdWait::Mutex));
        assert_eq!(event(&[&futex, &condvar]), Some(StdWait::Condvar));
        assert_eq!(event(&[&futex, &mpmc]), Some(StdWait::Channel));
        let of_barrier = event(&[&futex, &condvar, &barrier]);
        assert_eq!(of_barrier, Some(StdWait::Barrier));
        assert!(StdWait::Mutex.is_lock() && !StdWait::Channel.is_lock());
    }
}
