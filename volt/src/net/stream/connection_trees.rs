//! Inspection of the futures of connections.

use std::fmt::Debug;
use std::pin::Pin;

use volt_inspect::{Direction, Inspect, Inspector, Registrable, registrable};

use super::read_futures::{Peek, Read, ReadExact, ReadVectored};
use super::write_futures::{Write, WriteAll, WriteVectored};
use crate::net::socket::{SocketWait, Transport};

/// Implements `Inspect` for futures of connections.
macro_rules! connection_futures {
    ($($Future:ident<$($lifetime:lifetime),+> $operation:literal $Direction:ident)*) => { $(
        impl<$($lifetime,)+ S: Transport> Inspect for $Future<$($lifetime,)+ S> {
            fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
                let wait = SocketWait {
                    operation: $operation,
                    direction: Direction::$Direction,
                };
                let report_peer = |report: &mut dyn FnMut(&dyn Debug)| {
                    self.stream.report_peer(report);
                };
                wait.report_node(stringify!($Future), report_peer, inspector);
            }
        }

        // SAFETY: only `new` creates values of the type, and it has the same bound. No
        // implementation of `Transport` is for certain lifetimes.
        unsafe impl<$($lifetime,)+ S: Transport> Registrable for $Future<$($lifetime,)+ S> {}
    )* };
}

connection_futures! {
    Read<'a> "read" Read
    ReadExact<'a> "read" Read
    ReadVectored<'a, 'b> "read" Read
    Write<'a> "write" Write
    WriteAll<'a> "write" Write
    WriteVectored<'a, 'b> "write" Write
}

impl Inspect for Peek<'_> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        let wait = SocketWait {
            operation: "peek",
            direction: Direction::Read,
        };
        let report_peer = |report: &mut dyn FnMut(&dyn Debug)| self.stream.report_peer(report);
        wait.report_node("Peek", report_peer, inspector);
    }
}

registrable!(Peek<'a>);
