//! Wait-for graph of pools, which prevents a deadlock of two runtimes.
//!
//! A job that drops a runtime waits for the jobs of that runtime's pool. If one of these jobs drops
//! the runtime of the first job, both wait for each other. So a thread adds an edge to this graph
//! before it waits without a limit. A wait that would close a cycle is refused.

#[cfg(not(all(test, shuttle)))]
use crate::loom::PerProcess;
#[cfg(all(test, shuttle))]
use crate::loom::sync::Mutex;

/// A job of the first pool waits for the jobs of the second pool. The address identifies a pool.
type WaitEdge = (usize, usize);

#[cfg(not(all(test, shuttle)))]
static WAITS: PerProcess<Vec<WaitEdge>> = PerProcess::new();

#[cfg(all(test, shuttle))]
shuttle::lazy_static! {
    static ref WAITS: Mutex<Vec<WaitEdge>> = Mutex::new(Vec::new());
}

/// An edge of the graph, which is removed when this is dropped.
#[derive(Debug)]
pub(in crate::runtime) struct PoolWaitGuard(Option<WaitEdge>);

/// The wait would never end: a job of the other pool waits for the job that runs on this thread.
#[derive(Debug)]
pub(in crate::runtime) struct PoolDeadlock;

impl PoolWaitGuard {
    /// Returns a guard for a wait that cannot close a cycle.
    pub(super) fn without_edge() -> Self {
        Self(None)
    }

    /// Adds the wait of a job of `from` for the jobs of `to`.
    ///
    /// # Errors
    ///
    /// Returns an error if jobs of `to` wait for jobs of `from`.
    pub(super) fn begin(from: usize, to: usize) -> Result<Self, PoolDeadlock> {
        let mut waits = WAITS.lock();
        if reaches(&waits, to, from) {
            return Err(PoolDeadlock);
        }
        waits.push((from, to));
        Ok(Self(Some((from, to))))
    }
}

impl Drop for PoolWaitGuard {
    fn drop(&mut self) {
        let Some(edge) = self.0 else { return };
        let mut waits = WAITS.lock();
        if let Some(index) = waits.iter().position(|wait| *wait == edge) {
            waits.swap_remove(index);
        }
    }
}

/// Returns `true` if jobs of `from` wait for jobs of `to`, directly or through other pools.
fn reaches(waits: &[WaitEdge], from: usize, to: usize) -> bool {
    let mut reached = vec![from];
    let mut visited = 0;
    while let Some(&pool) = reached.get(visited) {
        visited += 1;
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
        assert!(PoolWaitGuard::begin(13, 11).is_err());
        drop(first);
        assert!(PoolWaitGuard::begin(13, 11).is_ok());
    }
}
