//! The recorder of an inspection poll: where the waker of the poll is cloned.
//!
//! Each future that waits for an event of its own clones the waker. The functions that are active
//! at that moment are those from the future of the task to the one that waits. Their addresses are
//! stored, and another thread finds the names and lines.

use crate::loom::thread_local_const;
use std::cell::RefCell;
use std::hint::black_box;
use volt_inspect::InspectionPollGuard;

/// The maximum number of clones that a poll records.
const MAX_TRACES: usize = 256;

/// The maximum number of functions of a trace. A deeper trace lacks its outermost functions.
const MAX_FRAMES: usize = 192;

/// The return addresses of the functions that were active at a clone, the innermost first.
///
/// The functions of the recorder are the first ones, and the poll of the task is the last one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CloneTrace(Box<[usize]>);

impl CloneTrace {
    pub(crate) fn addresses(&self) -> &[usize] {
        &self.0
    }
}

/// The state of a thread in an inspection poll.
struct CloneRecorder {
    /// An address on the stack, above which are the functions that called the poll.
    stack_end: usize,
    traces: Vec<CloneTrace>,
    clones: usize,
}

thread_local_const! {
    static RECORDER: RefCell<Option<CloneRecorder>> = RefCell::new(None);
}

/// Returns `true` if this thread is in an inspection poll.
pub(in crate::task) fn is_recording() -> bool {
    RECORDER.with(|recorder| {
        recorder
            .try_borrow()
            .is_ok_and(|recorder| recorder.is_some())
    })
}

/// The recorder before [`record_clones`], which is restored when this is dropped.
struct Restore(Option<CloneRecorder>);

impl Drop for Restore {
    fn drop(&mut self) {
        RECORDER.with(|recorder| recorder.replace(self.0.take()));
    }
}

/// Calls `poll`, and returns the traces of clones of a recording waker, and their number.
#[inline(never)]
pub(in crate::task) fn record_clones<R>(poll: impl FnOnce() -> R) -> (R, Vec<CloneTrace>, usize) {
    let marker = black_box(0_u8);
    let recorder = CloneRecorder {
        stack_end: (&raw const marker).addr(),
        traces: Vec::new(),
        clones: 0,
    };
    let restore = Restore(RECORDER.with(|cell| cell.replace(Some(recorder))));
    let guard = InspectionPollGuard::new();
    let polled = poll();
    drop(guard);
    let recorded = RECORDER.with(RefCell::take);
    drop(restore);
    black_box(marker);
    match recorded {
        Some(recorder) => (polled, recorder.traces, recorder.clones),
        None => (polled, Vec::new(), 0),
    }
}

/// Records the functions that are active on this thread, if it is in an inspection poll.
#[inline(never)]
pub(in crate::task) fn record() {
    RECORDER.with(|cell| {
        let Ok(mut cell) = cell.try_borrow_mut() else {
            return;
        };
        let Some(recorder) = &mut *cell else { return };
        recorder.clones += 1;
        if recorder.traces.len() < MAX_TRACES {
            let trace = active_functions(recorder.stack_end);
            recorder.traces.push(CloneTrace(trace));
        }
    });
}

/// Returns the return addresses on the stack, up to an address of the stack.
fn active_functions(stack_end: usize) -> Box<[usize]> {
    let mut addresses = Vec::with_capacity(32);
    backtrace::trace(|frame| {
        // An unwinder that does not know the address of a frame returns zero.
        let is_in_poll = frame.sp().addr() <= stack_end;
        if is_in_poll {
            addresses.push(frame.ip().addr());
        }
        is_in_poll && addresses.len() < MAX_FRAMES
    });
    addresses.into()
}

#[cfg(test)]
mod tests {
    use super::{is_recording, record, record_clones};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn clone_after_the_poll_is_not_recorded() {
        let ((), traces, clones) = record_clones(record);
        assert_eq!((traces.len(), clones), (1, 1));
        assert!(!is_recording());
        record();
        let ((), traces, clones) = record_clones(|| ());
        assert_eq!((traces.len(), clones), (0, 0));
    }

    #[test]
    fn inner_poll_leaves_the_recorder_of_the_outer_one() {
        let (inner, _, clones) = record_clones(|| {
            record();
            let ((), _, inner) = record_clones(record);
            assert!(is_recording());
            record();
            inner
        });
        assert_eq!((inner, clones), (1, 2));
        assert!(!is_recording());
    }

    #[test]
    fn panic_ends_the_recording() {
        let poll = || record_clones(|| panic!("the poll panics"));
        assert!(catch_unwind(AssertUnwindSafe(poll)).is_err());
        assert!(!is_recording());
    }
}
