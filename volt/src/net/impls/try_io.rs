//! What sockets do at once or not at all, and into memory that nobody has written to.

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

/// What is the same for all connections.
macro_rules! impl_stream_try_io {
    ($($(#[$attribute:meta])* $Stream:ty;)*) => {$(
        $(#[$attribute])*
        impl $Stream {
            /// Waits until a read or a write may succeed, whichever was asked for; only a read or a
            /// write tells whether it does.
            ///
            /// # Errors
            ///
            /// Fails when the runtime has shut down.
            ///
            /// # Cancel safety
            ///
            /// Dropping the future changes nothing.
            pub fn ready(&self, interest: Interest) -> ReadyFor<'_> {
                ReadyFor::new(self, interest)
            }

            /// As [`try_read`](Self::try_read), into several buffers, one after the other.
            ///
            /// # Errors
            ///
            /// As there.
            pub fn try_read_vectored(&self, bufs: &mut [IoSliceMut<'_>]) -> io::Result<usize> {
                self.io.try_read_vectored(bufs)
            }

            /// As [`try_write`](Self::try_write), from several buffers, one after the other.
            ///
            /// # Errors
            ///
            /// As there.
            pub fn try_write_vectored(&self, bufs: &[IoSlice<'_>]) -> io::Result<usize> {
                self.io.try_write_vectored(bufs)
            }

            /// As [`poll_read`](Self::poll_read), into memory that nobody has written to yet.
            ///
            /// When it returns `n`, the first `n` elements of the buffer are initialised. Adapters to
            /// libraries with buffers of their own read without zeroing them first.
            ///
            /// # Errors
            ///
            /// As there.
            pub fn poll_read_uninit(
                &self,
                cx: &mut Context<'_>,
                buf: &mut [MaybeUninit<u8>],
            ) -> Poll<io::Result<usize>> {
                let wanted = buf.len();
                self.io
                    .poll_transfer(cx, Direction::Read, wanted, |it| SockRef::from(it).recv(buf))
            }
        }
    )*};
}

impl_stream_try_io! {
    TcpStream;
    #[cfg(unix)]
    UnixStream;
}

/// What is the same for all sockets that carry datagrams.
macro_rules! impl_datagram_try_io {
    ($($(#[$attribute:meta])* $Socket:ty;)*) => {$(
        $(#[$attribute])*
        impl $Socket {
            /// Waits until a datagram may be received or sent, whichever was asked for; only receiving
            /// or sending tells whether it can.
            ///
            /// # Errors
            ///
            /// Fails when the runtime has shut down.
            ///
            /// # Cancel safety
            ///
            /// Dropping the future changes nothing.
            pub fn ready(&self, interest: Interest) -> ReadyFor<'_> {
                ReadyFor::new(self, interest)
            }

            /// Receives a datagram that has come already, from the peer it is connected to.
            ///
            /// # Errors
            ///
            /// As [`recv`](Self::recv), and with [`io::ErrorKind::WouldBlock`] when none has.
            pub fn try_recv(&self, buf: &mut [u8]) -> io::Result<usize> {
                self.io.try_io(Direction::Read, |it| it.recv(buf))
            }

            /// Sends a datagram to the peer it is connected to, if there is room for it now.
            ///
            /// # Errors
            ///
            /// As [`send`](Self::send), and with [`io::ErrorKind::WouldBlock`] when there is not.
            pub fn try_send(&self, buf: &[u8]) -> io::Result<usize> {
                self.io.try_io(Direction::Write, |it| it.send(buf))
            }
        }
    )*};
}

impl_datagram_try_io! {
    UdpSocket;
    #[cfg(unix)]
    UnixDatagram;
}
