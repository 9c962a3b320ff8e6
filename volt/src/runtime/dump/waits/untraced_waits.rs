//! Waits that the tree of a task does not show.
//!
//! The type of a plain `async` block is not known, so its futures are not in a tree. But the driver
//! has the wakers that wait for sockets and timers, and each wake set of a combinator has the waker
//! of the task that polls it. The data of all of them is the address of the task.

use std::collections::HashMap;
use std::time::Duration;

use volt_inspect::Direction;

use crate::driver::{self, DriverHandle, SocketWaiter};
use crate::task::TaskId;

/// The number of waits whose peers are requested.
const MAX_PEERS: usize = 1_000;

/// The depth of wake sets within each other that is followed.
#[cfg(all(target_pointer_width = "64", not(loom)))]
const MAX_SETS: usize = 8;

/// A task that waits for a socket; see
/// [`Dump::socket_waits`](crate::runtime::Dump::socket_waits).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SocketWait {
    /// The task.
    pub task: TaskId,
    /// The direction for which it waits.
    pub direction: Direction,
    /// The number of the socket.
    pub descriptor: u64,
    /// `true` if a listener of the program has accepted the socket, so the peer is a client.
    pub is_accepted: bool,
    /// The address of the peer, if there is one. A dump requests at most 1,000 addresses.
    pub peer: Option<String>,
}

/// Returns the waits of these tasks for sockets.
pub(in crate::runtime::dump) fn socket_waits(
    driver: &DriverHandle,
    addresses: &[usize],
    ids: impl Iterator<Item = TaskId>,
) -> Vec<SocketWait> {
    let mut waiters = driver.socket_waiters();
    if waiters.is_empty() {
        return Vec::new();
    }
    let ids: HashMap<usize, TaskId> = addresses.iter().copied().zip(ids).collect();
    waiters.retain(|waiter| ids.contains_key(&waiter.waker_data));
    let requested = waiters.len().min(MAX_PEERS);
    driver.add_peers(&mut waiters[..requested]);
    let wait = |waiter: SocketWaiter| SocketWait {
        task: ids[&waiter.waker_data],
        direction: match waiter.direction {
            driver::Direction::Write => Direction::Write,
            _ => Direction::Read,
        },
        descriptor: waiter.socket,
        is_accepted: waiter.is_accepted,
        peer: waiter.peer,
    };
    let mut waits: Vec<_> = waiters.into_iter().map(wait).collect();
    waits.sort_by_key(|wait| wait.task);
    waits
}

/// The least time until a timer that is recorded.
const FAR: Duration = Duration::from_secs(60 * 60);

/// The number of timers that are recorded.
pub(in crate::runtime::dump) const MAX_TIMERS: usize = 1_000;

/// Returns the times until the far timers of these tasks, in the order of their ids.
pub(in crate::runtime::dump) fn far_timers(
    driver: &DriverHandle,
    addresses: &[usize],
    ids: impl Iterator<Item = TaskId>,
) -> Vec<(TaskId, Duration)> {
    let timers = driver.far_timers(FAR, MAX_TIMERS);
    if timers.is_empty() {
        return Vec::new();
    }
    let ids: HashMap<usize, TaskId> = addresses.iter().copied().zip(ids).collect();
    let of_task = |(left, waker): (Duration, usize)| Some((*ids.get(&waker)?, left));
    let mut timers: Vec<_> = timers.into_iter().filter_map(of_task).collect();
    timers.sort_unstable();
    timers
}

/// Returns the times since the deadlines of overdue timers of these tasks, in the order of their
/// ids. At most [`MAX_TIMERS`] are returned.
pub(in crate::runtime::dump) fn overdue_timers(
    driver: &DriverHandle,
    addresses: &[usize],
    ids: impl Iterator<Item = TaskId>,
) -> Vec<(TaskId, Duration)> {
    let timers = driver.overdue_timers(MAX_TIMERS);
    if timers.is_empty() {
        return Vec::new();
    }
    let ids: HashMap<usize, TaskId> = addresses.iter().copied().zip(ids).collect();
    // The search for a parent is slow, and most wakers are those of tasks.
    let id = |waker: usize| {
        ids.get(&waker)
            .or_else(|| ids.get(&outermost_parent(waker)))
    };
    let of_task = |(late, waker): (Duration, usize)| Some((*id(waker)?, late));
    let mut timers: Vec<_> = timers.into_iter().filter_map(of_task).collect();
    timers.sort_unstable();
    timers
}

/// Returns the data of the waker of the task, for the waker of a child in its wake sets.
#[cfg(all(target_pointer_width = "64", not(loom)))]
fn outermost_parent(waker: usize) -> usize {
    // The parent of a set in another set is a child of that one.
    let mut parent = waker;
    for _ in 0..MAX_SETS {
        match volt_combinators::parent_of_child_waker(parent) {
            Some(outer) => parent = outer,
            None => break,
        }
    }
    parent
}

#[cfg(not(all(target_pointer_width = "64", not(loom))))]
fn outermost_parent(waker: usize) -> usize {
    waker
}

/// Returns the number of children in wake sets of each of these tasks that were woken and not
/// polled since.
#[cfg(all(target_pointer_width = "64", not(loom)))]
pub(in crate::runtime::dump) fn woken_children(
    addresses: &[usize],
    ids: impl Iterator<Item = TaskId>,
) -> Vec<(TaskId, u32)> {
    let mut sets = Vec::new();
    volt_combinators::for_each_wake_set(|set| {
        if set.woken > 0 {
            sets.push((set.parent, set.woken));
        }
    });
    let mut woken: HashMap<usize, u32> = HashMap::new();
    for (parent, children) in sets {
        *woken.entry(outermost_parent(parent)).or_default() += children;
    }
    if woken.is_empty() {
        return Vec::new();
    }
    let tasks = addresses.iter().zip(ids);
    let mut found: Vec<_> = tasks
        .filter_map(|(address, id)| Some((id, *woken.get(address)?)))
        .collect();
    found.sort_unstable();
    found
}

#[cfg(not(all(target_pointer_width = "64", not(loom))))]
pub(in crate::runtime::dump) fn woken_children(
    _: &[usize],
    _: impl Iterator<Item = TaskId>,
) -> Vec<(TaskId, u32)> {
    Vec::new()
}
