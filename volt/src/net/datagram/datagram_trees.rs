//! Inspection of the futures of sockets for datagrams.

use std::fmt::Debug;
use std::pin::Pin;

use volt_inspect::{Direction, Inspect, Inspector, Registrable, registrable};

use super::datagram_futures::{Datagrams, PeekFrom, Recv, RecvFrom, SendConnected, SendTo};
use crate::net::socket::SocketWait;

/// Implements `Inspect` for futures that use the peer of the socket, or any sender.
macro_rules! datagram_futures {
    ($($Future:ident $operation:literal $Direction:ident)*) => { $(
        impl<S: Datagrams> Inspect for $Future<'_, S> {
            fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
                let wait = SocketWait {
                    operation: $operation,
                    direction: Direction::$Direction,
                };
                let report_address = |report: &mut dyn FnMut(&dyn Debug)| {
                    self.socket.report_address(report);
                };
                wait.report_node(stringify!($Future), report_address, inspector);
            }
        }

        // SAFETY: only `new` creates values of the type, and it has the same bound. No
        // implementation of `Datagrams` is for certain lifetimes.
        unsafe impl<S: Datagrams> Registrable for $Future<'_, S> {}
    )* };
}

datagram_futures! {
    Recv "recv" Read
    RecvFrom "recv_from" Read
    SendConnected "send" Write
}

impl<S: Datagrams, P> Inspect for SendTo<'_, S, S::Target, P> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        let wait = SocketWait {
            operation: "send_to",
            direction: Direction::Write,
        };
        let report_target = |report: &mut dyn FnMut(&dyn Debug)| report(&self.target);
        wait.report_node("SendTo", report_target, inspector);
    }
}

// SAFETY: only `new` creates values of the type, and it has the same bound and target. No
// implementation of `Datagrams` is for certain lifetimes.
unsafe impl<S: Datagrams, P> Registrable for SendTo<'_, S, S::Target, P> {}

impl Inspect for PeekFrom<'_> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        let wait = SocketWait {
            operation: "peek_from",
            direction: Direction::Read,
        };
        let report_address = |report: &mut dyn FnMut(&dyn Debug)| {
            self.socket.report_address(report);
        };
        wait.report_node("PeekFrom", report_address, inspector);
    }
}

registrable!(PeekFrom<'a>);
