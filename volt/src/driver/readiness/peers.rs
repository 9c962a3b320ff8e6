//! `SocketWaiter`: the tasks that wait for sockets, for inspections.
//!
//! The type of a future in a plain `async` block is not known, so an inspection does not reach its
//! reads and writes. But the driver has their wakers.

use super::reactor::IoRegistry;
use super::source::{Direction, IoSource};
use crate::loom::sync::Arc;

/// A waker that waits for a socket.
#[derive(Clone, Debug)]
pub(crate) struct SocketWaiter {
    /// The data of the waker: the address of a task, if it is the waker of one.
    pub(crate) waker_data: usize,
    pub(crate) direction: Direction,
    /// The number of the socket.
    pub(crate) socket: u64,
    /// `true` if a listener has accepted the socket.
    pub(crate) is_accepted: bool,
    /// The address of the peer, if it was requested and the socket has one.
    pub(crate) peer: Option<String>,
    source: usize,
}

impl IoRegistry {
    /// Returns the wakers that wait for sockets.
    pub(crate) fn socket_waiters(&self) -> Vec<SocketWaiter> {
        let mut found = Vec::new();
        self.for_each_source(|source| {
            let Some(socket) = source.socket() else {
                return;
            };
            source.for_each_waiting(|direction, waker_data| {
                found.push(SocketWaiter {
                    waker_data,
                    direction,
                    socket,
                    is_accepted: source.is_accepted(),
                    peer: None,
                    source: address(source),
                });
            });
        });
        found
    }

    /// Adds the addresses of the peers.
    pub(crate) fn add_peers(&self, waiters: &mut [SocketWaiter]) {
        waiters.sort_by_key(|waiter| waiter.source);
        self.for_each_source(|source| {
            let at = address(source);
            let begin = waiters.partition_point(|waiter| waiter.source < at);
            let same = waiters[begin..].iter_mut();
            for waiter in same.take_while(|waiter| waiter.source == at) {
                // A source at the same address may be a later one, of another socket.
                if source.socket() == Some(waiter.socket) {
                    waiter.peer = peer(waiter.socket);
                }
            }
        });
    }
}

fn address(source: &Arc<IoSource>) -> usize {
    Arc::as_ptr(source).addr()
}

/// Returns the address of the peer of a socket that is registered with the driver. The caller has
/// locked the sources, so the socket is not closed meanwhile: it is deregistered first.
#[cfg(unix)]
fn peer(socket: u64) -> Option<String> {
    use std::os::fd::BorrowedFd;

    let descriptor = i32::try_from(socket).ok()?;
    // SAFETY: the descriptor is open, see above.
    let descriptor = unsafe { BorrowedFd::borrow_raw(descriptor) };
    let address = socket2::SockRef::from(&descriptor).peer_addr().ok()?;
    match address.as_socket() {
        Some(address) => Some(address.to_string()),
        None => address.as_pathname().map(|path| path.display().to_string()),
    }
}

#[cfg(not(unix))]
fn peer(_: u64) -> Option<String> {
    None
}
