//! The traits of tokio for connections and their owned halves.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::read_uninit::{ReadUninit, poll_fill};
use crate::net::socket::{HasStream as _, Transport};
use crate::net::stream::{OwnedReadHalf, OwnedWriteHalf};
use crate::net::tcp::TcpStream;
#[cfg(unix)]
use crate::net::unix::UnixStream;

/// Implements the `AsyncRead` of tokio for types that contain a [`Transport`].
macro_rules! impl_tokio_read {
    ($({$($generics:tt)*} $reader:ty;)*) => {$(
        impl<$($generics)*> AsyncRead for $reader {
            fn poll_read(
                self: Pin<&mut Self>,
                cx: &mut Context<'_>,
                buf: &mut ReadBuf<'_>,
            ) -> Poll<io::Result<()>> {
                poll_fill(self.get_mut(), cx, buf)
            }
        }
    )*};
}

/// Implements the `AsyncWrite` of tokio for types that contain a [`Transport`].
macro_rules! impl_tokio_write {
    ($({$($generics:tt)*} $writer:ty;)*) => {$(
        impl<$($generics)*> AsyncWrite for $writer {
            fn poll_write(
                self: Pin<&mut Self>,
                cx: &mut Context<'_>,
                buf: &[u8],
            ) -> Poll<io::Result<usize>> {
                Transport::poll_write(self.stream(), cx, buf)
            }

            fn poll_write_vectored(
                self: Pin<&mut Self>,
                cx: &mut Context<'_>,
                bufs: &[IoSlice<'_>],
            ) -> Poll<io::Result<usize>> {
                Transport::poll_write_vectored(self.stream(), cx, bufs)
            }

            fn is_write_vectored(&self) -> bool {
                true
            }

            fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
                Transport::poll_flush(self.stream(), cx)
            }

            fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
                Transport::poll_close(self.stream(), cx)
            }
        }
    )*};
}

impl_tokio_read! {
    {} TcpStream;
    {S: Transport + ReadUninit} OwnedReadHalf<S>;
}

impl_tokio_write! {
    {} TcpStream;
    {S: Transport} OwnedWriteHalf<S>;
}

#[cfg(unix)]
impl_tokio_read! {
    {} UnixStream;
}

#[cfg(unix)]
impl_tokio_write! {
    {} UnixStream;
}
