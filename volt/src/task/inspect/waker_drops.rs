//! The functions that have dropped the last wakers of tasks.
//!
//! The drop of the last waker finds an orphan, on the thread that drops it. So the active functions
//! lead to the code that has dropped or overwritten the waker. Their addresses are stored while the
//! process has an inspection server, and a dump finds their names.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use crate::loom::PerProcess;
use crate::loom::sync::atomic::AtomicBool;
use crate::loom::sync::atomic::Ordering::Relaxed;
use crate::task::id::TaskId;

/// The number of drops that are stored, and the number of drops in [`INTERVAL`].
const MAX_DROPS: usize = 64;

/// The time in which at most [`MAX_DROPS`] drops are recorded, because each takes microseconds.
const INTERVAL: Duration = Duration::from_secs(1);

/// The number of functions of a record. A deeper one lacks its outermost functions.
const MAX_FRAMES: usize = 128;

static IS_RECORDING: AtomicBool = AtomicBool::new(false);
static DROPS: PerProcess<WakerDrops> = PerProcess::new();

/// A task, and the runtime to which it belongs.
type TaskKey = (Option<NonZeroUsize>, TaskId);

/// The last drops, the oldest first.
#[derive(Debug, Default)]
struct WakerDrops(VecDeque<WakerDrop>);

#[derive(Debug)]
struct WakerDrop {
    task: TaskKey,
    recorded: Instant,
    /// The return addresses, the innermost first.
    addresses: Box<[usize]>,
}

/// Records the drops of last wakers from now on.
pub(crate) fn record_waker_drops() {
    // ORDERING: Relaxed: the flag publishes nothing.
    IS_RECORDING.store(true, Relaxed);
}

/// Records the functions that are active on this thread, which drops the last waker of a task.
pub(in crate::task) fn record_drop(runtime: Option<NonZeroUsize>, task: TaskId) {
    // ORDERING: Relaxed, as in `record_waker_drops`.
    if !IS_RECORDING.load(Relaxed) || DROPS.lock().is_full(Instant::now()) {
        return;
    }
    // The lock is not held during the unwind.
    let addresses = active_functions();
    let recorded = Instant::now();
    DROPS.lock().add(WakerDrop {
        task: (runtime, task),
        recorded,
        addresses,
    });
}

/// Returns the functions that have dropped the last waker of a task, as return addresses. They are
/// known if a server was started before the drop.
pub(crate) fn last_waker_drop(runtime: NonZeroUsize, task: TaskId) -> Option<Box<[usize]>> {
    DROPS.lock().of((Some(runtime), task))
}

impl WakerDrops {
    fn is_full(&self, now: Instant) -> bool {
        let oldest = self.0.front().filter(|_| self.0.len() == MAX_DROPS);
        oldest.is_some_and(|oldest| now.saturating_duration_since(oldest.recorded) < INTERVAL)
    }

    fn add(&mut self, drop: WakerDrop) {
        if self.0.len() == MAX_DROPS {
            self.0.pop_front();
        }
        self.0.push_back(drop);
    }

    fn of(&self, task: TaskKey) -> Option<Box<[usize]>> {
        let mut from_newest = self.0.iter().rev();
        let found = from_newest.find(|drop| drop.task == task)?;
        Some(found.addresses.clone())
    }
}

fn active_functions() -> Box<[usize]> {
    let mut addresses = Vec::with_capacity(32);
    backtrace::trace(|frame| {
        addresses.push(frame.ip().addr());
        addresses.len() < MAX_FRAMES
    });
    addresses.into()
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::{INTERVAL, MAX_DROPS, WakerDrop, WakerDrops};
    use crate::task::id::TaskId;

    #[test]
    fn drops_are_limited_by_time_and_number() {
        let (mut drops, begin) = (WakerDrops::default(), Instant::now());
        let drop = |id: usize, recorded| WakerDrop {
            task: (None, TaskId::from_bits(id as u64)),
            recorded,
            addresses: [id].into(),
        };
        for id in 1..=MAX_DROPS {
            assert!(!drops.is_full(begin));
            drops.add(drop(id, begin));
        }
        assert!(drops.is_full(begin));
        assert!(!drops.is_full(begin + INTERVAL));
        let last = MAX_DROPS + 1;
        drops.add(drop(last, begin + INTERVAL));
        let of = |id: usize| drops.of((None, TaskId::from_bits(id as u64)));
        assert_eq!(of(1), None);
        assert_eq!(of(last).as_deref(), Some(&[last][..]));
    }
}
