//! Options of a UDP socket.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr};

use super::udp_socket::UdpSocket;

impl UdpSocket {
    /// Returns `true` if the socket can send to broadcast addresses.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `getsockopt` fails.
    pub fn broadcast(&self) -> io::Result<bool> {
        self.io.get().broadcast()
    }

    /// Allows or forbids sends to broadcast addresses. The default is `false`.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `setsockopt` fails.
    pub fn set_broadcast(&self, broadcast: bool) -> io::Result<()> {
        self.io.get().set_broadcast(broadcast)
    }

    /// Returns the largest number of hops of a datagram.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `getsockopt` fails.
    pub fn ttl(&self) -> io::Result<u32> {
        self.io.get().ttl()
    }

    /// Sets the largest number of hops of a datagram.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `setsockopt` fails.
    pub fn set_ttl(&self, ttl: u32) -> io::Result<()> {
        self.io.get().set_ttl(ttl)
    }

    /// Joins a multicast group on the interface with the address `interface`. With `0.0.0.0`, the
    /// system chooses one.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `setsockopt` fails.
    pub fn join_multicast_v4(&self, group: Ipv4Addr, interface: Ipv4Addr) -> io::Result<()> {
        self.io.get().join_multicast_v4(&group, &interface)
    }

    /// Leaves a multicast group.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `setsockopt` fails.
    pub fn leave_multicast_v4(&self, group: Ipv4Addr, interface: Ipv4Addr) -> io::Result<()> {
        self.io.get().leave_multicast_v4(&group, &interface)
    }

    /// Joins a multicast group on the interface with the index `interface`. With zero, the system
    /// chooses one.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `setsockopt` fails.
    pub fn join_multicast_v6(&self, group: Ipv6Addr, interface: u32) -> io::Result<()> {
        self.io.get().join_multicast_v6(&group, interface)
    }

    /// Leaves a multicast group.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `setsockopt` fails.
    pub fn leave_multicast_v6(&self, group: Ipv6Addr, interface: u32) -> io::Result<()> {
        self.io.get().leave_multicast_v6(&group, interface)
    }

    /// Returns the largest number of hops of a multicast datagram.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `getsockopt` fails.
    pub fn multicast_ttl_v4(&self) -> io::Result<u32> {
        self.io.get().multicast_ttl_v4()
    }

    /// Sets the largest number of hops of a multicast datagram. The default is 1.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `setsockopt` fails.
    pub fn set_multicast_ttl_v4(&self, ttl: u32) -> io::Result<()> {
        self.io.get().set_multicast_ttl_v4(ttl)
    }

    /// Returns `true` if the host receives its own multicast datagrams.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `getsockopt` fails.
    pub fn multicast_loop_v4(&self) -> io::Result<bool> {
        self.io.get().multicast_loop_v4()
    }

    /// Enables or disables the loopback of multicast datagrams. The default is `true`.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `setsockopt` fails.
    pub fn set_multicast_loop_v4(&self, loops: bool) -> io::Result<()> {
        self.io.get().set_multicast_loop_v4(loops)
    }
}
