//! The traits of `futures-io`, for a stream, for references to it and for its halves.

use std::io::{self, IoSlice, IoSliceMut};
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_io::{AsyncRead, AsyncWrite};

use super::split::{ReadHalf, WriteHalf};
use super::stream::TcpStream;

macro_rules! impl_read {
    ($($reader:ty => |$this:ident| $stream:expr;)*) => {$(
        impl AsyncRead for $reader {
            fn poll_read(
                self: Pin<&mut Self>,
                cx: &mut Context<'_>,
                buf: &mut [u8],
            ) -> Poll<io::Result<usize>> {
                let $this = self.get_mut();
                TcpStream::poll_read($stream, cx, buf)
            }

            fn poll_read_vectored(
                self: Pin<&mut Self>,
                cx: &mut Context<'_>,
                bufs: &mut [IoSliceMut<'_>],
            ) -> Poll<io::Result<usize>> {
                let $this = self.get_mut();
                TcpStream::poll_read_vectored($stream, cx, bufs)
            }
        }
    )*};
}

macro_rules! impl_write {
    ($($writer:ty => |$this:ident| $stream:expr;)*) => {$(
        impl AsyncWrite for $writer {
            fn poll_write(
                self: Pin<&mut Self>,
                cx: &mut Context<'_>,
                buf: &[u8],
            ) -> Poll<io::Result<usize>> {
                let $this = self.get_mut();
                TcpStream::poll_write($stream, cx, buf)
            }

            fn poll_write_vectored(
                self: Pin<&mut Self>,
                cx: &mut Context<'_>,
                bufs: &[IoSlice<'_>],
            ) -> Poll<io::Result<usize>> {
                let $this = self.get_mut();
                TcpStream::poll_write_vectored($stream, cx, bufs)
            }

            fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
                let $this = self.get_mut();
                TcpStream::poll_flush($stream, cx)
            }

            fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
                let $this = self.get_mut();
                TcpStream::poll_close($stream, cx)
            }
        }
    )*};
}

impl_read! {
    TcpStream => |this| this;
    &TcpStream => |this| this;
    ReadHalf<'_> => |this| this.stream;
}

impl_write! {
    TcpStream => |this| this;
    &TcpStream => |this| this;
    WriteHalf<'_> => |this| this.stream;
}
