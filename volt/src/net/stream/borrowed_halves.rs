//! The two halves of a connection, borrowed.

use std::io::{self, IoSlice, IoSliceMut};
use std::task::{Context, Poll};

use super::read_futures::{Peek, Read, ReadExact, ReadVectored};
use super::write_futures::{Write, WriteAll, WriteVectored};
use crate::io::{Interest, Readable, ReadyFor, Writable};
use crate::net::socket::{HasStream, Transport};
use crate::net::tcp::TcpStream;

/// The half of a connection that is read, lent by `split`.
#[derive(Debug)]
pub struct ReadHalf<'a, S = TcpStream> {
    pub(in crate::net) stream: &'a S,
}

/// The half of a connection that is written, lent by `split`.
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

/// Gives a half that is read the methods of a connection that read.
macro_rules! impl_reading {
    ($half:ty) => {
        impl<S: Transport> HasStream for $half {
            type Stream = S;

            fn stream(&self) -> &S {
                self.as_ref()
            }
        }

        impl<S: Transport> $half {
            /// As [`TcpStream::read`].
            ///
            /// # Errors
            ///
            /// As [`TcpStream::poll_read`].
            pub fn read<'b>(&'b self, buf: &'b mut [u8]) -> Read<'b, S> {
                Read::new(self.as_ref(), buf)
            }

            /// As [`TcpStream::read_exact`].
            ///
            /// # Errors
            ///
            /// As there.
            pub fn read_exact<'b>(&'b self, buf: &'b mut [u8]) -> ReadExact<'b, S> {
                ReadExact::new(self.as_ref(), buf)
            }

            /// As [`TcpStream::read_vectored`].
            ///
            /// # Errors
            ///
            /// As [`TcpStream::poll_read`].
            pub fn read_vectored<'b, 'c>(
                &'b self,
                bufs: &'b mut [IoSliceMut<'c>],
            ) -> ReadVectored<'b, 'c, S> {
                ReadVectored::new(self.as_ref(), bufs)
            }

            /// As [`TcpStream::readable`].
            ///
            /// # Errors
            ///
            /// As there.
            pub fn readable(&self) -> Readable<'_> {
                Readable::new(self.as_ref())
            }

            /// As [`TcpStream::ready`].
            ///
            /// # Errors
            ///
            /// As there.
            pub fn ready(&self, interest: Interest) -> ReadyFor<'_> {
                ReadyFor::new(self.as_ref(), interest)
            }

            /// As [`TcpStream::try_read`].
            ///
            /// # Errors
            ///
            /// As there.
            pub fn try_read(&self, buf: &mut [u8]) -> io::Result<usize> {
                self.as_ref().try_read(buf)
            }

            /// As [`TcpStream::try_read_vectored`].
            ///
            /// # Errors
            ///
            /// As there.
            pub fn try_read_vectored(&self, bufs: &mut [IoSliceMut<'_>]) -> io::Result<usize> {
                self.as_ref().try_read_vectored(bufs)
            }

            /// As [`TcpStream::poll_read`].
            ///
            /// # Errors
            ///
            /// As there.
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

/// Gives a half that is written the methods of a connection that write.
macro_rules! impl_writing {
    ($half:ty) => {
        impl<S: Transport> HasStream for $half {
            type Stream = S;

            fn stream(&self) -> &S {
                self.as_ref()
            }
        }

        impl<S: Transport> $half {
            /// As [`TcpStream::write`].
            ///
            /// # Errors
            ///
            /// As [`TcpStream::poll_write`].
            pub fn write<'b>(&'b self, buf: &'b [u8]) -> Write<'b, S> {
                Write::new(self.as_ref(), buf)
            }

            /// As [`TcpStream::write_all`].
            ///
            /// # Errors
            ///
            /// As there.
            pub fn write_all<'b>(&'b self, buf: &'b [u8]) -> WriteAll<'b, S> {
                WriteAll::new(self.as_ref(), buf)
            }

            /// As [`TcpStream::write_vectored`].
            ///
            /// # Errors
            ///
            /// As [`TcpStream::poll_write`].
            pub fn write_vectored<'b, 'c>(
                &'b self,
                bufs: &'b [IoSlice<'c>],
            ) -> WriteVectored<'b, 'c, S> {
                WriteVectored::new(self.as_ref(), bufs)
            }

            /// As [`TcpStream::writable`].
            ///
            /// # Errors
            ///
            /// As there.
            pub fn writable(&self) -> Writable<'_> {
                Writable::new(self.as_ref())
            }

            /// As [`TcpStream::ready`].
            ///
            /// # Errors
            ///
            /// As there.
            pub fn ready(&self, interest: Interest) -> ReadyFor<'_> {
                ReadyFor::new(self.as_ref(), interest)
            }

            /// As [`TcpStream::try_write`].
            ///
            /// # Errors
            ///
            /// As there.
            pub fn try_write(&self, buf: &[u8]) -> io::Result<usize> {
                self.as_ref().try_write(buf)
            }

            /// As [`TcpStream::try_write_vectored`].
            ///
            /// # Errors
            ///
            /// As there.
            pub fn try_write_vectored(&self, bufs: &[IoSlice<'_>]) -> io::Result<usize> {
                self.as_ref().try_write_vectored(bufs)
            }

            /// As [`TcpStream::poll_write`].
            ///
            /// # Errors
            ///
            /// As there.
            pub fn poll_write(&self, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
                self.as_ref().poll_write(cx, buf)
            }

            /// As [`TcpStream::poll_close`].
            ///
            /// # Errors
            ///
            /// As there.
            pub fn poll_close(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
                self.as_ref().poll_close(cx)
            }
        }
    };
}
pub(super) use impl_writing;

/// Gives a half of a TCP connection that is read the method that reads ahead.
macro_rules! impl_peeking {
    ($half:ty) => {
        impl $half {
            /// As [`TcpStream::peek`].
            ///
            /// # Errors
            ///
            /// As there.
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
