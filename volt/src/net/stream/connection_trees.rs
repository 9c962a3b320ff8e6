//! Inspection of the futures of connections.

use std::pin::Pin;

use volt_inspect::{Direction, Inspect, Inspector, Node, Registrable, Wait};

use super::read_futures::{Read, ReadExact, ReadVectored};
use super::write_futures::{Write, WriteAll, WriteVectored};
use crate::net::socket::Transport;

/// Reports an operation on a connection.
fn inspect<S: Transport>(
    kind: &'static str,
    operation: &'static str,
    direction: Direction,
    stream: &S,
    inspector: &mut Inspector<'_>,
) {
    inspector.node(&Node::new(kind), |inspector| {
        let mut has_peer = false;
        stream.report_peer(&mut |peer| {
            has_peer = true;
            inspector.waits(Wait::Io {
                operation,
                direction,
                address: Some(peer),
                descriptor: None,
            });
        });
        if !has_peer {
            inspector.waits(Wait::Io {
                operation,
                direction,
                address: None,
                descriptor: None,
            });
        }
    });
}

/// Implements `Inspect` for futures of connections.
macro_rules! connection_futures {
    ($($Future:ident<$($lifetime:lifetime),+> $operation:literal $Direction:ident)*) => { $(
        impl<$($lifetime,)+ S: Transport> Inspect for $Future<$($lifetime,)+ S> {
            fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
                let (kind, direction) = (stringify!($Future), Direction::$Direction);
                inspect(kind, $operation, direction, self.stream, inspector);
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
