//! Which pools' jobs wait for the jobs of other pools.
//!
//! A job that drops a runtime waits for the jobs of that runtime's pool. If one of those drops the
//! runtime that the first job is of, both wait for each other. So who waits without a limit says so
//! here first, and the one that would close a circle is told.

#[cfg(not(all(test, shuttle)))]
use crate::loom::PerProcess;
#[cfg(all(test, shuttle))]
use crate::loom::sync::Mutex;

/// A job of the first pool waits for those of the second; pools go by their addresses.
type WaitEdge = (usize, usize);

#[cfg(not(all(test, shuttle)))]
static WAITS: PerProcess<Vec<WaitEdge>> = PerProcess::new();

#[cfg(all(test, shuttle))]
shuttle::lazy_static! {
    static ref WAITS: Mutex<Vec<WaitEdge>> = Mutex::new(Vec::new());
}

/// The wait of a job, for as long as this lives.
#[derive(Debug)]
pub(in crate::runtime) struct PoolWaitGuard(WaitEdge);

impl PoolWaitGuard {
    /// A job of `from` is about to wait for those of `to`; `None` if they wait for those of `from`.
    pub(super) fn begin(from: usize, to: usize) -> Option<Self> {
        let mut waits = WAITS.lock();
        if reaches(&waits, to, from) {
            return None;
        }
        waits.push((from, to));
        Some(Self((from, to)))
    }
}

impl Drop for PoolWaitGuard {
    fn drop(&mut self) {
        let mut waits = WAITS.lock();
        if let Some(place) = waits.iter().position(|wait| *wait == self.0) {
            waits.swap_remove(place);
        }
    }
}

/// Whether jobs of `from` wait for those of `to`, or for some that do.
fn reaches(waits: &[WaitEdge], from: usize, to: usize) -> bool {
    let mut reached = vec![from];
    let mut looked_at = 0;
    while let Some(&pool) = reached.get(looked_at) {
        looked_at += 1;
        if pool == to {
            return true;
        }
        let next = waits.iter().filter(|(waiting, _)| *waiting == pool);
        for &(_, awaited) in next {
            if !reached.contains(&awaited) {
                reached.push(awaited);
            }
        }
    }
    false
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::{PoolWaitGuard, reaches};

    #[test]
    fn chains_reach_their_ends_only() {
        let waits = [(1, 2), (2, 3), (1, 4), (4, 2)];
        assert!(reaches(&waits, 1, 3));
        assert!(!reaches(&waits, 3, 1));
        assert!(!reaches(&waits, 2, 4));
    }

    #[test]
    fn wait_closing_a_cycle_is_refused() {
        let first = PoolWaitGuard::begin(11, 12).unwrap();
        let _second = PoolWaitGuard::begin(12, 13).unwrap();
        assert!(PoolWaitGuard::begin(13, 11).is_none());
        drop(first);
        assert!(PoolWaitGuard::begin(13, 11).is_some());
    }
}
