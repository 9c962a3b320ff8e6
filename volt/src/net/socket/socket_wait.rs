//! The node of a future that waits for a socket.

use std::fmt::Debug;

use volt_inspect::{Direction, Inspector, Node, Wait};

/// An operation for which a future waits.
#[derive(Clone, Copy, Debug)]
pub(in crate::net) struct SocketWait {
    pub(in crate::net) operation: &'static str,
    pub(in crate::net) direction: Direction,
}

impl SocketWait {
    pub(in crate::net) const ACCEPT: Self = Self {
        operation: "accept",
        direction: Direction::Read,
    };

    pub(in crate::net) const CONNECT: Self = Self {
        operation: "connect",
        direction: Direction::Write,
    };

    /// Reports the event to the current node of the inspector.
    pub(in crate::net) fn report(self, address: Option<&dyn Debug>, inspector: &mut Inspector<'_>) {
        inspector.waits(Wait::Io {
            operation: self.operation,
            direction: self.direction,
            address,
            descriptor: None,
        });
    }

    /// Reports a node that waits for the operation. `report_address` passes the address to its
    /// argument, if the system knows it.
    pub(in crate::net) fn report_node(
        self,
        kind: &'static str,
        report_address: impl FnOnce(&mut dyn FnMut(&dyn Debug)),
        inspector: &mut Inspector<'_>,
    ) {
        inspector.node(&Node::new(kind), |inspector| {
            let mut has_address = false;
            report_address(&mut |address| {
                has_address = true;
                self.report(Some(address), inspector);
            });
            if !has_address {
                self.report(None, inspector);
            }
        });
    }
}
