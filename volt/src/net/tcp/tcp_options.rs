//! What can be set on a TCP connection.
//!
//! What is not here is a matter of `socket2::SockRef::from(&stream)`, which takes every socket of
//! this crate.

use std::io;
use std::time::Duration;

use socket2::SockRef;

use super::tcp_stream::TcpStream;

impl TcpStream {
    /// Whether small writes are sent at once.
    ///
    /// # Errors
    ///
    /// Fails as the system's `getsockopt` does.
    pub fn nodelay(&self) -> io::Result<bool> {
        self.io.get().nodelay()
    }

    /// Sends small writes at once (`true`), or gathers them (`false`, as a new socket does).
    ///
    /// # Errors
    ///
    /// Fails as the system's `setsockopt` does.
    pub fn set_nodelay(&self, nodelay: bool) -> io::Result<()> {
        self.io.get().set_nodelay(nodelay)
    }

    /// How many hops what is sent may take.
    ///
    /// # Errors
    ///
    /// Fails as the system's `getsockopt` does.
    pub fn ttl(&self) -> io::Result<u32> {
        self.io.get().ttl()
    }

    /// Sets how many hops what is sent may take.
    ///
    /// # Errors
    ///
    /// Fails as the system's `setsockopt` does.
    pub fn set_ttl(&self, ttl: u32) -> io::Result<()> {
        self.io.get().set_ttl(ttl)
    }

    /// How long the system goes on sending when the connection is closed; `None` if it does so in
    /// the background.
    ///
    /// # Errors
    ///
    /// Fails as the system's `getsockopt` does.
    pub fn linger(&self) -> io::Result<Option<Duration>> {
        SockRef::from(self.io.get()).linger()
    }

    /// Sets how long the system goes on sending when the connection is closed, in whole seconds.
    /// With zero the close resets the connection; with more it **blocks the thread**.
    ///
    /// # Errors
    ///
    /// Fails as the system's `setsockopt` does.
    pub fn set_linger(&self, time: Option<Duration>) -> io::Result<()> {
        SockRef::from(self.io.get()).set_linger(time)
    }

    /// Whether the system now and then asks a silent peer if it is still there.
    ///
    /// # Errors
    ///
    /// Fails as the system's `getsockopt` does.
    pub fn keepalive(&self) -> io::Result<bool> {
        SockRef::from(self.io.get()).keepalive()
    }

    /// Sets whether the system now and then asks a silent peer if it is still there.
    ///
    /// # Errors
    ///
    /// Fails as the system's `setsockopt` does.
    pub fn set_keepalive(&self, keepalive: bool) -> io::Result<()> {
        SockRef::from(self.io.get()).set_keepalive(keepalive)
    }
}
