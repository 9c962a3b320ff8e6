//! Operations that do not wait, and reads into uninitialized memory.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::task::{Context, Poll};

use socket2::SockRef;

use crate::driver::Direction;
use crate::io::{Interest, ReadyFor};
use crate::net::datagram::UdpSocket;
use crate::net::tcp::TcpStream;
#[cfg(unix)]
use crate::net::unix::{UnixDatagram, UnixStream};

/// Implements the methods of all connections.
macro_rules! impl_stream_try_io {
    ($($(#[$attribute:meta])* $Stream:ty;)*) => {$(
        $(#[$attribute])*
        impl $Stream {
            /// Waits until the stream may be in one of the states. Only a read or a write shows
            /// whether it is.
            ///
            /// # Errors
            ///
            /// Returns an error if the runtime has shut down.
            ///
            /// # Cancel safety
            ///
            /// Dropping the future changes nothing.
            pub fn ready(&self, interest: Interest) -> ReadyFor<'_> {
                ReadyFor::new(self, interest)
            }

            /// Reads the bytes that have arrived into several buffers, in order; see
            /// [`try_read`](Self::try_read).
            ///
            /// # Errors
            ///
            /// Returns the errors of [`try_read`](Self::try_read).
            pub fn try_read_vectored(&self, bufs: &mut [IoSliceMut<'_>]) -> io::Result<usize> {
                self.io.try_read_vectored(bufs)
            }

            /// Writes from several buffers, in order, without waiting; see
            /// [`try_write`](Self::try_write).
            ///
            /// # Errors
            ///
            /// Returns the errors of [`try_write`](Self::try_write).
            pub fn try_write_vectored(&self, bufs: &[IoSlice<'_>]) -> io::Result<usize> {
                self.io.try_write_vectored(bufs)
            }

            /// Reads into uninitialized memory; see [`poll_read`](Self::poll_read).
            ///
            /// If it returns `n`, the first `n` elements of the buffer are initialized. So adapters
            /// to libraries with their own buffers need not fill them with zeros first.
            ///
            /// # Errors
            ///
            /// Returns the errors of [`poll_read`](Self::poll_read).
            pub fn poll_read_uninit(
                &self,
                cx: &mut Context<'_>,
                buf: &mut [MaybeUninit<u8>],
            ) -> Poll<io::Result<usize>> {
                let wanted = buf.len();
                self.io
                    .poll_transfer(cx, Direction::Read, wanted, |socket| SockRef::from(socket).recv(buf))
            }
        }
    )*};
}

impl_stream_try_io! {
    TcpStream;
    #[cfg(unix)]
    UnixStream;
}

/// Implements the methods of all sockets for datagrams.
macro_rules! impl_datagram_try_io {
    ($($(#[$attribute:meta])* $Socket:ty;)*) => {$(
        $(#[$attribute])*
        impl $Socket {
            /// Waits until the socket may be in one of the states. Only a receive or send operation
            /// shows whether it is.
            ///
            /// # Errors
            ///
            /// Returns an error if the runtime has shut down.
            ///
            /// # Cancel safety
            ///
            /// Dropping the future changes nothing.
            pub fn ready(&self, interest: Interest) -> ReadyFor<'_> {
                ReadyFor::new(self, interest)
            }

            /// Receives a datagram that has already arrived, from the connected peer.
            ///
            /// # Errors
            ///
            /// Returns the errors of [`recv`](Self::recv), and [`io::ErrorKind::WouldBlock`] if
            /// none has arrived.
            pub fn try_recv(&self, buf: &mut [u8]) -> io::Result<usize> {
                self.io.try_io(Direction::Read, |socket| socket.recv(buf))
            }

            /// Sends a datagram to the connected peer, if the system has room for it now.
            ///
            /// # Errors
            ///
            /// Returns the errors of [`send`](Self::send), and [`io::ErrorKind::WouldBlock`] if
            /// there is no room.
            pub fn try_send(&self, buf: &[u8]) -> io::Result<usize> {
                self.io.try_io(Direction::Write, |socket| socket.send(buf))
            }
        }
    )*};
}

impl_datagram_try_io! {
    UdpSocket;
    #[cfg(unix)]
    UnixDatagram;
}
