//! Borrowed read and write halves of a connection.

use std::io::{self, IoSlice, IoSliceMut};
use std::task::{Context, Poll};

use super::read_futures::{Peek, Read, ReadExact, ReadVectored};
use super::write_futures::{Write, WriteAll, WriteVectored};
use crate::io::{Interest, Readable, ReadyFor, Writable};
use crate::net::socket::{HasStream, Transport};
use crate::net::tcp::TcpStream;

/// The read half of a connection, borrowed by `split`.
#[derive(Debug)]
pub struct ReadHalf<'a, S = TcpStream> {
    pub(in crate::net) stream: &'a S,
}

/// The write half of a connection, borrowed by `split`.
#[derive(Debug)]
pub struct WriteHalf<'a, S = TcpStream> {
    pub(in crate::net) stream: &'a S,
}

pub(in crate::net) fn split<S>(stream: &mut S) -> (ReadHalf<'_, S>, WriteHalf<'_, S>) {
    (ReadHalf { stream }, WriteHalf { stream })
}

impl<S> AsRef<S> for ReadHalf<'_, S> {
    fn as_ref(&self) -> &S {
        self.stream
    }
}

impl<S> AsRef<S> for WriteHalf<'_, S> {
    fn as_ref(&self) -> &S {
        self.stream
    }
}

/// Implements the read methods of a connection for a read half.
macro_rules! impl_reading {
    ($half:ty) => {
        impl<S: Transport> HasStream for $half {
            type Stream = S;

            fn stream(&self) -> &S {
                self.as_ref()
            }
        }

        impl<S: Transport> $half {
            /// Reads into the buffer; see [`TcpStream::read`].
            ///
            /// # Errors
            ///
            /// Returns the errors of [`TcpStream::poll_read`].
            pub fn read<'b>(&'b self, buf: &'b mut [u8]) -> Read<'b, S> {
                Read::new(self.as_ref(), buf)
            }

            /// Reads until the buffer is full; see [`TcpStream::read_exact`].
            ///
            /// # Errors
            ///
            /// Returns the errors of [`TcpStream::read_exact`].
            pub fn read_exact<'b>(&'b self, buf: &'b mut [u8]) -> ReadExact<'b, S> {
                ReadExact::new(self.as_ref(), buf)
            }

            /// Reads into several buffers, in order; see [`TcpStream::read_vectored`].
            ///
            /// # Errors
            ///
            /// Returns the errors of [`TcpStream::poll_read`].
            pub fn read_vectored<'b, 'c>(
                &'b self,
                bufs: &'b mut [IoSliceMut<'c>],
            ) -> ReadVectored<'b, 'c, S> {
                ReadVectored::new(self.as_ref(), bufs)
            }

            /// Waits until a read may succeed; see [`TcpStream::readable`].
            ///
            /// # Errors
            ///
            /// Returns the errors of [`TcpStream::readable`].
            pub fn readable(&self) -> Readable<'_> {
                Readable::new(self.as_ref())
            }

            /// Waits until the stream may be in one of the states; see [`TcpStream::ready`].
            ///
            /// # Errors
            ///
            /// Returns the errors of [`TcpStream::ready`].
            pub fn ready(&self, interest: Interest) -> ReadyFor<'_> {
                ReadyFor::new(self.as_ref(), interest)
            }

            /// Reads the bytes that have arrived, without waiting; see [`TcpStream::try_read`].
            ///
            /// # Errors
            ///
            /// Returns the errors of [`TcpStream::try_read`].
            pub fn try_read(&self, buf: &mut [u8]) -> io::Result<usize> {
                self.as_ref().try_read(buf)
            }

            /// Reads the bytes that have arrived into several buffers; see
            /// [`TcpStream::try_read_vectored`].
            ///
            /// # Errors
            ///
            /// Returns the errors of [`TcpStream::try_read_vectored`].
            pub fn try_read_vectored(&self, bufs: &mut [IoSliceMut<'_>]) -> io::Result<usize> {
                self.as_ref().try_read_vectored(bufs)
            }

            /// Reads into the buffer, or stores the waker; see [`TcpStream::poll_read`].
            ///
            /// # Errors
            ///
            /// Returns the errors of [`TcpStream::poll_read`].
            pub fn poll_read(
                &self,
                cx: &mut Context<'_>,
                buf: &mut [u8],
            ) -> Poll<io::Result<usize>> {
                self.as_ref().poll_read(cx, buf)
            }
        }
    };
}
pub(super) use impl_reading;

/// Implements the write methods of a connection for a write half.
macro_rules! impl_writing {
    ($half:ty) => {
        impl<S: Transport> HasStream for $half {
            type Stream = S;

            fn stream(&self) -> &S {
                self.as_ref()
            }
        }

        impl<S: Transport> $half {
            /// Writes from the buffer; see [`TcpStream::write`].
            ///
            /// # Errors
            ///
            /// Returns the errors of [`TcpStream::poll_write`].
            pub fn write<'b>(&'b self, buf: &'b [u8]) -> Write<'b, S> {
                Write::new(self.as_ref(), buf)
            }

            /// Writes the whole buffer; see [`TcpStream::write_all`].
            ///
            /// # Errors
            ///
            /// Returns the errors of [`TcpStream::write_all`].
            pub fn write_all<'b>(&'b self, buf: &'b [u8]) -> WriteAll<'b, S> {
                WriteAll::new(self.as_ref(), buf)
            }

            /// Writes from several buffers, in order; see [`TcpStream::write_vectored`].
            ///
            /// # Errors
            ///
            /// Returns the errors of [`TcpStream::poll_write`].
            pub fn write_vectored<'b, 'c>(
                &'b self,
                bufs: &'b [IoSlice<'c>],
            ) -> WriteVectored<'b, 'c, S> {
                WriteVectored::new(self.as_ref(), bufs)
            }

            /// Waits until a write may succeed; see [`TcpStream::writable`].
            ///
            /// # Errors
            ///
            /// Returns the errors of [`TcpStream::writable`].
            pub fn writable(&self) -> Writable<'_> {
                Writable::new(self.as_ref())
            }

            /// Waits until the stream may be in one of the states; see [`TcpStream::ready`].
            ///
            /// # Errors
            ///
            /// Returns the errors of [`TcpStream::ready`].
            pub fn ready(&self, interest: Interest) -> ReadyFor<'_> {
                ReadyFor::new(self.as_ref(), interest)
            }

            /// Writes the bytes for which there is room, without waiting; see
            /// [`TcpStream::try_write`].
            ///
            /// # Errors
            ///
            /// Returns the errors of [`TcpStream::try_write`].
            pub fn try_write(&self, buf: &[u8]) -> io::Result<usize> {
                self.as_ref().try_write(buf)
            }

            /// Writes from several buffers, without waiting; see [`TcpStream::try_write_vectored`].
            ///
            /// # Errors
            ///
            /// Returns the errors of [`TcpStream::try_write_vectored`].
            pub fn try_write_vectored(&self, bufs: &[IoSlice<'_>]) -> io::Result<usize> {
                self.as_ref().try_write_vectored(bufs)
            }

            /// Writes from the buffer, or stores the waker; see [`TcpStream::poll_write`].
            ///
            /// # Errors
            ///
            /// Returns the errors of [`TcpStream::poll_write`].
            pub fn poll_write(&self, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
                self.as_ref().poll_write(cx, buf)
            }

            /// Shuts down the write half; see [`TcpStream::poll_close`].
            ///
            /// # Errors
            ///
            /// Returns the errors of [`TcpStream::poll_close`].
            pub fn poll_close(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
                self.as_ref().poll_close(cx)
            }
        }
    };
}
pub(super) use impl_writing;

/// Implements `peek` for a read half of a TCP connection.
macro_rules! impl_peeking {
    ($half:ty) => {
        impl $half {
            /// Reads into the buffer without removing the bytes from the stream; see
            /// [`TcpStream::peek`].
            ///
            /// # Errors
            ///
            /// Returns the errors of [`TcpStream::peek`].
            pub fn peek<'b>(&'b self, buf: &'b mut [u8]) -> Peek<'b> {
                self.as_ref().peek(buf)
            }
        }
    };
}
pub(super) use impl_peeking;

impl_peeking!(ReadHalf<'_>);
impl_reading!(ReadHalf<'_, S>);
impl_writing!(WriteHalf<'_, S>);
