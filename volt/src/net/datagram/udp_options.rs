//! What can be set on a UDP socket.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr};

use super::udp_socket::UdpSocket;

impl UdpSocket {
    /// Whether it may send to broadcast addresses.
    ///
    /// # Errors
    ///
    /// Fails as the system's `getsockopt` does.
    pub fn broadcast(&self) -> io::Result<bool> {
        self.io.get().broadcast()
    }

    /// Sets whether it may send to broadcast addresses.
    ///
    /// # Errors
    ///
    /// Fails as the system's `setsockopt` does.
    pub fn set_broadcast(&self, broadcast: bool) -> io::Result<()> {
        self.io.get().set_broadcast(broadcast)
    }

    /// How many hops a datagram may take.
    ///
    /// # Errors
    ///
    /// Fails as the system's `getsockopt` does.
    pub fn ttl(&self) -> io::Result<u32> {
        self.io.get().ttl()
    }

    /// Sets how many hops a datagram may take.
    ///
    /// # Errors
    ///
    /// Fails as the system's `setsockopt` does.
    pub fn set_ttl(&self, ttl: u32) -> io::Result<()> {
        self.io.get().set_ttl(ttl)
    }

    /// Joins a multicast group, on the interface with this address or on any.
    ///
    /// # Errors
    ///
    /// Fails as the system's `setsockopt` does.
    pub fn join_multicast_v4(&self, group: Ipv4Addr, interface: Ipv4Addr) -> io::Result<()> {
        self.io.get().join_multicast_v4(&group, &interface)
    }

    /// Leaves a multicast group.
    ///
    /// # Errors
    ///
    /// Fails as the system's `setsockopt` does.
    pub fn leave_multicast_v4(&self, group: Ipv4Addr, interface: Ipv4Addr) -> io::Result<()> {
        self.io.get().leave_multicast_v4(&group, &interface)
    }

    /// Joins a multicast group, on the interface of this index or, with zero, on any.
    ///
    /// # Errors
    ///
    /// Fails as the system's `setsockopt` does.
    pub fn join_multicast_v6(&self, group: Ipv6Addr, interface: u32) -> io::Result<()> {
        self.io.get().join_multicast_v6(&group, interface)
    }

    /// Leaves a multicast group.
    ///
    /// # Errors
    ///
    /// Fails as the system's `setsockopt` does.
    pub fn leave_multicast_v6(&self, group: Ipv6Addr, interface: u32) -> io::Result<()> {
        self.io.get().leave_multicast_v6(&group, interface)
    }

    /// How many hops a datagram to a multicast group may take.
    ///
    /// # Errors
    ///
    /// Fails as the system's `getsockopt` does.
    pub fn multicast_ttl_v4(&self) -> io::Result<u32> {
        self.io.get().multicast_ttl_v4()
    }

    /// Sets how many hops a datagram to a multicast group may take.
    ///
    /// # Errors
    ///
    /// Fails as the system's `setsockopt` does.
    pub fn set_multicast_ttl_v4(&self, ttl: u32) -> io::Result<()> {
        self.io.get().set_multicast_ttl_v4(ttl)
    }

    /// Whether it gets its own multicast datagrams.
    ///
    /// # Errors
    ///
    /// Fails as the system's `getsockopt` does.
    pub fn multicast_loop_v4(&self) -> io::Result<bool> {
        self.io.get().multicast_loop_v4()
    }

    /// Sets whether it gets its own multicast datagrams.
    ///
    /// # Errors
    ///
    /// Fails as the system's `setsockopt` does.
    pub fn set_multicast_loop_v4(&self, loops: bool) -> io::Result<()> {
        self.io.get().set_multicast_loop_v4(loops)
    }
}
