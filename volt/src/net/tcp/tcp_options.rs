//! Options of a TCP connection.
//!
//! `socket2::SockRef::from(&stream)` has the other options. It accepts every socket of this crate.

use std::io;
use std::time::Duration;

use socket2::SockRef;

use super::tcp_stream::TcpStream;

impl TcpStream {
    /// Returns `true` if small writes are sent at once.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `getsockopt` fails.
    pub fn nodelay(&self) -> io::Result<bool> {
        self.io.get().nodelay()
    }

    /// Sets `TCP_NODELAY`: `true` sends small writes at once, and `false` collects them. The
    /// default is `false`.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `setsockopt` fails.
    pub fn set_nodelay(&self, nodelay: bool) -> io::Result<()> {
        self.io.get().set_nodelay(nodelay)
    }

    /// Returns the largest number of hops of a packet.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `getsockopt` fails.
    pub fn ttl(&self) -> io::Result<u32> {
        self.io.get().ttl()
    }

    /// Sets the largest number of hops of a packet.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `setsockopt` fails.
    pub fn set_ttl(&self, ttl: u32) -> io::Result<()> {
        self.io.get().set_ttl(ttl)
    }

    /// Returns how long a close waits for unsent bytes. With `None`, the system sends them in the
    /// background.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `getsockopt` fails.
    pub fn linger(&self) -> io::Result<Option<Duration>> {
        SockRef::from(self.io.get()).linger()
    }

    /// Sets how long a close waits for unsent bytes, in whole seconds. With zero, a close resets
    /// the connection. With more, a close **blocks the thread**. The default is `None`: the system
    /// sends them in the background.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `setsockopt` fails.
    pub fn set_linger(&self, time: Option<Duration>) -> io::Result<()> {
        SockRef::from(self.io.get()).set_linger(time)
    }

    /// Returns `true` if the system sends keep-alive probes to a silent peer.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `getsockopt` fails.
    pub fn keepalive(&self) -> io::Result<bool> {
        SockRef::from(self.io.get()).keepalive()
    }

    /// Enables or disables keep-alive probes to a silent peer.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `setsockopt` fails.
    pub fn set_keepalive(&self, keepalive: bool) -> io::Result<()> {
        SockRef::from(self.io.get()).set_keepalive(keepalive)
    }
}
