//! Sockets of the Unix domain by any address: those of Linux that are no paths too.

use std::future::Future;
use std::io;
use std::os::unix::net::SocketAddr;
use std::panic::Location;
use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::unix_datagram::UnixDatagram;
use super::unix_listener::UnixListener;
use super::unix_stream::UnixStream;
use crate::driver::{Direction, Registration};
use crate::io::{Readable, Registers, Watched, Writable};
use crate::net::establish::establish;
use crate::runtime::context;

impl UnixListener {
    /// Listens at the address.
    ///
    /// An abstract address of Linux, which is no path and is gone with its listener, is made by
    /// `std::os::linux::net::SocketAddrExt`.
    ///
    /// # Errors
    ///
    /// Fails as the system's `bind` does.
    ///
    /// # Panics
    ///
    /// Panics on a thread that is in no runtime.
    #[track_caller]
    pub fn bind_addr(address: &SocketAddr) -> io::Result<Self> {
        let driver = context::driver();
        let io = Watched::new(driver, mio::net::UnixListener::bind_addr(address)?)?;
        Ok(Self { io })
    }
}

impl UnixStream {
    /// Connects to the socket that listens at the address, which may be an abstract one of Linux.
    ///
    /// # Errors
    ///
    /// Fails as the system's `connect` does.
    ///
    /// # Panics
    ///
    /// The future panics when it is polled on a thread that is in no runtime.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future closes the connection it was making.
    #[track_caller]
    pub fn connect_addr(address: &SocketAddr) -> UnixConnectAddr {
        UnixConnectAddr {
            address: address.clone(),
            stream: None,
            made_at: Location::caller(),
        }
    }
}

/// The future of [`UnixStream::connect_addr`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct UnixConnectAddr {
    address: SocketAddr,
    stream: Option<UnixStream>,
    made_at: &'static Location<'static>,
}

impl Future for UnixConnectAddr {
    type Output = io::Result<UnixStream>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let stream = match self.stream.take() {
            Some(stream) => stream,
            None => {
                let driver = context::driver_for(self.made_at);
                let stream = mio::net::UnixStream::connect_addr(&self.address)?;
                UnixStream::from_mio(driver, stream)?
            }
        };
        let polled = stream.io.poll_io(cx, Direction::Write, establish);
        if polled.is_pending() {
            self.stream = Some(stream);
            return Poll::Pending;
        }
        ready!(polled)?;
        Poll::Ready(Ok(stream))
    }
}

impl UnixDatagram {
    /// Takes the address, which may be an abstract one of Linux.
    ///
    /// # Errors
    ///
    /// Fails as the system's `bind` does.
    ///
    /// # Panics
    ///
    /// Panics on a thread that is in no runtime.
    #[track_caller]
    pub fn bind_addr(address: &SocketAddr) -> io::Result<Self> {
        Self::from_std(std::os::unix::net::UnixDatagram::bind_addr(address)?)
    }

    /// Waits until a datagram may have come; only receiving tells whether one has.
    ///
    /// # Errors
    ///
    /// Fails when the runtime has shut down.
    pub fn readable(&self) -> Readable<'_> {
        Readable::new(self)
    }

    /// Waits until a datagram may be sent; only sending tells whether it can.
    ///
    /// # Errors
    ///
    /// Fails when the runtime has shut down.
    pub fn writable(&self) -> Writable<'_> {
        Writable::new(self)
    }

    /// Receives a datagram that has come already.
    ///
    /// # Errors
    ///
    /// As [`recv_from`](Self::recv_from), and with [`io::ErrorKind::WouldBlock`] when none has.
    pub fn try_recv_from(&self, buf: &mut [u8]) -> io::Result<(usize, SocketAddr)> {
        self.io.try_io(Direction::Read, |it| it.recv_from(buf))
    }

    /// Sends a datagram if there is room for it now.
    ///
    /// # Errors
    ///
    /// As [`send_to`](Self::send_to), and with [`io::ErrorKind::WouldBlock`] when there is not.
    pub fn try_send_to<P>(&self, buf: &[u8], target: P) -> io::Result<usize>
    where
        P: AsRef<Path>,
    {
        self.io
            .try_io(Direction::Write, |it| it.send_to(buf, &target))
    }
}

#[expect(private_interfaces, reason = "as the trait")]
impl Registers for UnixDatagram {
    fn registration(&self) -> &Registration {
        self.io.registration()
    }
}
