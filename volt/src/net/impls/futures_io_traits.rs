//! The traits of `futures-io` for connections, references to them, and their halves.

use std::io::{self, IoSlice, IoSliceMut};
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_io::{AsyncRead, AsyncWrite};

use crate::net::socket::Transport;
use crate::net::stream::{OwnedReadHalf, OwnedWriteHalf, ReadHalf, WriteHalf};
use crate::net::tcp::TcpStream;

/// Implements `AsyncRead` for types that contain a [`Transport`].
macro_rules! impl_read {
    ($({$($generics:tt)*} $reader:ty => |$value:ident| $stream:expr;)*) => {$(
        impl<$($generics)*> AsyncRead for $reader {
            fn poll_read(
                self: Pin<&mut Self>,
                cx: &mut Context<'_>,
                buf: &mut [u8],
            ) -> Poll<io::Result<usize>> {
                let $value = self.get_mut();
                Transport::poll_read($stream, cx, buf)
            }

            fn poll_read_vectored(
                self: Pin<&mut Self>,
                cx: &mut Context<'_>,
                bufs: &mut [IoSliceMut<'_>],
            ) -> Poll<io::Result<usize>> {
                let $value = self.get_mut();
                Transport::poll_read_vectored($stream, cx, bufs)
            }
        }
    )*};
}

/// Implements `AsyncWrite` for types that contain a [`Transport`].
macro_rules! impl_write {
    ($({$($generics:tt)*} $writer:ty => |$value:ident| $stream:expr;)*) => {$(
        impl<$($generics)*> AsyncWrite for $writer {
            fn poll_write(
                self: Pin<&mut Self>,
                cx: &mut Context<'_>,
                buf: &[u8],
            ) -> Poll<io::Result<usize>> {
                let $value = self.get_mut();
                Transport::poll_write($stream, cx, buf)
            }

            fn poll_write_vectored(
                self: Pin<&mut Self>,
                cx: &mut Context<'_>,
                bufs: &[IoSlice<'_>],
            ) -> Poll<io::Result<usize>> {
                let $value = self.get_mut();
                Transport::poll_write_vectored($stream, cx, bufs)
            }

            fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
                let $value = self.get_mut();
                Transport::poll_flush($stream, cx)
            }

            fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
                let $value = self.get_mut();
                Transport::poll_close($stream, cx)
            }
        }
    )*};
}

impl_read! {
    {} TcpStream => |value| value;
    {} &TcpStream => |value| *value;
    {S: Transport} ReadHalf<'_, S> => |value| value.stream;
    {S: Transport} OwnedReadHalf<S> => |value| value.as_ref();
}

impl_write! {
    {} TcpStream => |value| value;
    {} &TcpStream => |value| *value;
    {S: Transport} WriteHalf<'_, S> => |value| value.stream;
    {S: Transport} OwnedWriteHalf<S> => |value| value.as_ref();
}

#[cfg(unix)]
impl_read! {
    {} crate::net::unix::UnixStream => |value| value;
    {} &crate::net::unix::UnixStream => |value| *value;
}

#[cfg(unix)]
impl_write! {
    {} crate::net::unix::UnixStream => |value| value;
    {} &crate::net::unix::UnixStream => |value| *value;
}
